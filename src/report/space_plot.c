/* space_plot.c - a belief over a space as a picture. */
#include "report/space.h"

#include "base/alloc.h"
#include "num/elementary.h"
#include "plot/belief.h"
#include "session/axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 25, LABEL = 5 * SPAR__AXES_VALUE };

/* Of n points: x (n x dim), mean, sd, and nothing else to show. */
typedef struct belief_table {
    size_t n, dim;
    double *x, *mean, *sd, *truth, *none;
} belief_table;

static spar_status table_new(size_t n, size_t dim, belief_table *out)
{
    *out = (belief_table){.n = n, .dim = dim, .x = spar__alloc(n * (dim + 4), sizeof *out->x)};
    if (!out->x)
        return SPAR_NOMEM;
    out->mean = out->x + n * dim;
    out->sd = out->mean + n;
    out->truth = out->sd + n;
    out->none = out->truth + n;
    for (size_t i = 0; i < n; i++)
        out->truth[i] = NAN;
    return SPAR_OK;
}

static spar__belief row_of(const belief_table *t, const char *label)
{
    return (spar__belief){label, t->n, t->x, t->mean, t->sd, t->truth, t->none, t->none};
}

/* "mode (a, b, c)", as far as there is room. */
static void label_choice(const spar_axes *axes, size_t a, char *out, size_t room)
{
    size_t used = (size_t)snprintf(out, room, "%.160s (", spar_axes_name(axes, a));
    for (size_t i = 0; i < spar_axes_values(axes, a) && used + SPAR__AXES_VALUE + 3 < room; i++) {
        used += i ? (size_t)snprintf(out + used, room - used, ", ") : 0;
        used += spar_axes_write(axes, a, i, out + used, room - used);
    }
    (void)snprintf(out + used, room - used, ")");
}

/* "speed (0.1 to 2 m/s)"; the values of a choice. */
static void label_axis(const spar_axes *axes, size_t a, char *out, size_t room)
{
    char first[SPAR__AXES_VALUE], last[SPAR__AXES_VALUE];
    const char *unit = spar_axes_unit(axes, a);
    if (spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE) {
        label_choice(axes, a, out, room);
        return;
    }
    (void)spar_axes_write(axes, a, 0, first, sizeof first);
    (void)spar_axes_write(axes, a, spar_axes_values(axes, a) - 1, last, sizeof last);
    (void)snprintf(out, room, "%.160s (%s to %s%s%.160s%s)", spar_axes_name(axes, a), first, last, unit ? " " : "",
                   unit ? unit : "", spar_axes_kind(axes, a) == SPAR_AXIS_LOG ? ", log" : "");
}

/* Where a value stands in a picture: a number where it can, else a share of the axis. */
static double place_of(const spar_axes *axes, size_t a, size_t value, bool shares)
{
    if (!shares && spar_axes_kind(axes, a) == SPAR_AXIS_RANGE)
        return spar_axes_number(axes, a, value);
    if (spar_axes_kind(axes, a) == SPAR_AXIS_LOG || spar_axes_kind(axes, a) == SPAR_AXIS_RANGE) {
        double lo = spar_axes_number(axes, a, 0), hi = spar_axes_number(axes, a, spar_axes_values(axes, a) - 1);
        double at = spar_axes_number(axes, a, value);
        return spar_axes_kind(axes, a) == SPAR_AXIS_LOG
                   ? (spar__log(at) - spar__log(lo)) / (spar__log(hi) - spar__log(lo))
                   : (at - lo) / (hi - lo);
    }
    return (double)value / (double)(spar_axes_values(axes, a) - 1);
}

static void fill_curve(const spar__space_report *r, size_t a, bool shares, belief_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const spar__space_step *step = &r->curve[a].step[i];
        t->x[i] = place_of(r->axes, a, step->value, shares);
        t->mean[i] = step->mean;
        t->sd[i] = (step->high - step->low) / 4;
    }
}

spar_status spar__space_plot_slices(const spar__space_report *r, const char *subtitle, spar__buf *out)
{
    size_t n = spar_axes_count(r->axes);
    belief_table table[SPAR__AXES_MOST] = {{0}};
    spar__belief row[SPAR__AXES_MOST];
    char label[SPAR__AXES_MOST][LABEL];
    spar_status status = SPAR_OK;
    for (size_t a = 0; a < n && !status; a++) {
        status = table_new(r->curve[a].n, 1, &table[a]);
        if (status)
            break;
        fill_curve(r, a, n > 1, &table[a]);
        label_axis(r->axes, a, label[a], LABEL);
        row[a] = row_of(&table[a], n > 1 ? label[a] : "");
    }
    spar__beliefs fig = {.title = r->sentence,
                         .subtitle = subtitle,
                         .dim = 1,
                         .feature = {n > 1 ? "share of the axis; the others as recommended" : label[0]},
                         .value = "strength",
                         .n = n,
                         .belief = row};
    if (!status)
        status = spar__plot_beliefs(&fig, out);
    for (size_t a = 0; a < n; a++)
        spar__free(table[a].x);
    return status;
}

static size_t steps_of(const spar_axes *axes, size_t a)
{
    return spar_axes_values(axes, a) < SIDE ? spar_axes_values(axes, a) : SIDE;
}

static void fill_map(const spar__space_report *r, belief_table *t)
{
    size_t wide = steps_of(r->axes, 0);
    for (size_t i = 0; i < t->n; i++) {
        size_t value[2] = {i % wide, i / wide};
        double low = 0, high = 0;
        for (size_t a = 0; a < 2; a++) {
            value[a] = value[a] * (spar_axes_values(r->axes, a) - 1) / (steps_of(r->axes, a) - 1);
            t->x[2 * i + a] = place_of(r->axes, a, value[a], false);
        }
        (void)spar_belief_at(r->belief, value, &t->mean[i], &low, &high);
        t->sd[i] = (high - low) / 4;
    }
}

static spar_status plot_map(const spar__space_report *r, const char *subtitle, spar__buf *out)
{
    belief_table table;
    char label[2][LABEL];
    if (table_new(steps_of(r->axes, 0) * steps_of(r->axes, 1), 2, &table))
        return SPAR_NOMEM;
    fill_map(r, &table);
    for (size_t a = 0; a < 2; a++)
        label_axis(r->axes, a, label[a], LABEL);
    spar__belief row = row_of(&table, "");
    spar__beliefs fig = {.title = r->sentence,
                         .subtitle = subtitle,
                         .dim = 2,
                         .feature = {label[0], label[1]},
                         .value = "strength",
                         .n = 1,
                         .belief = &row};
    spar_status status = spar__plot_beliefs(&fig, out);
    spar__free(table.x);
    return status;
}

spar_status spar__space_plot(const spar__space_report *r, const char *subtitle, spar__buf *out)
{
    bool map = spar_axes_count(r->axes) == 2;
    for (size_t a = 0; a < spar_axes_count(r->axes); a++)
        map = map && spar_axes_kind(r->axes, a) != SPAR_AXIS_CHOICE;
    return map ? plot_map(r, subtitle, out) : spar__space_plot_slices(r, subtitle, out);
}
