/* axes_values.c - the values of an axis: which there are, how they are written, and where they are in the unit cube. */
#include "session/axes.h"

#include "num/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_VALUES = 10, DIGITS = 4, LOG_DIGITS = 3, LOG_PLACES = 900, LOWEST = 100 };
#define LARGEST 1e12
#define SMALLEST_VALUE 1e-12 /* width of a range, and limit of one with log */

/* k 10^power, rounded once: powers up to 22 are exact. */
static double decimal(long k, int power)
{
    double ten = 1;
    for (int i = power < 0 ? -power : power; i > 0; i--)
        ten *= 10;
    return power < 0 ? (double)k / ten : (double)k * ten;
}

/* The largest power of ten that is not above x > 0. */
static int power_of(double x)
{
    int power = (int)floor(spar__log(x) / 2.302585092994046);
    while (decimal(1, power) > x)
        power--;
    while (decimal(1, power + 1) <= x)
        power++;
    return power;
}

/* Value number i of a range, as digits and a power. */
static long digits(const spar__dial *axis, size_t i, int *power)
{
    long at = axis->first + (long)i;
    if (axis->kind == SPAR_AXIS_RANGE) {
        *power = axis->power;
        return at;
    }
    *power = axis->power + (int)(at / LOG_PLACES);
    return LOWEST + at % LOG_PLACES;
}

static double number(const spar__dial *axis, size_t i)
{
    int power;
    long k = digits(axis, i, &power);
    return decimal(k, power);
}

/* From `first` on as many values as there are within the limits; `first` may be a little too low. */
static void count_values(spar__dial *axis, double about)
{
    while (number(axis, 0) < axis->lo)
        axis->first++;
    axis->n = (size_t)fmax(about, 0);
    while (axis->n > 0 && number(axis, axis->n - 1) > axis->hi)
        axis->n--;
    while (number(axis, axis->n) <= axis->hi)
        axis->n++;
}

spar_status spar__dial_find_values(spar__dial *axis, spar_error *err)
{
    double most = fmax(fabs(axis->lo), fabs(axis->hi)), width = axis->hi - axis->lo;
    if (most > LARGEST || width < SMALLEST_VALUE || (axis->kind == SPAR_AXIS_LOG && axis->lo < SMALLEST_VALUE))
        return spar__fail(err, SPAR_PARSE,
                          "the axis '%.80s' has limits of another size than 1e-12 to 1e12: take "
                          "another unit",
                          axis->name);
    if (axis->kind == SPAR_AXIS_LOG) {
        axis->power = power_of(axis->lo) - LOG_DIGITS + 1;
        axis->first = (long)floor(axis->lo / decimal(1, axis->power)) - LOWEST;
        axis->first -= axis->first > 0;
        axis->span = spar__log(axis->hi) - spar__log(axis->lo);
        count_values(axis, 0);
    } else {
        int coarse = power_of(most) - DIGITS + 1, fine = power_of(width) - 2;
        axis->power = fine > coarse ? fine : coarse;
        axis->first = (long)floor(axis->lo / decimal(1, axis->power)) - 1;
        count_values(axis, floor(width / decimal(1, axis->power)) - 1);
    }
    return axis->n >= LEAST_VALUES
               ? SPAR_OK
               : spar__fail(
                     err, SPAR_PARSE,
                     "the axis '%.80s' has too narrow a range for numbers of %d digits: write how far it is from "
                     "the middle, or a list",
                     axis->name, axis->kind == SPAR_AXIS_LOG ? LOG_DIGITS : DIGITS);
}

size_t spar__dial_dim(const spar__dial *axis)
{
    return axis->kind == SPAR_AXIS_CHOICE ? axis->n : 1;
}

