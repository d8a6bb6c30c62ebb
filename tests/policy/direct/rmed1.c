/* Round by round beside a plain transcription of the rule: the first pulls, the passes and the lists, the opponents. */
#include "policy/direct/counted.h"

typedef struct lists {
    bool remains[MOST], next[MOST];
} lists;

static double divergence(const counted *d, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < d->k; j++) {
        double n = played(d, i, j), p = n > 0 ? d->w[i][j] / n : 0;
        if (j == i || n == 0 || p > 0.5)
            continue;
        sum += n * ((p > 0 ? p * log(p / 0.5) : 0) + (1 - p) * log((1 - p) / 0.5));
    }
    return sum;
}

static double least_divergence(const counted *d)
{
    double least = divergence(d, 0);
    for (size_t i = 1; i < d->k; i++)
        least = fmin(least, divergence(d, i));
    return least;
}

/* The law of i's opponent. */
static void opponent(const counted *d, size_t i, double chance[MOST])
{
    double least = least_divergence(d), stars = 0, lowest = 1, lowests = 0;
    for (size_t j = 0; j < d->k; j++) {
        chance[j] = 0;
        stars += divergence(d, j) < least + 1e-7;
        if (j != i)
            lowest = fmin(lowest, d->w[i][j] / played(d, i, j));
    }
    for (size_t j = 0; j < d->k; j++)
        lowests += j != i && d->w[i][j] / played(d, i, j) == lowest;
    for (size_t s = 0; s < d->k; s++) { /* each arm that may be i* */
        if (divergence(d, s) >= least + 1e-7)
            continue;
        bool superior = s != i && d->w[i][s] / played(d, i, s) <= 0.5;
        if (superior || lowest > 0.5) {
            chance[s] += 1 / stars;
            continue;
        }
        for (size_t j = 0; j < d->k; j++)
            if (j != i && d->w[i][j] / played(d, i, j) == lowest)
                chance[j] += 1 / stars / lowests;
    }
}

static size_t unmet(const counted *d)
{
    size_t pairs = 0;
    for (size_t i = 0; i < d->k; i++)
        for (size_t j = i + 1; j < d->k; j++)
            pairs += played(d, i, j) == 0;
    return pairs;
}

static void rule(const counted *d, const lists *l, double law[MOST][MOST])
{
    double left = 0, chance[MOST], first = (double)unmet(d);
    for (size_t i = 0; i < d->k; i++)
        left += l->remains[i];
    for (size_t i = 0; i < d->k; i++) {
        if (first == 0)
            opponent(d, i, chance);
        for (size_t j = 0; j < d->k; j++) {
            if (first > 0)
                law[i][j] = j != i && played(d, i, j) == 0 ? 0.5 / first : 0;
            else
                law[i][j] = l->remains[i] ? chance[j] / left : 0;
        }
    }
}

/* After the duel of i at time t. */
static void step(const counted *d, lists *l, size_t i, double t, double slack)
{
    bool any = false;
    double least = least_divergence(d);
    l->remains[i] = false;
    for (size_t j = 0; j < d->k; j++) {
        l->next[j] = l->next[j] || (!l->remains[j] && divergence(d, j) - least <= log(t) + slack + 1e-7);
        any = any || l->remains[j];
    }
    if (any)
        return;
    memcpy(l->remains, l->next, sizeof l->remains);
    memset(l->next, 0, sizeof l->next);
}

typedef struct seen {
    size_t by_star, by_lowest, alone, short_passes;
} seen;

static void note(const counted *d, const lists *l, seen *s)
{
    size_t i = d->setup.round->arm[0], j = d->setup.round->arm[1], left = 0;
    bool star = divergence(d, j) < least_divergence(d) + 1e-7;
    s->alone += i == j;
    s->by_star += i != j && star;
    s->by_lowest += i != j && !star;
    for (size_t a = 0; a < d->k; a++)
        left += l->remains[a] || l->next[a];
    s->short_passes += left < d->k;
}

