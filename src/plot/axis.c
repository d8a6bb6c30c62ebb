#include "plot/axis.h"

#include "base/buf.h"
#include "num/elementary.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LARGEST = 1e300; /* so that differences and steps stay finite */

void spar__range_add(spar__range *range, double value)
{
    if (!isfinite(value))
        return;
    value = fmin(fmax(value, -LARGEST), LARGEST);
    range->lo = fmin(range->lo, value);
    range->hi = fmax(range->hi, value);
}

/* By spar__log, so that plots have the same bytes everywhere. Callers allow for rounding. */
static double decimal_log(double value)
{
    return spar__log(value) / 2.302585092994045684;
}

/* count * 10^exponent, rounded once where the power is exact. */
static double decimal(double count, int exponent)
{
    double power = 1;
    for (int i = abs(exponent); i > 0; i--)
        power *= 10;
    return exponent < 0 ? count / power : count * power;
}

/* The k with 10^k <= value < 10^(k+1). */
static int exponent_of(double value)
{
    int k = (int)floor(decimal_log(value));
    if (decimal(1, k + 1) <= value)
        return k + 1;
    return decimal(1, k) > value ? k - 1 : k;
}

/* Writes count * 10^-places with commas between thousands: 1234567 with 2 places is "12,345.67". */
static void print_decimal(char out[32], int64_t count, int places)
{
    char digits[32], *at = out;
    int n = snprintf(digits, sizeof digits, "%0*lld", places + 1, (long long)llabs(count));
    int whole = n - places;
    if (count < 0) {
        memcpy(at, "\xE2\x88\x92", 3); /* a minus sign as wide as plus */
        at += 3;
    }
    for (int i = 0; i < n; i++) {
        if (i == whole)
            *at++ = '.';
        else if (i > 0 && i < whole && (whole - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
}

static void add_tick(spar__axis *axis, double value, bool major)
{
    if (axis->n < SPAR__TICKS)
        axis->tick[axis->n++] = (spar__tick){.value = value, .major = major};
}

/* How the labels of all ticks of an axis are written. */
typedef struct notation {
    int shift; /* labels show value / 10^shift, followed by */
    const char *unit;
    bool power; /* "x10" with shift raised */
} notation;

static notation choose_notation(double largest, int exponent)
{
    int top = largest > 0 ? exponent_of(largest) : 0;
    if (top - exponent > 6 && top < 15 && exponent > -9) /* close together and far from zero: all digits are needed */
        return (notation){0, "", false};
    if (top >= 9 || top < -4)
        return (notation){top, "", true};
    if (top >= 6)
        return (notation){6, "M", false};
    return (notation){0, "", false};
}

static void label_tick(spar__tick *tick, int64_t count, int exponent, notation how)
{
    int places = how.shift - exponent;
    for (; places < 0; places++)
        count *= 10;
    if (count == 0)
        places = 0;
    print_decimal(tick->label, count, places);
    size_t length = strlen(tick->label), room = sizeof tick->label - length;
    if (count != 0)
        (void)snprintf(tick->label + length, room, "%s",
                       how.power ? "\xC3\x97"
                                   "10"
                                 : how.unit);
    if (count != 0 && how.power)
        (void)snprintf(tick->power, sizeof tick->power, "%s%d", how.shift < 0 ? "\xE2\x88\x92" : "", abs(how.shift));
}

/* A step of 1, 2 or 5 times a power of ten, about span / wanted. */
static void choose_step(double span, size_t wanted, int *mantissa, int *exponent)
{
    double rough = span / (double)wanted;
    *exponent = exponent_of(rough);
    double scaled = rough / decimal(1, *exponent);
    *mantissa = scaled < 1.5 ? 1 : scaled < 3.5 ? 2 : scaled < 7.5 ? 5 : 10;
    if (*mantissa == 10) {
        *mantissa = 1;
        (*exponent)++;
    }
}

static void linear_ticks(spar__axis *axis, bool snap, size_t wanted)
{
    int mantissa, exponent;
    choose_step(axis->hi - axis->lo, wanted, &mantissa, &exponent);
    int parts = mantissa == 5 ? 5 : 2; /* minor ticks are again at 1 or 5 */
    double step = decimal(mantissa, exponent), minor = step / parts;
    int64_t first = (int64_t)floor(axis->lo / minor + 1e-6), last = (int64_t)ceil(axis->hi / minor - 1e-6);
    if (snap) {
        axis->lo = decimal((double)first * mantissa / parts, exponent);
        axis->hi = decimal((double)last * mantissa / parts, exponent);
    }
    notation how = choose_notation(fmax(fabs(axis->lo), fabs(axis->hi)), exponent);
    double slack = 1e-6 * minor;
    for (int64_t i = first; i <= last; i++) {
        double value = decimal((double)i * mantissa / parts, exponent);
        if (value < axis->lo - slack || value > axis->hi + slack)
            continue;
        add_tick(axis, value, i % parts == 0);
        if (i % parts == 0)
            label_tick(&axis->tick[axis->n - 1], i / parts * mantissa, exponent, how);
    }
}

static void log_label(spar__tick *tick, int digit, int exponent, bool powers)
{
    if (!powers)
        label_tick(tick, digit, exponent, (notation){0, "", false});
    else if (digit == 1) {
        (void)snprintf(tick->label, sizeof tick->label, "10");
        (void)snprintf(tick->power, sizeof tick->power, "%s%d", exponent < 0 ? "\xE2\x88\x92" : "", abs(exponent));
    } else
        label_tick(tick, digit, exponent, (notation){exponent, "", true});
}

/* Every how many decades there is a label: at least two labels where the range has two decades. */
static int choose_every(const spar__axis *axis, double decades, size_t wanted)
{
    double first = ceil(decimal_log(axis->lo) - 1e-9), last = floor(decimal_log(axis->hi) + 1e-9);
    int every = (int)ceil(decades / (double)wanted);
    while (every > 1 && floor(last / every) - ceil(first / every) < 1)
        every--;
    return every > 1 ? every : 1;
}

static void log_ticks(spar__axis *axis, bool snap, size_t wanted)
{
    int low = exponent_of(axis->lo), high = exponent_of(axis->hi);
    if (snap) { /* to the digits between the decades */
        axis->lo = decimal(floor(axis->lo / decimal(1, low) + 1e-9), low);
        axis->hi = decimal(ceil(axis->hi / decimal(1, high) - 1e-9), high);
    }
    double decades = decimal_log(axis->hi) - decimal_log(axis->lo); /* the quotient may overflow */
    int every = choose_every(axis, decades, wanted);
    bool fives = decades * 3 <= (double)wanted + 2; /* room for 1, 2, 5 */
    bool powers = axis->lo < 1e-3 || axis->hi > 1.5e5;
    for (int k = low; k <= high + 1; k++) {
        for (int digit = 1; digit <= (every == 1 ? 9 : 1); digit++) {
            double value = decimal(digit, k);
            if (value < axis->lo * (1 - 1e-9) || value > axis->hi * (1 + 1e-9))
                continue;
            bool major = digit == 1 ? (k % every + every) % every == 0 : fives && (digit == 2 || digit == 5);
            if (!major && every > SPAR__TICKS / 10)
                continue;
            add_tick(axis, value, major);
            if (major)
                log_label(&axis->tick[axis->n - 1], digit, k, powers);
        }
    }
}

/* Makes the range neither empty nor a single value. */
static spar__range widen(spar__range range, bool log)
{
    if (log) {
        if (!(range.hi > 0))
            return (spar__range){0.1, 10};
        double lo = fmax(range.lo > 0 ? range.lo : range.hi / 1000, 1e-290);
        double hi = fmax(range.hi, lo);
        if (hi / lo < 1 + 1e-9)
            return (spar__range){lo / 2, hi * 2};
        return (spar__range){lo, hi};
    }
    if (!(range.lo <= range.hi))
        return (spar__range){0, 1};
    double size = fmax(fabs(range.lo), fabs(range.hi));
    if (size < 1e-290)
        return (spar__range){0, 1};
    if (range.lo > 0 && range.lo < 0.3 * range.hi)
        range.lo = 0;
    if (range.hi < 0 && range.hi > 0.3 * range.lo)
        range.hi = 0;
    if (range.hi - range.lo < 1e-11 * size)
        return (spar__range){range.lo - 0.5 * size, range.hi + 0.5 * size};
    return range;
}

void spar__axis_fit(spar__axis *axis, spar__range range, bool log, bool snap, size_t wanted)
{
    range = widen(range, log);
    axis->log = log;
    axis->lo = range.lo;
    axis->hi = range.hi;
    axis->n = 0;
    if (wanted < 2)
        wanted = 2;
    if (log && range.hi / range.lo > 5)
        log_ticks(axis, snap, wanted);
    else
        linear_ticks(axis, snap && !log, wanted);
}

void spar__axis_crop(spar__axis *axis, spar__range range)
{
    if (!(range.lo < range.hi))
        return;
    double slack = 1e-6 * (range.hi - range.lo);
    size_t kept = 0;
    for (size_t i = 0; i < axis->n; i++)
        if (axis->tick[i].value >= range.lo - slack && axis->tick[i].value <= range.hi + slack)
            axis->tick[kept++] = axis->tick[i];
    axis->n = kept;
    axis->lo = range.lo;
    axis->hi = range.hi;
}

static void label_value(spar__tick *tick)
{
    if (fabs(tick->value) < 1e6 && tick->value == floor(tick->value)) {
        print_decimal(tick->label, (int64_t)tick->value, 0);
        return;
    }
    bool millions = fabs(tick->value) >= 1e6 && fabs(tick->value) < 1e9;
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print(text, millions ? tick->value / 1e6 : tick->value);
    (void)snprintf(tick->label, sizeof tick->label, "%.20s%s", text, millions ? "M" : "");
}

void spar__axis_mark(spar__axis *axis, size_t n, const double *value)
{
    double slack = 1e-6 * (axis->hi - axis->lo);
    axis->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (value[i] < axis->lo - slack || value[i] > axis->hi + slack || axis->n == SPAR__TICKS)
            continue;
        add_tick(axis, value[i], true);
        label_value(&axis->tick[axis->n - 1]);
    }
}

double spar__axis_at(const spar__axis *axis, double value)
{
    double length = axis->to - axis->from, share = 0;
    if (!axis->log)
        share = (value - axis->lo) / (axis->hi - axis->lo);
    else if (value > 0)
        share = (decimal_log(value) - decimal_log(axis->lo)) / (decimal_log(axis->hi) - decimal_log(axis->lo));
    share = fmin(fmax(share, -0.05), 1.05); /* outside is clipped anyway, and renderers fail on enormous numbers */
    return axis->from + share * length;
}
