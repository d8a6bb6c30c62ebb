#include "types/feedback.h"

#include "base/alloc.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static void test_counting(void)
{
    spar_pair_counts *counts = NULL;
    ok(spar_pair_counts_new(3, &counts) == SPAR_OK && spar_pair_counts_count(counts) == 3, "three arms");
    ok(spar_pair_counts_add(counts, 0, 1, SPAR_WIN, 1) == SPAR_OK && spar_pair_counts_won(counts, 0, 1) == 1 &&
           spar_pair_counts_won(counts, 1, 0) == 0 && spar_pair_counts_played(counts, 1, 0) == 1,
       "a win");
    ok(spar_pair_counts_add(counts, 0, 1, SPAR_LOSS, 0.5) == SPAR_OK && spar_pair_counts_won(counts, 1, 0) == 0.5,
       "a loss of half the weight");
    ok(spar_pair_counts_add(counts, 2, 1, SPAR_TIE, 1) == SPAR_OK && spar_pair_counts_won(counts, 1, 2) == 0.5 &&
           spar_pair_counts_won(counts, 2, 1) == 0.5,
       "a tie is half a win for each");
    ok(spar_pair_counts_add(counts, 1, 1, SPAR_WIN, 1) == SPAR_OK && spar_pair_counts_played(counts, 1, 1) == 0 &&
           spar_pair_counts_add(counts, 0, 2, SPAR_MISSING, 1) == SPAR_OK && spar_pair_counts_played(counts, 0, 2) == 0,
       "an arm with itself and a missing outcome change nothing");
    ok(spar_pair_counts_add(counts, 0, 3, SPAR_WIN, 1) == SPAR_INVALID &&
           spar_pair_counts_add(counts, 3, 0, SPAR_WIN, 1) == SPAR_INVALID &&
           spar_pair_counts_add(counts, 0, 1, (spar_outcome)4, 1) == SPAR_INVALID &&
           spar_pair_counts_add(counts, 0, 1, SPAR_WIN, 0) == SPAR_INVALID &&
           spar_pair_counts_add(counts, 0, 1, SPAR_WIN, (double)INFINITY) == SPAR_INVALID &&
           spar_pair_counts_add(counts, 0, 1, SPAR_WIN, (double)NAN) == SPAR_INVALID,
       "what makes no sense is refused");
    ok(spar_pair_counts_won(counts, 0, 3) == 0 && spar_pair_counts_played(counts, 9, 0) == 0, "nothing out of range");
    spar_pair_counts_free(counts);
    spar_pair_counts_free(NULL);
}

static void test_rounds(void)
{
    spar_pair_counts *counts = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_pair_counts_new(4, &counts) || spar_round_new(4, &round) || spar_feedback_new(4, &feedback) ||
        spar_round_set(round, 4, (size_t[]){3, 1, 3, 0}) || spar_feedback_ranking(feedback, 2, (size_t[]){1, 0}, NULL))
        abort();
    ok(spar_pair_counts_learn(counts, round, feedback, 2) == SPAR_OK,
       "a ranking of four slots: 1 > 3, then the others");
    ok(spar_pair_counts_won(counts, 1, 3) == 4 && spar_pair_counts_won(counts, 1, 0) == 2 &&
           spar_pair_counts_won(counts, 3, 0) == 2 && spar_pair_counts_played(counts, 3, 3) == 0 &&
           spar_pair_counts_won(counts, 0, 3) == 0,
       "every answered pair of different arms counts");
    (void)spar_round_set(round, 4, (size_t[]){3, 1, 4, 0});
    ok(spar_pair_counts_learn(counts, round, feedback, 1) == SPAR_INVALID, "an arm that is not there");
    (void)spar_round_set(round, 2, (size_t[]){3, 1});
    ok(spar_pair_counts_learn(counts, round, feedback, 1) == SPAR_INVALID && spar_pair_counts_won(counts, 1, 3) == 4,
       "a round of another size");
    spar_pair_counts_free(counts);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