static void follow(const char *spec, double f, double power, seen *s)
{
    tally sum = {0};
    for (size_t trial = 0; trial < 24; trial++) {
        size_t k = 2 + trial % 6;
        counted d = counted_new(spec, k, 1, trial);
        double p[MOST][MOST], law[MOST][MOST], slack = f * pow((double)k, power);
        lists l = {{0}, {0}};
        spar_rng luck;
        spar_rng_seed(&luck, trial, 0, 3);
        make_matrix(trial / 6, k, &luck, p);
        for (size_t i = 0; i < k; i++)
            l.remains[i] = true;
        for (size_t r = 0; r < 400; r++) {
            rule(&d, &l, law);
            if (r < 12 || r % 23 == 0)
                compare_law(&d, law, 300, &sum);
            bool first = unmet(&d) > 0;
            if (spar_rng_below(&luck, 10) == 0 && r > 10) { /* a duel from elsewhere: no list moves */
                size_t i = (size_t)spar_rng_below(&luck, k), j = (size_t)spar_rng_below(&luck, k);
                tell_of(&d, i, j, draw_answer(p[i][j], 0.3, &luck));
                continue;
            }
            ask(&d);
            sum.forbidden += law[d.setup.round->arm[0]][d.setup.round->arm[1]] == 0;
            if (!first)
                note(&d, &l, s);
            tell(&d, draw_answer(p[d.setup.round->arm[0]][d.setup.round->arm[1]], 0.1, &luck));
            if (!first)
                step(&d, &l, d.setup.round->arm[0], d.t - 1, slack);
        }
        counted_free(&d);
    }
    judge(&sum, spec);
}

/* An answer from an earlier pass, or a second answer, takes no arm from the list. */
static void late_answers(void)
{
    counted d = counted_new("rmed1(f=1000)", 2, 1, 3); /* no arm ever drops out */
    size_t in_turn = 0, count[2] = {0, 0};
    ask(&d);
    tell(&d, SPAR_WIN);
    ask(&d);
    size_t first = d.setup.round->arm[0];
    int64_t memo = d.setup.round->memo[0];
    tell(&d, SPAR_WIN);
    tell(&d, SPAR_WIN); /* once more */
    for (size_t r = 0; r < 100; r++) {
        ask(&d);
        in_turn += d.setup.round->arm[0] == 1 - first;
    }
    ok(in_turn == 100, "a repeated answer takes no arm from the list");
    tell(&d, SPAR_WIN); /* the pass is over */
    d.setup.round->arm[0] = first;
    d.setup.round->memo[0] = memo;
    tell(&d, SPAR_WIN);
    for (size_t r = 0; r < 200; r++) {
        ask(&d);
        count[d.setup.round->arm[0]]++;
    }
    ok(count[0] > 60 && count[1] > 60, "nor does one from the pass before");
    counted_free(&d);
}

/* Every pair once, in an order that prefers none: the pair (0,1) is equally likely at each of the 6 places. */
static void first_pulls(void)
{
    enum { TRIALS = 3000 };
    double place[6] = {0}, chi = 0;
    bool once = true;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        counted d = counted_new("rmed1", 4, 1, trial);
        for (size_t r = 0; r < 6; r++) {
            ask(&d);
            size_t i = d.setup.round->arm[0], j = d.setup.round->arm[1];
            once &= i != j && played(&d, i, j) == 0;
            place[r] += i + j == 1;
            tell(&d, SPAR_TIE);
        }
        counted_free(&d);
    }
    for (size_t r = 0; r < 6; r++)
        chi += (place[r] - TRIALS / 6.0) * (place[r] - TRIALS / 6.0) / (TRIALS / 6.0);
    ok(once, "first every pair, once");
    ok(chi < 40, "in a random order (chi-square %.1f, 5 degrees)", chi);
}

int main(void)
{
    seen s = {0};
    follow("rmed1", 0.3, 1.01, &s);
    follow("rmed1(f=0)", 0, 1.01, &s);
    follow("rmed1(f=0.1,power=1.5)", 0.1, 1.5, &s);
    ok(s.by_star > 100 && s.by_lowest > 100 && s.alone > 100 && s.short_passes > 100,
       "opponents: i* (%zu), the strongest (%zu), itself (%zu); passes without some arm (%zu)", s.by_star, s.by_lowest,
       s.alone, s.short_passes);
    first_pulls();
    late_answers();
    keeps_books("rmed1", 1);
    keeps_books("rmed1(f=0)", 1);
    endures("rmed1");
    return done();
}
