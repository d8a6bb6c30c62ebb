/* The law of the next pair, from many states, against the rule; and what becomes of the remembered best. */
#include "policy/direct/counted.h"

/* The set C; returns its size. */
static size_t find_c(const counted *d, double alpha, bool in_c[MOST])
{
    size_t size = 0;
    for (size_t i = 0; i < d->k; i++) {
        in_c[i] = true;
        for (size_t j = 0; j < d->k; j++)
            in_c[i] = in_c[i] && upper(d, i, j, alpha) >= 0.5;
        size += in_c[i];
    }
    return size;
}

/* B as it stands after the round's look at C. */
static size_t next_best(const counted *d, double alpha, size_t best)
{
    bool in_c[MOST];
    size_t size = find_c(d, alpha, in_c);
    best = best < d->k && in_c[best] ? best : d->k;
    for (size_t i = 0; size == 1 && i < d->k; i++)
        best = in_c[i] ? i : best;
    return best;
}

static void rule(const counted *d, double alpha, size_t best, double law[MOST][MOST])
{
    bool in_c[MOST];
    double first[MOST] = {0};
    size_t size = find_c(d, alpha, in_c), b = next_best(d, alpha, best);
    for (size_t i = 0; i < d->k; i++) {
        if (size == 0)
            first[i] = 1 / (double)d->k;
        else if (size == 1 || b == d->k)
            first[i] = in_c[i] / (double)size;
        else
            first[i] = i == b ? 0.5 : in_c[i] * 0.5 / ((double)size - 1);
    }
    for (size_t c = 0; c < d->k; c++) {
        double most = 0.5, ties = 0;
        for (size_t j = 0; j < d->k; j++)
            most = fmax(most, upper(d, j, c, alpha));
        for (size_t j = 0; j < d->k; j++)
            ties += j != c && upper(d, j, c, alpha) > most - 1e-12;
        for (size_t j = 0; j < d->k; j++) {
            law[c][j] = 0;
            if (ties > 0 && j != c && upper(d, j, c, alpha) > most - 1e-12)
                law[c][j] = first[c] / ties;
            if (ties == 0 && j == c)
                law[c][j] = first[c];
        }
    }
}

/* Plays and is told of other duels; looks at the law now and then. */
static void follow(const char *spec, double alpha, tally *sum, size_t shapes[4])
{
    for (size_t trial = 0; trial < 48; trial++) {
        size_t k = 2 + trial % 6, best = k;
        counted d = counted_new(spec, k, 1, trial);
        double p[MOST][MOST], law[MOST][MOST];
        spar_rng luck;
        spar_rng_seed(&luck, trial, 0, 3);
        make_matrix(trial / 6, k, &luck, p);
        size_t length = 5 + (size_t)spar_rng_below(&luck, trial % 2 ? 30 : 400);
        for (size_t r = 0; r <= length; r++) {
            if (r == length || r % 37 == 3) {
                bool in_c[MOST];
                size_t size = find_c(&d, alpha, in_c);
                shapes[size == 0 ? 0 : size == 1 ? 1 : next_best(&d, alpha, best) == k ? 2 : 3]++;
                rule(&d, alpha, best, law);
                compare_law(&d, law, 1000, sum);
            }
            if (spar_rng_below(&luck, 4) == 0) {
                size_t i = (size_t)spar_rng_below(&luck, k), j = (size_t)spar_rng_below(&luck, k);
                tell_of(&d, i, j, draw_answer(p[i][j], 0.2, &luck)); /* says nothing of B */
            } else {
                ask(&d);
                best = next_best(&d, alpha, best);
                tell(&d, draw_answer(p[d.setup.round->arm[0]][d.setup.round->arm[1]], 0.05, &luck));
            }
        }
        counted_free(&d);
    }
}

/* With B = 0 remembered and C = {0, 1, 2} the first arm is B half of the time. */
static void half_for_the_best(void)
{
    counted d = counted_new("rucb(alpha=0)", 3, 1, 5);
    size_t hits = 0, draws = 40000;
    tell_of(&d, 0, 1, SPAR_WIN);
    tell_of(&d, 0, 2, SPAR_WIN);
    ask(&d); /* C = {0} */
    ok(d.setup.round->arm[0] == 0 && d.setup.round->arm[1] == 0,
       "the only candidate plays itself when no other reaches 1/2");
    spar_round kept = *d.setup.round, early;
    tell_of(&d, 1, 0, SPAR_WIN);
    tell_of(&d, 2, 0, SPAR_WIN); /* C = {0, 1, 2} */
    ask(&d);
    early = *d.setup.round; /* asked while there is no best arm */
    for (size_t r = 0; r < draws; r++) {
        ask(&d);
        hits += d.setup.round->arm[0] == 0;
    }
    near((double)hits / (double)draws, 1.0 / 3, 5 * sqrt(2.0 / 9 / (double)draws),
         "a question alone makes no best arm");
    memcpy(d.setup.round->memo, kept.memo, sizeof kept.memo);
    d.setup.round->arm[0] = d.setup.round->arm[1] = 0;
    tell(&d, SPAR_TIE);
    hits = 0;
    for (size_t r = 0; r < draws; r++) {
        ask(&d);
        hits += d.setup.round->arm[0] == 0;
    }
    near((double)hits / (double)draws, 0.5, 2.5 / sqrt((double)draws),
         "its answer does: then half of the rounds are its");
    memcpy(d.setup.round->memo, early.memo, sizeof early.memo);
    d.setup.round->arm[0] = d.setup.round->arm[1] = 1;
    tell(&d, SPAR_TIE);
    hits = 0;
    for (size_t r = 0; r < draws; r++) {
        ask(&d);
        hits += d.setup.round->arm[0] == 0;
    }
    near((double)hits / (double)draws, 0.5, 2.5 / sqrt((double)draws),
         "the late answer to a question from before does not unmake it");
    counted_free(&d);
}

int main(void)
{
    static const struct {
        const char *spec;
        double alpha;
    } cases[] = {{"rucb", 0.51}, {"rucb(alpha=0)", 0}, {"rucb(alpha=0.1)", 0.1}};
    size_t shapes[4] = {0};
    for (size_t i = 0; i < 3; i++) {
        tally sum = {0};
        follow(cases[i].spec, cases[i].alpha, &sum, shapes);
        judge(&sum, cases[i].spec);
    }
    ok(shapes[0] > 5 && shapes[1] > 5 && shapes[2] > 5 && shapes[3] > 5,
       "states with no candidate (%zu), one (%zu), several (%zu), several and a remembered best (%zu)", shapes[0],
       shapes[1], shapes[2], shapes[3]);
    half_for_the_best();
    keeps_books("rucb", 1);
    keeps_books("rucb(alpha=0.05)", 1);
    endures("rucb");
    return done();
}
