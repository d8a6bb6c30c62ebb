/* space.c - what is known about an experiment over a space: the setting that is believed best, in words, as JSON and as
 * a picture. A curve for one axis, a map for two that are no choices, else slices through the recommended setting.
 * Costs SPAR__SPACE_STEPS looks at the belief for each axis, and for a map 25 x 25. */
#include "live/space/space.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "report/status_report.h"
#include "session/axes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EARLY = 10 };

static const double LEVEL = 1e-6; /* log-odds above the average that are none */

double spar__space_tenth(double strength)
{
    double tenth = round(10 * strength) / 10;
    return tenth == 0 ? 0 : tenth;
}

const char *spar__space_verdict(const spar__space_report *r)
{
    return r->answers == 0 ? "none" : r->answers < EARLY ? "early" : "open";
}

static char *words(const spar_axes *axes, const size_t *value)
{
    spar__buf out = {0};
    spar__space_words(axes, value, &out);
    return out.failed ? NULL : out.text;
}

static spar_status say(spar__space_report *r)
{
    spar__buf out = {0};
    if (r->answers == 0 && r->skipped == 0)
        spar__buf_adds(&out, "no answers yet");
    else if (r->answers == 0)
        spar__buf_printf(&out, "no answers yet; %" PRIu64 " screen%s skipped", r->skipped,
                         r->skipped == 1 ? " was" : "s were");
    else if (r->answers < EARLY)
        spar__buf_printf(&out, "too early to say: %" PRIu64 " answer%s", r->answers, r->answers == 1 ? "" : "s");
    else if (r->level)
        spar__buf_adds(&out, "no setting is believed better than another");
    else
        spar__buf_printf(&out, "%s is believed best", r->best);
    r->sentence = out.text;
    return out.failed ? SPAR_NOMEM : SPAR_OK;
}

