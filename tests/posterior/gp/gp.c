/* The posterior of every backing against the textbook's in long double; samples, arms that come and go, refusals. */
#include "posterior/gp/bench.h"
#include "posterior/stat.h"

#include "posterior/posterior.h"

static void check_all_exact(void)
{
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int set = 0; set < 2; set++) {
            bench_exact(&(trial){kernel, set, 30, 1, 30, 200, 0.2, 0.025}, 1e-8);
            bench_exact(&(trial){kernel, set, 8, 2, 64, 400, 0.3, 1e-4}, 1e-8);
        }
    bench_exact(&(trial){SPAR__KERNEL_SE, 0, 30, 1, 30, 100000, 0.2, 1e-4}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_SE, 1, 30, 1, 30, 100000, 0.2, 1e-4}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_MATERN32, 1, 30, 1, 30, 20000, 1000, 1e-4}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_SE, 0, 30, 2, 150, 600, 0.2, 0.025}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_SE, 1, 30, 2, 150, 600, 0.2, 1e-4}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_PRODUCT_MATERN52, 0, 30, 2, 100, 300, 20, 1e-4}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_SE, 0, 30, 1, 30, 25, 1e-3, 1e-10}, 1e-12); /* steps of rank one lose digits */
    bench_exact(&(trial){SPAR__KERNEL_MATERN32, 0, 30, 2, 150, 600, 0.2, 0.025}, 1e-8);
    bench_exact(&(trial){SPAR__KERNEL_MATERN52, 1, 16, 2, 100, 300, 0.2, 1e-3}, 1e-8);
    for (double noise = 1e-6; noise > 1e-13; noise /= 1e3) /* no promise here but to say how far it is off */
        bench_exact(&(trial){SPAR__KERNEL_SE, 0, 30, 1, 30, 1000, 0.2, noise}, INFINITY);
}

/* Joint draws: projections of (draw - mean) over their standard deviation are standard normal, so the sum of their
 * squares is chi-square. */
static void check_draws(const char *spec, size_t side, size_t dim)
{
    enum { DRAWS = 4000, N = 64 };
    double x[2 * N], theta[N], mean[N];
    size_t n = dim == 1 ? side : side * side;
    bench_points(0, side, dim, x);
    belief b;
    if (bench_open(&b, spec, n, dim, x, NULL))
        abort();
    bench_teach(&b, NULL, n / 2, 60);
    (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
    static double cov[N][N];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            (void)spar__gp_covariance(b.self, b.scratch, i, j, &cov[i][j]);
    double square[3] = {0}, sum[3] = {0}, variance[3] = {0}, direction[3][N];
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++)
            direction[k][i] = k == 0 ? (double)(i == n - 1) : sin((double)(i * (k + 3)) + 1);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                variance[k] += direction[k][i] * cov[i][j] * direction[k][j];
    }
    for (int t = 0; t < DRAWS; t++) {
        if (b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
            abort();
        for (size_t k = 0; k < 3; k++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++)
                dot += direction[k][i] * (theta[i] - mean[i]);
            sum[k] += dot / sqrt(variance[k]);
            square[k] += dot * dot / variance[k];
        }
    }
    for (size_t k = 0; k < 3; k++)
        ok(fabs(chi_sigma(square[k], DRAWS)) < 5 && fabs(sum[k]) < 5 * sqrt(DRAWS),
           "%s: draws have the posterior's law, projection %zu (%.1f sigma)", spec, k, chi_sigma(square[k], DRAWS));
    double fast[N] = {0}, slow[N] = {0};
    for (int t = 0; t < DRAWS; t++) {
        size_t arm[4];
        if (b.self->cls->best(b.self, b.scratch, &b.rng, 4, arm, NULL))
            abort();
        for (size_t j = 0; j < 4; j++)
            fast[arm[j]]++;
        if (b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
            abort();
        slow[spar__argmax(&b.rng, n, theta)]++;
    }
    double sigma = same_sigma(n, fast, slow);
    ok(sigma < 5, "%s: best is the argmax of a draw (%.1f sigma)", spec, sigma);
    belief_close(&b);
}

