/* view.c - what is known about an experiment, as the data of a page: the status cut to what a page can hold. Sentences
 * are left to the page, which has them in its language: here is which of them is true, and the numbers in it. */
#include "report/view.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "decide/decide.h"
#include "live/space/space.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "session/axes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 24, PAIRS = 28, NAMES = 6 }; /* that a page has room for */

/* --- numbers and names --- */

/* A number as text, with the decimal mark of the page. */
static void add_marked(const spar__view *view, const char *key, char *text, spar__json *json)
{
    char *point = view->comma ? strchr(text, '.') : NULL;
    if (point)
        *point = ',';
    spar__json_add_string(json, key, text);
}

static void add_decimal(const spar__view *view, const char *key, double value, spar__json *json)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, 6);
    add_marked(view, key, text, json);
}

static void add_tenth(const spar__view *view, const char *key, double value, spar__json *json)
{
    char text[SPAR__NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%.1f", spar__space_tenth(value));
    add_marked(view, key, text, json);
}

/* The share as a whole percentage: "41"; "< 1" and "> 99" where rounding would say never or always. */
static void add_percent(const char *key, double share, spar__json *json)
{
    char text[16];
    double percent = 100 * share;
    if (percent > 0 && percent < 0.5)
        (void)snprintf(text, sizeof text, "< 1");
    else if (percent < 100 && percent >= 99.5)
        (void)snprintf(text, sizeof text, "> 99");
    else
        (void)snprintf(text, sizeof text, "%d", (int)floor(percent + 0.5));
    spar__json_add_string(json, key, text);
}

static void add_interval(double value, double low, double high, spar__json *json)
{
    add_percent("percent", value, json);
    add_percent("low", low, json);
    add_percent("high", high, json);
}

/* A list of names: {"title", "comma" before it, "and" before it}; beyond NAMES the rest is counted. */
static void add_names(const spar__view *view, const char *key, bool (*has)(const spar__view *view, size_t option),
                      size_t but, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    size_t total = 0, written = 0;
    char more[64];
    for (size_t i = 0; i < v->n; i++)
        total += i != but && has(view, i);
    size_t listed = total > NAMES ? NAMES - 1 : total;
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < v->n && written < listed; i++) {
        if (i == but || !has(view, i))
            continue;
        bool last = written > 0 && written + 1 == total;
        spar__json_begin_object(json);
        spar__json_add_string(json, "title", v->name[i]);
        spar__json_add_boolean(json, "comma", written > 0 && !last);
        spar__json_add_boolean(json, "and", last);
        spar__json_end_object(json);
        written++;
    }
    spar__json_end_array(json);
    (void)snprintf(more, sizeof more, "%s_more", key);
    spar__json_add_unsigned(json, more, total - listed);
    (void)snprintf(more, sizeof more, "%s_count", key);
    spar__json_add_unsigned(json, more, total);
}

/* --- a space --- */

