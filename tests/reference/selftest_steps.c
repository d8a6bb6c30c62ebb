/* selftest_steps.c - the steps of the rivals on tables of wins worked out by hand. */
#include "tap.h"

#include "reference/parts.h"
#include "reference/share.h"
#include "reference/steps.h"

enum { MANY = 20000 };

/* Three arms: w of an order (0 beats 1 and 2, 1 beats 2) and of a circle (0 beats 1, 1 beats 2, 2 beats 0). */
static const double ORDER[] = {0, 1, 1, 0, 0, 1, 0, 0, 0};
static const double CIRCLE[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};

static const double *times(const double *w, double n)
{
    static double scaled[9];
    for (size_t i = 0; i < 9; i++)
        scaled[i] = n * w[i];
    return scaled;
}

static void same_numbers(const double *got, const double *wanted, size_t n, const char *what)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, isnan(got[i]) ? INFINITY : fabs(got[i] - wanted[i]));
    if (!ok(worst < 1e-12, "%s", what))
        for (size_t i = 0; i < n; i++)
            printf("# %zu: got %.17g, wanted %.17g\n", i, got[i], wanted[i]);
}

/* flags as text, '1' or '0' each */
static void same_flags(const bool *got, const char *wanted, const char *what)
{
    char text[32] = {0};
    for (size_t i = 0; i < strlen(wanted); i++)
        text[i] = got[i] ? '1' : '0';
    same_text(text, wanted, "%s", what);
}

static void test_bounds(void)
{
    static const double w[] = {7, 3, 0, 1, 7, 0, 0, 0, 7};
    near(ref_upper(3, w, 0, 1, 1), 0.75 + 0.5, 1e-15, "upper: mean and radius");
    near(ref_lower(3, w, 1, 0, 1), 0.25 - 0.5, 1e-15, "lower: mean and radius");
    ok(ref_upper(3, w, 2, 1, 1) == 2 && ref_lower(3, w, 2, 1, 1) == 0, "an unplayed pair: 2 and 0");
    ok(ref_upper(3, w, 1, 1, 1) == 0.5 && ref_lower(3, w, 1, 1, 1) == 0.5, "an arm against itself: 1/2");
}

static void test_rucb(void)
{
    static const double none[9] = {0}, one[] = {0, 1, 0, 0, 0, 0, 0, 0, 0}, pair[] = {0, 1, 0, 0};
    static const double first[] = {0, 1. / 6, 1. / 6, 1. / 6, 0, 1. / 6, 1. / 6, 1. / 6, 0};
    static const double second[] = {0, 0, 1. / 3, 0, 0, 1. / 3, 1. / 6, 1. / 6, 0};
    static const double kept[] = {0, 0, 0.5, 0, 0, 0.25, 0.125, 0.125, 0};
    static const double alone[] = {1, 0, 0, 0, 0, 0, 0, 0, 0};
    static const double circle[] = {0, 0, 1. / 3, 1. / 3, 0, 0, 0, 1. / 3, 0};
    static const double tie[] = {0, 0.5, 0.5, 0};
    double prob[9];
    ok(ref_step_rucb(3, none, 1, 0.51, -1, prob) == -1, "rucb: nothing to remember at first");
    same_numbers(prob, first, 9, "rucb: all U = 2 at first");
    /* U_01 = 1.59, U_10 = 0.59: 2 is the challenger of both, and has two challengers itself. */
    ok(ref_step_rucb(3, one, 2, 0.51, -1, prob) == -1, "rucb: still nothing to remember");
    same_numbers(prob, second, 9, "rucb: after one duel");
    ok(ref_step_rucb(3, one, 2, 0.51, 0, prob) == 0, "rucb: the remembered best stays");
    same_numbers(prob, kept, 9, "rucb: the remembered best has probability 1/2");
    ok(ref_step_rucb(3, times(ORDER, 100), 300, 0.51, 2, prob) == 0, "rucb: a single arm is remembered");
    same_numbers(prob, alone, 9, "rucb: a single arm plays itself");
    ok(ref_step_rucb(3, times(CIRCLE, 100), 300, 0.51, 1, prob) == -1, "rucb: a beaten best is dropped");
    same_numbers(prob, circle, 9, "rucb: nobody unbeaten, so anybody, against who beats it");
    /* sqrt(0.25 log e / 1) = 1/2 exactly, as good as the champion itself */
    (void)ref_step_rucb(2, pair, exp(1), 0.25, -1, prob);
    same_numbers(prob, tie, 4, "rucb: in a tie the challenger is somebody else");
    (void)ref_step_rucb(1, none, 5, 0.51, -1, prob);
    same_numbers(prob, alone, 1, "rucb: one arm");
}