/* Arms 0, 2 and 4 are one point; 2 retires. */
static void check_shared(void)
{
    double x[] = {0.5, 0, 0.5, 1, 0.5}, mean[5], sd[5], count[5] = {0};
    belief b;
    if (bench_open(&b, "gp", 5, 1, x, NULL))
        abort();
    for (int i = 0; i < 40; i++) {
        b.self->cls->observe(b.self, (size_t)(i % 2) * 2, 1, 1);
        b.self->cls->settle(b.self);
    }
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    ok(mean[0] == mean[2] && mean[2] == mean[4] && sd[0] == sd[4] && sd[0] < 0.03 && mean[0] > 0.98,
       "arms alike share what is learned");
    (void)spar_arms_retire(b.arms, 2);
    bool good = b.self->cls->resize(b.self) == SPAR_OK;
    for (int t = 0; t < 3000; t++) {
        size_t arm[3];
        good &= b.self->cls->best(b.self, b.scratch, &b.rng, 3, arm, NULL) == SPAR_OK;
        for (size_t j = 0; j < 3; j++)
            count[arm[j]]++;
    }
    ok(good && count[2] == 0, "a retired one of them is not played");
    ok(fabs(count[0] - count[4]) < 5 * sqrt(count[0] + count[4]) && count[0] > 1000, "the others are equally often");
    (void)spar_arms_retire(b.arms, 0);
    (void)spar_arms_retire(b.arms, 4);
    good = b.self->cls->resize(b.self) == SPAR_OK;
    for (int t = 0; t < 300; t++) {
        size_t arm[1];
        good &= !b.self->cls->best(b.self, b.scratch, &b.rng, 1, arm, NULL) && (arm[0] == 1 || arm[0] == 3);
    }
    ok(good, "a point without live arms is not played, though it is remembered");
    belief_close(&b);
}

