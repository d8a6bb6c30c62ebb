#include "prefer/prefer.h"

#include "base/alloc.h"
#include "matrix.h"
#include "tap.h"

#include <stdlib.h>

enum { ARMS = 16, MOST = 12 };

static const char *const links[] = {"linear", "logit", "natural"};
static const double linearity[] = {1.000, 0.9287, 0.6667};

static void from_utilities(size_t n, const double *u, int link, double *p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            p[i * n + j] = link == 0   ? (1 + u[i] - u[j]) / 2
                           : link == 1 ? 1 / (1 + exp(u[j] - u[i]))
                                       : u[i] / (u[i] + u[j]);
}

static void utility_set(int set, double *u)
{
    u[0] = 0.8;
    for (int i = 1; i < ARMS; i++)
        u[i] = set == 0   ? 0.2
               : set == 1 ? (i < 2 ? 0.7 : 0.2)
               : set == 2 ? (i < 6 ? 0.7 : 0.2)
               : set == 3 ? 0.7 - 0.5 * (i - 1) / 14
                          : 0.7 * pow(0.2 / 0.7, (i - 1) / 14.0);
}

/* Known answers: 1good, 2good, 6good, arith, geom under three links. */
static void known(void)
{
    double u[ARMS], p[ARMS * ARMS];
    spar__transitivity got;
    for (int link = 0; link < 3; link++)
        for (int set = 0; set < 5; set++) {
            utility_set(set, u);
            from_utilities(ARMS, u, link, p);
            ok(spar__transitivity_measure(ARMS, p, &got) == SPAR_OK && !got.skipped, "%s, set %d", links[link], set);
            if (set == 0)
                ok(!got.has_linearity && got.chains == 0 && got.triples == 0, "1good has no strict triple");
            else
                near(got.linearity, linearity[link], 5e-5, "gamma of approximate linearity");
            ok(got.weak.count + got.strong.count + got.triangle.count == 0, "no law is broken, even by rounding");
            ok(got.has_relaxed && got.relaxed == 1 && got.relaxed_all == 1, "nothing to relax");
        }
    size_t strict = ARMS * (ARMS - 1) * (ARMS - 2) / 6;
    ok(got.chains == strict && got.triples == strict, "distinct utilities: every three arms are one triple");
}

static double slack(size_t n, const double *p, size_t i, size_t j)
{
    return p[i * n + j] - 0.5;
}

/* One triple after another, each figure by its definition. */
static spar__transitivity slow(size_t n, const double *p)
{
    spar__transitivity s = {.linearity = INFINITY, .relaxed = 1, .relaxed_all = 1};
    for (size_t t = 0; t < n * n * n; t++) {
        size_t i = t / n / n, j = t / n % n, k = t % n;
        double ij = slack(n, p, i, j), jk = slack(n, p, j, k), ik = slack(n, p, i, k);
        bool best = true;
        for (size_t a = 0; a < n; a++)
            best = best && (a == i || slack(n, p, i, a) > 0);
        s.has_relaxed = s.has_relaxed || best;
        if (i == j || j == k || i == k || ij <= 1e-12 || jk <= 1e-12)
            continue;
        double strongest = ij > jk ? ij : jk;
        s.chains++;
        s.weak.count += ik < -1e-12;
        s.strong.count += ik < strongest - 1e-12;
        s.weak.worst = fmax(s.weak.worst, -ik);
        s.strong.worst = fmax(s.strong.worst, strongest - ik);
        if (ik <= 1e-12)
            continue;
        s.triples++;
        s.has_linearity = true;
        s.triangle.count += ik > ij + jk + 1e-12;
        s.triangle.worst = fmax(s.triangle.worst, ik - ij - jk);
        s.linearity = fmin(s.linearity, (ik - jk) / ij);
        s.relaxed_all = fmax(s.relaxed_all, strongest / ik);
        if (best)
            s.relaxed = fmax(s.relaxed, strongest / ik);
    }
    return s;
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-11 * (1 + fabs(b));
}

static bool same_law(spar__violations a, spar__violations b)
{
    return a.count == b.count && close_to(a.worst, b.worst);
}

static bool same(const spar__transitivity *a, const spar__transitivity *b)
{
    return a->chains == b->chains && a->triples == b->triples && same_law(a->weak, b->weak) &&
           same_law(a->strong, b->strong) && same_law(a->triangle, b->triangle) &&
           a->has_linearity == b->has_linearity && (!a->has_linearity || close_to(a->linearity, b->linearity)) &&
           a->has_relaxed == b->has_relaxed && (!a->has_relaxed || close_to(a->relaxed, b->relaxed)) &&
           close_to(a->relaxed_all, b->relaxed_all);
}