static void test_merge_rucb(void)
{
    static const double all[] = {0, 1. / 6, 1. / 6, 1. / 6, 0, 1. / 6, 1. / 6, 1. / 6, 0};
    static const double none[9] = {0}, two[] = {0, 0.5, 0, 0.5, 0, 0, 0, 0, 0}, last[] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    double prob[9];
    bool batch[] = {true, true, true};
    ref_step_merge_rucb(3, none, 1, 0.51, 0, batch, prob);
    same_numbers(prob, all, 9, "merge_rucb: a fresh batch");
    batch[2] = false;
    ref_step_merge_rucb(3, none, 1, 0.51, 0, batch, prob);
    same_numbers(prob, two, 9, "merge_rucb: only batch mates meet");
    batch[0] = false;
    batch[2] = true;
    ref_step_merge_rucb(3, times(ORDER, 100), 300, 0.51, 0, batch, prob);
    same_flags(batch, "010", "merge_rucb: 2 loses to 1; 0 is not in the batch");
    same_numbers(prob, last, 9, "merge_rucb: the last of a batch plays itself");
    batch[0] = batch[1] = batch[2] = true;
    ref_step_merge_rucb(3, times(ORDER, 100), 300, 0.51, exp(60), batch, prob);
    same_flags(batch, "111", "merge_rucb: a large c keeps everybody");
    size_t size[] = {1, 4, 2, 3, 3}, into[5], count[3] = {0}, odd = 0;
    gsl_rng *rng = ref_rng_open(1);
    for (size_t run = 0; run < MANY; run++) {
        size_t merged[3] = {0};
        bool good = ref_merge_batches(5, size, into, rng) == 3;
        for (size_t b = 0; b < 5; b++)
            merged[into[b]] += size[b];
        count[0] += good && merged[0] == 5 && into[0] == into[1];
        count[1] += good && merged[1] == 5;
        count[2] += good && merged[2] == 3;
        odd += into[3] == 2;
    }
    ok(count[0] == MANY && count[1] == MANY && count[2] == MANY, "merging 1 2 3 3 4 gives 5 5 3");
    share(odd, MANY, 0.5, "merging: ties at random");
    ok(ref_merge_batches(4, size, into, rng) == 2 && into[0] == into[1] && into[2] == into[3], "1 2 3 4 gives 5 5");
    ok(ref_merge_batches(1, size, into, rng) == 1 && into[0] == 0, "one batch stays");
    gsl_rng_free(rng);
}

