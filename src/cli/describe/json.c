#include "cli/describe/describe.h"

#include "text/json.h"

#include <math.h>

static void add_arms(spar__json *json, const char *key, const spar__arm_list *list)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < list->count; i++)
        spar__json_unsigned(json, list->arm[i]);
    spar__json_end_array(json);
}

static void add_names(spar__json *json, const spar__description *d)
{
    spar__json_key(json, "names");
    if (!d->name) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        spar__json_string(json, d->name[i]);
    spar__json_end_array(json);
}

static void add_options(spar__json *json, const spar__description *d, const char *key,
                        bool (*is_one)(const spar__description *, size_t))
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        if (is_one(d, i))
            spar__json_unsigned(json, i);
    spar__json_end_array(json);
}

static bool in_running(const spar__description *d, size_t option)
{
    return spar_decision_in_running(d->decision, option);
}

static bool has_no_vote(const spar__description *d, size_t option)
{
    return !spar__describe_voted(d, option);
}

static void add_pair(spar__json *json, const spar__description *d, size_t a, size_t b)
{
    double before = 0, behind = 0, low = 0, high = 1;
    (void)spar_decision_pair(d->decision, a, b, &before, &behind, NULL);
    (void)spar_decision_interval(d->decision, a, b, 0, &low, &high);
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "a", a);
    spar__json_add_unsigned(json, "b", b);
    spar__json_add_number(json, "won", before);
    spar__json_add_number(json, "lost", behind);
    spar__json_add_number(json, "low", low);
    spar__json_add_number(json, "high", high);
    spar__json_end_object(json);
}

/* What counts show: the verdict, who cannot be told apart, and every pair that has votes with its interval. */
static void add_sure(spar__json *json, const spar__description *d)
{
    spar__json_key(json, "sure");
    if (!d->decision) {
        spar__json_null(json);
        return;
    }
    size_t leader = spar_decision_leader(d->decision);
    spar__json_begin_object(json);
    spar__json_add_number(json, "delta", 0.05);
    spar__json_add_string(json, "verdict", spar_verdict_name(spar_decision_verdict(d->decision)));
    if (leader < d->n)
        spar__json_add_unsigned(json, "leader", leader);
    else
        spar__json_add_null(json, "leader");
    add_options(json, d, "not_told_apart", in_running);
    add_options(json, d, "without_votes", has_no_vote);
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = i + 1; j < d->n; j++)
            if (spar__describe_compared(d, i, j))
                add_pair(json, d, i, j);
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void add_winners(spar__json *json, const spar__prefer_report *r)
{
    if (r->has_condorcet)
        spar__json_add_unsigned(json, "condorcet", r->condorcet);
    else
        spar__json_add_null(json, "condorcet");
    spar__json_add_number(json, "condorcet_gap", r->has_condorcet ? r->condorcet_gap : NAN); /* NaN: null */
    spar__json_key(json, "copeland");
    spar__json_begin_object(json);
    add_arms(json, "arms", &r->copeland);
    spar__json_add_unsigned(json, "score", r->copeland_score);
    spar__json_end_object(json);
    spar__json_key(json, "borda");
    spar__json_begin_object(json);
    add_arms(json, "arms", &r->borda);
    spar__json_add_number(json, "score", r->borda_score);
    spar__json_end_object(json);
    spar__json_key(json, "von_neumann");
    spar__json_begin_object(json);
    add_arms(json, "arms", &r->von_neumann_support);
    spar__json_key(json, "weights");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->von_neumann_support.count; i++)
        spar__json_number(json, r->von_neumann[r->von_neumann_support.arm[i]]);
    spar__json_end_array(json);
    spar__json_add_number(json, "exploitability", r->exploitability);
    spar__json_end_object(json);
    add_arms(json, "top_cycle", &r->top_cycle);
    if (r->has_order)
        add_arms(json, "order", &r->order);
    else
        spar__json_add_null(json, "order");
}

static void add_law(spar__json *json, const char *key, const spar__violations *broken)
{
    spar__json_key(json, key);
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "violations", broken->count);
    spar__json_add_number(json, "worst", broken->worst);
    spar__json_end_object(json);
}

static void add_transitivity(spar__json *json, const spar__transitivity *t)
{
    spar__json_key(json, "transitivity");
    if (t->skipped) {
        spar__json_null(json);
        return;
    }
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "chains", t->chains);
    spar__json_add_unsigned(json, "triples", t->triples);
    add_law(json, "weak", &t->weak);
    add_law(json, "strong", &t->strong);
    add_law(json, "triangle", &t->triangle);
    spar__json_add_number(json, "linearity", t->has_linearity ? t->linearity : NAN);
    spar__json_add_number(json, "relaxed", t->has_relaxed ? t->relaxed : NAN);
    spar__json_add_number(json, "relaxed_all", t->relaxed_all);
    spar__json_end_object(json);
}

void spar__describe_json(const spar__description *d, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "source", d->source);
    if (d->note)
        spar__json_add_string(&json, "note", d->note);
    spar__json_add_unsigned(&json, "arms", d->n);
    add_names(&json, d);
    spar__json_add_number(&json, "smallest_gap", d->smallest_gap);
    if (d->counts)
        add_sure(&json, d);
    add_winners(&json, &d->report);
    add_transitivity(&json, &d->report.transitivity);
    spar__json_key(&json, "assume");
    spar__json_begin_object(&json);
    spar__assumption assumptions[SPAR__ASSUMPTIONS];
    spar__describe_assumptions(&d->report, assumptions);
    for (size_t i = 0; i < SPAR__ASSUMPTIONS; i++)
        spar__json_add_boolean(&json, assumptions[i].key, assumptions[i].holds);
    spar__json_end_object(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
