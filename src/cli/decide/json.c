#include "cli/decide/decide.h"

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
    spar__json_add_unsigned(json, "named_voters", r->voters);
}

static void add_warnings(const spar__decide_report *r, spar__json *json)
{
    spar__json_key(json, "warnings");
    spar__json_begin_array(json);
    spar__verdict_json_warnings(&r->verdict, json);
    spar__standings_json_warnings(&r->standings, &r->verdict, json);
    if (r->sorted)
        spar__verdict_json_warning("sorted", spar__decide_sorted, json);
    spar__json_end_array(json);
}

void spar__decide_json(const spar__decide_report *r, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__verdict_report verdict = r->verdict;
    if (r->id) { /* as status has it: the id, and the title beside it */
        verdict.title = verdict.option;
        verdict.option = r->id;
    }
    spar__json_begin_object(&json);
    spar__verdict_json_head(&verdict, &json);
    add_settings(r, &json);
    add_counts(r, &json);
    spar__verdict_json_options(&verdict, &json);
    spar__verdict_json_pairs(&verdict, &json);
    add_warnings(r, &json);
    spar__verdict_json_all_pairs(&verdict, &json);
    spar__standings_json(&r->standings, &verdict, &json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
