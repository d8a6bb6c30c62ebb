#include "cli/decide/decide.h"

#include "base/buf.h"

#include <inttypes.h>

const char spar__decide_sorted[] = "equal outcomes stand together, as in a sorted file: only the totals are used";

/* '40 votes on 4 options: 3 ties, 1 skipped'. */
static void add_summary(const spar__decide_report *r, spar__buf *out)
{
    const char *before = ": ";
    uint64_t skipped = spar_decision_skipped(r->decision);
    spar__verdict_count(r->total, r->verdict.unit, r->verdict.units, out);
    spar__buf_adds(out, " on ");
    spar__verdict_count(r->verdict.n, "option", "options", out);
    struct {
        uint64_t count;
        const char *one, *many;
    } const part[] = {{r->ties, "tie", "ties"},
                      {r->bad, r->log ? "bad" : "both bad", r->log ? "bad" : "both bad"},
                      {skipped, "skipped", "skipped"}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].count) {
            spar__buf_adds(out, before);
            spar__verdict_count(part[i].count, part[i].one, part[i].many, out);
            before = ", ";
        }
    spar__buf_adds(out, "\n");
}

static void add_notes(const spar__decide_report *r, spar__buf *out)
{
    if (r->settings.first_only)
        spar__buf_adds(out, "of each voter only the first vote on each pair counts\n");
    if (r->votes.unranked)
        spar__buf_printf(out, "%" PRIu64 " voter%s left options out; these count as behind all that they ranked\n",
                         r->votes.unranked, spar__plural(r->votes.unranked));
}

void spar__decide_text(const spar__decide_report *r, spar__layout layout, spar__buf *out)
{
    spar__verdict_sentence(&r->verdict, layout, out);
    add_summary(r, out);
    add_notes(r, out);
    spar__verdict_options(&r->verdict, layout, out);
    spar__standings_text(&r->standings, &r->verdict, layout, out);
    spar__verdict_closest(&r->verdict, layout, out);
    spar__verdict_next(&r->verdict, layout, out);
    spar__verdict_warnings(&r->verdict, &r->standings, r->sorted ? spar__decide_sorted : NULL, layout, out);
}
