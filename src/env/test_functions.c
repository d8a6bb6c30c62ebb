#include "env/test_functions.h"

#include "num/elementary.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double square(double x)
{
    return x * x;
}

/* (6x - 2)^2 sin(12x - 4). Forrester, Sobester, Keane, Engineering Design via Surrogate Modelling, 2008. */
static double forrester(size_t dim, const double *z)
{
    (void)dim;
    return square(6 * z[0] - 2) * spar__sin(12 * z[0] - 4);
}

/* The six-hump camel back. Dixon, Szego, Towards Global Optimisation 2, 1978; so are branin, goldstein, hartmann6. */
static double camel(size_t dim, const double *z)
{
    (void)dim;
    double x2 = square(z[0]), y2 = square(z[1]);
    return (4 - 2.1 * x2 + x2 * x2 / 3) * x2 + z[0] * z[1] + (-4 + 4 * y2) * y2;
}

static double branin(size_t dim, const double *z)
{
    (void)dim;
    double bend = z[1] - 5.1 / (4 * PI * PI) * square(z[0]) + 5 / PI * z[0] - 6;
    return square(bend) + 10 * (1 - 1 / (8 * PI)) * spar__cos(z[0]) + 10;
}

static double goldstein(size_t dim, const double *z)
{
    (void)dim;
    double x = z[0], y = z[1];
    double first = 19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y;
    double second = 18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y;
    return (1 + square(x + y + 1) * first) * (30 + square(2 * x - 3 * y) * second);
}

/* Minus the sum of four bumps: height exp(-sum of steepness (z - centre)^2). */
static double hartmann6(size_t dim, const double *z)
{
    static const double height[4] = {1, 1.2, 3, 3.2};
    static const double steepness[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
    static const double centre[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                        {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                        {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                        {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double away = 0;
        for (size_t d = 0; d < dim; d++)
            away += steepness[i][d] * square(z[d] - centre[i][d]);
        sum += height[i] * spar__exp(-away);
    }
    return -sum;
}

/* 20 (1 - exp(-root mean square / 5)) + e - exp(mean of cos 2 pi z). Ackley 1987. Written so that it is 0 at 0. */
static double ackley(size_t dim, const double *z)
{
    double squares = 0, cosines = 0;
    for (size_t d = 0; d < dim; d++) {
        squares += square(z[d]);
        cosines += spar__cos(2 * PI * z[d]);
    }
    double n = (double)dim;
    return -20 * spar__expm1(-0.2 * sqrt(squares / n)) + (spar__exp(1) - spar__exp(cosines / n));
}

/* Minima. forrester, camel and hartmann6: zeros of the gradient to 30 digits, from the known places, found by Newton's
 * method. The camel of the unit square has none inside: x y pushes x to 0, and what is left, 4 y^4 - 4 y^2, is -1 at
 * y^2 = 1/2. branin: cos = -1 where the square is 0 leaves 10 / (8 pi), for example at (pi, 2.275). goldstein: 3 at
 * (0, -1). ackley: 0 at 0. */
static const spar__test_function FUNCTIONS[] = {
    {1, {0}, {1}, forrester, -6.0207400557670828, {0.75724875784185587}},
    {2, {0, 0}, {1, 1}, camel, -1, {0, 0.70710678118654752}},
    {2, {-3, -2}, {3, 2}, camel, -1.0316284534898774, {0.51497366885005301, 0.32183589924481509}},
    {2, {-2, -1}, {2, 1}, camel, -1.0316284534898774, {0.52246050327507952, 0.14367179848963018}},
    {2, {-5, 0}, {10, 15}, branin, 0.39788735772973834, {0.54277284357265292, 0.15166666666666667}},
    {2, {-2, -2}, {2, 2}, goldstein, 3, {0.5, 0.25}},
    {6,
     {0, 0},
     {1, 1},
     hartmann6,
     -3.3223680114155148,
     {0.20168951100670542, 0.15001069182345797, 0.47687397422189699, 0.27533243049405607, 0.31165161660011324,
      0.65730053406562031}},
    {0, {-32.768, -32.768}, {32.768, 32.768}, ackley, 0, {0.5}},
};

const spar__test_function *spar__test_function_of(size_t name, size_t domain)
{
    size_t camels = name > SPAR__TEST_CAMEL ? 2 : name == SPAR__TEST_CAMEL ? domain : 0;
    return &FUNCTIONS[name + camels];
}

static size_t side(size_t d)
{
    return d < 2 ? d : 1;
}

double spar__test_function_at(const spar__test_function *f, size_t dim, const double *x)
{
    double z[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        z[d] = f->lo[side(d)] * (1 - x[d]) + f->hi[side(d)] * x[d];
    return f->at(dim, z);
}

double spar__test_function_on_grid(const spar__test_function *f, size_t dim, const size_t *step, size_t steps)
{
    double z[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        z[d] = (f->lo[side(d)] * (double)(steps - step[d]) + f->hi[side(d)] * (double)step[d]) / (double)steps;
    return f->at(dim, z);
}
