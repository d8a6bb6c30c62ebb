#include "base/alloc.h"
#include "decide/standings.h"
#include "num/elementary.h"
#include "plot/plot.h"
#include "report/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST = 0.8; /* seconds that nobody asked for */

spar__standings_how spar__standings_how_of(const char *word)
{
    static const char *const name[] = {"none", "auto", "sampled", "approximate"};
    size_t how = 0;
    while (how + 1 < sizeof name / sizeof *name && strcmp(word, name[how]) != 0)
        how++;
    return (spar__standings_how)how;
}

static spar_standings_method method_of(spar__standings_report *r, spar__standings_how how)
{
    bool many = spar_standings_options(r->standings) > SPAR__STANDINGS_SAMPLED;
    r->approximate = NULL;
    if (how == SPAR__STANDINGS_SAMPLE)
        return SPAR_STANDINGS_SAMPLED;
    if (how == SPAR__STANDINGS_APPROXIMATE)
        r->approximate = "as asked for";
    else if (many)
        r->approximate = "more than 200 options";
    else if (spar__standings_seconds(r->standings, true) > LONGEST)
        r->approximate = "many answers; --standings sampled takes longer";
    return r->approximate ? SPAR_STANDINGS_APPROXIMATE : SPAR_STANDINGS_SAMPLED;
}

static spar_status leave_out(spar__standings_report *r, const char *why)
{
    spar_standings_free(r->standings);
    *r = (spar__standings_report){.tied = r->tied, .bad = r->bad, .why_not = why};
    return SPAR_OK;
}

spar_status spar__standings_look(spar__standings_report *r, spar__standings_how how, double delta, spar_error *err)
{
    r->why_not = NULL;
    r->tied = spar_standings_tied(r->standings);
    r->bad = spar_standings_all_bad(r->standings);
    if (spar_standings_answers(r->standings) == 0)
        return leave_out(r, "there are no standings: no answer compares options");
    if (how == SPAR__STANDINGS_AUTO && spar__standings_seconds(r->standings, false) > LONGEST)
        return leave_out(r, "standings are left out: they take more than a second; --standings approximate has them");
    spar_standings_set_method(r->standings, method_of(r, how));
    spar_status status = spar_standings_compute(r->standings, err);
    if (!status)
        status =
            spar_standings_scale(r->standings, &r->scale_evidence, SPAR__VERDICT_PAIRS, r->cycle, &r->n_cycle, err);
    r->fits = r->scale_evidence < -spar__log(delta);
    return status;
}

void spar__standings_report_free(spar__standings_report *r)
{
    spar_standings_free(r->standings);
    *r = (spar__standings_report){0};
}

/* An option in the order of strengths. */
typedef struct strong_option {
    size_t option;
    bool live;
    double strength;
} strong_option;

static int compare_strong(const void *x, const void *y)
{
    const strong_option *a = x, *b = y;
    if (a->live != b->live)
        return a->live ? -1 : 1;
    if (a->strength != b->strength)
        return a->strength > b->strength ? -1 : 1;
    return a->option < b->option ? -1 : 1;
}

size_t *spar__standings_order(const spar__standings_report *r)
{
    size_t n = spar_standings_options(r->standings), *order = spar__alloc(n, sizeof *order);
    strong_option *list = spar__alloc(n, sizeof *list);
    for (size_t i = 0; order && list && i < n; i++) {
        list[i] = (strong_option){.option = i, .live = spar_standings_group(r->standings, i) != (size_t)-1};
        (void)spar_standings_strength(r->standings, i, &list[i].strength, NULL, NULL);
    }
    if (list)
        qsort(list, n, sizeof *list, compare_strong);
    for (size_t i = 0; order && list && i < n; i++)
        order[i] = list[i].option;
    if (!list) {
        spar__free(order);
        order = NULL;
    }
    spar__free(list);
    return order;
}

const char spar__place_advice[] = "where places are shuffled, as spar does, no option gains by it, but a decision "
                                  "takes more answers; spar judge --swap counts what changes with the places as ties";

