#include "env/function.h"

#include "sampler/rng.h"
#include "tap.h"

static const double pi = 3.14159265358979323846;

/* The same functions once more, from libm, each on its own domain. */
static double by_hand(size_t name, size_t dim, const double *z)
{
    double x = z[0], y = dim > 1 ? z[1] : 0, squares = 0, cosines = 0, sum = 0;
    static const double a[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
    static const int p[4][6] = {{1312, 1696, 5569, 124, 8283, 5886},
                                {2329, 4135, 8307, 3736, 1004, 9991},
                                {2348, 1451, 3522, 2883, 3047, 6650},
                                {4047, 8828, 8732, 5743, 1091, 381}};
    static const double alpha[4] = {1.0, 1.2, 3.0, 3.2};
    switch (name) {
    case SPAR__TEST_FORRESTER:
        return pow(6 * x - 2, 2) * sin(12 * x - 4);
    case SPAR__TEST_CAMEL:
        return 4 * pow(x, 2) - 2.1 * pow(x, 4) + pow(x, 6) / 3 + x * y - 4 * pow(y, 2) + 4 * pow(y, 4);
    case SPAR__TEST_BRANIN:
        return pow(y - 5.1 * x * x / (4 * pi * pi) + 5 * x / pi - 6, 2) + 10 * (1 - 1 / (8 * pi)) * cos(x) + 10;
    case SPAR__TEST_GOLDSTEIN:
        return (1 + pow(x + y + 1, 2) * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y)) *
               (30 + pow(2 * x - 3 * y, 2) * (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y));
    case SPAR__TEST_HARTMANN6:
        for (size_t i = 0; i < 4; i++) {
            double away = 0;
            for (size_t d = 0; d < 6; d++)
                away += a[i][d] * pow(z[d] - p[i][d] * 1e-4, 2);
            sum -= alpha[i] * exp(-away);
        }
        return sum;
    default:
        for (size_t d = 0; d < dim; d++) {
            squares += z[d] * z[d];
            cosines += cos(2 * pi * z[d]);
        }
        return -20 * exp(-0.2 * sqrt(squares / (double)dim)) - exp(cosines / (double)dim) + 20 + exp(1);
    }
}

static const struct {
    const char *what;
    size_t name, domain, dim;
    double lo[2], hi[2], least;
} cases[] = {
    {"forrester", SPAR__TEST_FORRESTER, 0, 1, {0}, {1}, -6.020740},
    {"camel, unit", SPAR__TEST_CAMEL, 0, 2, {0, 0}, {1, 1}, -1},
    {"camel, standard", SPAR__TEST_CAMEL, 1, 2, {-3, -2}, {3, 2}, -1.031628},
    {"camel, inner", SPAR__TEST_CAMEL, 2, 2, {-2, -1}, {2, 1}, -1.031628},
    {"branin", SPAR__TEST_BRANIN, 0, 2, {-5, 0}, {10, 15}, 0.397887},
    {"goldstein", SPAR__TEST_GOLDSTEIN, 0, 2, {-2, -2}, {2, 2}, 3},
    {"hartmann6", SPAR__TEST_HARTMANN6, 0, 6, {0, 0}, {1, 1}, -3.322368},
    {"ackley, d=1", SPAR__TEST_ACKLEY, 0, 1, {-32.768}, {32.768}, 0},
    {"ackley, d=2", SPAR__TEST_ACKLEY, 0, 2, {-32.768, -32.768}, {32.768, 32.768}, 0},
    {"ackley, d=20", SPAR__TEST_ACKLEY, 0, 20, {-32.768, -32.768}, {32.768, 32.768}, 0},
};

static void random_point(spar_rng *rng, size_t dim, double *x)
{
    for (size_t d = 0; d < dim; d++)
        x[d] = spar_rng_uniform(rng);
}

