#include "posterior/gp/box.h"

#include "posterior/belief.h"
#include "posterior/stat.h"
#include "reference/gp_textbook.h"
#include "sampler/sampler.h"
#include "types/round.h"

enum { MOST = 128, DIM = 2 };

static const double length[DIM] = {0.25, 0.4};
static const char *const kinds[] = {"se", "matern32", "matern52", "product_matern32", "product_matern52", "linear"};

/* A belief over these arms, which it takes over. */
static belief open_over(const char *spec, spar_arms *arms)
{
    belief b;
    if (belief_over(&b, spec, arms, NULL)) {
        printf("Bail out! %s\n", spec);
        exit(1);
    }
    return b;
}

static spar_arms *plain_box(size_t dim)
{
    static const double lo[10] = {0}, hi[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    spar_arms *arms = NULL;
    (void)spar_arms_new_box(dim, lo, hi, &arms);
    return arms;
}

static size_t add(belief *b, const double *x)
{
    size_t arm = 0;
    if (spar_arms_add(b->arms, x, NULL, &arm) || b->self->cls->resize(b->self))
        abort();
    return arm;
}

/* A round of one arm: n answers with this mean. */
static void learn(belief *b, size_t arm, double mean, size_t n)
{
    if (b->self->cls->reserve(b->self, 1))
        abort();
    for (size_t i = 0; i < n; i++)
        b->self->cls->observe(b->self, arm, mean, 1);
    b->self->cls->settle(b->self);
}

/* Points here and there, again, and close to each other, with answers; the textbook sees the same. */
static size_t play(belief *b, textbook_gp *book, size_t n)
{
    spar_rng rng;
    spar_rng_seed(&rng, 13, 1, 1);
    size_t learned = 0;
    for (size_t i = 0; i < n; i++) {
        double x[DIM];
        size_t kind = i < 8 ? 0 : (size_t)spar_rng_below(&rng, 4),
               arm = i ? (size_t)spar_rng_below(&rng, b->arms->n) : 0;
        for (size_t d = 0; d < DIM; d++) {
            double u = spar_rng_uniform(&rng);
            x[d] = kind < 2 ? u : fmin(1, fmax(0, b->arms->x[arm * DIM + d] + 0.02 * (u - 0.5)));
        }
        if (kind != 3)
            arm = add(b, x);
        double y = (double)spar_rng_below(&rng, 3) / 2;
        size_t answers = 1 + (size_t)spar_rng_below(&rng, 3);
        if (i % 10 == 9)
            continue; /* an arm without answers */
        learn(b, arm, y, answers);
        learned++;
        if (book)
            textbook_gp_observe_mean(book, b->arms->x + arm * DIM, y - 0.4, (double)answers);
    }
    return learned;
}

static void test_moments(void)
{
    for (int kind = 0; kind < 6; kind++) {
        char spec[128];
        (void)snprintf(spec, sizeof spec, "gp(kernel=%s,length=0.25:0.4,variance=0.7,noise=0.05,mean=0.4)",
                       kinds[kind]);
        textbook_kernel kernel = {(textbook_kind)kind, 0.7, DIM, length};
        textbook_gp *book = textbook_gp_new(&kernel, 0.05);
        belief b = open_over(spec, plain_box(DIM));
        (void)play(&b, book, 100);
        double mean[MOST], sd[MOST], off = 0;
        if (b.self->cls->moments(b.self, b.scratch, mean, sd))
            abort();
        for (size_t i = 0; i < b.arms->n; i++) {
            const double *x = b.arms->x + i * DIM;
            off = fmax(off, fabs(mean[i] - 0.4 - (double)textbook_gp_mean(book, x)));
            off = fmax(off, fabs(sd[i] - (double)sqrtl(textbook_gp_variance(book, x))));
        }
        const spar__gp_box *box = (const spar__gp_box *)b.self;
        double said = b.self->cls->accuracy(b.self);
        ok(off < 1e-9 + 3 * said && said < 1e-4,
           "%s: mean and sd of %zu arms (%zu dimensions) are exact to %.1e; said %.1e", kinds[kind], b.arms->n,
           box->growth.basis.r, off, said);
        textbook_gp_free(book);
        belief_close(&b);
    }
}

/* Joint draws of some arms, seen and not: projections on random directions have their variance. */
static void test_draw(void)
{
    enum { N = 24, DRAWS = 3000, WAYS = 8 };
    for (int kind = 0; kind < 6; kind++) {
        char spec[128];
        (void)snprintf(spec, sizeof spec, "gp(kernel=%s,length=0.25:0.4,variance=0.7,noise=0.05,mean=0.4)",
                       kinds[kind]);
        textbook_kernel kernel = {(textbook_kind)kind, 0.7, DIM, length};
        textbook_gp *book = textbook_gp_new(&kernel, 0.05);
        belief b = open_over(spec, plain_box(DIM));
        (void)play(&b, book, 16);
        while (b.arms->n < N)
            (void)add(&b, (double[]){spar_rng_uniform(&b.rng), spar_rng_uniform(&b.rng)});
        double mean[N], covariance[N * N], theta[N], way[WAYS][N], variance[WAYS] = {0}, sum[WAYS] = {0},
                                                                   square[WAYS] = {0};
        textbook_gp_means(book, b.arms->x, N, mean);
        textbook_gp_covariances(book, b.arms->x, N, covariance);
        for (size_t w = 0; w < WAYS; w++) {
            for (size_t i = 0; i < N; i++)
                way[w][i] = w < 2 ? (i == 5 * w + 12) : spar__normal(&b.rng);
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++)
                    variance[w] += way[w][i] * covariance[i * N + j] * way[w][j];
        }
        for (int t = 0; t < DRAWS; t++) {
            if (b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
                abort();
            for (size_t w = 0; w < WAYS; w++) {
                double along = 0;
                for (size_t i = 0; i < N; i++)
                    along += way[w][i] * (theta[i] - 0.4 - mean[i]);
                sum[w] += along;
                square[w] += along * along;
            }
        }
        double worst = 0;
        for (size_t w = 0; w < WAYS; w++) {
            worst = fmax(worst, fabs(sum[w]) / sqrt(DRAWS * variance[w]));
            worst = fmax(worst, fabs(chi_sigma(square[w] / variance[w], DRAWS)));
        }
        ok(worst < 5, "%s: joint draws have mean and covariance (%.1f sigma)", kinds[kind], worst);
        textbook_gp_free(book);
        belief_close(&b);
    }
}

/* The same luck gives the same functions, so that the answer can be compared with a look at every point of a fine grid.
 */
static void test_best(const char *kind, size_t dim)
{
    enum { M = 3, TIMES = 15 };
    char spec[128];
    (void)snprintf(spec, sizeof spec, "gp(kernel=%s,length=0.25,noise=0.05)", kind);
    belief b = open_over(spec, plain_box(dim));
    size_t side = dim == 1 ? 1001 : 101, n = dim == 1 ? side : side * side, lower = 0, lanes = spar__padded(M);
    double *grid = calloc(n * dim, sizeof *grid), *value = calloc(n * lanes, sizeof *value), x[M * DIM], worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t d = 0; d < dim; d++)
            grid[i * dim + d] = (double)(d == 0 ? i % side : i / side) / (double)(side - 1);
    bool inside = true, told = true;
    for (int t = 0; t < TIMES; t++) {
        const spar__gp_box *box = (const spar__gp_box *)b.self;
        size_t arm[M];
        spar_rng same = b.rng;
        if (b.self->cls->best(b.self, b.scratch, &b.rng, M, arm, x))
            abort();
        spar__paths paths;
        if (spar__paths_draw(&paths, &box->kernel, &box->growth.basis, &box->growth.weights, 1, M, b.scratch, &same))
            abort();
        spar__paths_values(&paths, n, grid, value);
        for (size_t j = 0; j < M; j++) {
            double top = -INFINITY, found;
            for (size_t i = 0; i < n; i++)
                top = fmax(top, value[i * lanes + j]);
            spar__path_values(&paths, j, 1, x + j * dim, &found);
            lower += found < top - 2e-4;
            worst = fmax(worst, top - found);
            inside &= spar_arms_admit(b.arms, x + j * dim);
            told &= arm[j] == SPAR_FRESH || memcmp(b.arms->x + arm[j] * dim, x + j * dim, dim * sizeof *x) == 0;
        }
        spar__scratch_release(b.scratch, 0);
        for (size_t j = 0; j < M; j++)
            learn(&b, arm[j] == SPAR_FRESH ? add(&b, x + j * dim) : arm[j], x[j * dim] * (1 - x[j * dim]) * 4, 2);
    }
    ok(inside && told, "%s in %zu-D: points of the box, and known ones by their index", kind, dim);
    ok(lower <= 1, "%s in %zu-D: the highest point is found (%zu of %d were not, the worst %.1e below)", kind, dim,
       lower, M * TIMES, worst);
    free(grid);
    free(value);
    belief_close(&b);
}

