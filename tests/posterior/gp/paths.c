#include "posterior/gp/box.h"

#include "posterior/gp/gp.h"
#include "sampler/sampler.h"
#include "tap.h"

#include <stdlib.h>

enum { DIM = 3, SEEN = 40, M = 3, LOOK = 50 };

static const char *const kinds[] = {"se", "matern32", "matern52", "product_matern32", "product_matern52", "linear"};
static const double length[DIM] = {0.3, 0.5, 0.4};

static void check(int kind)
{
    spar__kernel kernel = {(spar__kernel_kind)kind, DIM, length, 1.3};
    spar__growth growth = {0};
    spar_scratch *scratch = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 91, (uint64_t)kind, 1);
    double x[SEEN * DIM], look[LOOK * DIM], value[LOOK * SPAR__WIDTH], one[LOOK];
    for (size_t i = 0; i < SEEN * DIM; i++)
        x[i] = spar_rng_uniform(&rng);
    for (size_t i = 0; i < LOOK * DIM; i++)
        look[i] = spar_rng_uniform(&rng);
    if (spar_scratch_new(&scratch) || spar__growth_init(&growth, &kernel, SPAR__NEWTON_KNOWN, SEEN) ||
        spar__growth_reserve(&growth, SEEN))
        abort();
    for (size_t i = 0; i < SEEN; i++)
        spar__growth_learn(&growth, x, 1, &i, &(double){20}, &(double){sin(5 * x[i * DIM])});
    spar__paths paths;
    if (spar__paths_draw(&paths, &kernel, &growth.basis, &growth.weights, 1, M, scratch, &rng))
        abort();
    double off = 0, at_u = 0, slope_off = 0, value_off = 0, size = 0, r = (double)growth.basis.r;
    spar__paths_values(&paths, LOOK, look, value);
    for (size_t j = 0; j < M; j++) {
        spar__path_values(&paths, j, LOOK, look, one);
        for (size_t i = 0; i < LOOK; i++) {
            double gradient[DIM], up[DIM], down[DIM], *y = look + i * DIM, h = 1e-5, pair[2];
            off = fmax(off, fabs(one[i] - value[i * SPAR__WIDTH + j]));
            value_off = fmax(value_off, fabs(spar__path_slope(&paths, j, y, gradient) - one[i]));
            for (size_t d = 0; d < DIM; d++) {
                memcpy(up, y, sizeof up);
                memcpy(down, y, sizeof down);
                up[d] += h;
                down[d] -= h;
                spar__path_values(&paths, j, 1, up, &pair[0]);
                spar__path_values(&paths, j, 1, down, &pair[1]);
                slope_off = fmax(slope_off, fabs(gradient[d] - (pair[0] - pair[1]) / (2 * h)));
                size = fmax(size, fabs(gradient[d]));
            }
        }
        for (size_t i = 0; i < growth.basis.r; i++) {
            spar__path_values(&paths, j, 1, growth.basis.u + i * DIM, one);
            at_u = fmax(at_u, fabs(one[0] - paths.at_u[j * growth.basis.r + i]));
        }
    }
    ok(off < 1e-9 && value_off < 1e-9, "%s: values of one function are those of all (%.1e)", kinds[kind], off);
    ok(slope_off < 2e-3 * size, "%s: slopes are those of differences (%.1e of %.1e)", kinds[kind], slope_off, size);
    ok(at_u < 1e-6, "%s: at the %g points of the basis the values are those drawn (%.1e)", kinds[kind], r, at_u);
    spar__growth_fini(&growth);
    spar_scratch_free(scratch);
}

int main(void)
{
    for (int kind = 0; kind < 6; kind++)
        check(kind);
    return done();
}
