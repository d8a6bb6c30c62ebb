#include "prefer/prefer.h"

#include "base/alloc.h"
#include "matrix.h"
#include "tap.h"

#include <stdlib.h>
#include <time.h>

/* What the best answer wins against w; infinity when w is no distribution. Not by the code under test. */
static double slow_loss(size_t n, const double *p, const double *w)
{
    double most = -1, sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(w[i] >= 0))
            return INFINITY;
        sum += w[i];
    }
    for (size_t j = 0; j < n; j++) {
        double won = 0;
        for (size_t i = 0; i < n; i++)
            won += w[i] * p[j * n + i];
        most = fmax(most, won - 0.5);
    }
    return fabs(sum - 1) < 1e-12 ? most : INFINITY;
}

static double solve(size_t n, const double *p, double *w)
{
    double claimed = NAN;
    if (spar__von_neumann(n, p, w, &claimed) != SPAR_OK)
        return INFINITY;
    double loss = slow_loss(n, p, w);
    return fabs(fmax(loss, 0) - claimed) < 1e-12 ? loss : INFINITY;
}

static void by_hand(void)
{
    const double rock[] = {0.5, 0, 1, /**/ 1, 0.5, 0, /**/ 0, 1, 0.5};
    const double skewed[] = {0.5, 0.6, 0.3, /**/ 0.4, 0.5, 0.8, /**/ 0.7, 0.2, 0.5};
    const double order[] = {0.5, 0.6, 0.9, /**/ 0.4, 0.5, 0.7, /**/ 0.1, 0.3, 0.5};
    double w[60], p[60 * 60];
    ok(solve(3, rock, w) < 1e-15, "rock, paper, scissors has an optimal strategy");
    for (size_t i = 0; i < 3; i++)
        near(w[i], 1.0 / 3, 1e-15, "a third each");
    /* The weight of each is the gap between the two others: 0.3, 0.2, 0.1. */
    ok(solve(3, skewed, w) < 1e-15, "three arms in a skewed cycle");
    near(w[0], 0.3 / 0.6, 1e-15, "first");
    near(w[1], 0.2 / 0.6, 1e-15, "second");
    near(w[2], 0.1 / 0.6, 1e-15, "third");
    ok(solve(3, order, w) <= 0 && w[0] == 1 && w[1] == 0 && w[2] == 0, "a Condorcet winner is played alone");
    ok(solve(1, rock, w) <= 0 && w[0] == 1, "so is a single arm");
    for (size_t i = 0; i < 60 * 60; i++)
        p[i] = 0.5;
    ok(solve(60, p, w) <= 1e-15, "where all are equal no strategy loses");
    for (size_t i = 0; i < 60; i++)
        for (size_t d = 1; d < 30; d++)
            matrix_set(60, p, i, (i + d) % 60, 1);
    ok(solve(60, p, w) < 1e-12, "sixty arms on a ring, each beating half of the others");
}

static void random_matrices(void)
{
    enum { MOST = 40 };
    double p[MOST * MOST], w[MOST];
    for (size_t levels = 0; levels <= 4; levels++) {
        double worst = 0;
        for (int trial = 0; trial < 200; trial++) {
            size_t n = 1 + matrix_below(MOST);
            matrix_random(n, p, levels);
            worst = fmax(worst, solve(n, p, w));
        }
        if (!ok(worst < 1e-12, "200 random matrices, %zu levels: the strategy loses nothing", levels))
            printf("# it loses %g\n", worst);
    }
}

/* Sure wins beside gaps of 1e-7 make bases that are nearly singular, where rounding misleads the simplex method. */
static void mixed_scales(void)
{
    enum { MOST = 60 };
    double p[MOST * MOST], w[MOST], worst = 0;
    for (int trial = 0; trial < 1000; trial++) {
        size_t n = 2 + matrix_below(MOST - 1);
        matrix_random(n, p, 1);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                if (matrix_uniform() < 0.5)
                    matrix_set(n, p, i, j, 0.5 + (p[i * n + j] - 0.5) * 1e-7 * matrix_uniform());
        worst = fmax(worst, solve(n, p, w));
    }
    if (!ok(worst < 1e-11, "1000 matrices of large and tiny gaps"))
        printf("# it loses %g\n", worst);
}

static void renamed(void)
{
    enum { MOST = 30 };
    double p[MOST * MOST], q[MOST * MOST], w[MOST], v[MOST], worst = 0;
    size_t name[MOST];
    for (size_t trial = 0; trial < 200; trial++) {
        size_t n = 1 + matrix_below(MOST);
        matrix_random(n, p, trial % 2); /* without ties the strategy is unique */
        matrix_shuffle(n, name);
        matrix_rename(n, p, name, q);
        worst = fmax(worst, fmax(solve(n, p, w), solve(n, q, v)));
        for (size_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(w[i] - v[name[i]]));
    }
    if (!ok(worst < 1e-9, "arms renamed, weights renamed"))
        printf("# off by %g\n", worst);
}

static void large(size_t levels)
{
    enum { N = 500 };
    double *p = malloc(sizeof *p * N * N), w[N];
    matrix_random(N, p, levels);
    clock_t start = clock();
    double loss = solve(N, p, w);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("# 500 arms, %zu levels: %.2f s, loses %g\n", levels, seconds, loss);
    ok(loss < 1e-9, "500 arms, %zu levels", levels);
    free(p);
}

static void real_matrix(void)
{
    enum { N = 136 };
    const char *data = getenv("SPAR_DATA");
    char path[4096];
    static double p[N * N], w[N];
    (void)snprintf(path, sizeof path, "%s/mslr/MSLR-Perfect.txt", data ? data : "");
    FILE *file = data ? fopen(path, "r") : NULL;
    if (!file) {
        skip("the 136 rankers: no SPAR_DATA");
        return;
    }
    size_t count = 0;
    while (count < (size_t)N * N && fscanf(file, "%lf", &p[count]) == 1)
        count++;
    (void)fclose(file);
    ok(count == (size_t)N * N && solve(N, p, w) < 1e-12, "136 rankers");
}

static void without_memory(void)
{
    const double rock[] = {0.5, 0, 1, /**/ 1, 0.5, 0, /**/ 0, 1, 0.5};
    double w[3], loss;
    spar__alloc_fail_at(0);
    (void)spar__von_neumann(3, rock, w, &loss);
    size_t calls = spar__alloc_count();
    for (size_t k = 1; k <= calls; k++) {
        spar__alloc_fail_at(k);
        ok(spar__von_neumann(3, rock, w, &loss) == SPAR_NOMEM, "allocation %zu of %zu fails", k, calls);
    }
    spar__alloc_fail_at(0);
}

int main(void)
{
    by_hand();
    random_matrices();
    mixed_scales();
    renamed();
    for (size_t levels = 0; levels <= 2; levels++)
        large(levels);
    real_matrix();
    without_memory();
    return done();
}
