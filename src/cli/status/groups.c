/* Standings by group of items, for a terminal. */
#include "base/alloc.h"
#include "cli/status/status.h"
#include "cli/terminal.h"

#include <inttypes.h>

enum { GROUPS = 20, LISTED = 10, LINES = 100, ENOUGH = 10 }; /* ENOUGH: answers, as for all standings */

static void add_cells(const spar__group_report *group, size_t option, spar__text_table *table)
{
    double mean = 0, low = 0, high = 0;
    uint64_t shown = 0, chosen = 0;
    (void)spar_standings_strength(group->standings.standings, option, &mean, &low, &high);
    (void)spar_decision_record(group->has.decision, option, &shown, &chosen);
    spar__text_table_add(table, "%.2f", mean);
    spar__text_table_add(table, "%.2f to %.2f", low, high);
    spar__text_table_add(table, "%" PRIu64 " of %" PRIu64, chosen, shown);
}

static void add_table(const spar__group_report *group, const spar__verdict_report *v, spar__layout layout,
                      spar__buf *out)
{
    static const char *const head[] = {"option", "strength", "95 % interval", "chosen"};
    static const size_t drop[] = {2};
    spar__text_table table = {.columns = 4, .left = 1, .width = layout.width, .n_drop = 1, .drop = drop};
    size_t *order = spar__standings_order(&group->standings), others = sizeof "  strength  -1.23 to -0.12  100 of 100";
    out->failed |= !order;
    for (size_t i = 0; i < table.columns; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; order && i < v->n && i < LISTED; i++) {
        spar__verdict_add_name(v, order[i], layout.width, others, &table);
        add_cells(group, order[i], &table);
    }
    spar__text_table_print(&table, layout.styled, out);
    spar__text_table_free(&table);
    spar__free(order);
}

static void add_group(const spar__group_report *group, const spar__verdict_report *v, spar__layout layout,
                      spar__buf *out)
{
    spar__buf line = {0};
    spar__buf_add_printable(&line, group->none ? "without a group" : group->name ? group->name : "(removed)");
    spar__buf_adds(&line, ": ");
    spar__verdict_count(group->has.items, "item, ", "items, ", &line);
    spar__verdict_count(group->has.answers, "answer", "answers", &line);
    bool enough = group->standings.standings && group->has.answers >= ENOUGH;
    if (!enough && group->has.answers)
        spar__buf_adds(&line, "; standings are shown from 10 on");
    out->failed |= line.failed;
    spar__wrap(line.failed ? "" : line.text, layout.width, 2, 0, LINES, out);
    spar__buf_adds(out, "\n");
    spar__buf_free(&line);
    if (enough)
        add_table(group, v, layout, out);
}

void spar__item_groups_text(const spar__item_groups_report *r, const spar__verdict_report *v, spar__layout layout,
                            spar__buf *out)
{
    const char *words = r->why_not ? r->why_not
                                   : "each group of items alone, approximate; no decision is taken from parts of the "
                                     "answers";
    if (!r->n && !r->why_not)
        return;
    spar__buf_printf(out, "\n%sby group%s: ", layout.styled ? "\033[1m" : "", layout.styled ? "\033[0m" : "");
    spar__wrap(words, layout.width, 2, sizeof "by group: " - 1, LINES, out);
    spar__buf_adds(out, "\n");
    for (size_t g = 0; g < r->n && g < GROUPS; g++)
        add_group(&r->group[g], v, layout, out);
    if (r->n > GROUPS)
        spar__buf_printf(out, "and %zu groups more (--json has all)\n", r->n - GROUPS);
}