static void random_matrices(void)
{
    double p[MOST * MOST], q[MOST * MOST];
    size_t name[MOST], relaxed = 0;
    spar__transitivity got, again, wanted;
    for (size_t levels = 0; levels <= 5; levels++) {
        bool good = true, renamed = true;
        for (int trial = 0; trial < 500; trial++) {
            size_t n = 1 + matrix_below(MOST);
            matrix_random(n, p, levels);
            for (size_t j = 1; j < n && trial % 2; j++) /* often a Condorcet winner */
                matrix_set(n, p, 0, j, 0.5 + 0.25 * (1 - p[j]));
            matrix_shuffle(n, name);
            matrix_rename(n, p, name, q);
            wanted = slow(n, p);
            good = good && spar__transitivity_measure(n, p, &got) == SPAR_OK && same(&got, &wanted);
            renamed = renamed && spar__transitivity_measure(n, q, &again) == SPAR_OK && same(&again, &got);
            relaxed += got.has_relaxed && got.relaxed > 1 && got.relaxed < got.relaxed_all;
        }
        ok(good, "the figures are those of the definitions, %zu levels", levels);
        ok(renamed, "and the same when arms are renamed");
    }
    ok(relaxed > 100, "the two relaxed figures often differ");
}

static void by_hand(void)
{
    const double rock[] = {0.5, 0.4, 0.8, /**/ 0.6, 0.5, 0.3, /**/ 0.2, 0.7, 0.5};
    const double bent[] = {0.5, 0.9, 0.6, /**/ 0.1, 0.5, 0.7, /**/ 0.4, 0.3, 0.5};
    const double wide[] = {0.5, 0.6, 0.9, /**/ 0.4, 0.5, 0.7, /**/ 0.1, 0.3, 0.5};
    const double almost[] = {0.5, 0.7, 0.8, /**/ 0.3, 0.5, 0.5 + 1e-13, /**/ 0.2, 0.5 - 1e-13, 0.5};
    spar__transitivity t;
    (void)spar__transitivity_measure(3, almost, &t);
    ok(t.chains == 0 && !t.has_linearity, "a preference that rounding could have made is none");
    (void)spar__transitivity_measure(3, rock, &t);
    ok(t.chains == 3 && t.triples == 0 && t.weak.count == 3 && t.strong.count == 3, "a cycle is three broken chains");
    near(t.weak.worst, 0.3, 1e-15, "the worst is its largest gap");
    ok(!t.has_linearity && !t.has_relaxed && t.relaxed_all == 1, "and has nothing to be linear or relaxed about");
    (void)spar__transitivity_measure(3, bent, &t);
    ok(t.triples == 1 && t.weak.count == 0 && t.strong.count == 1 && t.triangle.count == 0, "a bent order");
    near(t.strong.worst, 0.3, 1e-15, "misses strong transitivity by 0.4 - 0.1");
    near(t.relaxed, 4, 1e-14, "so it is relaxed by 0.4 / 0.1");
    near(t.linearity, -0.25, 1e-15, "and its linearity is (0.1 - 0.2) / 0.4");
    (void)spar__transitivity_measure(3, wide, &t);
    ok(t.triangle.count == 1 && t.strong.count == 0, "a wide order breaks the triangle inequality only");
    near(t.triangle.worst, 0.1, 1e-15, "by 0.4 - 0.1 - 0.2");
    near(t.linearity, 2, 1e-14, "linearity may exceed one");
}

static void sizes(void)
{
    size_t n = SPAR__TRIPLES_MAX_ARMS + 1;
    double *p = calloc(n * n, sizeof *p);
    spar__transitivity t;
    ok(spar__transitivity_measure(n, p, &t) == SPAR_OK && t.skipped && t.chains == 0, "too many arms are skipped");
    n--;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            p[i * n + j] = 0.5 + ((double)j - (double)i) / 4096;
    ok(spar__transitivity_measure(n, p, &t) == SPAR_OK && t.triples == n * (n - 1) * (n - 2) / 6 && t.linearity == 1,
       "the most arms are measured");
    free(p);
    const double one[] = {0.5};
    ok(spar__transitivity_measure(1, one, &t) == SPAR_OK && t.chains == 0, "a single arm");
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar__transitivity_measure(1, one, &t) == SPAR_NOMEM, "allocation %zu fails", k);
    }
    spar__alloc_fail_at(0);
}

int main(void)
{
    known();
    by_hand();
    random_matrices();
    sizes();
    return done();
}