void spar__standings_say_places(const spar__standings_report *r, const spar__verdict_report *v, spar__buf *out)
{
    const char *before = "place effect: ";
    bool any = false, late = spar_decision_verdict(v->decision) > SPAR_VERDICT_EARLY;
    for (size_t place = 1; late && place < spar_standings_places(r->standings); place++) {
        double mean, low, high;
        if (spar_standings_place(r->standings, place, &mean, &low, &high) || (low <= 0 && high >= 0))
            continue;
        if (mean < 0)
            spar__buf_printf(out, "%splace 1 is preferred to place %zu by %.2f (%.2f to %.2f)", before, place + 1,
                             -mean, -high, -low);
        else
            spar__buf_printf(out, "%splace %zu is preferred to place 1 by %.2f (%.2f to %.2f)", before, place + 1, mean,
                             low, high);
        before = ", ";
        any = true;
    }
    if (any)
        spar__buf_printf(out, " in log-odds; strengths are corrected for it; %s", spar__place_advice);
}

void spar__standings_say_scale(const spar__standings_report *r, const spar__verdict_report *v, spar__buf *out)
{
    if (!r->standings || r->fits)
        return;
    spar__buf_printf(out, "no single logistic scale fits these %s", v->units);
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__buf_printf(out, "%s%s", i ? " over " : ": ", v->name[r->cycle[i]]);
    if (r->n_cycle)
        spar__buf_printf(out, r->n_cycle <= SPAR__VERDICT_PAIRS ? " over %s" : " ... over %s", v->name[r->cycle[0]]);
}

enum { TABLE = 40 }; /* options of which every pair is listed */

static const char *name_of(const spar__verdict_report *v, size_t option)
{
    return v->option(v->context, option);
}

static void add_range(const char *key, spar_status status, const double range[3], spar__json *json)
{
    spar__json_key(json, key);
    if (status || isnan(range[0])) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_number(json, "mean", range[0]);
    spar__json_add_number(json, "low", range[1]);
    spar__json_add_number(json, "high", range[2]);
    spar__json_end_object(json);
}

static void add_option(const spar_standings *st, const spar__verdict_report *v, size_t option, spar__json *json)
{
    double mean = 0, low = 0, high = 0;
    size_t group = spar_standings_group(st, option);
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", name_of(v, option));
    if (v->title)
        spar__json_add_string(json, "title", v->title(v->context, option));
    spar__json_add_number(json, "strength", mean);
    spar__json_add_number(json, "low", low);
    spar__json_add_number(json, "high", high);
    spar__json_add_number(json, "p_best", spar_standings_best(st, option));
    spar__json_add_number(json, "loss", spar_standings_loss(st, option));
    spar__json_key(json, "group");
    if (group == (size_t)-1) /* retired */
        spar__json_null(json);
    else
        spar__json_unsigned(json, group + 1);
    spar__json_add_unsigned(json, "bad", spar_standings_bad(st, option));
    spar__json_end_object(json);
}

static void add_options(const spar_standings *st, const spar__verdict_report *v, const size_t *order, spar__json *json)
{
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < spar_standings_options(st); i++)
        add_option(st, v, order[i], json);
    spar__json_end_array(json);
}

