#include "report/standings.h"

#include "base/alloc.h"
#include "decide/decide.h"
#include "num/elementary.h"

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
