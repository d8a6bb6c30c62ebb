#include "base/alloc.h"
#include "num/elementary.h"
#include "report/view.h"

enum { GROUPS = 24, ROWS = 12, ENOUGH = 10 }; /* ENOUGH: answers, as for all standings */

static void add_row(const spar__view *view, const spar__group_report *group, size_t option, spar__json *json)
{
    double mean = 0, low = 0, high = 0;
    uint64_t shown = 0, chosen = 0;
    (void)spar_standings_strength(group->standings.standings, option, &mean, &low, &high);
    (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
    spar__json_begin_object(json);
    spar__json_add_string(json, "title", view->report->verdict.name[option]);
    spar__view_percent("percent", spar__logistic(mean), json);
    spar__view_percent("low", spar__logistic(low), json);
    spar__view_percent("high", spar__logistic(high), json);
    spar__json_add_unsigned(json, "shown", shown);
    spar__json_add_unsigned(json, "chosen", chosen);
    spar__json_end_object(json);
}

static void add_rows(const spar__view *view, const spar__group_report *group, spar__json *json)
{
    bool enough = group->standings.standings && group->has.answers >= ENOUGH;
    size_t *order = enough ? spar__standings_order(&group->standings) : NULL;
    json->out->failed |= enough && !order;
    spar__json_add_boolean(json, "enough", enough);
    spar__json_key(json, "rows");
    spar__json_begin_array(json);
    for (size_t i = 0; order && i < view->report->n && i < ROWS; i++)
        add_row(view, group, order[i], json);
    spar__json_end_array(json);
    spar__free(order);
}

void spar__view_groups(const spar__view *view, spar__json *json)
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
        add_rows(view, group, json);
        spar__json_end_object(json);
    }
    spar__json_end_array(json);
}
