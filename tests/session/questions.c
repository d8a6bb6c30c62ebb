#include "session/session.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

static unsigned char *bytes_of(uint64_t number)
{
    unsigned char *bytes = spar__alloc(1, 1);
    if (!bytes)
        abort();
    bytes[0] = (unsigned char)number;
    return bytes;
}

static void fill(spar__questions *q)
{
    static const uint64_t order[] = {5, 6, 7, 3, UINT64_MAX, 100, 50, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 1};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (spar__questions_open(q, order[i], bytes_of(order[i]), 1))
            abort();
}

static bool sorted(const spar__questions *q)
{
    for (size_t i = 1; i < q->n; i++)
        if (q->item[i - 1].number >= q->item[i].number)
            return false;
    return true;
}

int main(void)
{
    spar__questions q = {0}, back = {0};
    ok(!spar__questions_find(&q, 1) && !spar__questions_after(&q, 0) && spar__questions_last(&q) == 0, "none at first");
    fill(&q);
    ok(sorted(&q) && q.n == 19 && spar__questions_last(&q) == UINT64_MAX, "kept in order");
    ok(spar__questions_find(&q, 50) && spar__questions_find(&q, 50)->is.bytes[0] == 50 &&
           !spar__questions_find(&q, 4) && !spar__questions_find(&q, 0),
       "found by number");
    ok(sizeof(spar__question) == 32, "32 bytes each");
    spar__question_close(spar__questions_find(&q, 3), (uint64_t[]){1, 2}, 7);
    ok(spar__questions_after(&q, 1)->number == 5 && spar__questions_after(&q, 0)->number == 1 &&
           spar__questions_after(&q, 100)->number == UINT64_MAX && !spar__questions_after(&q, UINT64_MAX),
       "the next open one");
    spar__questions long_one = {.memory = 50};
    size_t most = 0;
    for (uint64_t i = 1; i <= 1000; i++) {
        (void)spar__questions_open(&long_one, i, bytes_of(i), 1);
        if (i != 7)
            spar__question_close(spar__questions_find(&long_one, i), (uint64_t[]){i, i}, 0);
        spar__questions_trim(&long_one);
        most = long_one.n > most ? long_one.n : most;
    }
    ok(most <= 103 && spar__questions_find(&long_one, 951) && !spar__questions_find(&long_one, 950) &&
           !spar__questions_find(&long_one, 6) && spar__questions_too_old(&long_one, 950),
       "old ones go: %zu", most);
    ok(spar__questions_find(&long_one, 7)->open && spar__questions_last(&long_one) == 1000 && sorted(&long_one),
       "open ones stay");
    spar__questions_free(&long_one);
    spar__archive out = {.loading = false};
    spar__questions_archive(&q, &out);
    spar__archive in = {.loading = true, .in = (unsigned char *)out.out.text, .left = out.out.length};
    spar__questions_archive(&back, &in);
    ok(!in.failed && !in.left && back.n == q.n && sorted(&back) && !spar__questions_find(&back, 3)->open &&
           spar__questions_find(&back, 3)->is.told[1] == 2 && spar__questions_find(&back, 3)->length == 7 &&
           spar__questions_find(&back, 50)->is.bytes[0] == 50,
       "saved and loaded");
    bool refused = true;
    for (size_t cut = 0; cut < out.out.length; cut++) {
        spar__questions_free(&back);
        in = (spar__archive){.loading = true, .in = (unsigned char *)out.out.text, .left = cut};
        spar__questions_archive(&back, &in);
        refused &= in.failed;
    }
    ok(refused, "but not when cut short");
    spar__questions_free(&back);
    spar__questions_free(&q);
    spar__buf_free(&out.out);
    return done();
}
