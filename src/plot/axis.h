/* axis.h - an axis: its range, its ticks at round numbers, and the position of a value. */
#ifndef SPAR_PLOT_AXIS_H
#define SPAR_PLOT_AXIS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* A range of values to be shown; starts as SPAR__RANGE_EMPTY. */
typedef struct spar__range {
    double lo, hi;
} spar__range;

#define SPAR__RANGE_EMPTY ((spar__range){HUGE_VAL, -HUGE_VAL})

void spar__range_add(spar__range *range, double value); /* ignores values that are not finite */

typedef struct spar__tick {
    double value;
    bool major;
    char label[32]; /* of a major tick: "20,000", "0.5", "2.5M", or "10" with */
    char power[16]; /* its exponent, to be raised: "-9" */
} spar__tick;

enum { SPAR__TICKS = 160 };

typedef struct spar__axis {
    bool log;
    double lo, hi;   /* values at the two ends */
    double from, to; /* their positions in px; the caller sets them */
    size_t n;
    spar__tick tick[SPAR__TICKS]; /* ascending */
} spar__axis;

/* Chooses the ends and about `wanted` (>= 2) labelled ticks for a range: steps of 1, 2 or 5 times a power of ten, or
 * decades. An empty or single-valued range is widened; one that starts near zero starts at zero. With `snap` the ends
 * move out to a tick. Never fails. */
void spar__axis_fit(spar__axis *axis, spar__range range, bool log, bool snap, size_t wanted);

/* Makes the axis end exactly at the ends of the range and drops the ticks outside; an empty range changes nothing. */
void spar__axis_crop(spar__axis *axis, spar__range range);

/* Puts the ticks on these values instead, ascending, each with its label; those outside are left out. */
void spar__axis_mark(spar__axis *axis, size_t n, const double *value);

/* The position of a value in px; may be outside. On a log axis values <= 0 are at its start. */
double spar__axis_at(const spar__axis *axis, double value);

#endif