/* A belief that got its arms one by one is that which had them from the start. */
static void check_growth(const char *spec)
{
    enum { SIDE = 9, N = SIDE * SIDE };
    double x[2 * N], mean[N], sd[N], mean_whole[N], sd_whole[N], far = 0;
    bench_points(0, SIDE, 2, x);
    belief b, whole;
    if (bench_open(&b, spec, N / 2, 2, x, NULL) || bench_open(&whole, spec, N, 2, x, NULL))
        abort();
    bench_teach(&b, NULL, N / 2, 100);
    bench_teach(&whole, NULL, N / 2, 100);
    bool good = true;
    for (size_t i = N / 2; i < N; i++)
        good &= spar_arms_add(b.arms, x + 2 * i, NULL, NULL) == SPAR_OK && b.self->cls->resize(b.self) == SPAR_OK;
    good &= b.self->cls->moments(b.self, b.scratch, mean, sd) == SPAR_OK;
    good &= whole.self->cls->moments(whole.self, whole.scratch, mean_whole, sd_whole) == SPAR_OK;
    for (size_t i = 0; i < N; i++)
        far = fmax(far, fmax(fabs(mean[i] - mean_whole[i]), fabs(sd[i] - sd_whole[i])));
    ok(good && far < 1e-10, "%s: arms may come later (%.1e)", spec, far);
    belief_close(&whole);
    double y[] = {0.37, 0.91}, before[N];
    bool kept = true;
    size_t k = 1;
    good = spar_arms_add(b.arms, y, NULL, NULL) == SPAR_OK;
    for (spar_status status = SPAR_NOMEM; status == SPAR_NOMEM && k < 200; k++) {
        (void)b.self->cls->moments(b.self, b.scratch, before, NULL);
        spar__alloc_fail_at(k);
        status = b.self->cls->resize(b.self);
        spar__alloc_fail_at(0);
        if (status == SPAR_NOMEM) {
            (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
            kept &= memcmp(mean, before, sizeof mean) == 0;
        } else {
            good &= status == (strstr(spec, "grid") ? SPAR_UNSUPPORTED : SPAR_OK);
        }
    }
    ok(good && kept && k > 10, "%s: nothing is lost when there is no room for more (%zu tries)", spec, k);
    belief_close(&b);
}

/* A grid with an arm missing is still one; with most missing it is none. */
static void check_incomplete(const char *spec, spar__kernel_kind kind, const char *backing)
{
    enum { SIDE = 12, N = SIDE * SIDE };
    double x[2 * N], y[2 * N];
    bench_points(0, SIDE, 2, x);
    for (size_t missing = 1; missing <= 70; missing += 69) {
        size_t n = 0;
        for (size_t i = 0; i < N; i++)
            if (missing == 1 ? i != 17 : i % 2 == 0 || i >= 2 * missing)
                memcpy(y + 2 * n++, x + 2 * i, 2 * sizeof *x);
        textbook t;
        textbook_open(&t, kind, n, 2, y, 0.2, 1, 0.025, 0);
        belief b;
        if (bench_open(&b, spec, n, 2, y, NULL))
            abort();
        bench_teach(&b, &t, n, 300);
        textbook_solve(&t);
        faults f = bench_compare(&b, &t);
        ok(strcmp(spar__gp_backing_name(b.self), backing) == 0 && f.mean < 1e-10 && f.sd < 1e-10 && f.finite,
           "%s: a grid of %d without %zu arms (%.1e)", spec, N, N - n, fmax(f.mean, f.sd));
        double count[N] = {0}, slow[N] = {0}, theta[N];
        for (int draws = 0; draws < 3000; draws++) {
            size_t arm[1];
            if (b.self->cls->best(b.self, b.scratch, &b.rng, 1, arm, NULL) ||
                b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
                abort();
            count[arm[0]]++;
            slow[spar__argmax(&b.rng, n, theta)]++;
        }
        double sigma = same_sigma(n, count, slow);
        ok(sigma < 5, "and its best arms (%.1f sigma)", sigma);
        textbook_close(&t);
        belief_close(&b);
    }
}

static void check_choice(void)
{
    enum { SIDE = 12, N = SIDE * SIDE };
    double x[2 * N];
    belief b;
    bench_points(2, SIDE, 2, x);
    if (bench_open(&b, "gp", N, 2, x, NULL))
        abort();
    same_text(spar__gp_backing_name(b.self), "basis", "scattered arms are no grid");
    belief_close(&b);
    bench_points(0, 4, 2, x);
    if (bench_open(&b, "gp", 16, 2, x, NULL))
        abort();
    same_text(spar__gp_backing_name(b.self), "basis", "few arms take the basis");
    belief_close(&b);
    bench_points(0, SIDE, 2, x);
    if (bench_open(&b, "gp(kernel=matern52)", N, 2, x, NULL))
        abort();
    same_text(spar__gp_backing_name(b.self), "matheron", "a rough kernel takes Matheron's rule");
    belief_close(&b);
}

static void check_refusals(void)
{
    static double x[9000];
    for (size_t i = 0; i < 9000; i++)
        x[i] = sin((double)i * 77.7);
    bench_refused("gp(length=0.1:0.2)", 10, 3, x, "gp: length has 2 values, but the arms have 3 features");
    bench_refused("gp(length=0.1:0.2)", 10, 1, x, "gp: length has 2 values, but the arms have 1 feature");
    bench_refused("gp", 10, 0, NULL, "gp: the arms have no features");
    bench_refused("gp(backing=grid)", 10, 3, x, "gp: backing=grid needs arms on a product grid");
    bench_refused("gp(backing=grid,kernel=matern32)", 10, 3, x, "gp: backing=grid needs a kernel that is a product");
    bench_refused("gp(backing=dense)", 3000, 3, x, "gp: backing=dense serves at most 2048 different arms, not 3000");
    bench_refused("gp(backing=basis,length=1e-3)", 2100, 3, x, "gp: 2100 points need more than 2048 basis functions");
    bench_refused("gp(backing=matheron)", 9000, 1, x, "gp: backing=matheron serves 4096 points");
    bench_refused("gp(kernel=linear)", 2, 1, (double[]){1, -1e300}, "gp: these features have a prior variance of inf");
    bench_refused("gp(length=1e-6)", 9000, 1, x, "gp: 9000 points need more than 2048 basis functions");
}

/* A state and its cache, of which either may be cut or changed, loaded; false when it is refused. */
static bool load(belief *b, const spar__archive *state, const unsigned char *text, const unsigned char *kept)
{
    spar__archive cache = {.loading = true, .in = kept, .left = state->cache->out.length};
    spar__archive in = {.loading = true, .in = text, .left = state->out.length, .cache = &cache};
    b->self->cls->archive(b->self, &in);
    return !in.failed && !cache.failed;
}

/* Every number becomes nonsense once; returns how often that was refused, or 0 if it was not. */
static size_t refuses_nonsense(belief *b, const spar__archive *state, bool in_cache, size_t kinds)
{
    const double nonsense[] = {NAN, 1e305};
    const unsigned char *text = (const unsigned char *)state->out.text,
                        *kept = (const unsigned char *)state->cache->out.text;
    size_t length = in_cache ? state->cache->out.length : state->out.length, refused = 0, taken = 0;
    for (size_t at = in_cache ? 0 : 8; at + 8 <= length; at += 8) { /* the first of the state is the number of rounds */
        unsigned char *bytes = spar__alloc(length, 1);
        memcpy(bytes, in_cache ? kept : text, length);
        for (size_t i = 0; i < kinds; i++) {
            memcpy(bytes + at, &nonsense[i], 8);
            bool good = load(b, state, in_cache ? text : bytes, in_cache ? bytes : kept);
            taken += good;
            refused += !good;
        }
        spar__free(bytes);
    }
    return taken ? 0 : refused;
}

static void check_archive(const char *spec)
{
    double x[16], mean[16], sd[16], theta[16], theta_other[16], mean_other[16];
    bench_points(0, 16, 1, x);
    belief b, other;
    if (bench_open(&b, spec, 16, 1, x, NULL) || bench_open(&other, spec, 16, 1, x, NULL))
        abort();
    bench_teach(&b, NULL, 16, 100);
    spar__archive cache = {0}, out = {.cache = &cache};
    b.self->cls->archive(b.self, &out);
    size_t kinds = strstr(spec, "fit=") ? 1 : 2; /* a length that was fitted may be large */
    size_t places = refuses_nonsense(&other, &out, false, kinds), kept = refuses_nonsense(&other, &out, true, 2);
    ok(places && kept, "%s: a saved state with nonsense anywhere is refused (%zu places)", spec, places + kept);
    bool loaded = load(&other, &out, (const unsigned char *)out.out.text, (const unsigned char *)cache.out.text);
    b.rng = other.rng;
    bool same = !b.self->cls->draw(b.self, b.scratch, &b.rng, theta) &&
                !other.self->cls->draw(other.self, other.scratch, &other.rng, theta_other);
    ok(same && memcmp(theta, theta_other, sizeof theta) == 0, "%s: loaded, it draws the same", spec);
    bench_teach(&b, NULL, 16, 50);
    bench_teach(&other, NULL, 16, 50);
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    (void)other.self->cls->moments(other.self, other.scratch, mean_other, theta);
    ok(loaded && memcmp(mean, mean_other, sizeof mean) == 0 && memcmp(sd, theta, sizeof sd) == 0,
       "%s: loaded, it goes on with the same bits", spec);
    spar__buf_free(&out.out);
    spar__buf_free(&cache.out);
    belief_close(&b);
    belief_close(&other);
}

/* Arms closer than any double can tell them apart in the kernel, hardly any noise: everything stays a number. */
static void check_hardship(const char *backing, const char *kernel, double length, double noise, size_t rounds)
{
    enum { N = 24 };
    double x[N], mean[N], sd[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i % 6) / 5 + (i < 12 ? 0 : 1e-12 * (double)i);
    char spec[120];
    (void)snprintf(spec, sizeof spec, "gp(kernel=%s,length=%g,noise=%g,backing=%s)", kernel, length, noise, backing);
    belief b;
    if (bench_open(&b, spec, N, 1, x, NULL))
        abort();
    bool good = true;
    for (size_t t = 0; t < rounds; t++) {
        size_t arm[2];
        good &= b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, NULL) == SPAR_OK && arm[0] < N && arm[1] < N;
        good &= b.self->cls->reserve(b.self, 2) == SPAR_OK;
        for (size_t j = 0; j < 2; j++)
            b.self->cls->observe(b.self, arm[j], (double)spar_rng_below(&b.rng, 2), 1);
        b.self->cls->settle(b.self);
        if (t % 100 == 0 || t == rounds - 1) {
            good &= b.self->cls->moments(b.self, b.scratch, mean, sd) == SPAR_OK;
            for (size_t i = 0; i < N; i++)
                good &= isfinite(mean[i]) && isfinite(sd[i]) && sd[i] >= 0;
        }
    }
    ok(good && isfinite(b.self->cls->accuracy(b.self)), "%s: numbers after %zu rounds", spec, rounds);
    belief_close(&b);
}

static void check_hardships(void)
{
    static const double lengths[] = {1e-3, 0.2, 1e3}, noises[] = {1e-9, 0.025};
    for (size_t l = 0; l < 3; l++)
        for (size_t n = 0; n < 2; n++) {
            check_hardship("basis", "se", lengths[l], noises[n], 10000);
            check_hardship("grid", "matern32", lengths[l], noises[n], 10000);
            check_hardship("dense", "matern52", lengths[l], noises[n], 3000);
            check_hardship("matheron", "se", lengths[l], noises[n], 3000);
            check_hardship("matheron", "matern52", lengths[l], noises[n], 3000);
        }
    check_hardship("basis", "linear", 1, 1e-9, 10000);
}

int main(void)
{
    check_all_exact();
    check_hardships();
    check_draws("gp(backing=dense)", 20, 1);
    check_draws("gp(backing=basis)", 20, 1);
    check_draws("gp(backing=grid)", 8, 2);
    check_draws("gp(backing=matheron)", 20, 1);
    check_draws("gp(backing=matheron,kernel=matern32)", 8, 2);
    check_draws("gp(backing=matheron,kernel=product_matern52)", 8, 2);
    check_draws("gp(backing=matheron,kernel=linear)", 20, 1);
    check_draws("gp(backing=dense,length=50)", 20, 1);
    check_draws("gp(backing=basis,kernel=linear)", 20, 1);
    check_shared();
    check_growth("gp(backing=dense)");
    check_growth("gp(backing=basis)");
    check_growth("gp(backing=matheron)");
    check_growth("gp(backing=matheron,kernel=matern32)");
    check_growth("gp");
    check_incomplete("gp", SPAR__KERNEL_SE, "grid");
    check_incomplete("gp(kernel=product_matern32,backing=matheron)", SPAR__KERNEL_PRODUCT_MATERN32, "matheron");
    check_choice();
    check_refusals();
    for (size_t k = 0; k < BACKINGS; k++) {
        char spec[40];
        (void)snprintf(spec, sizeof spec, "gp(backing=%s)", bench_backings[k]);
        check_archive(spec);
    }
    return done();
}
