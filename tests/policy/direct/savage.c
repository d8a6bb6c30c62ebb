#include "duel_setup.h"

static void first_question(void)
{
    enum { K = 6 };
    bool none[K] = {0}, allowed[K * K];
    duel_setup s = duel_setup_new("savage", K, 1000, 1);
    pairs_among(K, none, false, allowed);
    ok(asks_uniformly(&s, allowed, 40000), "the first question is uniform over pairs, either arm first");
    duel_setup_free(&s);
}

static void least_compared(void)
{
    enum { K = 4 };
    duel_setup s = duel_setup_new("savage", K, 1000, 2);
    bool allowed[K * K] = {0};
    tell_about(&s, 0, 1, SPAR_WIN);
    tell_about(&s, 3, 2, SPAR_TIE);
    tell_about(&s, 1, 2, SPAR_LOSS);
    allowed[0 * K + 2] = allowed[2 * K + 0] = allowed[0 * K + 3] = allowed[3 * K + 0] = true;
    allowed[1 * K + 3] = allowed[3 * K + 1] = true;
    ok(asks_uniformly(&s, allowed, 30000), "one of the least-compared pairs, each as likely");
    tell_about(&s, 2, 0, SPAR_WIN);
    tell_about(&s, 2, 0, SPAR_WIN); /* more often than asked */
    tell_about(&s, 3, 0, SPAR_WIN);
    allowed[0 * K + 2] = allowed[2 * K + 0] = allowed[0 * K + 3] = allowed[3 * K + 0] = false;
    ok(asks_uniformly(&s, allowed, 10000), "the last one of a level");
    tell_about(&s, 3, 1, SPAR_WIN);
    bool none[K] = {0};
    pairs_among(K, none, false, allowed);
    allowed[0 * K + 2] = allowed[2 * K + 0] = false;
    ok(asks_uniformly(&s, allowed, 30000), "then a new level, without the pair that is ahead");
    duel_setup_free(&s);
    s = duel_setup_new("savage", 5, 1000, 3);
    double played[25] = {0}, most = 0, least = 1e9;
    for (int t = 0; t < 10 * 77 + 3; t++) {
        ask(&s);
        size_t i = s.round->arm[0], j = s.round->arm[1];
        played[i < j ? i * 5 + j : j * 5 + i]++;
        tell(&s, SPAR_TIE);
    }
    for (size_t i = 0; i < 25; i++) {
        most = i / 5 < i % 5 ? fmax(most, played[i]) : most;
        least = i / 5 < i % 5 ? fmin(least, played[i]) : least;
    }
    ok(most == 78 && least == 77, "level by level");
    duel_setup_free(&s);
}

/* sqrt(L / (2 n)) < 1/2 at n > 2 L, L = log(K (K-1) T^2). */
static void removal(void)
{
    static const double horizons[] = {1000, 1000000};
    static const size_t arms[] = {2, 5};
    for (size_t c = 0; c < 4; c++) {
        size_t k = arms[c / 2], n = 0;
        double t = horizons[c % 2];
        duel_setup s = duel_setup_new("savage", k, (uint64_t)t, 4);
        size_t wanted = (size_t)floor(2 * log((double)(k * (k - 1)) * t * t)) + 1;
        while (n < 1000 && score_of(&s, 1) >= (double)k) {
            tell_about(&s, n % 2, 1 - n % 2, n % 2 ? SPAR_LOSS : SPAR_WIN); /* arm 0 wins */
            n++;
        }
        ok(n == wanted, "K = %zu, T = %g: a certain loser leaves after %zu duels, expected %zu", k, t, n, wanted);
        bool gone[5] = {false, true}, allowed[25];
        pairs_among(k, gone, k == 2, allowed);
        ok(asks_uniformly(&s, allowed, 20000), "with all its pairs");
        duel_setup_free(&s);
    }
}

static void late_answers(void)
{
    duel_setup s = duel_setup_new("savage", 4, 1000, 5), twin = duel_setup_new("savage", 4, 1000, 5);
    for (int n = 0; n < 40; n++) {
        tell_about(&s, 2, 1, SPAR_WIN);
        tell_about(&twin, 2, 1, SPAR_WIN);
    }
    ok(score_of(&s, 1) < 4 && score_of(&s, 2) >= 4, "the loser is gone");
    for (size_t i = 0; i < 4; i++)
        for (int n = 0; n < 100; n++) {
            tell_about(&s, 1, i, SPAR_WIN);
            tell_about(&s, i, i, SPAR_WIN);
        }
    ok(same_state(&s, &twin), "late answers about it, and of an arm beside itself, change nothing");
    duel_setup_free(&s);
    duel_setup_free(&twin);
}

/* What is kept about the least-compared pairs against what the counts say, through ties, duels that were not asked for,
 * answers that never come, and arms that leave. */
static void keeps_books(void)
{
    size_t wrong = 0, looks = 0, gone = 0;
    for (uint64_t trial = 0; trial < 12; trial++) {
        size_t k = 2 + trial;
        duel_setup s = duel_setup_new("savage", k, 1000, 30 + trial);
        for (size_t r = 0; r < 3000; r++) {
            ask(&s);
            size_t i = s.round->arm[0], j = s.round->arm[1];
            double u = spar_rng_uniform(&s.luck), p = i == j ? 0.5 : i < j ? 0.75 : 0.25;
            if (r % 5 == 0)
                tell_about(&s, (size_t)spar_rng_below(&s.luck, k), (size_t)spar_rng_below(&s.luck, k), SPAR_TIE);
            else
                tell(&s, u < 0.1 ? SPAR_MISSING : u < 0.2 ? SPAR_TIE : u < 0.2 + 0.8 * p ? SPAR_WIN : SPAR_LOSS);
            if (r % 17 > 0)
                continue;
            duel_setup copy = duel_setup_copy(&s);
            spar_rng rng = copy.rng = s.rng;
            for (size_t draw = 0; draw < 5; draw++) {
                ask(&s);
                ask(&copy);
                wrong += memcmp(s.round->arm, copy.round->arm, 2 * sizeof *s.round->arm) != 0;
            }
            s.rng = rng;
            looks++;
            duel_setup_free(&copy);
        }
        for (size_t i = 0; i < k; i++)
            gone += score_of(&s, i) < (double)k;
        duel_setup_free(&s);
    }
    ok(wrong == 0 && gone > 5, "plays as if all were made anew of the counts (%zu looks, %zu arms left)", looks, gone);
}

int main(void)
{
    first_question();
    least_compared();
    removal();
    late_answers();
    keeps_books();
    survives_hard_worlds("savage");
    return done();
}