static void test_dts(void)
{
    static const double none[9] = {0};
    static const double close[] = {0, 60, 90, 40, 0, 90, 10, 10, 0};
    bool first[3], second[9];
    ref_step_dts(3, none, 1, 0.51, first, second);
    same_flags(first, "111", "dts: all arms at first");
    same_flags(second, "111111111", "dts: all seconds at first");
    ref_step_dts(3, times(ORDER, 100), 300, 0.51, first, second);
    same_flags(first, "100", "dts: the arm that beats most");
    same_flags(second, "111011001", "dts: no second that surely beats the first");
    /* 60 : 40 at t = 300 has radius 0.17 and proves nothing: 0 and 1 may both beat two. */
    ref_step_dts(3, close, 300, 0.51, first, second);
    same_flags(first, "110", "dts: two arms may beat most");
    same_flags(second, "111111001", "dts: a close one is allowed as second");
    /* alpha log t = 1/4 exactly: U_10 = 0 + 1/2 is not above 1/2, L_01 = 1 - 1/2 is not above it either. */
    static const double pair[] = {0, 1, 0, 0};
    ref_step_dts(2, pair, exp(1), 0.25, first, second);
    same_flags(first, "10", "dts: U must exceed 1/2");
    same_flags(second, "1111", "dts: L may be 1/2");
    size_t a, b, wrong = 0, same = 0;
    gsl_rng *rng = ref_rng_open(2);
    for (size_t run = 0; run < MANY; run++) {
        ref_draw_dts(3, times(ORDER, 1e6), 3e6, 0.51, &a, &b, rng);
        wrong += a != 0 || b != 0;
        ref_draw_dts(3, none, 1, 0.51, &a, &b, rng);
        same += a == b; /* both other samples below 1/2 */
    }
    share(wrong, MANY, 0, "dts: sure of an order, the best plays itself");
    share(same, MANY, 0.25, "dts: a blind first round");
    static const double half[] = {0, 2, 1, 0};
    size_t hits = 0;
    for (size_t run = 0; run < MANY; run++) {
        ref_draw_dts(2, half, 4, 0.51, &a, &b, rng);
        hits += a == 0;
    }
    share(hits, MANY, 11.0 / 16, "dts: P(Beta(3, 2) > 1/2)");
    gsl_rng_free(rng);
}

