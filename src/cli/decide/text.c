#include "base/number.h"
#include "cli/decide/decide.h"
#include "cli/table.h"

#include <inttypes.h>

enum { LISTED = 40 }; /* options */

static void add_number(double value, int places, spar__buf *out)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, places);
    spar__buf_adds(out, text);
}

static void add_heading(const char *text, bool styled, spar__buf *out)
{
    spar__buf_printf(out, "\n%s%s%s", styled ? "\033[1m" : "", text, styled ? "\033[0m" : "");
}

static void add_count(uint64_t count, const char *one, const char *many, spar__buf *out)
{
    spar__buf_printf(out, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

/* '40 votes on 4 options: 3 ties, 1 skipped'. */
static void add_summary(const spar__decide_report *r, spar__buf *out)
{
    const char *before = ": ";
    uint64_t skipped = spar_decision_skipped(r->decision);
    add_count(r->total, "vote on ", "votes on ", out);
    add_count(r->votes.options.n, "option", "options", out);
    struct {
        uint64_t count;
        const char *one, *many;
    } const part[] = {{r->ties, "tie", "ties"}, {r->bad, "both bad", "both bad"}, {skipped, "skipped", "skipped"}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].count) {
            spar__buf_adds(out, before);
            add_count(part[i].count, part[i].one, part[i].many, out);
            before = ", ";
        }
    spar__buf_adds(out, "\n");
}

static void add_notes(const spar__decide_report *r, spar__buf *out)
{
    if (r->settings.first_only)
        spar__buf_adds(out, "of each voter only the first vote on each pair counts\n");
    if (r->votes.unranked)
        spar__buf_printf(out, "%" PRIu64 " voters left options out; these count as behind all that they ranked\n",
                         r->votes.unranked);
}

static void add_options(const spar__decide_report *r, bool styled, spar__buf *out)
{
    size_t n = r->votes.options.n;
    spar__text_table table = {.columns = 3, .left = 3};
    spar__text_table_add(&table, "option");
    spar__text_table_add(&table, "record");
    spar__text_table_add(&table, "in the running");
    for (size_t i = 0; i < n && i < LISTED; i++) {
        uint64_t shown = 0, chosen = 0;
        (void)spar_decision_record(r->decision, r->order[i], &shown, &chosen);
        spar__text_table_add(&table, "%s", r->name[r->order[i]]);
        if (shown)
            spar__text_table_add(&table, "chosen %" PRIu64 " of %" PRIu64, chosen, shown);
        else
            spar__text_table_add(&table, "never shown");
        spar__text_table_add(&table, "%s", spar_decision_in_running(r->decision, r->order[i]) ? "yes" : "no");
    }
    spar__buf_adds(out, "\n");
    spar__text_table_print(&table, styled, out);
    if (n > LISTED)
        spar__buf_printf(out, "and %zu more (--json has all)\n", n - LISTED);
    spar__text_table_free(&table);
}

static void add_closest(const spar__decide_report *r, bool styled, spar__buf *out)
{
    if (!r->closest.n)
        return;
    add_heading("closest pairs", styled, out);
    spar__buf_adds(out, ": how often the first came before the second, with ");
    add_number(100 * (1 - r->settings.delta), 4, out);
    spar__buf_adds(out, " % intervals for all pairs at once\n");
    for (size_t i = 0; i < r->closest.n; i++) {
        size_t a = r->closest.a[i], b = r->closest.b[i];
        double before = 0, behind = 0, ties = 0, low = 0, high = 1;
        (void)spar_decision_pair(r->decision, a, b, &before, &behind, &ties);
        (void)spar_decision_interval(r->decision, a, b, 0, &low, &high);
        spar__buf_printf(out, "  %s, %s: ", r->name[a], r->name[b]);
        add_number(before, 2, out);
        spar__buf_adds(out, " of ");
        add_number(before + behind, 2, out);
        spar__buf_adds(out, ", ");
        add_number(100 * before / (before + behind), 0, out);
        spar__buf_adds(out, " % (");
        add_number(100 * low, 0, out);
        spar__buf_adds(out, " to ");
        add_number(100 * high, 0, out);
        spar__buf_adds(out, " %)");
        if (ties > 0) {
            spar__buf_adds(out, ", and level ");
            add_number(ties, 2, out);
            spar__buf_adds(out, ties == 1 ? " time" : " times");
        }
        spar__buf_adds(out, "\n");
    }
}

static void add_next(const spar__decide_report *r, bool styled, spar__buf *out)
{
    if (!r->next.n)
        return;
    add_heading("ask next", styled, out);
    spar__buf_adds(out, ": the pairs that hold up the decision\n");
    for (size_t i = 0; i < r->next.n; i++)
        spar__buf_printf(out, "  %s or %s\n", r->name[r->next.a[i]], r->name[r->next.b[i]]);
}

static void add_warnings(const spar__decide_report *r, bool styled, spar__buf *out)
{
    const char *head = styled ? "\033[1mwarning\033[0m" : "warning", *space = "\n";
    for (int w = 0; w < SPAR_WARNINGS; w++)
        if (r->warning[w]) {
            spar__buf_printf(out, "%s%s: %s\n", space, head, r->warning[w]);
            space = "";
        }
    if (r->sorted)
        spar__buf_printf(out, "%s%s: equal outcomes stand together, as in a sorted file: only the totals are used\n",
                         space, head);
}

void spar__decide_text(const spar__decide_report *r, bool styled, spar__buf *out)
{
    spar__buf_printf(out, "%s%s%s\n\n", styled ? "\033[1m" : "", r->sentence, styled ? "\033[0m" : "");
    add_summary(r, out);
    add_notes(r, out);
    if (r->votes.options.n)
        add_options(r, styled, out);
    if (r->standings)
        spar__decide_standings_text(r, styled, out);
    add_closest(r, styled, out);
    add_next(r, styled, out);
    add_warnings(r, styled, out);
}
