/* axes.h - a space of settings as people write and read it.
 *
 *     speed 0.1..2 m/s, gain 1..10 log, level {1,2,5} mm, mode {a,b,c}
 *
 * An axis is a name and a range (any number between two limits), a range with `log` (of positive numbers, by their
 * logarithm), levels (rising numbers) or choices (texts); what follows is the unit. Axes are separated by commas.
 *
 * People see rounded numbers, and what they see is what is learned: every axis is a list of values, 0 .. n - 1, none of
 * them outside its limits. A range has the multiples of a power of ten that cut it into 100 to 999 steps, or fewer
 * if they would have more than 4 digits; a range with log has all numbers of 3 digits; both have 10 values at least. A
 * policy sees a point x: a range is one number in 0 .. 1; so are levels, at equal distances; n choices are n numbers,
 * all 0 but one. Every value has its x, and every x belongs to the nearest value.
 *
 * Limits: 16 axes, 64 levels or choices, names, units and choices of 40 characters, limits of ranges up to 1e12, a text
 * of 8 KiB.
 *
 * Threads: axes never change; any number of threads may read them. NULL is refused unless said otherwise:
 * see status.h. */
#ifndef SPAR_AXES_H
#define SPAR_AXES_H

#include <spar/arms.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_axes spar_axes;

typedef enum spar_axis_kind { SPAR_AXIS_RANGE, SPAR_AXIS_LOG, SPAR_AXIS_LEVELS, SPAR_AXIS_CHOICE } spar_axis_kind;

/* SPAR_PARSE with a sentence that names the axis and what was expected. */
SPAR_API spar_status spar_axes_new(const char *text, spar_axes **out, spar_error *err);
SPAR_API void spar_axes_free(spar_axes *axes); /* NULL is fine */

SPAR_API const char *spar_axes_text(const spar_axes *axes); /* as it was written */
SPAR_API size_t spar_axes_count(const spar_axes *axes);     /* axes */
SPAR_API size_t spar_axes_dim(const spar_axes *axes);       /* numbers of a point */

/* A table without arms over the space of the points. */
SPAR_API spar_status spar_axes_arms(const spar_axes *axes, spar_arms **out);

/* Of one axis, from 0: its name; its unit, NULL for none; its kind; how many values it has. */
SPAR_API const char *spar_axes_name(const spar_axes *axes, size_t axis);
SPAR_API const char *spar_axes_unit(const spar_axes *axes, size_t axis);
SPAR_API spar_axis_kind spar_axes_kind(const spar_axes *axes, size_t axis);
SPAR_API size_t spar_axes_values(const spar_axes *axes, size_t axis);

/* One value of an axis: as a number, NaN for a choice; and as text without the unit, like snprintf. */
SPAR_API double spar_axes_number(const spar_axes *axes, size_t axis, size_t value);
SPAR_API size_t spar_axes_write(const spar_axes *axes, size_t axis, size_t value, char *out, size_t room);

/* From a point (dim numbers) to one value of each axis, and back. */
SPAR_API void spar_axes_nearest(const spar_axes *axes, const double *x, size_t *value);
SPAR_API void spar_axes_point(const spar_axes *axes, const size_t *value, double *x);

/* Point i of a sequence that fills the space evenly, as one value of each axis. */
SPAR_API void spar_axes_spread(const spar_axes *axes, size_t i, size_t *value);

#ifdef __cplusplus
}
#endif

#endif