static void test_retired(void)
{
    spar__space_axis axis[2] = {{SPAR__AXIS_LEVELS, 0, 1, 3}, {SPAR__AXIS_CHOICE, 0, 1, 2}};
    spar_arms *arms = NULL;
    (void)spar_arms_new_space(&(spar_space){2, axis}, &arms);
    belief b = open_over("gp(length=0.5)", arms);
    size_t arm[8];
    double x[8 * 3];
    bool right = true;
    for (size_t i = 0; i < 6; i++)
        learn(&b, add(&b, (double[]){(double)(i / 2) / 2, i % 2 == 0, i % 2 == 1}), i == 3 ? 1 : 0.1, 4);
    for (size_t gone = 0; gone < 6; gone++) {
        if (b.self->cls->best(b.self, b.scratch, &b.rng, 8, arm, x))
            abort();
        for (size_t j = 0; j < 8; j++)
            right &= arm[j] < 6 && b.arms->alive[arm[j]];
        size_t next = (3 + gone) % 6;
        if (gone < 5 && (spar_arms_retire(b.arms, next) || b.self->cls->resize(b.self)))
            abort();
    }
    ok(right, "of six points, those that retired are not shown again; the last one is");
    ok(x[0] == b.arms->x[2 * 3], "and that is the one that did not");
    size_t again = add(&b, b.arms->x + 3 * 3);
    learn(&b, again, 1, 10);
    if (b.self->cls->best(b.self, b.scratch, &b.rng, 8, arm, x))
        abort();
    size_t back = 0;
    for (size_t j = 0; j < 8; j++)
        back += arm[j] == again;
    ok(back > 4, "a point that comes back as a new arm is shown again");
    belief_close(&b);
}

