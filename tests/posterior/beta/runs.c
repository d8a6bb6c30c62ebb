/* Whole runs on the quick ways and with every arm drawn; runs that are saved, loaded, and change their arms. */
#include "num/elementary.h"
#include "posterior/beta/beta.h"
#include "posterior/beta/states.h"

enum { M = 4 };

/* Self-sparring in small: M best arms duel all around; arm i has the value v_i = 0.8 - 0.6 i / K, ties of chance nu. */
typedef struct game {
    belief b;
    size_t k;
    double nu, eta, wins; /* wins: draws of arm 0 so far */
    spar_rng luck;
} game;

static game game_open(size_t k, uint64_t seed, double eta, double nu, bool plain)
{
    game g = {.b = plain_arms("beta", k), .k = k, .eta = eta, .nu = nu};
    spar_rng_seed(&g.b.rng, seed, plain, 1);
    spar_rng_seed(&g.luck, seed, plain, 2);
    spar__beta_plain(g.b.self, plain);
    return g;
}

static void play(game *g, size_t rounds, size_t *shown)
{
    const spar__posterior_class *cls = g->b.self->cls;
    for (size_t t = 0; t < rounds; t++) {
        size_t arm[M];
        if (cls->best(g->b.self, g->b.scratch, &g->b.rng, M, arm, NULL) || cls->reserve(g->b.self, M))
            abort();
        for (size_t j = 0; j < M; j++) {
            g->wins += arm[j] == 0;
            if (shown)
                shown[t * M + j] = arm[j];
            for (size_t i = 0; i < j; i++) {
                double p = 0.5 + 0.3 * ((double)arm[i] - (double)arm[j]) / (double)g->k;
                double r = spar_rng_uniform(&g->luck) < g->nu ? 0.5 : spar_rng_uniform(&g->luck) < p;
                cls->observe(g->b.self, arm[j], r, g->eta);
                cls->observe(g->b.self, arm[i], 1 - r, g->eta);
            }
        }
        cls->settle(g->b.self);
    }
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* sqrt(n/2) times the distance of two samples of n: above 2.7 once in a million. */
static double two_samples(size_t n, double *x, double *y)
{
    double worst = 0;
    qsort(x, n, sizeof *x, ascending);
    qsort(y, n, sizeof *y, ascending);
    for (size_t i = 0, j = 0; i < n && j < n;) {
        double at = fmin(x[i], y[j]);
        while (i < n && x[i] <= at)
            i++;
        while (j < n && y[j] <= at)
            j++;
        worst = fmax(worst, fabs((double)i - (double)j) / (double)n);
    }
    return worst * sqrt((double)n / 2);
}

static void check_runs(size_t k, size_t rounds, size_t runs, double eta, double nu)
{
    double *sample[2] = {calloc(runs, sizeof(double)), calloc(runs, sizeof(double))};
    for (size_t r = 0; r < 2 * runs; r++) {
        game g = game_open(k, 100 + r, eta, nu, r % 2);
        play(&g, rounds, NULL);
        sample[r % 2][r / 2] = g.wins;
        belief_close(&g.b);
    }
    double d = two_samples(runs, sample[0], sample[1]);
    ok(d < 2.7, "%zu arms, eta %g, ties %g: %zu runs of %zu rounds as with every arm drawn (%.2f)", k, eta, nu, runs,
       rounds, d);
    free(sample[0]);
    free(sample[1]);
}

/* The same choices on every CPU. */
static void check_cpus(size_t k, double eta)
{
    static size_t shown[SPAR__CPU_COUNT][3000 * M];
    spar__cpu before = spar__cpu_level();
    bool same = true;
    for (int level = 0; level < SPAR__CPU_COUNT; level++) {
        if (!spar__cpu_force((spar__cpu)level))
            continue;
        game g = game_open(k, 5, eta, 0.01, false);
        play(&g, 3000, shown[level]);
        same &= memcmp(shown[0], shown[level], sizeof shown[0]) == 0;
        belief_close(&g.b);
    }
    (void)spar__cpu_force(before);
    ok(same, "%zu arms, eta %g: the same choices on every CPU", k, eta);
}

/* A state and the cache that goes with it. */
typedef struct kept {
    spar__archive state, cache;
} kept;

static void save(const game *g, kept *k)
{
    *k = (kept){0};
    k->state.cache = &k->cache;
    g->b.self->cls->archive(g->b.self, &k->state);
    if (k->state.failed || k->cache.failed)
        abort();
}

static bool load(game *g, const kept *k, size_t length)
{
    spar__archive cache = {.loading = true, .in = (const unsigned char *)k->cache.out.text, .left = length};
    spar__archive in = {
        .loading = true, .in = (const unsigned char *)k->state.out.text, .left = k->state.out.length, .cache = &cache};
    g->b.self->cls->archive(g->b.self, &in);
    return !in.failed && in.left == 0 && !cache.failed && cache.left == 0;
}

static void kept_free(kept *k)
{
    spar__buf_free(&k->state.out);
    spar__buf_free(&k->cache.out);
}

static bool same_text_of(const spar__archive *a, const spar__archive *b)
{
    return a->out.length == b->out.length && memcmp(a->out.text, b->out.text, a->out.length) == 0;
}

/* Saved at several times and loaded into a new belief, which goes on with the same choices and to the same bytes. */
static void check_saved(size_t k, double eta, double nu)
{
    static size_t x[500 * M], y[500 * M];
    bool same = true, bytes = true;
    game g = game_open(k, 9, eta, nu, false);
    for (int stop = 0; stop < 12; stop++) {
        game twin = game_open(k, 9, eta, nu, false);
        kept saved, other;
        save(&g, &saved);
        same &= load(&twin, &saved, saved.cache.out.length);
        kept_free(&saved);
        twin.b.rng = g.b.rng;
        twin.luck = g.luck;
        play(&g, 500, x);
        play(&twin, 500, y);
        same &= memcmp(x, y, sizeof x) == 0;
        save(&g, &saved);
        save(&twin, &other);
        bytes &= same_text_of(&saved.state, &other.state) && same_text_of(&saved.cache, &other.cache);
        kept_free(&saved);
        kept_free(&other);
        belief_close(&twin.b);
    }
    ok(same && bytes, "%zu arms, eta %g, ties %g: loaded, it goes on the same", k, eta, nu);
    belief_close(&g.b);
}

/* Bits of a saved state are flipped, in numbers that a flip turns into something else than what they must be. */
static void check_damage(size_t k)
{
    game g = game_open(k, 3, 1, 0, false), twin = game_open(k, 3, 1, 0, false);
    play(&g, 2000, NULL);
    kept saved;
    save(&g, &saved);
    size_t length = saved.cache.out.length, words = length / 8, taken = 0, cut = 0;
    unsigned char *text = (unsigned char *)saved.cache.out.text;
    for (size_t w = 1; w < words; w += 1 + words / 400) {
        text[8 * w + 7] ^= 0x80; /* the sign */
        taken += load(&twin, &saved, length);
        text[8 * w + 7] ^= 0x80;
        cut += load(&twin, &saved, 8 * w);
    }
    /* Zeros have a sign too, and that of a debt or a scale of 0 does no harm. */
    ok(cut == 0, "%zu arms: a cache cut short is refused", k);
    ok(words > k && load(&twin, &saved, length), "%zu arms: whole, it is taken", k);
    printf("# %zu of some %zu flipped signs taken (zeros)\n", taken, words / (1 + words / 400));
    size_t refused = 0, tries = 0;
    text = (unsigned char *)saved.state.out.text;
    for (size_t i = 0; i < k; i += 1 + k / 20, tries++) { /* an arm's count no longer fits what is kept of it */
        text[8 * i + 5] ^= 0x10;                          /* no longer whole */
        refused += !load(&twin, &saved, length);
        text[8 * i + 5] ^= 0x10;
    }
    ok(refused == tries, "%zu arms: %zu of %zu changed counts are refused", k, refused, tries);
    kept_free(&saved);
    belief_close(&twin.b);
    belief_close(&g.b);
}

/* A count grows beyond what is kept up to date: what is saved before and after is loaded. */
static void check_large(void)
{
    belief b = plain_arms("beta", 2);
    size_t taken = 0;
    tell(&b, 0, 6e9, 4e9 - 40);
    tell(&b, 1, 2, 9);
    for (int t = 0; t < 32; t++)
        b.self->cls->settle(b.self);
    for (int t = 0; t < 40; t++) {
        game g = {.b = b}, twin = {.b = plain_arms("beta", 2)};
        kept saved;
        save(&g, &saved);
        taken += load(&twin, &saved, saved.cache.out.length);
        kept_free(&saved);
        belief_close(&twin.b);
        tell(&b, 0, 1, 1);
        b.self->cls->settle(b.self);
    }
    ok(taken == 40, "around 1e10 counts: %zu of 40 saved states are taken", taken);
    belief_close(&b);
}

int main(void)
{
    (void)gsl_set_error_handler_off();
    check_runs(16, 400, 1000, 1, 0);
    check_runs(16, 400, 500, 3.5, 0);
    check_runs(16, 400, 500, 1, 0.02);
    check_runs(100, 200, 400, 1, 0);
    check_runs(1000, 100, 150, 1, 0);
    check_runs(1000, 100, 100, 3.5, 0.1);
    for (size_t k = 0; k < 2; k++) {
        check_cpus(k ? 300 : 16, 1);
        check_cpus(k ? 300 : 16, 3.5);
        check_saved(k ? 300 : 16, 1, 0);
        check_saved(k ? 300 : 16, 1, 0.003);
        check_saved(k ? 300 : 16, 3.5, 0);
        check_damage(k ? 300 : 16);
    }
    check_large();
    return done();
}
