#include "duel_setup.h"

/* The pass after which a share of 0 or 1 is sure: 1 - sqrt(4 L / n) > 1/2, so n > 16 L with L = log(T K^2). */
static size_t sure_pass(double horizon, double k)
{
    return (size_t)floor(16 * log(horizon * k * k)) + 1;
}

static void first_candidate(void)
{
    enum { K = 6 };
    bool none[K] = {0}, allowed[K * K];
    duel_setup s = duel_setup_new("interleaved_filter", K, 1000, 1);
    pairs_among(K, none, false, allowed);
    ok(asks_uniformly(&s, allowed, 30000), "candidate and first challenger are uniform");
    ask(&s);
    size_t b = s.round->arm[0], x = s.round->arm[1];
    tell(&s, SPAR_WIN);
    for (size_t i = 0; i < K * K; i++)
        allowed[i] = i / K == b && i % K != b && i % K != x;
    ok(asks_uniformly(&s, allowed, 30000), "then the candidate stays, and any challenger but the first is next");
    duel_setup_free(&s);
}

static void passes(void)
{
    enum { PASSES = 12000 };
    duel_setup s = duel_setup_new("interleaved_filter", 4, 1000, 2);
    double count[27] = {0}, p[6], seen[6];
    size_t place[4] = {0}, cells = 0;
    bool once = true;
    ask(&s);
    size_t b = s.round->arm[0];
    for (size_t i = 0, at = 0; i < 4; i++)
        place[i] = i == b ? 9 : at++;
    for (int t = 0; t < PASSES; t++) {
        size_t order[3];
        for (int d = 0; d < 3; d++) {
            if (t + d)
                ask(&s);
            once &= s.round->arm[0] == b && s.round->arm[1] != b;
            order[d] = place[s.round->arm[1]];
            tell(&s, SPAR_TIE);
        }
        once &= order[0] != order[1] && order[0] != order[2] && order[1] != order[2];
        count[order[0] * 9 + order[1] * 3 + order[2]]++;
    }
    for (size_t i = 0; i < 27; i++)
        if (count[i] > 0 && cells < 6) {
            seen[cells] = count[i];
            p[cells++] = 1.0 / 6;
        }
    ok(once, "a pass has one duel with every challenger");
    ok(cells == 6 && fabs(chi_square(PASSES, 6, seen, p)) < 5, "in uniformly random order");
    duel_setup_free(&s);
}

/* Plays passes in which the candidate does `answer[x]` against challenger x, until one ends that changes the field or
 * the candidate; gives their number. */
static size_t passes_until_change(duel_setup *s, const spar_outcome *answer)
{
    for (size_t pass = 1; pass < 10000; pass++) {
        bool gone[MOST_ARMS];
        size_t left = 0;
        for (size_t i = 0; i < s->k; i++)
            left += !(gone[i] = score_of(s, i) < 0);
        for (size_t d = 1; d < left; d++) {
            ask(s);
            tell(s, answer[s->round->arm[1]]);
        }
        for (size_t i = 0; i < s->k; i++)
            if (gone[i] != (score_of(s, i) < 0))
                return pass;
    }
    return 0;
}

static void removal(void)
{
    static const double horizons[] = {1000, 100000};
    for (size_t h = 0; h < 2; h++) {
        duel_setup s = duel_setup_new("interleaved_filter", 4, (uint64_t)horizons[h], 3);
        spar_outcome answer[4] = {SPAR_TIE, SPAR_TIE, SPAR_TIE, SPAR_TIE};
        ask(&s);
        size_t x = s.round->arm[1], b = s.round->arm[0];
        answer[x] = SPAR_WIN;
        tell(&s, SPAR_WIN);
        for (int d = 0; d < 2; d++) { /* the rest of the first pass */
            ask(&s);
            tell(&s, SPAR_TIE);
        }
        size_t n = 1 + passes_until_change(&s, answer);
        ok(n == sure_pass(horizons[h], 4), "T = %g: a certain loser leaves after pass %zu", horizons[h], n);
        ok(score_of(&s, x) == -1 && score_of(&s, b) == 0.5, "it and no other");
        duel_setup_free(&s);
    }
}

/* Five arms: two beat the candidate, one was beaten once, one always tied. Gives what happens then. */
typedef struct fall {
    size_t candidate, winner[2], led, even, pass;
} fall;