/* The i-th of n values that are spread evenly over an axis: over its logarithm where that is its scale. */
static size_t space_value(const spar_axes *axes, size_t axis, size_t i, size_t n)
{
    size_t all = spar_axes_values(axes, axis), even = i * (all - 1) / (n - 1);
    if (spar_axes_kind(axes, axis) != SPAR_AXIS_LOG || all < 4 * n || i + 1 == n) /* with few, two would be one */
        return even;
    double lo = spar__log(spar_axes_number(axes, axis, 0)), hi = spar__log(spar_axes_number(axes, axis, all - 1));
    double at = spar__exp(lo + (hi - lo) * (double)i / (double)(n - 1));
    size_t low = 0, high = i ? all - 1 : 0; /* the first value that is not below it, or the last */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spar_axes_number(axes, axis, middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A search that settled on the wrong choice is seen here: the best of another choice is then often about as good. */
static spar_status look_elsewhere(spar__space_report *r, size_t axis)
{
    spar__space_other *other = &r->other[r->others++];
    other->axis = axis;
    other->value = spar__alloc(SPAR__AXES_MOST, sizeof *other->value);
    if (!other->value || spar_belief_other(r->belief, axis, other->value))
        return SPAR_NOMEM;
    other->text = words(r->axes, other->value);
    return other->text ? spar_belief_chance(r->belief, other->value, spar_belief_best(r->belief), &other->chance)
                       : SPAR_NOMEM;
}

static spar_status fill(spar__space_report *r)
{
    const size_t *best = spar_belief_best(r->belief), *winner = spar_belief_winner(r->belief);
    r->answers = spar_belief_answers(r->belief);
    r->skipped = spar__belief_skipped(r->belief);
    r->flagged = spar__belief_flagged(r->belief);
    r->best = words(r->axes, best);
    r->winner = winner ? words(r->axes, winner) : NULL;
    r->curve = spar__alloc(spar_axes_count(r->axes), sizeof *r->curve);
    r->other = spar__alloc(spar_axes_count(r->axes), sizeof *r->other);
    if (!r->best || (winner && !r->winner) || !r->curve || !r->other)
        return SPAR_NOMEM;
    spar_status status = spar_belief_at(r->belief, best, &r->mean, &r->low, &r->high);
    if (!status && winner)
        status = spar_belief_chance(r->belief, best, winner, &r->chance);
    r->level = r->mean < LEVEL;
    if (!status)
        status = say(r);
    for (size_t a = 0; a < spar_axes_count(r->axes) && !status; a++) {
        /* All values, or SPAR__SPACE_STEPS of them, among which that of the recommended setting may be missing. */
        size_t n = spar_axes_values(r->axes, a), value[SPAR__AXES_MOST];
        spar__space_curve *curve = &r->curve[a];
        curve->n = n < SPAR__SPACE_STEPS ? n : SPAR__SPACE_STEPS;
        memcpy(value, spar_belief_best(r->belief), spar_axes_count(r->axes) * sizeof *value);
        for (size_t i = 0; i < curve->n; i++) {
            spar__space_step *step = &curve->step[i];
            step->value = value[a] = space_value(r->axes, a, i, curve->n);
            (void)spar_belief_at(r->belief, value, &step->mean, &step->low, &step->high);
        }
        if (spar_axes_kind(r->axes, a) == SPAR_AXIS_CHOICE)
            status = look_elsewhere(r, a);
    }
    return status;
}

spar_status spar__space_look(spar_experiment *experiment, bool without_flagged, spar__space_report *r, spar_error *err)
{
    *r = (spar__space_report){0};
    if (!spar_experiment_axes(experiment))
        return SPAR_OK;
    r->against_last = spar_experiment_against_last(experiment);
    spar_status status = spar_experiment_belief(experiment, without_flagged, &r->belief, err);
    r->axes = spar_belief_axes(r->belief);
    if (!status && fill(r))
        status = spar__fail_memory(err);
    if (status)
        spar__space_free(r);
    return status;
}

void spar__space_free(spar__space_report *r)
{
    spar_belief_free(r->belief);
    spar__free(r->best);
    spar__free(r->winner);
    spar__free(r->sentence);
    spar__free(r->curve);
    for (size_t i = 0; i < r->others; i++) {
        spar__free(r->other[i].value);
        spar__free(r->other[i].text);
    }
    spar__free(r->other);
    *r = (spar__space_report){0};
}

static void add_text(const spar_axes *axes, const char *key, size_t axis, size_t value, spar__json *json)
{
    char text[SPAR__AXES_VALUE];
    (void)spar_axes_write(axes, axis, value, text, sizeof text);
    spar__json_add_string(json, key, text);
}

static void add_axis(const spar_axes *axes, size_t a, spar__json *json)
{
    static const char *const kind[] = {"range", "log", "levels", "choice"};
    size_t n = spar_axes_values(axes, a);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", spar_axes_name(axes, a));
    spar__json_add_string(json, "kind", kind[spar_axes_kind(axes, a)]);
    if (spar_axes_unit(axes, a))
        spar__json_add_string(json, "unit", spar_axes_unit(axes, a));
    spar__json_add_unsigned(json, "values", n);
    add_text(axes, "first", a, 0, json);
    add_text(axes, "last", a, n - 1, json);
    spar__json_end_object(json);
}

static void add_setting(const spar__space_report *r, const char *text, const size_t *value, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "text", text);
    spar__json_key(json, "settings");
    spar__space_json(r->axes, value, json);
}

void spar__space_report_json(const spar__space_report *r, spar__json *json)
{
    size_t n = spar_axes_count(r->axes);
    spar__json_add_string(json, "space", spar_axes_text(r->axes));
    spar__json_add_boolean(json, "against_last", r->against_last);
    spar__json_key(json, "axes");
    spar__json_begin_array(json);
    for (size_t a = 0; a < n; a++)
        add_axis(r->axes, a, json);
    spar__json_end_array(json);
    if (!r->answers)
        return;
    spar__json_key(json, "recommendation");
    add_setting(r, r->best, spar_belief_best(r->belief), json);
    spar__json_add_number(json, "strength", r->mean);
    spar__json_add_number(json, "low", r->low);
    spar__json_add_number(json, "high", r->high);
    if (r->winner) {
        spar__json_key(json, "last_winner");
        add_setting(r, r->winner, spar_belief_winner(r->belief), json);
        spar__json_add_number(json, "chance", r->chance);
        spar__json_end_object(json);
    }
    if (r->others) {
        spar__json_key(json, "others");
        spar__json_begin_array(json);
        for (size_t i = 0; i < r->others; i++) {
            add_setting(r, r->other[i].text, r->other[i].value, json);
            spar__json_add_string(json, "axis", spar_axes_name(r->axes, r->other[i].axis));
            spar__json_add_number(json, "chance", r->other[i].chance);
            spar__json_end_object(json);
        }
        spar__json_end_array(json);
    }
    spar__json_end_object(json);
    spar__json_add_number(json, "length", spar_belief_length(r->belief));
    spar__json_key(json, "curves");
    spar__json_begin_array(json);
    for (size_t a = 0; a < n; a++) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", spar_axes_name(r->axes, a));
        spar__json_key(json, "points");
        spar__json_begin_array(json);
        for (size_t i = 0; i < r->curve[a].n; i++) {
            const spar__space_step *step = &r->curve[a].step[i];
            spar__json_begin_object(json);
            add_text(r->axes, "value", a, step->value, json);
            spar__json_add_number(json, "strength", step->mean);
            spar__json_add_number(json, "low", step->low);
            spar__json_add_number(json, "high", step->high);
            spar__json_end_object(json);
        }
        spar__json_end_array(json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* A belief over a space as a picture. Points stand at shares of their axes; the ticks say which values
 * these are. */

enum { SIDE = 25, PAGE_SIDE = 19, LABEL = 2 * SPAR__AXES_VALUE + 8, LETTERS = 56, FEWEST = 3 };

static const spar__space_labels english = {"strength", "the other axes as recommended",
                                           "belief: mean and \xC2\xB1 2 sd", "recommended"};

static const double NARROW = 480; /* px: readable on a phone */

/* Of n points: x (n x dim), mean, sd, and nothing else to show. */
typedef struct belief_table {
    size_t n, dim;
    double *x, *mean, *sd, *truth, *none;
    double chosen[2];
    spar__axis axis[2];
    char label[2][LABEL];
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

static spar__belief row_of(const belief_table *t)
{
    return (spar__belief){.label = t->dim == 1 ? t->label[0] : "",
                          .n = t->n,
                          .x = t->x,
                          .mean = t->mean,
                          .sd = t->sd,
                          .truth = t->truth,
                          .won = t->none,
                          .lost = t->none,
                          .axis = {&t->axis[0], t->dim == 2 ? &t->axis[1] : NULL},
                          .chosen = t->chosen};
}

/* "speed (m/s)". */
static void label_axis(const spar_axes *axes, size_t a, char *out)
{
    const char *unit = spar_axes_unit(axes, a);
    (void)snprintf(out, LABEL, "%s%s%s%s", spar_axes_name(axes, a), unit ? " (" : "", unit ? unit : "",
                   unit ? ")" : "");
}

static bool is_listed(const spar_axes *axes, size_t a)
{
    return spar_axes_kind(axes, a) == SPAR_AXIS_LEVELS || spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE;
}

static double share_of(const spar_axes *axes, size_t a, double at)
{
    double lo = spar_axes_number(axes, a, 0), hi = spar_axes_number(axes, a, spar_axes_values(axes, a) - 1);
    return spar_axes_kind(axes, a) == SPAR_AXIS_LOG ? (spar__log(at) - spar__log(lo)) / (spar__log(hi) - spar__log(lo))
                                                    : (at - lo) / (hi - lo);
}

/* Where a value stands; choices in the middle of equal parts. */
static double place_of(const spar_axes *axes, size_t a, size_t value)
{
    double n = (double)spar_axes_values(axes, a);
    if (spar_axes_kind(axes, a) == SPAR_AXIS_CHOICE)
        return ((double)value + 0.5) / n;
    return is_listed(axes, a) ? (double)value / (n - 1) : share_of(axes, a, spar_axes_number(axes, a, value));
}

/* As much of a text as `letters` and the room of a label allow. */
static void cut_label(char *out, size_t room, const char *text, size_t letters)
{
    size_t at = 0, kept = 0, count = 0, length = strlen(text);
    for (uint32_t code; at < length; count++) {
        at += spar__utf8_next(text + at, length - at, &code);
        kept = count + 1 < letters && at + sizeof "\xE2\x80\xA6" <= room ? at : kept;
    }
    if (count <= letters && length < room)
        (void)snprintf(out, room, "%s", text);
    else
        (void)snprintf(out, room, "%.*s\xE2\x80\xA6", (int)kept, text);
}

static void tick_axis(const spar_axes *axes, size_t a, size_t letters, spar__axis *out)
{
    if (is_listed(axes, a)) {
        /* A tick at each level or choice, with at most `letters` of each text. */
        char text[SPAR__AXES_VALUE];
        out->n = spar_axes_values(axes, a);
        for (size_t i = 0; i < out->n; i++) {
            out->tick[i] = (spar__tick){.value = place_of(axes, a, i), .major = true};
            (void)spar_axes_write(axes, a, i, text, sizeof text);
            cut_label(out->tick[i].label, sizeof out->tick[i].label, text, letters > FEWEST ? letters : FEWEST);
        }
        return;
    }
    spar__range range = {spar_axes_number(axes, a, 0), spar_axes_number(axes, a, spar_axes_values(axes, a) - 1)};
    spar__axis_fit(out, range, spar_axes_kind(axes, a) == SPAR_AXIS_LOG, false, 5);
    spar__axis_crop(out, range);
    for (size_t i = 0; i < out->n; i++)
        out->tick[i].value = share_of(axes, a, out->tick[i].value);
}

static spar_status plot_slices(const spar__space_report *r, spar__beliefs fig, const char *others, spar__buf *out)
{
    size_t n = spar_axes_count(r->axes);
    spar__belief row[SPAR__AXES_MOST];
    belief_table *table = spar__alloc(n, sizeof *table);
    spar_status status = table ? SPAR_OK : SPAR_NOMEM;
    for (size_t a = 0; a < n && !status; a++) {
        /* Every second point of a curve is enough for a page, and keeps it small. Levels and choices are no curve. */
        bool page = fig.width > 0;
        size_t every = page && r->curve[a].n == SPAR__SPACE_STEPS && !is_listed(r->axes, a) ? 2 : 1;
        status = table_new((r->curve[a].n - 1) / every + 1, 1, &table[a]);
        if (status)
            break;
        belief_table *t = &table[a];
        for (size_t i = 0; i < t->n; i++) {
            const spar__space_step *step = &r->curve[a].step[i * every];
            t->x[i] = place_of(r->axes, a, step->value);
            t->mean[i] = step->mean;
            t->sd[i] = (step->high - step->low) / 4;
        }
        t->chosen[0] = place_of(r->axes, a, spar_belief_best(r->belief)[a]);
        label_axis(r->axes, a, t->label[0]);
        tick_axis(r->axes, a, LETTERS / spar_axes_values(r->axes, a), &t->axis[0]);
        row[a] = row_of(&table[a]);
        row[a].apart = is_listed(r->axes, a);
    }
    fig.dim = 1;
    fig.feature[0] = n > 1 ? others : NULL;
    fig.n = n;
    fig.belief = row;
    if (!status)
        status = spar__plot_beliefs(&fig, out);
    for (size_t a = 0; table && a < n; a++)
        spar__free(table[a].x);
    spar__free(table);
    return status;
}

static size_t steps_of(const spar_axes *axes, size_t a, size_t most)
{
    return spar_axes_values(axes, a) < most ? spar_axes_values(axes, a) : most;
}

static spar_status plot_map(const spar__space_report *r, spar__beliefs fig, spar__buf *out)
{
    belief_table *table = spar__alloc(1, sizeof *table);
    size_t most = fig.width > 0 ? PAGE_SIDE : SIDE; /* pages are to be small */
    size_t n = steps_of(r->axes, 0, most) * steps_of(r->axes, 1, most);
    spar_status status = table ? table_new(n, 2, table) : SPAR_NOMEM;
    if (!status) {
        /* With at most so many steps along an axis. */
        size_t wide = steps_of(r->axes, 0, most);
        for (size_t i = 0; i < table->n; i++) {
            size_t value[2] = {i % wide, i / wide};
            double low = 0, high = 0;
            for (size_t a = 0; a < 2; a++) {
                value[a] = space_value(r->axes, a, value[a], steps_of(r->axes, a, most));
                table->x[2 * i + a] = place_of(r->axes, a, value[a]);
            }
            (void)spar_belief_at(r->belief, value, &table->mean[i], &low, &high);
            table->sd[i] = (high - low) / 4;
        }
        for (size_t a = 0; a < 2; a++) {
            table->chosen[a] = place_of(r->axes, a, spar_belief_best(r->belief)[a]);
            label_axis(r->axes, a, table->label[a]);
            tick_axis(r->axes, a, a ? 10 : LETTERS / 2 / spar_axes_values(r->axes, a), &table->axis[a]);
        }
        spar__belief row = row_of(table);
        fig.dim = 2;
        fig.feature[0] = table->label[0];
        fig.feature[1] = table->label[1];
        fig.n = 1;
        fig.belief = &row;
        status = spar__plot_beliefs(&fig, out);
        spar__free(table->x);
    }
    spar__free(table);
    return status;
}

static spar__beliefs begin(const spar__space_report *r, const spar__space_labels *labels)
{
    return (spar__beliefs){.name = r->sentence,
                           .words = "How strong settings are believed to be, along each axis through the recommended "
                                    "one.",
                           .chosen = labels->chosen,
                           .band = labels->belief,
                           .value = labels->strength};
}

/* Two axes that are no choices. */
static bool is_map(const spar_axes *axes)
{
    bool map = spar_axes_count(axes) == 2;
    for (size_t a = 0; a < spar_axes_count(axes); a++)
        map = map && spar_axes_kind(axes, a) != SPAR_AXIS_CHOICE;
    return map;
}

static const char over_both[] = "How strong settings are believed to be, over both axes.";

spar_status spar__space_plot_page(const spar__space_report *r, const spar__space_labels *labels, spar__buf *out)
{
    spar__beliefs fig = begin(r, labels);
    fig.width = NARROW;
    spar__beliefs map = fig;
    map.words = over_both;
    spar_status status = is_map(r->axes) ? plot_map(r, map, out) : SPAR_OK;
    return status ? status : plot_slices(r, fig, labels->others, out);
}

spar_status spar__space_plot(const spar__space_report *r, const char *subtitle, spar__buf *out)
{
    spar__beliefs fig = begin(r, &english);
    bool map = is_map(r->axes);
    fig.title = r->sentence;
    fig.subtitle = subtitle;
    if (map)
        fig.words = over_both;
    return map ? plot_map(r, fig, out) : plot_slices(r, fig, english.others, out);
}