static void add_curve(const spar__view *view, size_t a, spar__json *json)
{
    const spar__space_report *r = &view->report->space;
    enum { STEPS = 11 };
    size_t n = r->curve[a].n < STEPS ? r->curve[a].n : STEPS;
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
        add_tenth(view, "strength", step->mean, json);
        add_tenth(view, "low", step->low, json);
        add_tenth(view, "high", step->high, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

/* `space`: what is known about it, from the first answer on. */
static void add_space(const spar__view *view, spar__json *json)
{
    const spar__space_report *r = &view->report->space;
    spar__json_key(json, "space");
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "n_axes", spar_axes_count(r->axes));
    spar__json_add_boolean(json, "known", r->answers > 0);
    if (!r->answers) {
        spar__json_end_object(json);
        return;
    }
    spar__json_add_string(json, "best", r->best);
    spar__json_key(json, "settings");
    spar__space_json(r->axes, spar_belief_best(r->belief), json);
    add_tenth(view, "strength", r->mean, json);
    add_tenth(view, "low", r->low, json);
    add_tenth(view, "high", r->high, json);
    spar__json_add_string(json, "winner", r->winner && strcmp(r->winner, r->best) != 0 ? r->winner : "");
    add_percent("chance", r->chance, json);
    spar__json_key(json, "others");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->others; i++) {
        spar__json_begin_object(json);
        spar__json_add_string(json, "axis", spar_axes_name(r->axes, r->other[i].axis));
        spar__json_add_string(json, "other", r->other[i].text);
        add_percent("other_chance", r->other[i].chance, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__buf svg = {0};
    svg.failed |= spar__space_plot_page(r, &view->space, &svg) != SPAR_OK;
    json->out->failed |= svg.failed;
    spar__json_add_string(json, "belief_svg", svg.failed || !svg.text ? "" : svg.text);
    spar__buf_free(&svg);
    spar__json_key(json, "curves");
    spar__json_begin_array(json);
    for (size_t a = 0; a < spar_axes_count(r->axes); a++)
        add_curve(view, a, json);
    spar__json_end_array(json);
    spar__json_end_object(json);
}

/* --- groups of items --- */

enum { GROUPS = 24, GROUP_ROWS = 12, ENOUGH = 10 }; /* ENOUGH: answers, as for all standings */

/* `by_group`: the standings of each group. */
static void add_groups(const spar__view *view, spar__json *json)
{
    const spar__item_groups_report *r = &view->report->groups;
    spar__json_add_boolean(json, "grouped", r->n > 0);
    spar__json_key(json, "by_group");
    spar__json_begin_array(json);
    for (size_t g = 0; g < r->n && g < GROUPS; g++) {
        const spar__group_report *group = &r->group[g];
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "number", g + 1);
        spar__json_add_string(json, "name", group->name);
        spar__json_add_boolean(json, "none", group->none);
        spar__json_add_unsigned(json, "items", group->has.items);
        spar__json_add_unsigned(json, "answers", group->has.answers);
        bool enough = group->standings.standings && group->has.answers >= ENOUGH;
        size_t *order = enough ? spar__standings_order(&group->standings) : NULL;
        json->out->failed |= enough && !order;
        spar__json_add_boolean(json, "enough", enough);
        spar__json_key(json, "rows");
        spar__json_begin_array(json);
        for (size_t i = 0; order && i < view->report->n && i < GROUP_ROWS; i++) {
            size_t option = order[i];
            double mean = 0, low = 0, high = 0;
            uint64_t shown = 0, chosen = 0;
            (void)spar_standings_strength(group->standings.standings, option, &mean, &low, &high);
            (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
            spar__json_begin_object(json);
            spar__json_add_string(json, "title", view->report->verdict.name[option]);
            add_interval(spar__logistic(mean), spar__logistic(low), spar__logistic(high), json);
            spar__json_add_unsigned(json, "shown", shown);
            spar__json_add_unsigned(json, "chosen", chosen);
            spar__json_end_object(json);
        }
        spar__json_end_array(json);
        spar__free(order);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* --- options --- */

static const size_t RETIRED = (size_t)-1; /* its tier */

/* Where no scale fits, or all that are left are equal, no option is likely to be the best one: the model would name
 * one all the same. */
static bool names_best(const spar__status_report *r)
{
    spar_verdict verdict = spar_decision_verdict(r->verdict.decision);
    return r->standings.standings && r->standings.fits && verdict > SPAR_VERDICT_EARLY &&
           verdict != SPAR_VERDICT_EQUAL && verdict != SPAR_VERDICT_NO_SCALE;
}

/* How often it would be chosen over the average option, drawn and in numbers. */
static void add_strength(const spar__view *view, size_t option, spar__json *json)
{
    const spar_standings *st = view->report->standings.standings;
    const spar__verdict_report *v = &view->report->verdict;
    double mean = 0, low = 0, high = 0;
    char name[300];
    spar__buf svg = {0};
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    spar__strip strip = {.name = name,
                         .value = spar__logistic(mean),
                         .low = spar__logistic(low),
                         .high = spar__logistic(high),
                         .faint = !spar_decision_in_running(v->decision, option)};
    (void)snprintf(name, sizeof name, "%s: %.0f %% (%.0f\xE2\x80\x93%.0f %%)", v->name[option], 100 * strip.value,
                   100 * strip.low, 100 * strip.high);
    spar__plot_strip(&strip, &svg);
    json->out->failed |= svg.failed;
    spar__json_add_string(json, "strip_svg", svg.text ? svg.text : "");
    spar__buf_free(&svg);
    add_interval(strip.value, strip.low, strip.high, json);
    if (names_best(view->report)) /* never quite sure: it is a share of samples, or an approximation */
        add_percent("p_best", fmin(fmax(spar_standings_best(st, option), 1e-6), 1 - 1e-6), json);
    spar__json_add_unsigned(json, "bad", spar_standings_bad(st, option));
}

static void add_row(const spar__view *view, size_t option, bool modelled, spar__json *json)
{
    spar__json_begin_object(json);
    /* An option of the list: what is known without a model. */
    const spar__verdict_report *v = &view->report->verdict;
    uint64_t shown = 0, chosen = 0;
    (void)spar_decision_record(v->decision, option, &shown, &chosen);
    spar__json_add_string(json, "title", v->name[option]);
    spar__json_add_unsigned(json, "shown", shown);
    spar__json_add_unsigned(json, "chosen", chosen);
    spar__json_add_boolean(json, "retired", !spar_decision_is_live(v->decision, option));
    spar__json_add_boolean(
        json, "out", spar_decision_is_live(v->decision, option) && !spar_decision_in_running(v->decision, option));
    if (modelled)
        add_strength(view, option, json);
    spar__json_end_object(json);
}

/* The options of one tier, at most `room` of them; returns how many. */
static size_t add_tier(const spar__view *view, const size_t *order, size_t tier, size_t room, spar__json *json)
{
    const spar_standings *st = view->report->standings.standings;
    size_t n = 0, all = 0;
    for (size_t i = 0; i < view->report->n; i++)
        all += spar_standings_group(st, i) == tier;
    if (!all || !room)
        return 0;
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "together", tier == RETIRED || all == 1 ? 0 : all);
    spar__json_add_boolean(json, "gone", tier == RETIRED);
    spar__json_key(json, "rows");
    spar__json_begin_array(json);
    for (size_t i = 0; i < view->report->n && n < room; i++)
        if (spar_standings_group(st, order[i]) == tier) {
            add_row(view, order[i], tier != RETIRED, json);
            n++;
        }
    spar__json_end_array(json);
    spar__json_end_object(json);
    return n;
}

static size_t add_tiers(const spar__view *view, spar__json *json)
{
    size_t *order = spar__standings_order(&view->report->standings), listed = 0;
    json->out->failed |= !order;
    for (size_t tier = 0; order && listed < ROWS; tier++) {
        size_t n = add_tier(view, order, tier, ROWS - listed, json);
        listed += n;
        if (!n)
            break;
    }
    if (order)
        listed += add_tier(view, order, RETIRED, ROWS - listed, json);
    spar__free(order);
    return listed;
}

/* Without a model: in the order in which they were added, until an order means anything. */
static size_t add_list(const spar__view *view, bool early, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    size_t listed = 0;
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "together", 0);
    spar__json_add_boolean(json, "gone", false);
    spar__json_key(json, "rows");
    spar__json_begin_array(json);
    for (; listed < v->n && listed < ROWS; listed++)
        add_row(view, early ? listed : v->order[listed], false, json);
    spar__json_end_array(json);
    spar__json_end_object(json);
    return listed;
}

/* --- pairs --- */

typedef struct view_pairs {
    size_t n, a[PAIRS], b[PAIRS];
} view_pairs;

static void note(view_pairs *pairs, size_t a, size_t b)
{
    for (size_t i = 0; i < pairs->n; i++)
        if ((pairs->a[i] == a && pairs->b[i] == b) || (pairs->a[i] == b && pairs->b[i] == a))
            return;
    if (pairs->n == PAIRS)
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
    if (all->count <= PAIRS) {
        for (size_t i = 0; i < all->count; i++)
            note(pairs, all->row[i].a, all->row[i].b);
        return;
    }
    for (size_t i = 0; i < v->closest.n; i++)
        note(pairs, v->closest.a[i], v->closest.b[i]);
    for (size_t i = 0; v->leader != SPAR_NO_OPTION && i < v->n && pairs->n < PAIRS; i++)
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
    add_interval(before + behind > 0 ? before / (before + behind) : 0, low, high, json);
    spar__json_end_object(json);
}

/* --- places --- */

/* How much more often a place is chosen than the first, as odds; only where it is sure that it matters. */
static void add_places(const spar__view *view, spar__json *json)
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

static void add_pace(const spar__view *view, spar__json *json)
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
    int64_t minutes = pace->width / 60;
    spar__json_add_unsigned(json, "minutes", minutes < 60 ? (uint64_t)minutes : 0);
    spar__json_add_unsigned(json, "hours", minutes >= 60 && minutes < 1440 ? (uint64_t)minutes / 60 : 0);
    spar__json_add_unsigned(json, "days", minutes >= 1440 ? (uint64_t)minutes / 1440 : 0);
    spar__json_key(json, "columns");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pace->n; i++) {
        /* '2026-11-16 08:00', without the time where columns are days or longer. */
        enum { DAY = 86400, DATE = 10, MINUTE = 16 };
        char text[SPAR__UTC_SIZE];
        spar__utc_print(text, (pace->begin + (int64_t)i * pace->width) * 1000000);
        text[DATE] = ' ';
        text[pace->width >= DAY ? DATE : MINUTE] = 0;
        spar__json_begin_object(json);
        spar__json_add_string(json, "from", text);
        spar__json_add_unsigned(json, "count", pace->count[i]);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
    spar__json_add_boolean(json, "partly", pace->read < spar_experiment_sequence(view->report->experiment));
    spar__json_end_object(json);
}

/* --- the whole --- */

static bool in_running(const spar__view *view, size_t option)
{
    return spar_decision_in_running(view->report->verdict.decision, option);
}

static bool never_shown(const spar__view *view, size_t option)
{
    uint64_t shown = 0;
    const spar_decision *decision = view->report->verdict.decision;
    (void)spar_decision_record(decision, option, &shown, NULL);
    return shown == 0 && spar_decision_is_live(decision, option);
}

/* Which sentence it is, and what stands in it. */
static void add_sentence(const spar__view *view, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    spar_verdict verdict = spar_decision_verdict(v->decision);
    size_t running = spar_decision_running(v->decision), leader = v->leader;
    const spar__space_report *space = view->report->space.axes ? &view->report->space : NULL;
    if (space) /* about which nothing is decided */
        verdict = space->answers == 0   ? SPAR_VERDICT_NONE
                  : space->answers < 10 ? SPAR_VERDICT_EARLY
                                        : SPAR_VERDICT_OPEN;
    bool open = verdict == SPAR_VERDICT_OPEN && !space;
    spar__json_add_string(json, "verdict", spar_verdict_name(verdict));
    spar__json_key(json, "say");
    spar__json_begin_object(json);
    for (int i = SPAR_VERDICT_NONE; i < SPAR_VERDICT_OPEN; i++)
        spar__json_add_boolean(json, spar_verdict_name((spar_verdict)i), (int)verdict == i);
    spar__json_add_boolean(json, "believed", space && verdict == SPAR_VERDICT_OPEN && !space->level);
    spar__json_add_boolean(json, "believed_level", space && verdict == SPAR_VERDICT_OPEN && space->level);
    spar__json_add_boolean(json, "open_none", open && running == 0);
    spar__json_add_boolean(json, "open_one", open && running == 1);
    spar__json_add_boolean(json, "open_led", open && running > 1 && leader != SPAR_NO_OPTION);
    spar__json_add_boolean(json, "open_level", open && running > 1 && leader == SPAR_NO_OPTION);
    spar__json_end_object(json);
    spar__json_add_boolean(json, "settled", verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL);
    spar__json_add_string(json, "leader", leader == SPAR_NO_OPTION ? "" : v->name[leader]);
    add_names(view, "others", in_running, running > 1 ? leader : SPAR_NO_OPTION, json);
    add_decimal(view, "delta", 100 * v->decision->evidence.delta, json);
    add_decimal(view, "eps", v->decision->evidence.eps, json);
    add_percent("eps_percent", spar__logistic(v->decision->evidence.eps), json);
}

static void add_counts(const spar__view *view, spar__json *json)
{
    const spar__status_report *r = view->report;
    uint64_t screens = 0, answers = 0, undone = 0, imported = 0;
    spar_experiment_counts(r->experiment, &screens, &answers, &undone, &imported);
    spar__json_add_unsigned(json, "answers", answers);
    spar__json_add_unsigned(json, "speaking",
                            r->space.axes ? r->space.answers : spar_decision_answers(r->verdict.decision));
    spar__json_add_unsigned(json, "screens", screens);
    spar__json_add_unsigned(json, "undone", undone);
    spar__json_add_unsigned(json, "imported", imported);
    spar__json_add_unsigned(json, "all_bad", r->standings.bad);
    spar__json_add_unsigned(json, "skipped",
                            r->space.axes ? r->space.skipped : spar_decision_skipped(r->verdict.decision));
    spar__json_add_unsigned(json, "open_screens", spar_experiment_open_screens(r->experiment, NULL, 0, NULL));
    spar__json_add_unsigned(json, "n_options", r->n);
    spar__json_add_unsigned(json, "events", spar_experiment_sequence(r->experiment));
    spar__json_add_unsigned(json, "flagged", view->pace ? view->pace->flagged : 0);
}

/* Not the numbers that the sentences of `spar status` have, which are made in one language. */
static void add_warnings(const spar__view *view, spar__json *json)
{
    static const char *const key[SPAR_WARNINGS] = {"warn_few_voters",  "warn_one_voter",    "warn_one_item",
                                                   "warn_never_shown", "warn_disconnected", "warn_no_scale"};
    const spar__verdict_report *v = &view->report->verdict;
    bool late = spar_decision_verdict(v->decision) > SPAR_VERDICT_EARLY; /* before, nobody expects more */
    for (int w = 0; w < SPAR_WARNINGS; w++)
        spar__json_add_boolean(json, key[w], late && v->warning[w]);
    add_names(view, "never", never_shown, SPAR_NO_OPTION, json);
}

static void add_forecast(const spar__view *view, spar__json *json)
{
    const spar__more_report *more = &view->report->more;
    bool open = spar_decision_verdict(view->report->verdict.decision) == SPAR_VERDICT_OPEN;
    spar__json_key(json, "forecast");
    if (!more->known || !open) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_boolean(json, "beyond", isinf(more->median));
    spar__json_add_boolean(json, "without_end", !isinf(more->median) && isinf(more->high));
    spar__json_add_boolean(json, "bounded", !isinf(more->median) && !isinf(more->high));
    spar__json_add_unsigned(json, "median", spar__more_rounded(more->median));
    spar__json_add_unsigned(json, "low", spar__more_rounded(more->low));
    spar__json_add_unsigned(json, "high", spar__more_rounded(more->high));
    spar__json_add_unsigned(json, "horizon", spar__more_rounded((double)more->horizon));
    spar__json_end_object(json);
}

/* Whether one scale fits, and where not 'A > B > C > A', with arrows. */
static void add_cycle(const spar__view *view, spar__json *json)
{
    const spar__standings_report *s = &view->report->standings;
    char *const *name = view->report->verdict.name;
    bool misfit = s->standings && !s->fits;
    spar__buf cycle = {0};
    for (size_t i = 0; misfit && i < s->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__buf_printf(&cycle, "%s \xE2\x86\x92 ", name[s->cycle[i]]);
    if (misfit && s->n_cycle)
        spar__buf_adds(&cycle, s->n_cycle > SPAR__VERDICT_PAIRS ? "\xE2\x80\xA6" : name[s->cycle[0]]);
    json->out->failed |= cycle.failed;
    spar__json_add_boolean(json, "misfit", misfit);
    spar__json_add_string(json, "cycle", cycle.text ? cycle.text : "");
    spar__buf_free(&cycle);
}

void spar__view_json(const spar__view *view, spar__json *json)
{
    add_sentence(view, json);
    add_counts(view, json);
    add_forecast(view, json);
    add_warnings(view, json);
    add_cycle(view, json);
    /* `tiers` of options that cannot be told apart, each with `rows`; without standings, one list. */
    const spar__status_report *r = view->report;
    bool early = spar_decision_verdict(r->verdict.decision) <= SPAR_VERDICT_EARLY;
    bool modelled = r->standings.standings && !early;
    spar__json_add_boolean(json, "modelled", modelled);
    spar__json_add_boolean(json, "likely", modelled && names_best(r));
    spar__json_add_boolean(json, "approximate", modelled && r->standings.approximate);
    spar__json_add_boolean(json, "left_out", r->standings.why_not != NULL);
    spar__json_key(json, "tiers");
    spar__json_begin_array(json);
    size_t listed = modelled ? add_tiers(view, json) : add_list(view, early, json);
    spar__json_end_array(json);
    spar__json_add_unsigned(json, "unlisted", r->n - listed);
    add_groups(view, json);
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
    spar__json_add_unsigned(json, "pairs_left", compared > PAIRS ? compared - PAIRS : 0);
    add_places(view, json);
    add_pace(view, json);
    if (view->report->space.axes)
        add_space(view, json);
}
