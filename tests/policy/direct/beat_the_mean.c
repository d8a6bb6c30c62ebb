#include "duel_setup.h"

static void first_question(void)
{
    enum { K = 6 };
    bool none[K] = {0}, allowed[K * K];
    for (int self = 0; self < 2; self++) {
        duel_setup s = duel_setup_new(self ? "beat_the_mean" : "beat_the_mean(self=0)", K, 1000, 1);
        pairs_among(K, none, self, allowed);
        ok(asks_uniformly(&s, allowed, 40000), "self=%d: the first question is uniform", self);
        duel_setup_free(&s);
    }
}

static void fewest_comparisons(void)
{
    enum { K = 6 };
    duel_setup s = duel_setup_new("beat_the_mean", K, 1000, 2);
    bool allowed[K * K];
    tell_about(&s, 0, 2, SPAR_WIN);
    tell_about(&s, 1, 4, SPAR_TIE);
    tell_about(&s, 3, 3, SPAR_WIN);
    tell_about(&s, 5, 2, SPAR_LOSS);
    for (size_t i = 0; i < K * K; i++)
        allowed[i] = i / K == 2 || i / K == 4;
    ok(asks_uniformly(&s, allowed, 30000), "an arm with the fewest comparisons is first, any second");
    ok(score_of(&s, 0) == 1 && score_of(&s, 1) == 0.5 && score_of(&s, 3) == 1 && score_of(&s, 5) == 0,
       "the first arm is credited, beside itself too");
    tell_about(&s, 4, 2, SPAR_LOSS);
    ok(score_of(&s, 4) == 0 && score_of(&s, 2) == 0.5, "the second one is not");
    for (size_t i = 0; i < K * K; i++)
        allowed[i] = i / K == 2;
    ok(asks_uniformly(&s, allowed, 30000), "and has still no comparison of its own");
    duel_setup_free(&s);
}

/* Two arms, certain wins: means 1 and 0, so 2 c <= 1 at n >= (2 factor gamma^2)^2 log(2 T K). */
static void removal(void)
{
    static const struct {
        const char *spec;
        double width;
        uint64_t horizon;
    } cases[] = {{"beat_the_mean(self=0)", 3, 1000},
                 {"beat_the_mean(self=0,factor=1)", 1, 1000},
                 {"beat_the_mean(self=0,factor=1)", 1, 1000000},
                 {"beat_the_mean(self=0,factor=0.5,gamma=1.5)", 0.5 * 1.5 * 1.5, 1000}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        duel_setup s = duel_setup_new(cases[c].spec, 2, cases[c].horizon, 3);
        double need = 4 * cases[c].width * cases[c].width * log(4 * (double)cases[c].horizon);
        size_t rounds = 0, wanted = 2 * (size_t)ceil(need);
        while (rounds < 10000 && score_of(&s, 1) >= 0) {
            ask(&s);
            tell(&s, s.round->arm[0] == 0 ? SPAR_WIN : SPAR_LOSS);
            rounds++;
        }
        ok(rounds == wanted, "%s, T = %g: the certain loser leaves after round %zu, expected %zu", cases[c].spec,
           (double)cases[c].horizon, rounds, wanted);
        bool allowed[4] = {true, false, false, false};
        ok(asks_uniformly(&s, allowed, 100), "and the last arm plays itself");
        duel_setup_free(&s);
    }
}

static void repeat(duel_setup *s, size_t first, size_t second, size_t wins, size_t losses)
{
    for (size_t i = 0; i < wins + losses; i++)
        tell_about(s, first, second, i < wins ? SPAR_WIN : SPAR_LOSS);
}

static void forgetting(void)
{
    duel_setup s = duel_setup_new("beat_the_mean(factor=1)", 3, 1000, 4);
    repeat(&s, 0, 1, 20, 10);
    repeat(&s, 0, 2, 40, 0);
    repeat(&s, 1, 0, 10, 15);
    repeat(&s, 1, 2, 35, 5);
    repeat(&s, 1, 1, 3, 2);
    near(score_of(&s, 0), 60.0 / 70, 1e-15, "before: all comparisons count");
    near(score_of(&s, 1), 48.0 / 70, 1e-15, "before: all comparisons count");
    size_t n = 0;
    while (score_of(&s, 2) >= 0 && n < 1000) {
        tell_about(&s, 2, 0, SPAR_LOSS);
        n++;
    }
    double need = 4 * log(2 * 1000 * 3) / (60.0 / 70 * 60.0 / 70);
    ok(n == (size_t)ceil(need), "the worst leaves when the fewest comparisons are %zu", n);
    near(score_of(&s, 0), 20.0 / 30, 1e-15, "after: those with it are forgotten");
    near(score_of(&s, 1), 13.0 / 30, 1e-15, "after: those with it are forgotten, those with itself are not");
    duel_setup twin = duel_setup_copy(&s);
    tell_about(&s, 2, 0, SPAR_WIN);
    tell_about(&s, 0, 2, SPAR_LOSS);
    tell_about(&s, 2, 2, SPAR_LOSS);
    ok(same_state(&s, &twin), "late answers about it change nothing");
    bool allowed[9] = {true, true, false, true, true, false, false, false, false};
    ok(asks_uniformly(&s, allowed, 20000), "the others have equally many comparisons left, and go on");
    duel_setup_free(&s);
    duel_setup_free(&twin);
}

static void equally_bad(void)
{
    enum { RUNS = 900 };
    double count[3] = {0};
    static const double p[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    bool one = true;
    for (uint64_t run = 0; run < RUNS; run++) {
        duel_setup s = duel_setup_new("beat_the_mean(factor=0.1)", 4, 1000, 1000 + run);
        for (size_t i = 0; i < 4; i++)
            tell_about(&s, i, 0, i == 0 ? SPAR_WIN : SPAR_LOSS);
        double gone = 0;
        for (size_t i = 1; i < 4; i++) {
            count[i - 1] += score_of(&s, i) < 0;
            gone += score_of(&s, i) < 0;
        }
        one &= gone == 1 && score_of(&s, 0) == 1;
        duel_setup_free(&s);
    }
    ok(one, "of several worst arms one leaves");
    ok(fabs(chi_square(RUNS, 3, count, p)) < 5, "a random one");
}

int main(void)
{
    first_question();
    fewest_comparisons();
    removal();
    forgetting();
    equally_bad();
    survives_hard_worlds("beat_the_mean(factor=1)");
    survives_hard_worlds("beat_the_mean(factor=0.01,self=0)");
    return done();
}