static void add_places(const spar_standings *st, spar__json *json)
{
    spar__json_key(json, "places");
    spar__json_begin_array(json);
    for (size_t place = 0; place < spar_standings_places(st); place++) {
        double range[3];
        spar_status status = spar_standings_place(st, place, &range[0], &range[1], &range[2]);
        spar__json_begin_object(json);
        spar__json_add_unsigned(json, "place", place + 1);
        add_range("effect", status, range, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

/* P(row is stronger than column), in the order of the options; left out where that is too much. */
static void add_before(const spar_standings *st, const size_t *order, spar__json *json)
{
    size_t n = spar_standings_options(st);
    spar__json_key(json, "p_before");
    if (n > TABLE) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        spar__json_begin_array(json);
        for (size_t k = 0; k < n; k++)
            spar__json_number(json, i == k ? 0.5 : spar_standings_before(st, order[i], order[k]));
        spar__json_end_array(json);
    }
    spar__json_end_array(json);
}

static void add_scale(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    spar__json_key(json, "one_scale");
    spar__json_begin_object(json);
    spar__json_add_number(json, "log_evidence_against", r->scale_evidence);
    spar__json_add_boolean(json, "fits", r->fits);
    spar__json_key(json, "cycle");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->n_cycle && i < SPAR__VERDICT_PAIRS; i++)
        spar__json_string(json, name_of(v, r->cycle[i]));
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void add_rest(const spar_standings *st, spar__json *json)
{
    double range[3];
    add_places(st, json);
    add_range("tie", spar_standings_tie(st, &range[0], &range[1], &range[2]), range, json);
    add_range("spread", spar_standings_spread(st, &range[0], &range[1], &range[2]), range, json);
}

void spar__standings_json(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    const spar_standings *st = r->standings;
    size_t *order = st ? spar__standings_order(r) : NULL, leader = spar_standings_leader(st);
    spar__json_key(json, "standings");
    if (!order) {
        json->out->failed |= st != NULL;
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_string(json, "method", r->approximate ? "approximate" : "sampled");
    spar__json_add_string(json, "approximate", r->approximate);
    spar__json_add_unsigned(json, "answers", spar_standings_answers(st));
    spar__json_add_string(json, "leader", leader == (size_t)-1 ? NULL : name_of(v, leader));
    add_options(st, v, order, json);
    add_before(st, order, json);
    add_rest(st, json);
    add_scale(r, v, json);
    spar__json_end_object(json);
    spar__free(order);
}

static void add_warning(const char *kind, const spar__buf *text, spar__json *json)
{
    json->out->failed |= text->failed;
    if (text->length)
        spar__verdict_json_warning(kind, text->text, json);
}

void spar__standings_json_warnings(const spar__standings_report *r, const spar__verdict_report *v, spar__json *json)
{
    spar__buf text = {0};
    spar__standings_say_places(r, v, &text);
    add_warning("places", &text, json);
    spar__buf_clear(&text);
    spar__standings_say_scale(r, v, &text);
    add_warning("not_one_scale", &text, json);
    spar__buf_free(&text);
}

/* How often each option would be chosen over the average one. */

enum { PLOTTED = 40, DETAIL = 64 };

static void fill_row(const spar_standings *st, const spar__verdict_report *v, size_t option, char detail[DETAIL],
                     spar__interval_row *row)
{
    double mean = 0, low = 0, high = 0, best = spar_standings_best(st, option);
    (void)spar_standings_strength(st, option, &mean, &low, &high);
    (void)snprintf(detail, DETAIL, "best with probability %.0f %%", 100 * best);
    *row = (spar__interval_row){.label = v->name[option],
                                .detail = detail,
                                .value = spar__logistic(mean),
                                .low = spar__logistic(low),
                                .high = spar__logistic(high),
                                .faint = spar_standings_group(st, option) > 0};
}

static void draw(const char *subtitle, size_t n, const spar__interval_row *row, spar__buf *out)
{
    spar__interval_figure figure = {
        .title = "Standings in a model of choices",
        .subtitle = subtitle,
        .x_label = "how often it would be chosen over the average option",
        .note = "Bars: each holds the value with probability 95 %, if the model is right and for one look. They are no "
                "rule for stopping.",
        .strong = "not separated from the first",
        .faint = "behind it",
        .n = n,
        .row = row};
    spar__plot_intervals(&figure, out);
}

spar_status spar__standings_plot(const spar__standings_report *r, const spar__verdict_report *v, const char *subtitle,
                                 spar__buf *out)
{
    size_t n = v->n < PLOTTED ? v->n : PLOTTED;
    size_t *order = spar__standings_order(r);
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    for (size_t i = 0; order && i < n && row && detail; i++)
        fill_row(r->standings, v, order[i], detail[i], &row[i]);
    if (order && row && detail)
        draw(subtitle, n, row, out);
    spar_status status = order && row && detail && !out->failed ? SPAR_OK : SPAR_NOMEM;
    spar__free(order);
    spar__free(row);
    spar__free(detail);
    return status;
}
