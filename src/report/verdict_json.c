#include "decide/decide.h"
#include "report/verdict.h"

static const char *name_of(const spar__verdict_report *v, size_t option)
{
    return option == SPAR_NO_OPTION ? NULL : v->option(v->context, option);
}

void spar__verdict_json_head(const spar__verdict_report *v, spar__json *json)
{
    spar__json_add_string(json, "verdict",
                          v->verdict ? v->verdict : spar_verdict_name(spar_decision_verdict(v->decision)));
    spar__json_add_string(json, "sentence", v->sentence);
    spar__json_add_string(json, "leader", name_of(v, v->leader));
}

void spar__verdict_json_options(const spar__verdict_report *v, spar__json *json)
{
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t i = 0; i < v->n; i++) {
        uint64_t shown = 0, chosen = 0;
        size_t option = v->order[i];
        const spar__option_evidence *o = &v->decision->evidence.option[option];
        (void)spar_decision_record(v->decision, option, &shown, &chosen);
        spar__json_begin_object(json);
        spar__json_add_string(json, "name", name_of(v, option));
        if (v->title)
            spar__json_add_string(json, "title", v->title(v->context, option));
        if (!spar_decision_is_live(v->decision, option))
            spar__json_add_boolean(json, "retired", true);
        spar__json_add_boolean(json, "in_running", spar_decision_in_running(v->decision, option));
        spar__json_add_unsigned(json, "shown", shown);
        spar__json_add_unsigned(json, "chosen", chosen);
        spar__json_add_number(json, "pairs_won", o->won);
        spar__json_add_number(json, "pairs_lost", o->lost);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}

static void add_pair(const spar__verdict_report *v, size_t a, size_t b, bool interval, spar__json *json)
{
    double before = 0, behind = 0, ties = 0, low = 0, high = 1;
    (void)spar_decision_pair(v->decision, a, b, &before, &behind, &ties);
    spar__json_begin_object(json);
    spar__json_add_string(json, "a", name_of(v, a));
    spar__json_add_string(json, "b", name_of(v, b));
    spar__json_add_number(json, "before", before);
    spar__json_add_number(json, "behind", behind);
    spar__json_add_number(json, "ties", ties);
    if (interval) {
        (void)spar_decision_interval(v->decision, a, b, 0, &low, &high);
        spar__json_add_number(json, "low", low);
        spar__json_add_number(json, "high", high);
    }
    spar__json_end_object(json);
}

static void add_listed(const spar__verdict_report *v, const char *key, const spar__verdict_pairs *pairs,
                       spar__json *json)
{
    spar__json_key(json, key);
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->n; i++)
        add_pair(v, pairs->a[i], pairs->b[i], true, json);
    spar__json_end_array(json);
}

void spar__verdict_json_pairs(const spar__verdict_report *v, spar__json *json)
{
    add_listed(v, "closest", &v->closest, json);
    add_listed(v, "next", &v->next, json);
}

/* Every pair that an answer was about. */
void spar__verdict_json_all_pairs(const spar__verdict_report *v, spar__json *json)
{
    const spar__pair_table *pairs = &v->decision->evidence.pairs;
    spar__json_key(json, "pairs");
    spar__json_begin_array(json);
    for (size_t i = 0; i < pairs->count; i++)
        add_pair(v, pairs->row[i].a, pairs->row[i].b, false, json);
    spar__json_end_array(json);
}

void spar__verdict_json_warning(const char *kind, const char *text, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "kind", kind);
    spar__json_add_string(json, "text", text);
    spar__json_end_object(json);
}

void spar__verdict_json_warnings(const spar__verdict_report *v, spar__json *json)
{
    static const char *const kind[SPAR_WARNINGS] = {"few_voters",  "one_voter",    "one_item",
                                                    "never_shown", "disconnected", "no_scale"};
    for (int w = 0; w < SPAR_WARNINGS; w++)
        if (v->warning[w])
            spar__verdict_json_warning(kind[w], v->warning[w], json);
}
