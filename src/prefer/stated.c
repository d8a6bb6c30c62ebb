#include "prefer/stated.h"

#include <stdlib.h>

static bool stands_once(size_t m, const size_t *arm, size_t slot)
{
    for (size_t k = 0; k < m; k++)
        if (k != slot && arm[k] == arm[slot])
            return false;
    return true;
}

static spar__stated make_stated(size_t first, size_t second, unsigned outcome, double weight)
{
    spar__stated s = {.a = first < second ? first : second, .b = first < second ? second : first};
    if (outcome == 2)
        s.ties = weight;
    else
        s.won[(outcome == 3) == (first > second)] = weight;
    return s;
}

static int by_pair(const void *x, const void *y)
{
    const spar__stated *s = x, *t = y;
    return s->a != t->a ? (s->a > t->a) - (s->a < t->a) : (s->b > t->b) - (s->b < t->b);
}

/* Several duels of one pair become one statement. */
static size_t merge(size_t count, spar__stated *s)
{
    size_t kept = 0;
    qsort(s, count, sizeof *s, by_pair);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || by_pair(&s[kept - 1], &s[i]) != 0) {
            s[kept++] = s[i];
            continue;
        }
        s[kept - 1].won[0] += s[i].won[0];
        s[kept - 1].won[1] += s[i].won[1];
        s[kept - 1].ties += s[i].ties;
    }
    return kept;
}

static bool has_copies(size_t m, const size_t *arm)
{
    for (size_t j = 0; j < m; j++)
        if (!stands_once(m, arm, j))
            return true;
    return false;
}

size_t spar__stated_of(size_t m, const size_t *arm, const unsigned char *outcome, bool independent, double weight,
                       spar__stated *out)
{
    size_t count = 0;
    bool copies = has_copies(m, arm), every = independent || !copies;
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++)
            if (outcome[j * m + k] != 0 && arm[j] != arm[k] &&
                (every || (stands_once(m, arm, j) && stands_once(m, arm, k))))
                out[count++] = make_stated(arm[j], arm[k], outcome[j * m + k], weight);
    return copies && count > 1 ? merge(count, out) : count;
}
