#include "base/alloc.h"
#include "decide/decide.h"
#include "num/elementary.h"
#include "plot/strip.h"
#include "report/view.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- pairs --- */

typedef struct view_pairs {
    size_t n, a[SPAR__VIEW_PAIRS], b[SPAR__VIEW_PAIRS];
} view_pairs;

static void note(view_pairs *pairs, size_t a, size_t b)
{
    for (size_t i = 0; i < pairs->n; i++)
        if ((pairs->a[i] == a && pairs->b[i] == b) || (pairs->a[i] == b && pairs->b[i] == a))
            return;
    if (pairs->n == SPAR__VIEW_PAIRS)
        return;
    pairs->a[pairs->n] = a;
    pairs->b[pairs->n++] = b;
}

/* All that were compared, where these are few; else those that hold up the decision, the closest ones, and those of the
 * leader with whoever comes next. */
static void choose(const spar__verdict_report *v, view_pairs *pairs)
{
    const spar__pair_table *all = &v->decision->evidence.pairs;
    for (size_t i = 0; i < v->next.n; i++)
        note(pairs, v->next.a[i], v->next.b[i]);
    if (all->count <= SPAR__VIEW_PAIRS) {
        for (size_t i = 0; i < all->count; i++)
            note(pairs, all->row[i].a, all->row[i].b);
        return;
    }
    for (size_t i = 0; i < v->closest.n; i++)
        note(pairs, v->closest.a[i], v->closest.b[i]);
    for (size_t i = 0; v->leader != SPAR_NO_OPTION && i < v->n && pairs->n < SPAR__VIEW_PAIRS; i++)
        if (v->order[i] != v->leader)
            note(pairs, v->leader, v->order[i]);
}

/* The more often chosen of the two first. */
static void add_pair(const spar__verdict_report *v, size_t a, size_t b, bool next, spar__json *json)
{
    double before = 0, behind = 0, ties = 0, low = 0, high = 1;
    (void)spar_decision_pair(v->decision, a, b, &before, &behind, &ties);
    if (behind > before) {
        add_pair(v, b, a, next, json);
        return;
    }
    (void)spar_decision_interval(v->decision, a, b, 0, &low, &high);
    spar__json_begin_object(json);
    spar__json_add_string(json, "a", v->name[a]);
    spar__json_add_string(json, "b", v->name[b]);
    spar__json_add_boolean(json, "next", next);
    spar__json_add_number(json, "before", before);
    spar__json_add_number(json, "both", before + behind);
    spar__json_add_number(json, "ties", ties);
    spar__json_add_boolean(json, "known", before + behind > 0);
    spar__view_percent("percent", before + behind > 0 ? before / (before + behind) : 0, json);
    spar__view_percent("low", low, json);
    spar__view_percent("high", high, json);
    spar__json_end_object(json);
}

void spar__view_pairs(const spar__view *view, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    size_t compared = v->decision->evidence.pairs.count;
    view_pairs pairs = {.n = 0};
    if (compared)
        choose(v, &pairs);
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs.n; i++)
        add_pair(v, pairs.a[i], pairs.b[i], i < v->next.n, json);
    spar__json_end_array(json);
    spar__json_add_unsigned(json, "n_pairs", pairs.n);
    spar__json_add_unsigned(json, "pairs_left", compared > SPAR__VIEW_PAIRS ? compared - SPAR__VIEW_PAIRS : 0);
}

/* --- places --- */

/* How much more often a place is chosen than the first, as odds; only where it is sure that it matters. */
void spar__view_places(const spar__view *view, spar__json *json)
{
    const spar_standings *st = view->report->standings.standings;
    bool late = spar_decision_verdict(view->report->verdict.decision) > SPAR_VERDICT_EARLY, any = false;
    spar__json_key(json, "places");
    spar__json_begin_array(json);
    for (size_t place = 1; st && late && place < spar_standings_places(st) && place < 26; place++) {
        double mean = 0, low = 0, high = 0;
        const char letter[] = {(char)('A' + place), 0};
        if (spar_standings_place(st, place, &mean, &low, &high) || !(low > 0 || high < 0))
            continue;
        spar__json_begin_object(json);
        spar__json_add_string(json, "letter", letter);
        spar__json_add_unsigned(json, "odds", (uint64_t)(100 * spar__exp(mean) + 0.5));
        spar__json_add_unsigned(json, "odds_low", (uint64_t)(100 * spar__exp(low) + 0.5));
        spar__json_add_unsigned(json, "odds_high", (uint64_t)(100 * spar__exp(high) + 0.5));
        spar__json_end_object(json);
        any = true;
    }
    spar__json_end_array(json);
    spar__json_add_boolean(json, "place_effect", any);
}

/* --- answers over time --- */

/* '2026-11-16 08:00', without the time where columns are days or longer. */
static void add_time(const spar__pace *pace, size_t column, spar__json *json)
{
    enum { DAY = 86400, DATE = 10, MINUTE = 16 };
    char text[SPAR__UTC_SIZE];
    spar__utc_print(text, (pace->begin + (int64_t)column * pace->width) * 1000000);
    text[DATE] = ' ';
    text[pace->width >= DAY ? DATE : MINUTE] = 0;
    spar__json_add_string(json, "from", text);
}

static void add_width(const spar__pace *pace, spar__json *json)
{
    int64_t minutes = pace->width / 60;
    spar__json_add_unsigned(json, "minutes", minutes < 60 ? (uint64_t)minutes : 0);
    spar__json_add_unsigned(json, "hours", minutes >= 60 && minutes < 1440 ? (uint64_t)minutes / 60 : 0);
    spar__json_add_unsigned(json, "days", minutes >= 1440 ? (uint64_t)minutes / 1440 : 0);
}

void spar__view_pace(const spar__view *view, spar__json *json)
{
    const spar__pace *pace = view->pace;
    spar__buf svg = {0};
    spar__json_key(json, "pace");
    if (!pace || !pace->n) {
        spar__json_null(json);
        return;
    }
    spar__plot_columns(view->pace_name, pace->n, pace->count, &svg);
    json->out->failed |= svg.failed;
    spar__json_begin_object(json);
    spar__json_add_string(json, "columns_svg", svg.text ? svg.text : "");
    spar__buf_free(&svg);
    add_width(pace, json);
    spar__json_key(json, "columns");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pace->n; i++) {
        spar__json_begin_object(json);
        add_time(pace, i, json);
        spar__json_add_unsigned(json, "count", pace->count[i]);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_add_boolean(json, "partly", pace->read < spar_experiment_sequence(view->report->experiment));
    spar__json_end_object(json);
}
