/* dimension.c FIGURE.svg - does regret follow the number of arms, or the kernel's dimension?
 *
 * KernelSelfSparring on functions drawn from its own prior, m = 2: the number of points varies at a fixed length, then
 * the length at a fixed number of points. Beside the regret stands the effective rank
 *
 *     sum_i  a l_i / (a l_i + noise),    l_i the eigenvalues of the kernel matrix, a = answers / points,
 *
 * the number of directions that as many answers, spread evenly over the points, would determine. */
#include "base/alloc.h"
#include "num/basis.h"
#include "plot/plot.h"

#include <spar/spar.h>

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 500, RUNS = 200, CASES = 5, POLICIES = 2 };

typedef struct study {
    const char *title, *x_label;
    double x[CASES], points[CASES], length[CASES];
    double mean[POLICIES][CASES], lo[POLICIES][CASES], hi[POLICIES][CASES], rank[CASES];
} study;

static double effective_rank(size_t n, double length)
{
    const double noise = 0.025, answers = 2 * ROUNDS;
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    spar__basis basis = {0};
    double *x = spar__alloc(n, sizeof *x), sum = 0;
    for (size_t i = 0; x && i < n; i++)
        x[i] = (double)i / (double)(n - 1);
    if (!x || spar__basis_make(&kernel, n, x, 1e-14, n, &basis))
        sum = NAN;
    for (size_t j = 0; j < basis.r; j++) { /* columns are orthogonal: their squared lengths are the eigenvalues */
        double l = 0;
        for (size_t i = 0; i < n; i++)
            l += basis.phi[i * basis.r + j] * basis.phi[i * basis.r + j];
        l *= answers / (double)n;
        sum += l / (l + noise);
    }
    spar__basis_free(&basis);
    spar__free(x);
    return sum;
}

static bool fill(study *s, size_t c)
{
    char env[100], kernel[100];
    (void)snprintf(env, sizeof env, "function(name=gp,points=%.0f,length=%g)", s->points[c], s->length[c]);
    (void)snprintf(kernel, sizeof kernel, "kernel_self_sparring(length=%g)", s->length[c]);
    const char *const policies[POLICIES] = {kernel, "ind_self_sparring"};
    spar_plan plan = {.env = env,
                      .policies = policies,
                      .n_policies = POLICIES,
                      .m = 2,
                      .rounds = ROUNDS,
                      .runs = RUNS,
                      .seed = 1,
                      .horizon_known = true};
    spar_results *results = NULL;
    spar_error err;
    if (spar_simulate(&plan, &results, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return false;
    }
    s->rank[c] = effective_rank((size_t)s->points[c], s->length[c]);
    printf("%6.0f  %6g  %14.1f", s->points[c], s->length[c], s->rank[c]);
    for (size_t p = 0; p < POLICIES; p++) {
        spar_summary sum;
        (void)spar_results_summary(results, p, results->n_checkpoints, &sum);
        s->mean[p][c] = sum.mean;
        s->lo[p][c] = sum.mean - 2 * sum.se;
        s->hi[p][c] = sum.mean + 2 * sum.se;
        printf("  %10.1f +- %-5.1f", sum.mean, sum.se);
    }
    printf("\n");
    (void)fflush(stdout);
    spar_results_free(results);
    return true;
}

static bool draw(study *const studies[2], const char *path)
{
    static const char *const label[] = {"kernel_self_sparring", "ind_self_sparring"};
    static const double zero = 0; /* a point that is not drawn makes the axis begin at 0 */
    spar__series regret[2][POLICIES], rank[2][2];
    spar__figure panel[4];
    for (size_t k = 0; k < 2; k++) {
        study *s = studies[k];
        for (size_t p = 0; p < POLICIES; p++)
            regret[k][p] = (spar__series){label[p], CASES, s->x, s->mean[p], s->lo[p], s->hi[p], p + 1, true};
        rank[k][0] = (spar__series){"", CASES, s->x, s->rank, NULL, NULL, 3, true};
        rank[k][1] = (spar__series){"", 1, s->x, &zero, NULL, NULL, 3, false};
        panel[2 * k] =
            (spar__figure){s->title, "regret", s->x_label,           "regret", true, false, POLICIES, regret[k],
                           560,      340,      "bands: mean +- 2 se"};
        panel[2 * k + 1] = (spar__figure){
            " ", "effective rank of the kernel", s->x_label, "rank", true, false, 2, rank[k], 560, 340, NULL};
    }
    spar__buf svg = {0};
    FILE *file = spar__plot_panels(panel, 4, 2, &svg) ? NULL : fopen(path, "w");
    bool good = file && fwrite(svg.text, 1, svg.length, file) == svg.length;
    if (file && fclose(file))
        good = false;
    spar__buf_free(&svg);
    return good;
}

int main(int argc, char **argv)
{
    static study by_points = {.title = "Number of points, at length 0.2",
                              .x_label = "points",
                              .points = {30, 100, 300, 1000, 3000},
                              .length = {0.2, 0.2, 0.2, 0.2, 0.2}};
    static study by_length = {.title = "Length, at 300 points",
                              .x_label = "length",
                              .points = {300, 300, 300, 300, 300},
                              .length = {0.05, 0.1, 0.15, 0.2, 0.4}};
    study *const studies[] = {&by_points, &by_length};
    printf("%d rounds, %d runs, seed 1, m = 2\n", ROUNDS, RUNS);
    printf("points  length  effective rank  kernel_self_sparring  ind_self_sparring\n");
    for (size_t k = 0; k < 2; k++) {
        for (size_t c = 0; c < CASES; c++) {
            studies[k]->x[c] = k == 0 ? studies[k]->points[c] : studies[k]->length[c];
            if (!fill(studies[k], c))
                return 1;
        }
    }
    return argc > 1 && !draw(studies, argv[1]);
}
