/* view_space.c - what is known about a space, as the data of a page. */
#include "report/view.h"

#include "base/number.h"
#include "live/space/space.h"
#include "session/axes.h"

#include <stdio.h>
#include <string.h>

static void add_strength(const spar__view *view, const char *key, double value, spar__json *json)
{
    char text[SPAR__NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%.1f", spar__space_tenth(value));
    char *point = view->comma ? strchr(text, '.') : NULL;
    if (point)
        *point = ',';
    spar__json_add_string(json, key, text);
}

static void add_curve(const spar__view *view, size_t a, spar__json *json)
{
    const spar__space_report *r = &view->report->space;
    enum { ROWS = 11 };
    size_t n = r->curve[a].n < ROWS ? r->curve[a].n : ROWS;
    spar__json_begin_object(json);
    spar__json_add_string(json, "axis", spar_axes_name(r->axes, a));
    spar__json_key(json, "steps");
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        const spar__space_step *step = &r->curve[a].step[i * (r->curve[a].n - 1) / (n - 1)];
        char text[SPAR__AXES_VALUE];
        (void)spar_axes_write(r->axes, a, step->value, text, sizeof text);
        spar__json_begin_object(json);
        spar__json_add_string(json, "value", text);
        add_strength(view, "strength", step->mean, json);
        add_strength(view, "low", step->low, json);
        add_strength(view, "high", step->high, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void add_picture(const spar__view *view, spar__json *json)
{
    spar__buf svg = {0};
    if (spar__space_plot_page(&view->report->space, &view->space, &svg))
        svg.failed = true;
    json->out->failed |= svg.failed;
    spar__json_add_string(json, "belief_svg", svg.failed || !svg.text ? "" : svg.text);
    spar__buf_free(&svg);
}

static void add_others(const spar__space_report *r, spar__json *json)
{
    spar__json_key(json, "others");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->others; i++) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "axis", spar_axes_name(r->axes, r->other[i].axis));
        spar__json_add_string(json, "other", r->other[i].text);
        spar__view_percent("other_chance", r->other[i].chance, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_known(const spar__view *view, spar__json *json)
{
    const spar__space_report *r = &view->report->space;
    spar__json_add_string(json, "best", r->best);
    spar__json_key(json, "settings");
    spar__space_json(r->axes, spar_belief_best(r->belief), json);
    add_strength(view, "strength", r->mean, json);
    add_strength(view, "low", r->low, json);
    add_strength(view, "high", r->high, json);
    spar__json_add_string(json, "winner", r->winner && strcmp(r->winner, r->best) != 0 ? r->winner : "");
    spar__view_percent("chance", r->chance, json);
    add_others(r, json);
    add_picture(view, json);
    spar__json_key(json, "curves");
    spar__json_begin_array(json);
    for (size_t a = 0; a < spar_axes_count(r->axes); a++)
        add_curve(view, a, json);
    spar__json_end_array(json);
}

void spar__view_space(const spar__view *view, spar__json *json)
{
    const spar__space_report *r = &view->report->space;
    if (!r->axes)
        return;
    spar__json_key(json, "space");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "n_axes", spar_axes_count(r->axes));
    spar__json_add_boolean(json, "known", r->answers > 0);
    if (r->answers)
        add_known(view, json);
    spar__json_end_object(json);
}