static fall let_fall(duel_setup *s)
{
    fall f = {0};
    spar_outcome answer[5];
    size_t at = 0, other[4];
    ask(s);
    f.candidate = s->round->arm[0];
    for (size_t i = 0; i < 5; i++)
        if (i != f.candidate)
            other[at++] = i;
    f.winner[0] = other[0];
    f.winner[1] = other[1];
    f.led = other[2];
    f.even = other[3];
    answer[f.winner[0]] = answer[f.winner[1]] = SPAR_LOSS;
    answer[f.led] = SPAR_WIN;
    answer[f.even] = SPAR_TIE;
    for (int d = 0; d < 4; d++) {
        if (d)
            ask(s);
        tell(s, answer[s->round->arm[1]]);
    }
    answer[f.led] = SPAR_TIE;
    f.pass = 1 + passes_until_change(s, answer);
    return f;
}

static void replacement(int variant)
{
    enum { RUNS = 400 };
    char spec[64];
    (void)snprintf(spec, sizeof spec, "interleaved_filter(variant=%d)", variant);
    bool right = true, on_time = true, restarts = true;
    double second = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        duel_setup s = duel_setup_new(spec, 5, 1000, 100 + run);
        fall f = let_fall(&s);
        on_time &= f.pass == sure_pass(1000, 5);
        right &= score_of(&s, f.candidate) == -1 && score_of(&s, f.winner[0]) == 0.5 &&
                 score_of(&s, f.winner[1]) == 0.5 && score_of(&s, f.even) == 0.5 &&
                 score_of(&s, f.led) == (variant == 2 ? -1 : 0.5);
        ask(&s);
        right &= s.round->arm[0] == f.winner[0] || s.round->arm[0] == f.winner[1];
        second += s.round->arm[0] == f.winner[1];
        tell(&s, SPAR_WIN);
        size_t left = variant == 2 ? 3 : 4;
        for (size_t d = 2; d < left; d++) {
            ask(&s);
            tell(&s, SPAR_WIN);
        }
        restarts &= score_of(&s, f.even) >= 0;
        spar_outcome wins[5] = {SPAR_WIN, SPAR_WIN, SPAR_WIN, SPAR_WIN, SPAR_WIN};
        restarts &= 1 + passes_until_change(&s, wins) == sure_pass(1000, 5);
        ask(&s);
        restarts &= s.round->arm[0] == s.round->arm[1] && score_of(&s, s.round->arm[0]) == 0.5;
        duel_setup_free(&s);
    }
    ok(on_time, "variant %d: the candidate falls after the pass that makes it sure", variant);
    ok(right, "variant %d: it leaves%s", variant, variant == 2 ? ", and those it led, not those it only equalled" : "");
    ok(fabs(deviation(RUNS, second, 0.5)) < 5, "variant %d: a random winner follows (%g of %d)", variant, second, RUNS);
    ok(restarts, "variant %d: counts restart; the last arm plays itself", variant);
}

static void stale_answers(void)
{
    duel_setup s = duel_setup_new("interleaved_filter", 5, 1000, 5),
               twin = duel_setup_new("interleaved_filter", 5, 1000, 5);
    note first, second;
    do { /* two questions with different candidates, asked before any answer */
        ask(&s);
        first = note_of(&s);
        ask(&s);
        second = note_of(&s);
    } while (first.arm[0] == second.arm[0]);
    tell_late(&s, &first, SPAR_WIN);
    tell_late(&twin, &first, SPAR_WIN);
    ok(same_state(&s, &twin), "the same answer, the same state");
    tell_late(&s, &second, SPAR_WIN);
    ok(same_state(&s, &twin), "a candidate that was drawn but not confirmed teaches nothing");
    tell_late(&s, &first, SPAR_LOSS);
    ok(same_state(&s, &twin), "an answer counts once in a pass");
    for (int d = 0; d < 3; d++) {
        ask(&s);
        note n = note_of(&s);
        tell_late(&s, &n, SPAR_TIE);
        tell_late(&twin, &n, SPAR_TIE);
    }
    tell_late(&s, &first, SPAR_WIN);
    ok(same_state(&s, &twin), "an answer of the pass before teaches nothing");
    duel_setup_free(&s);
    duel_setup_free(&twin);
    s = duel_setup_new("interleaved_filter(variant=1)", 5, 1000, 6);
    note early[40]; /* all candidates and challengers of the first epoch */
    for (int i = 0; i < 40; i++) {
        ask(&s);
        early[i] = note_of(&s);
    }
    (void)let_fall(&s);
    twin = duel_setup_copy(&s);
    for (int i = 0; i < 40; i++)
        tell_late(&s, &early[i], SPAR_WIN);
    ok(same_state(&s, &twin), "an answer about an earlier candidate teaches nothing");
    duel_setup_free(&s);
    duel_setup_free(&twin);
}

int main(void)
{
    first_candidate();
    passes();
    removal();
    replacement(1);
    replacement(2);
    stale_answers();
    survives_hard_worlds("interleaved_filter");
    survives_hard_worlds("interleaved_filter(variant=1)");
    return done();
}