/* One by one, with a duel after each: all are still there, and few allocations were needed. */
static void test_growth(void)
{
    enum { MOST = 200 };
    spar_pair_counts *counts = NULL, *copy = NULL;
    bool right = true;
    if (spar_pair_counts_new(0, &counts))
        abort();
    spar__alloc_fail_at(0);
    for (size_t n = 1; n <= MOST; n++) {
        right &= spar_pair_counts_grow(counts, n) == SPAR_OK;
        for (size_t i = 0; i + 1 < n; i++)
            right &= spar_pair_counts_played(counts, i, n - 1) == 0;
        right &= n == 1 || spar_pair_counts_add(counts, n - 1, n - 2, SPAR_WIN, (double)n) == SPAR_OK;
    }
    ok(spar__alloc_count() < 10, "200 arms one by one: %zu allocations", spar__alloc_count());
    for (size_t n = 2; n <= MOST; n++)
        right &= spar_pair_counts_won(counts, n - 1, n - 2) == (double)n;
    ok(right, "what was counted stays");
    ok(spar_pair_counts_grow(counts, 3) == SPAR_INVALID && spar_pair_counts_count(counts) == MOST, "never fewer");
    ok(spar_pair_counts_dup(counts, &copy) == SPAR_OK && spar_pair_counts_won(copy, 9, 8) == 10, "a duplicate");
    (void)spar_pair_counts_add(copy, 9, 8, SPAR_WIN, 1);
    ok(spar_pair_counts_won(counts, 9, 8) == 10, "is another object");
    spar_pair_counts *few = NULL;
    if (spar_pair_counts_new(2, &few))
        abort();
    (void)spar_pair_counts_add(few, 0, 1, SPAR_WIN, 7);
    ok(spar_pair_counts_copy(few, copy) == SPAR_OK && spar_pair_counts_count(copy) == 2 &&
           spar_pair_counts_won(copy, 0, 1) == 7,
       "a copy of fewer arms");
    ok(spar_pair_counts_grow(copy, 10) == SPAR_OK && spar_pair_counts_played(copy, 9, 8) == 0,
       "of what was there before nothing comes back");
    spar__alloc_fail_at(1);
    ok(spar_pair_counts_copy(counts, few) == SPAR_NOMEM && spar_pair_counts_count(few) == 2, "a copy that fails");
    spar__alloc_fail_at(1);
    ok(spar_pair_counts_grow(few, 100) == SPAR_NOMEM && spar_pair_counts_won(few, 0, 1) == 7, "growth that fails");
    spar__alloc_fail_at(0);
    ok(spar_pair_counts_grow(few, SIZE_MAX / 2) == SPAR_NOMEM, "growth beyond all memory");
    spar_pair_counts_free(few);
    spar_pair_counts_free(copy);
    spar_pair_counts_free(counts);
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar_pair_counts_new(3, &counts) == SPAR_NOMEM && !counts, "allocation %zu fails cleanly", k);
    }
    spar__alloc_fail_at(0);
}

static bool loads(double first, double second)
{
    spar_pair_counts a = {0};
    if (spar__pair_counts_fit(&a, 2))
        abort();
    a.won[1] = second;
    a.won[0] = first;
    spar__archive out = {.loading = false};
    spar__pair_counts_archive(&a, &out);
    spar_pair_counts b = {0};
    if (spar__pair_counts_fit(&b, 2))
        abort();
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__pair_counts_archive(&b, &in);
    bool same = !in.failed && in.left == 0 && spar__won(&b, 0, 1) == second;
    spar__buf_free(&out.out);
    spar__pair_counts_fini(&a);
    spar__pair_counts_fini(&b);
    return same;
}

int main(void)
{
    test_counting();
    test_rounds();
    test_growth();
    ok(loads(0, 2.5), "saved and loaded");
    ok(!loads(1, 2.5) && !loads(0, -1) && !loads(0, (double)NAN) && !loads(0, 0x1p60),
       "what is no count is not loaded");
    return done();
}
