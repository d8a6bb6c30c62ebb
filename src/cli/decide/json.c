#include "text/json.h"
#include "cli/decide/decide.h"
#include "decide/decide.h"

static const char *name_of(const spar__decide_report *r, size_t option)
{
    return option == SPAR_NO_OPTION ? NULL : spar__names_at(&r->votes.options, option);
}

static void add_settings(const spar__decide_report *r, spar__json *json)
{
    spar__json_add_string(json, "source", r->source);
    spar__json_add_string(json, "form", r->form);
    spar__json_add_number(json, "delta", r->settings.delta);
    spar__json_add_number(json, "eps", r->settings.eps);
    spar__json_add_string(json, "voters", r->settings.first_only ? "first" : "all");
    spar__json_add_boolean(json, "ordered", !r->settings.unordered);
}

static void add_counts(const spar__decide_report *r, spar__json *json)
{
    spar__json_add_unsigned(json, "votes", r->total);
    spar__json_add_unsigned(json, "answers", spar_decision_answers(r->decision));
    spar__json_add_unsigned(json, "skipped", spar_decision_skipped(r->decision));
    spar__json_add_unsigned(json, "ties", r->ties);
    spar__json_add_unsigned(json, "both_bad", r->bad);
    spar__json_add_unsigned(json, "left_out", r->votes.unranked);
    spar__json_add_unsigned(json, "named_voters", r->votes.voters.n);
}

static void add_options(const spar__decide_report *r, spar__json *json)
{
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < r->votes.options.n; i++) {
        uint64_t shown = 0, chosen = 0;
        size_t option = r->order[i];
        const spar__option_evidence *o = &r->decision->evidence.option[option];
        (void)spar_decision_record(r->decision, option, &shown, &chosen);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", name_of(r, option));
        spar__json_add_boolean(json, "in_running", spar_decision_in_running(r->decision, option));
        spar__json_add_unsigned(json, "shown", shown);
        spar__json_add_unsigned(json, "chosen", chosen);
        spar__json_add_number(json, "pairs_won", o->won);
        spar__json_add_number(json, "pairs_lost", o->lost);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_pair(const spar__decide_report *r, size_t a, size_t b, bool interval, spar__json *json)
{
    double before = 0, behind = 0, ties = 0, low = 0, high = 1;
    (void)spar_decision_pair(r->decision, a, b, &before, &behind, &ties);
    spar__json_begin_object(json);
    spar__json_add_string(json, "a", name_of(r, a));
    spar__json_add_string(json, "b", name_of(r, b));
    spar__json_add_number(json, "before", before);
    spar__json_add_number(json, "behind", behind);
    spar__json_add_number(json, "ties", ties);
    if (interval) {
        (void)spar_decision_interval(r->decision, a, b, 0, &low, &high);
        spar__json_add_number(json, "low", low);
        spar__json_add_number(json, "high", high);
    }
    spar__json_end_object(json);
}

static void add_listed(const spar__decide_report *r, const char *key, const spar__decide_pairs *pairs, spar__json *json)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->n; i++)
        add_pair(r, pairs->a[i], pairs->b[i], true, json);
    spar__json_end_array(json);
}

/* Every pair that a vote was about. */
static void add_pairs(const spar__decide_report *r, spar__json *json)
{
    const spar__pair_table *pairs = &r->decision->evidence.pairs;
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->count; i++)
        add_pair(r, pairs->row[i].a, pairs->row[i].b, false, json);
    spar__json_end_array(json);
}

static void add_warning(const char *kind, const char *text, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "kind", kind);
    spar__json_add_string(json, "text", text);
    spar__json_end_object(json);
}

static void add_warnings(const spar__decide_report *r, spar__json *json)
{
    static const char *const kind[SPAR_WARNINGS] = {"few_voters",  "one_voter",    "one_item",
                                                    "never_shown", "disconnected", "no_scale"};
    spar__json_key(json, "warnings");
    spar__json_begin_array(json);
    for (int w = 0; w < SPAR_WARNINGS; w++)
        if (r->warning[w])
            add_warning(kind[w], r->warning[w], json);
    if (r->sorted)
        add_warning("sorted", "equal outcomes stand together, as in a sorted file: only the totals are used", json);
    spar__json_end_array(json);
}

void spar__decide_json(const spar__decide_report *r, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "verdict", spar_verdict_name(spar_decision_verdict(r->decision)));
    spar__json_add_string(&json, "sentence", r->sentence);
    spar__json_add_string(&json, "leader", name_of(r, r->leader));
    add_settings(r, &json);
    add_counts(r, &json);
    add_options(r, &json);
    add_listed(r, "closest", &r->closest, &json);
    add_listed(r, "next", &r->next, &json);
    add_warnings(r, &json);
    add_pairs(r, &json);
    if (r->standings)
        spar__decide_standings_json(r, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
