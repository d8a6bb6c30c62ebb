#include "report/space.h"

#include "base/alloc.h"
#include "base/error.h"
#include "live/space/space.h"
#include "num/elementary.h"
#include "session/axes.h"

#include <inttypes.h>
#include <math.h>
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

/* The first value that is not below `at`, or the last. */
static size_t find(const spar_axes *axes, size_t axis, double at)
{
    size_t low = 0, high = spar_axes_values(axes, axis) - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spar_axes_number(axes, axis, middle) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t spar__space_value(const spar_axes *axes, size_t axis, size_t i, size_t n)
{
    size_t all = spar_axes_values(axes, axis), even = i * (all - 1) / (n - 1);
    if (spar_axes_kind(axes, axis) != SPAR_AXIS_LOG || all < 4 * n || i + 1 == n) /* with few, two would be one */
        return even;
    double lo = spar__log(spar_axes_number(axes, axis, 0)), hi = spar__log(spar_axes_number(axes, axis, all - 1));
    return i ? find(axes, axis, spar__exp(lo + (hi - lo) * (double)i / (double)(n - 1))) : 0;
}

/* All values, or SPAR__SPACE_STEPS of them, among which that of the recommended setting may be missing. */
static void look_along(spar__space_report *r, size_t axis)
{
    size_t n = spar_axes_values(r->axes, axis), value[SPAR__AXES_MOST];
    spar__space_curve *curve = &r->curve[axis];
    curve->n = n < SPAR__SPACE_STEPS ? n : SPAR__SPACE_STEPS;
    memcpy(value, spar_belief_best(r->belief), spar_axes_count(r->axes) * sizeof *value);
    for (size_t i = 0; i < curve->n; i++) {
        spar__space_step *step = &curve->step[i];
        step->value = value[axis] = spar__space_value(r->axes, axis, i, curve->n);
        (void)spar_belief_at(r->belief, value, &step->mean, &step->low, &step->high);
    }
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

static spar_status look_everywhere(spar__space_report *r)
{
    size_t n = spar_axes_count(r->axes);
    spar_status status = SPAR_OK;
    for (size_t a = 0; a < n && !status; a++) {
        look_along(r, a);
        if (spar_axes_kind(r->axes, a) == SPAR_AXIS_CHOICE)
            status = look_elsewhere(r, a);
    }
    return status;
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
    return status ? status : look_everywhere(r);
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

static void add_curve(const spar__space_report *r, size_t a, spar__json *json)
{
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

static void add_setting(const spar__space_report *r, const char *text, const size_t *value, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "text", text);
    spar__json_key(json, "settings");
    spar__space_json(r->axes, value, json);
}

static void add_others(const spar__space_report *r, spar__json *json)
{
    if (!r->others)
        return;
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

static void add_recommendation(const spar__space_report *r, spar__json *json)
{
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
    add_others(r, json);
    spar__json_end_object(json);
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
    add_recommendation(r, json);
    spar__json_add_number(json, "length", spar_belief_length(r->belief));
    spar__json_key(json, "curves");
    spar__json_begin_array(json);
    for (size_t a = 0; a < n; a++)
        add_curve(r, a, json);
    spar__json_end_array(json);
}