/* What the class promises about state. */
static void test_state(const char *spec)
{
    belief a = open_over(spec, plain_box(DIM));
    belief b = open_over(spec, plain_box(DIM));
    size_t arm[4], other[4];
    double x[4 * DIM], y[4 * DIM];
    bool same = !a.self->cls->best(a.self, a.scratch, &a.rng, 4, arm, x) &&
                !b.self->cls->best(b.self, b.scratch, &b.rng, 4, other, y);
    for (size_t j = 0; j < 4; j++)
        same &= arm[j] == SPAR_FRESH && other[j] == SPAR_FRESH;
    ok(same && memcmp(x, y, sizeof x) == 0,
       "with no arm at all there are points to show; the same luck, the same points");
    ok(memcmp(x, x + DIM, 3 * DIM * sizeof *x) != 0, "draws differ");
    (void)play(&a, NULL, 60);
    while (b.arms->n < a.arms->n)
        (void)add(&b, a.arms->x + b.arms->n * DIM);
    size_t saved = a.arms->n;
    spar__archive cache = {0}, out = {.cache = &cache};
    a.self->cls->archive(a.self, &out);
    spar__archive fast = {.loading = true, .in = (const unsigned char *)cache.out.text, .left = cache.out.length};
    spar__archive in = {
        .loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length, .cache = &fast};
    b.self->cls->archive(b.self, &in);
    spar__archive cache_again = {0}, again = {.cache = &cache_again};
    b.self->cls->archive(b.self, &again);
    ok(!in.failed && in.left == 0 && !fast.failed && fast.left == 0 && again.out.length == out.out.length &&
           memcmp(again.out.text, out.out.text, out.out.length) == 0 && cache_again.out.length == cache.out.length &&
           memcmp(cache_again.out.text, cache.out.text, cache.out.length) == 0,
       "%s saves and loads", spec);
    b.rng = a.rng;
    for (int t = 0; t < 5; t++) {
        same &= !a.self->cls->best(a.self, a.scratch, &a.rng, 4, arm, x) &&
                !b.self->cls->best(b.self, b.scratch, &b.rng, 4, other, y) && memcmp(x, y, sizeof x) == 0 &&
                memcmp(arm, other, sizeof arm) == 0;
        for (size_t j = 0; j < 4; j++) {
            learn(&a, arm[j] == SPAR_FRESH ? add(&a, x + j * DIM) : arm[j], 0.25 * (double)j, 1);
            learn(&b, other[j] == SPAR_FRESH ? add(&b, y + j * DIM) : other[j], 0.25 * (double)j, 1);
        }
    }
    ok(same, "and goes on with the same bits");
    size_t accepted = 0;
    for (size_t i = 0; i < out.out.length; i += 997) {
        spar__archive part = {.loading = true, .in = (const unsigned char *)out.out.text, .left = i};
        belief c = open_over(spec, plain_box(DIM));
        while (c.arms->n < saved)
            (void)add(&c, a.arms->x + c.arms->n * DIM);
        c.self->cls->archive(c.self, &part);
        accepted += !part.failed;
        belief_close(&c);
    }
    ok(accepted == 0, "a state cut short is refused");
    const spar__gp_box *box = (const spar__gp_box *)a.self;
    double mean[MOST], sd[MOST];
    a.self->cls->forget(a.self);
    if (a.self->cls->moments(a.self, a.scratch, mean, sd))
        abort();
    bool prior = true;
    for (size_t i = 0; i < a.arms->n; i++) {
        const double *at = a.arms->x + i * DIM;
        prior &= mean[i] == 0 && fabs(sd[i] - sqrt(spar__kernel_at(&box->kernel, at, at))) < 1e-15 * (1 + sd[i]);
    }
    ok(prior, "forget goes back to the prior");
    spar__buf_free(&out.out);
    spar__buf_free(&cache.out);
    spar__buf_free(&again.out);
    spar__buf_free(&cache_again.out);
    belief_close(&a);
    belief_close(&b);
}

