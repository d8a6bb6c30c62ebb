/* Numbers in order, each once, and with where they stood. */
#include "base/order.h"

#include "tap.h"

static void check_distinct(void)
{
    double value[] = {3, -1, 3, 0, -0.0, 3, 7}, wanted[] = {-1, 0, 3, 7};
    size_t n = spar__distinct(7, value);
    bool same = n == 4;
    for (size_t i = 0; i < 4; i++)
        same &= value[i] == wanted[i];
    ok(same, "sorted, each once");
    ok(spar__distinct(1, value) == 1 && value[0] == -1 && spar__distinct(0, value) == 0, "one is one, none are none");
}

static void check_rank(void)
{
    static const double value[] = {2, 1, 2, -5, 2, 1};
    static const size_t wanted[] = {3, 1, 5, 0, 2, 4};
    spar__ranked item[6];
    bool same = true;
    for (size_t i = 0; i < 6; i++)
        item[i] = (spar__ranked){value[5 - i], 5 - i};
    spar__rank(6, item);
    for (size_t i = 0; i < 6; i++)
        same &= item[i].index == wanted[i] && item[i].value == value[wanted[i]];
    ok(same, "ranked by value, then by index");
}

int main(void)
{
    check_distinct();
    check_rank();
    return done();
}
