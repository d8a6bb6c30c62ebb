#include "base/alloc.h"
#include "num/elementary.h"
#include "plot/strip.h"
#include "report/view.h"

#include <math.h>
#include <stdio.h>

static const size_t RETIRED = (size_t)-1; /* its tier */

/* An option of the list: what is known without a model. */
static void add_record(const spar__view *view, size_t option, spar__json *json)
{
    const spar__verdict_report *v = &view->report->verdict;
    uint64_t shown = 0, chosen = 0;
    (void)spar_decision_record(v->decision, option, &shown, &chosen);
    spar__json_add_string(json, "title", v->name[option]);
    spar__json_add_unsigned(json, "shown", shown);
    spar__json_add_unsigned(json, "chosen", chosen);
    spar__json_add_boolean(json, "retired", !spar_decision_is_live(v->decision, option));
    spar__json_add_boolean(
        json, "out", spar_decision_is_live(v->decision, option) && !spar_decision_in_running(v->decision, option));
}

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
    spar__view_percent("percent", strip.value, json);
    spar__view_percent("low", strip.low, json);
    spar__view_percent("high", strip.high, json);
    if (names_best(view->report)) /* never quite sure: it is a share of samples, or an approximation */
        spar__view_percent("p_best", fmin(fmax(spar_standings_best(st, option), 1e-6), 1 - 1e-6), json);
    spar__json_add_unsigned(json, "bad", spar_standings_bad(st, option));
}

static void add_row(const spar__view *view, size_t option, bool modelled, spar__json *json)
{
    spar__json_begin_object(json);
    add_record(view, option, json);
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
    for (size_t tier = 0; order && listed < SPAR__VIEW_ROWS; tier++) {
        size_t n = add_tier(view, order, tier, SPAR__VIEW_ROWS - listed, json);
        listed += n;
        if (!n)
            break;
    }
    if (order)
        listed += add_tier(view, order, RETIRED, SPAR__VIEW_ROWS - listed, json);
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
    for (; listed < v->n && listed < SPAR__VIEW_ROWS; listed++)
        add_row(view, early ? listed : v->order[listed], false, json);
    spar__json_end_array(json);
    spar__json_end_object(json);
    return listed;
}

void spar__view_rows(const spar__view *view, spar__json *json)
{
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
}
