/* functions.c - test functions and their worlds. */
#include "reference/functions.h"

#include "reference/gauss.h"
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static double square(double x)
{
    return x * x;
}

static double forrester(double x)
{
    return square(6 * x - 2) * sin(12 * x - 4);
}

static double camel(double x, double y)
{
    return (4 - 2.1 * x * x + x * x * x * x / 3) * x * x + x * y + (-4 + 4 * y * y) * y * y;
}

static double branin(double x, double y)
{
    return square(y - 5.1 / (4 * PI * PI) * x * x + 5 / PI * x - 6) + 10 * (1 - 1 / (8 * PI)) * cos(x) + 10;
}

static double goldstein(double x, double y)
{
    double a = 1 + square(x + y + 1) * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y);
    double b = 30 + square(2 * x - 3 * y) * (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y);
    return a * b;
}

static double hartmann6(const double *x)
{
    static const double alpha[4] = {1, 1.2, 3, 3.2};
    static const double a[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
    static const double p[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                   {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                   {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                   {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double inner = 0;
        for (size_t j = 0; j < 6; j++)
            inner += a[i][j] * square(x[j] - p[i][j]);
        sum += alpha[i] * exp(-inner);
    }
    return -sum;
}

static double ackley(const double *x, size_t dim)
{
    double squares = 0, cosines = 0;
    for (size_t i = 0; i < dim; i++) {
        squares += x[i] * x[i];
        cosines += cos(2 * PI * x[i]);
    }
    double d = (double)dim;
    return -20 * exp(-0.2 * sqrt(squares / d)) - exp(cosines / d) + 20 + exp(1);
}

double ref_function_at(ref_function f, const double *x, size_t dim)
{
    switch (f) {
    case REF_FORRESTER:
        return forrester(x[0]);
    case REF_CAMEL_UNIT:
    case REF_CAMEL_STANDARD:
    case REF_CAMEL_INNER:
        return camel(x[0], x[1]);
    case REF_BRANIN:
        return branin(x[0], x[1]);
    case REF_GOLDSTEIN:
        return goldstein(x[0], x[1]);
    case REF_HARTMANN6:
        return hartmann6(x);
    case REF_ACKLEY:
        return ackley(x, dim);
    }
    abort();
}

void ref_function_scale(ref_function f, const double *unit, size_t dim, double *x)
{
    for (size_t d = 0; d < dim; d++) {
        double low = 0, high = 1;
        switch (f) {
        case REF_FORRESTER:
        case REF_CAMEL_UNIT:
        case REF_HARTMANN6:
            break;
        case REF_CAMEL_STANDARD:
            high = d == 0 ? 3 : 2;
            low = -high;
            break;
        case REF_CAMEL_INNER:
            high = d == 0 ? 2 : 1;
            low = -high;
            break;
        case REF_BRANIN:
            low = d == 0 ? -5 : 0;
            high = d == 0 ? 10 : 15;
            break;
        case REF_GOLDSTEIN:
            low = -2;
            high = 2;
            break;
        case REF_ACKLEY:
            low = -32.768;
            high = 32.768;
            break;
        }
        x[d] = low + (high - low) * unit[d];
    }
}

static ref_field field_open(size_t k, size_t dim)
{
    ref_field field = {.x = ref_zeros(k * dim), .utility = ref_zeros(k), .p = ref_zeros(k * k)};
    field.world = (ref_world){
        .k = k, .p = field.p, .utility = field.utility, .x = field.x, .dim = dim, .feedback = REF_ALL_PAIRS};
    return field;
}

void ref_field_close(ref_field *field)
{
    free(field->x);
    free(field->utility);
    free(field->p);
}

/* Preferences and the best arm from the utilities. */
static void field_finish(ref_field *field)
{
    size_t k = field->world.k;
    for (size_t i = 0; i < k; i++) {
        if (field->utility[i] > field->utility[field->world.best])
            field->world.best = i;
        for (size_t j = 0; j < k; j++)
            field->p[i * k + j] = 1 / (1 + exp(field->utility[j] - field->utility[i]));
    }
}

ref_field ref_field_grid(ref_function f, size_t dim, size_t points)
{
    size_t k = 1;
    for (size_t d = 0; d < dim; d++)
        k *= points;
    ref_field field = field_open(k, dim);
    double *x = ref_zeros(dim);
    for (size_t i = 0; i < k; i++) {
        size_t rest = i;
        for (size_t d = 0; d < dim; d++) {
            field.x[i * dim + d] = (double)(rest % points) / (double)(points - 1);
            rest /= points;
        }
        ref_function_scale(f, &field.x[i * dim], dim, x);
        field.utility[i] = -ref_function_at(f, x, dim);
    }
    free(x);
    field_finish(&field);
    return field;
}

ref_field ref_field_gp(size_t points, double length, gsl_rng *rng)
{
    ref_field field = field_open(points, 1);
    for (size_t i = 0; i < points; i++)
        field.x[i] = (double)i / (double)(points - 1);
    textbook_kernel kernel = {.kind = TEXTBOOK_SE, .variance = 1, .dim = 1, .length = &length};
    ref_gauss prior = ref_gauss_open(field.x, points, &kernel);
    ref_gauss_draw(&prior, rng, field.utility);
    ref_gauss_close(&prior);
    field_finish(&field);
    return field;
}