static void test_rmed1(void)
{
    static const double five[] = {7, 5, 0, 0, 7, 3, 1, 0, 7}, tied[] = {0, 2, 2, 2, 0, 2, 2, 2, 0};
    static const double order[] = {1, 0, 0, 1, 0, 0, 1, 0, 0}, circle[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    static const double equal[] = {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0};
    double information[3], opponent[9], sum = 3 * log(2);
    bool best[3], likely[3];
    ref_step_rmed1(3, ORDER, 3, 0.3, 1.01, information, best, opponent, likely);
    same_numbers(information, (double[]){0, log(2), 2 * log(2)}, 3, "rmed1: I after one duel each");
    same_flags(best, "100", "rmed1: i*");
    same_numbers(opponent, order, 9, "rmed1: all against i*, and i* against itself");
    same_flags(likely, "111", "rmed1: log 3 + 0.91 is more than 2 log 2");
    ref_step_rmed1(3, times(ORDER, 10), 30, 0.3, 1.01, information, best, opponent, likely);
    same_flags(likely, "100", "rmed1: 10 log 2 is more than log 30 + 0.91");
    ref_step_rmed1(3, times(ORDER, 10), 30, 1.17, 1.01, information, best, opponent, likely);
    same_flags(likely, "110", "rmed1: 10 log 2 is less than log 30 + 1.17 3^1.01");
    ref_step_rmed1(3, five, 9, 0.3, 1.01, information, best, opponent, likely);
    same_numbers(information, (double[]){log(2), 5 * log(2), sum}, 3, "rmed1: I of a circle");
    same_numbers(opponent, circle, 9, "rmed1: i* does not beat 2, so 2 meets who does");
    static const double level[] = {0, 2, 4, 2, 0, 1, 0, 4, 0};
    ref_step_rmed1(3, level, 13, 0.3, 1.01, information, best, opponent, likely);
    ok(best[0] && opponent[1 * 3 + 0] == 1, "rmed1: i* is level with 1, so 1 meets it and not the 2 it loses to");
    static const double quarter[] = {0, 1, 3, 0};
    ref_step_rmed1(2, quarter, 4, 0.3, 1.01, information, best, opponent, likely);
    near(information[0], 4 * (0.25 * log(0.5) + 0.75 * log(1.5)), 1e-12, "rmed1: divergence of 1/4");
    near(information[1], 0, 0, "rmed1: a mean above 1/2 adds nothing");
    ref_step_rmed1(3, tied, 12, 0.3, 1.01, information, best, opponent, likely);
    same_flags(best, "111", "rmed1: three i*");
    /* i = i* (a third): the smallest mean of the two others; otherwise i*, one of the two others. */
    same_numbers(opponent, equal, 9, "rmed1: opponents when all is tied");
    ref_step_rmed1(1, tied, 1, 0.3, 1.01, information, best, opponent, likely);
    ok(best[0] && likely[0] && opponent[0] == 1, "rmed1: one arm plays itself");
}

static void test_savage(void)
{
    static const double uneven[] = {0, 2, 1, 1, 0, 1, 0, 1, 0};
    bool remaining[] = {true, true, true}, allowed[9];
    ref_step_savage(3, uneven, 1000, remaining, allowed);
    same_flags(allowed, "001000100", "savage: the least compared pair");
    same_flags(remaining, "111", "savage: nobody leaves early");
    ref_step_savage(3, CIRCLE, 1000, remaining, allowed);
    same_flags(allowed, "011101110", "savage: any pair in a tie");
    /* sqrt(log(6 T^2) / 2n) < 1/2 from n = 2 log(6e6) = 31.2 on */
    ref_step_savage(3, times(ORDER, 31), 1000, remaining, allowed);
    same_flags(remaining, "111", "savage: 31 wins of 31 do not suffice");
    double w[9] = {0, 31, 31, 0, 0, 32, 0, 0, 0};
    ref_step_savage(3, w, 1000, remaining, allowed);
    same_flags(remaining, "110", "savage: 32 of 32 do");
    same_flags(allowed, "010100000", "savage: the pairs of who left are gone");
    w[1] = 32;
    ref_step_savage(3, w, 1000, remaining, allowed);
    same_flags(allowed, "100000000", "savage: the last one plays itself");
}

static void test_mdb(void)
{
    static const double none[9] = {0}, close[] = {0, 60, 90, 40, 0, 90, 10, 10, 0};
    bool narrow[3], wide[3], played[3];
    ref_step_mdb(3, none, 1, 0.5, 1.5, narrow, wide, played);
    same_flags(played, "111", "mdb: all arms at first");
    ref_step_mdb(3, times(ORDER, 100), 300, 0.5, 1.5, narrow, wide, played);
    same_flags(played, "100", "mdb: the only candidate");
    /* 60 : 40; the radius at alpha log t = 0.01 n x: 0.4 + sqrt(x / 100) >= 1/2 from x = 1 on */
    ref_step_mdb(3, close, exp(1.9), 0.5, 1.5, narrow, wide, played);
    same_flags(narrow, "100", "mdb: narrow 0.95");
    same_flags(wide, "110", "mdb: wide 1.425");
    same_flags(played, "100", "mdb: the narrow set decides when it has one arm");
    ref_step_mdb(3, close, exp(1.3), 0.5, 1.5, narrow, wide, played);
    same_flags(wide, "100", "mdb: wide 0.975");
    ref_step_mdb(3, close, exp(2.1), 0.5, 1.5, narrow, wide, played);
    same_flags(played, "110", "mdb: two candidates");
    /* 2 loses by 0.4, so wide needs 16; then narrow 2/3 of that */
    ref_step_mdb(3, close, exp(22), 0.5, 1.5, narrow, wide, played);
    same_flags(narrow, "110", "mdb: narrow 11");
    same_flags(played, "111", "mdb: all of the wide set is shown");
    ref_step_mdb(3, times(CIRCLE, 100), 300, 0.5, 1.5, narrow, wide, played);
    same_flags(wide, "000", "mdb: nobody unbeaten");
    same_flags(played, "111", "mdb: so all arms");
    /* A circle of 100, 5, 100 duels: the last but one loser may be best in the wide sense only. */
    static const double lopsided[] = {0, 100, 0, 0, 0, 100, 5, 0, 0};
    ref_step_mdb(3, lopsided, exp(2), 0.5, 1.5, narrow, wide, played);
    same_flags(narrow, "000", "mdb: narrow sqrt(1 / 5) is below 1/2");
    same_flags(played, "100", "mdb: wide sqrt(1.5 / 5) is not, so that arm alone");
}

int main(void)
{
    test_bounds();
    test_rucb();
    test_merge_rucb();
    test_dts();
    test_rmed1();
    test_savage();
    test_mdb();
    return done();
}
