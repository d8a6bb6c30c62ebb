#include "report/item_groups.h"

#include "base/alloc.h"

static const double DELTA = 0.05;

/* Names, and standings where a group has answers that compare options. */
static spar_status fill(spar_experiment *experiment, spar__item_groups_report *r, spar__group_answers *has,
                        spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t g = 0; g < r->n; g++) { /* all first: they are then freed with the report */
        r->group[g].has = has[g];
        r->group[g].none = g + 1 == r->n;
        r->group[g].standings.standings = has[g].standings;
        r->group[g].has.standings = NULL;
    }
    for (size_t g = 0; g < r->n && !status; g++) {
        if (!r->group[g].none)
            status = spar__live_group_name(experiment, g, &r->group[g].name, err);
        if (!status)
            status = spar__standings_look(&r->group[g].standings, SPAR__STANDINGS_APPROXIMATE, DELTA, err);
    }
    const spar__group_report *last = &r->group[r->n - 1];
    if (!status && r->n > 1 && !last->has.items && !last->has.answers)
        spar__group_answers_free(&r->group[--r->n].has); /* everything has a group */
    return status;
}

spar_status spar__item_groups_look(spar_experiment *experiment, bool without_flagged, spar__item_groups_report *r,
                                   spar_error *err)
{
    *r = (spar__item_groups_report){0};
    if (!spar_experiment_items(experiment))
        return SPAR_OK;
    if (spar__live_group_count(experiment) > SPAR__MOST_GROUPS) {
        r->why_not = "left out: there are more than 100 groups";
        return SPAR_OK;
    }
    size_t n = spar__live_group_count(experiment) + 1;
    spar__group_answers *has = spar__alloc(n, sizeof *has);
    r->group = spar__alloc(n, sizeof *r->group);
    spar_status status =
        has && r->group ? spar__live_groups(experiment, without_flagged, has, err) : spar__fail_memory(err);
    if (!status) {
        r->n = n;
        status = fill(experiment, r, has, err);
    }
    spar__free(has);
    if (status)
        spar__item_groups_free(r);
    return status;
}

void spar__item_groups_free(spar__item_groups_report *r)
{
    for (size_t g = 0; g < r->n; g++) {
        spar_text_free(r->group[g].name);
        spar__group_answers_free(&r->group[g].has);
        spar__standings_report_free(&r->group[g].standings);
    }
    spar__free(r->group);
    *r = (spar__item_groups_report){0};
}

static void add_option(const spar__group_report *group, const spar__verdict_report *v, size_t option, spar__json *json)
{
    const spar_standings *st = group->standings.standings;
    uint64_t shown = 0, chosen = 0;
    double mean = 0, low = 0, high = 0;
    (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", v->option(v->context, option));
    spar__json_add_unsigned(json, "shown", shown);
    spar__json_add_unsigned(json, "chosen", chosen);
    if (st && !spar_standings_strength(st, option, &mean, &low, &high)) {
        spar__json_add_number(json, "strength", mean);
        spar__json_add_number(json, "low", low);
        spar__json_add_number(json, "high", high);
    }
    spar__json_end_object(json);
}

static void add_group(const spar__group_report *group, const spar__verdict_report *v, spar__json *json)
{
    size_t leader = spar_standings_leader(group->standings.standings);
    spar__json_begin_object(json);
    spar__json_add_string(json, "group", group->name);
    spar__json_add_unsigned(json, "items", group->has.items);
    spar__json_add_unsigned(json, "answers", group->has.answers);
    spar__json_add_string(json, "leader",
                          group->standings.standings && leader != (size_t)-1 ? v->option(v->context, leader) : NULL);
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (size_t option = 0; option < v->n; option++)
        add_option(group, v, option, json);
    spar__json_end_array(json);
    spar__json_end_object(json);
}

void spar__item_groups_json(const spar__item_groups_report *r, const spar__verdict_report *v, spar__json *json)
{
    uint64_t items = 0;
    if (r->why_not)
        spar__json_add_null(json, "by_group");
    if (!r->n)
        return;
    for (size_t g = 0; g < r->n; g++)
        items += r->group[g].has.items;
    spar__json_add_unsigned(json, "items", items);
    spar__json_key(json, "by_group");
    spar__json_begin_array(json);
    for (size_t g = 0; g < r->n; g++)
        add_group(&r->group[g], v, json);
    spar__json_end_array(json);
}