static void test_limit(void)
{
    belief b = open_over("gp(kernel=matern32)", plain_box(1));
    for (size_t i = 0; i <= SPAR__GROWTH_MOST; i++)
        (void)add(&b, (double[]){(double)i / SPAR__GROWTH_MOST});
    learn(&b, 7, 1, 1);
    double mean[SPAR__GROWTH_MOST + 1];
    bool refused = b.self->cls->reserve(b.self, SPAR__GROWTH_MOST) == SPAR_UNSUPPORTED;
    learn(&b, 7, 0, 1);
    learn(&b, 9, 1, 1);
    ok(refused && !b.self->cls->moments(b.self, b.scratch, mean, NULL) && mean[9] > 0.5,
       "more points than %d are refused, and nothing is lost", SPAR__GROWTH_MOST);
    belief_close(&b);
}

static void test_memory(void)
{
    bool usable = true;
    size_t k = 1, failures = 0;
    for (bool through = false; !through && k < 200; k++) {
        belief b = open_over("gp(kernel=matern52,length=0.3)", plain_box(DIM));
        (void)play(&b, NULL, 7);
        size_t n = b.arms->n, arm[2] = {0};
        double x[2 * DIM], mean[MOST], after[MOST];
        (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
        for (size_t i = 0; i < 9; i++)
            if (spar_arms_add(b.arms, (double[]){0.1 * (double)i, 0.5}, NULL, NULL))
                abort();
        spar__alloc_fail_at(k);
        spar_status status = b.self->cls->resize(b.self);
        if (!status)
            status = b.self->cls->reserve(b.self, 9);
        if (!status)
            status = b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, x);
        through = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        failures += status == SPAR_NOMEM;
        usable &= !status || status == SPAR_NOMEM;
        usable &= !b.self->cls->resize(b.self) && !b.self->cls->moments(b.self, b.scratch, after, NULL);
        usable &=
            memcmp(mean, after, n * sizeof *mean) == 0 && !b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, x);
        learn(&b, n + 3, 1, 2);
        belief_close(&b);
    }
    ok(usable && failures > 10, "each of %zu allocations fails once, and everything can be used on", failures);
}

int main(void)
{
    test_moments();
    test_draw();
    test_best("se", 1);
    test_best("matern32", 1);
    test_best("se", 2);
    test_best("matern52", 2);
    test_best("linear", 2);
    test_retired();
    test_state("gp(kernel=matern52,length=0.3)");
    test_state("gp(kernel=linear)");
    test_limit();
    test_memory();
    return done();
}