/* Where value i of an axis that is no choice stands in 0 .. 1. */
static double place(const spar__dial *axis, size_t i)
{
    double x = axis->kind == SPAR_AXIS_LEVELS  ? (double)i / (double)(axis->n - 1)
               : axis->kind == SPAR_AXIS_RANGE ? (number(axis, i) - axis->lo) / (axis->hi - axis->lo)
                                               : (spar__log(number(axis, i)) - spar__log(axis->lo)) / axis->span;
    return fmin(fmax(x, 0), 1);
}

static size_t cut(double at, size_t n)
{
    return at > 0 ? at < (double)(n - 1) ? (size_t)at : n - 1 : 0;
}

/* By halving: places rise with the values. */
static size_t search(const spar__dial *axis, double x)
{
    size_t low = 0, high = axis->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (place(axis, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return x - place(axis, low) <= place(axis, high) - x ? low : high;
}

static size_t nearest(const spar__dial *axis, const double *x)
{
    if (axis->kind == SPAR_AXIS_LEVELS)
        return cut(*x * (double)(axis->n - 1) + 0.5, axis->n);
    if (axis->kind != SPAR_AXIS_CHOICE)
        return search(axis, *x);
    size_t best = 0;
    for (size_t i = 1; i < axis->n; i++)
        best = x[i] > x[best] ? i : best;
    return best;
}

void spar_axes_nearest(const spar_axes *axes, const double *x, size_t *value)
{
    for (size_t a = 0; axes && x && value && a < axes->n; x += spar__dial_dim(&axes->axis[a++]))
        value[a] = nearest(&axes->axis[a], x);
}

static void stand(const spar__dial *axis, size_t value, double *x)
{
    if (axis->kind != SPAR_AXIS_CHOICE) {
        *x = place(axis, value);
        return;
    }
    for (size_t i = 0; i < axis->n; i++)
        x[i] = i == value ? SPAR__AXES_ON : 0;
}

void spar_axes_point(const spar_axes *axes, const size_t *value, double *x)
{
    for (size_t a = 0; axes && x && value && a < axes->n; x += spar__dial_dim(&axes->axis[a++]))
        stand(&axes->axis[a], value[a] < axes->axis[a].n ? value[a] : axes->axis[a].n - 1, x);
}

void spar__axes_round(const spar_axes *axes, double *x)
{
    size_t value[SPAR__AXES_MOST];
    spar_axes_nearest(axes, x, value);
    spar_axes_point(axes, value, x);
}

static bool is_there(const spar_axes *axes, size_t n, const double *before, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(before + i * axes->dim, x, axes->dim * sizeof *x) == 0)
            return true;
    return false;
}

/* The value `step` above or (odd) below; false where there is none. */
static bool shift(const spar__dial *axis, size_t *value, size_t step)
{
    size_t by = (step + 1) / 2;
    if (step % 2 ? by > *value : by >= axis->n - *value)
        return false;
    *value = step % 2 ? *value - by : *value + by;
    return true;
}

/* The n + 1 first points of the space, as digits of a number. */
static bool first_free(const spar_axes *axes, size_t n, const double *before, double *x)
{
    for (size_t i = 0; i <= n; i++) {
        size_t value[SPAR__AXES_MOST], rest = i;
        for (size_t a = 0; a < axes->n; a++) {
            value[a] = rest % axes->axis[a].n;
            rest /= axes->axis[a].n;
        }
        spar_axes_point(axes, value, x);
        if (!rest && !is_there(axes, n, before, x))
            return true;
    }
    return false;
}

bool spar__axes_separate(const spar_axes *axes, size_t n, const double *before, double *x)
{
    size_t value[SPAR__AXES_MOST];
    if (!is_there(axes, n, before, x))
        return true;
    spar_axes_nearest(axes, x, value);
    for (size_t step = 1; step <= 2 * n + 2; step++)
        for (size_t a = 0; a < axes->n; a++) {
            size_t was = value[a];
            if (!shift(&axes->axis[a], &value[a], step))
                continue;
            spar_axes_point(axes, value, x);
            if (!is_there(axes, n, before, x))
                return true;
            value[a] = was;
        }
    return first_free(axes, n, before, x);
}

/* Roberts' sequence: the fractions of i times powers of the root of g^(d+1) = g + 1. */
void spar_axes_spread(const spar_axes *axes, size_t i, size_t *value)
{
    double root = 2, step = 1;
    if (!axes || !value)
        return;
    for (int k = 0; k < 60; k++)
        root = spar__exp(spar__log(1 + root) / (double)(axes->n + 1));
    for (size_t a = 0; a < axes->n; a++) {
        const spar__dial *axis = &axes->axis[a];
        step /= root;
        double at = 0.5 + step * (double)i, x = at - floor(at);
        bool listed = axis->kind == SPAR_AXIS_LEVELS || axis->kind == SPAR_AXIS_CHOICE;
        value[a] = listed ? cut(x * (double)axis->n, axis->n) : search(axis, x);
    }
}

const char *spar_axes_text(const spar_axes *axes)
{
    return axes ? axes->text : NULL;
}

size_t spar_axes_count(const spar_axes *axes)
{
    return axes ? axes->n : 0;
}

size_t spar_axes_dim(const spar_axes *axes)
{
    return axes ? axes->dim : 0;
}

const char *spar_axes_name(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].name : NULL;
}