/* The lowest value that steps of falling size, each in a random direction, lead to from many points. */
static double lowest(const spar__test_function *f, size_t dim, spar_rng *rng)
{
    double least = INFINITY, x[SPAR__TEST_MOST_DIM], y[SPAR__TEST_MOST_DIM];
    for (size_t start = 0; start < 200; start++) {
        random_point(rng, dim, x);
        double here = spar__test_function_at(f, dim, x);
        for (double size = 0.3; size > 1e-7; size *= 0.97)
            for (size_t tries = 0; tries < 8; tries++) {
                for (size_t d = 0; d < dim; d++)
                    y[d] = fmin(fmax(x[d] + size * (2 * spar_rng_uniform(rng) - 1), 0), 1);
                double there = spar__test_function_at(f, dim, y);
                if (there < here) {
                    here = there;
                    memcpy(x, y, sizeof x);
                }
            }
        least = fmin(least, here);
    }
    return least;
}

static void check_case(size_t c)
{
    size_t dim = cases[c].dim;
    const char *what = cases[c].what;
    const spar__test_function *f = spar__test_function_of(cases[c].name, cases[c].domain);
    ok(f->dim == dim || (!f->dim && cases[c].name == SPAR__TEST_ACKLEY), "%s has %zu inputs", what, dim);
    spar_rng rng;
    spar_rng_seed(&rng, 1, 2, 3);
    double worst = 0, x[SPAR__TEST_MOST_DIM], z[SPAR__TEST_MOST_DIM];
    for (size_t i = 0; i < 2000; i++) {
        random_point(&rng, dim, x);
        for (size_t d = 0; d < dim; d++)
            z[d] = cases[c].lo[d > 0] + (cases[c].hi[d > 0] - cases[c].lo[d > 0]) * x[d];
        double wanted = by_hand(cases[c].name, dim, z);
        worst = fmax(worst, fabs(spar__test_function_at(f, dim, x) - wanted) / (1 + fabs(wanted)));
    }
    ok(worst < 1e-11, "%s is its formula on its domain (%.2g)", what, worst);
    near(f->least, cases[c].least, 1e-6, "%s: the minimum of the books", what);
    for (size_t d = 0; d < dim; d++)
        x[d] = f->where[f->dim ? d : 0];
    near(spar__test_function_at(f, dim, x), f->least, 1e-13 * (1 + fabs(f->least)), "%s takes it there", what);
    if (dim > 6)
        return;
    double found = lowest(f, dim, &rng);
    ok(found >= f->least - 1e-13 * (1 + fabs(f->least)) && found < f->least + 1e-4, "%s: a search finds it (%.9g)",
       what, found);
}

static void check_grid(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 5, 5, 5);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const spar__test_function *f = spar__test_function_of(cases[c].name, cases[c].domain);
        size_t dim = cases[c].dim;
        double worst = 0;
        for (size_t i = 0; i < 1000; i++) {
            size_t step[SPAR__TEST_MOST_DIM];
            double x[SPAR__TEST_MOST_DIM];
            for (size_t d = 0; d < dim; d++) {
                step[d] = spar_rng_below(&rng, 8);
                x[d] = (double)step[d] / 7;
            }
            double on = spar__test_function_on_grid(f, dim, step, 7), at = spar__test_function_at(f, dim, x);
            worst = fmax(worst, fabs(on - at) / (1 + fabs(at)));
        }
        ok(worst < 1e-11, "%s: a grid is part of its domain", cases[c].what);
    }
    bool mirrored = true;
    for (size_t domain = 1; domain < 3; domain++)
        for (size_t i = 0; i < 64; i++) {
            const spar__test_function *f = spar__test_function_of(SPAR__TEST_CAMEL, domain);
            size_t step[2] = {i / 8, i % 8}, mirror[2] = {7 - i / 8, 7 - i % 8};
            mirrored &= spar__test_function_on_grid(f, 2, step, 7) == spar__test_function_on_grid(f, 2, mirror, 7);
        }
    ok(mirrored, "the camel's equals on a grid are exactly equal");
    const spar__test_function *f = spar__test_function_of(SPAR__TEST_ACKLEY, 0);
    ok(spar__test_function_at(f, 3, (double[]){0.5, 0.5, 0.5}) == 0 &&
           spar__test_function_on_grid(f, 2, (size_t[]){3, 3}, 6) == 0,
       "ackley's minimum is exactly 0");
}

int main(void)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        check_case(c);
    check_grid();
    return done();
}
