/* timing only, for now */
#include "posterior/gp_box.h"
#include "posterior/paths.h"
#include "sampler/sampler.h"
#include "tap.h"
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    size_t dim = argc > 1 ? (size_t)atoi(argv[1]) : 2, m = 4, rounds = argc > 2 ? (size_t)atoi(argv[2]) : 200;
    int kind = argc > 3 ? atoi(argv[3]) : 0;
    double L = argc > 4 ? atof(argv[4]) : 0.2;
    double lo[10], hi[10], length[10];
    for (size_t d = 0; d < dim; d++) lo[d] = 0, hi[d] = 1, length[d] = L;
    spar_arms *arms;
    if (spar_arms_new_box(dim, lo, hi, &arms)) abort();
    spar__kernel kernel = {(spar__kernel_kind)kind, dim, length, 1};
    spar__gp_box box = {0};
    spar_scratch *scratch;
    spar_rng rng, luck;
    spar_rng_seed(&rng, 1, 1, 1);
    spar_rng_seed(&luck, 1, 1, 2);
    if (spar_scratch_new(&scratch) || spar__gp_box_init(&box, arms, &kernel, 0.025, 0.5)) abort();
    double choosing = 0, learning = 0;
    size_t arm[4];
    double x[40];
    for (size_t t = 0; t < rounds; t++) {
        double a = now();
        if (spar__gp_box_best(&box, scratch, &rng, m, arm, x)) abort();
        double b = now();
        for (size_t j = 0; j < m; j++)
            if (arm[j] == (size_t)-1) {
                if (spar_arms_add(arms, x + j * dim, NULL, &arm[j])) abort();
                if (spar__gp_box_resize(&box)) abort();
            }
        if (spar__gp_box_reserve(&box, m)) abort();
        double u[4];
        for (size_t j = 0; j < m; j++) {
            u[j] = 0;
            for (size_t d = 0; d < dim; d++) { double e = x[j * dim + d] - 0.3 - 0.05 * (double)d; u[j] -= 4 * e * e; }
        }
        for (size_t j = 0; j < m; j++)
            for (size_t k = 0; k < m; k++) if (j < k) {
                double r = spar_rng_uniform(&luck) < 1 / (1 + exp(u[k] - u[j]));
                spar__gp_box_observe(&box, arm[j], r, 1);
                spar__gp_box_observe(&box, arm[k], 1 - r, 1);
            }
        spar__gp_box_settle(&box);
        double c = now();
        choosing += b - a;
        learning += c - b;
        if (t % (rounds / 10) == rounds / 10 - 1) {
            printf("# %zu: arms %zu r %zu choose %.2f ms learn %.3f ms  u %.3f %.3f %.3f %.3f\n", t + 1, arms->n, box.growth.basis.r, 1e4 * choosing / (double)rounds, 1e4 * learning / (double)rounds, u[0], u[1], u[2], u[3]);
            choosing = learning = 0;
        }
    }
    double *mean = malloc(arms->n * 8), *sd = malloc(arms->n * 8);
    if (spar__gp_box_moments(&box, scratch, mean, sd)) abort();
    for (size_t i = 0; i < arms->n; i += i < arms->n - 40 ? 40 : 1) {
        printf("# arm %zu x %.4f %.4f mean %.4f sd %.4f count %g avg %.3f place %zd\n", i, arms->x[i*dim], arms->x[i*dim+1], mean[i], sd[i], box.count[i], box.sum[i]/box.count[i], (ssize_t)box.growth.place[i]);
    }
    FILE *dump = fopen("/tmp/dump.txt", "w");
    double *phi = malloc(8 * 4096);
    for (size_t i = 0; i < arms->n; i++) fprintf(dump, "%.17g %.17g %zd %.17g\n", arms->x[2*i], arms->x[2*i+1], (ssize_t)box.growth.place[i], spar__newton_at(&box.growth.basis, &kernel, arms->x + 2 * i, phi));
    fclose(dump);
    spar__paths paths;
    if (spar__paths_draw(&paths, &kernel, &box.growth.basis, &box.growth.weights, 4, scratch, &rng)) abort();
    double *val = malloc(arms->n * 64);
    spar__paths_values(&paths, arms->n, arms->x, val);
    for (size_t i = 0; i < arms->n; i += 10)
        printf("# %4zu place %4zd mean %.4f sd %.4f path %.4f %.4f %.4f at_u %.4f\n", i, (ssize_t)box.growth.place[i], mean[i], sd[i], val[8*i]+0.5, val[8*i+1]+0.5, val[8*i+2]+0.5, box.growth.place[i] < 1000 ? paths.at_u[box.growth.place[i]]+0.5 : 0);
    double worst = 0; for (size_t k = 0; k < box.growth.basis.r * 8; k++) worst = fmax(worst, fabs(paths.pull[k]));
    printf("# largest pull %g\n", worst);
    printf("# accuracy %g cond %g\n", spar__growth_accuracy(&box.growth), spar__weights_condition(&box.growth.weights));
    return 0;
}