const char *spar_axes_unit(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].unit : NULL;
}

spar_axis_kind spar_axes_kind(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].kind : SPAR_AXIS_RANGE;
}

size_t spar_axes_values(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].n : 0;
}

double spar_axes_number(const spar_axes *axes, size_t axis, size_t value)
{
    const spar__dial *of = axes && axis < axes->n ? &axes->axis[axis] : NULL;
    if (!of || value >= of->n || of->kind == SPAR_AXIS_CHOICE)
        return NAN;
    return of->kind == SPAR_AXIS_LEVELS ? of->level[value] : number(of, value);
}

/* k 10^power in plain digits. */
static size_t write_number(long k, int power, char *out, size_t room)
{
    for (; power < 0 && k % 10 == 0; power++)
        k /= 10;
    long unit = 1;
    for (int i = 0; i < (power < 0 ? -power : power); i++)
        unit *= 10;
    const char *sign = k < 0 ? "-" : "";
    long size = k < 0 ? -k : k;
    int n = power < 0 ? snprintf(out, room, "%s%ld.%0*ld", sign, size / unit, -power, size % unit)
                      : snprintf(out, room, "%s%ld", sign, size * unit);
    return n > 0 ? (size_t)n : 0;
}

size_t spar_axes_write(const spar_axes *axes, size_t axis, size_t value, char *out, size_t room)
{
    const spar__dial *of = axes && axis < axes->n ? &axes->axis[axis] : NULL;
    if (!of || value >= of->n || !out)
        return 0;
    if (of->word) {
        int n = snprintf(out, room, "%s", of->word[value]);
        return n > 0 ? (size_t)n : 0;
    }
    int power;
    long k = digits(of, value, &power);
    return write_number(k, power, out, room);
}

spar_status spar_axes_arms(const spar_axes *axes, spar_arms **out)
{
    spar_space *space = NULL;
    if (!SPAR__CLEAR(out) || !axes)
        return SPAR_INVALID;
    spar_status status = spar_space_new(&space);
    for (size_t a = 0; a < axes->n && !status; a++) {
        const spar__dial *axis = &axes->axis[a];
        status = axis->kind == SPAR_AXIS_LEVELS   ? spar_space_add_levels(space, 0, 1, axis->n)
                 : axis->kind == SPAR_AXIS_CHOICE ? spar_space_add_choice(space, axis->n, SPAR__AXES_ON)
                                                  : spar_space_add_range(space, 0, 1);
    }
    if (!status)
        status = spar_arms_new_space(space, out);
    spar_space_free(space);
    return status;
}
