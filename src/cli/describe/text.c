#include "cli/describe/describe.h"
#include "cli/terminal.h"

#include "base/number.h"

enum { LISTED = 8 }; /* at most this many arms are named */

void spar__describe_assumptions(const spar__prefer_report *report, spar__assumption out[SPAR__ASSUMPTIONS])
{
    const spar__transitivity *t = &report->transitivity;
    bool known = !t->skipped;
    const spar__assumption all[SPAR__ASSUMPTIONS] = {
        {"condorcet", "a Condorcet winner (most policies)", report->has_condorcet},
        {"total_order", "a total order (interleaved_filter)", report->has_order},
        {"strong_transitivity", "strong stochastic transitivity (interleaved_filter)", known && !t->strong.count},
        {"triangle_inequality", "the stochastic triangle inequality (interleaved_filter, beat_the_mean)",
         known && !t->triangle.count},
        {"relaxed_transitivity", "relaxed transitivity (beat_the_mean)", known && t->has_relaxed},
        {"approximate_linearity", "approximate linearity (self_sparring)",
         known && t->has_linearity && t->linearity > 0},
    };
    for (size_t i = 0; i < SPAR__ASSUMPTIONS; i++)
        out[i] = all[i];
}

static void add_number(double value, spar__buf *out)
{
    char text[SPAR__NUMBER_SIZE];
    (void)spar__number_print_fixed(text, value, 4);
    spar__buf_adds(out, text);
}

static void add_name(const char *name, spar__buf *out)
{
    spar__buf_adds(out, " (");
    spar__buf_add_printable(out, name);
    spar__buf_adds(out, ")");
}

static void add_arm(const spar__description *d, size_t arm, spar__buf *out)
{
    spar__buf_printf(out, "%zu", arm);
    if (d->name && d->name[arm])
        add_name(d->name[arm], out);
}

static void add_arms(const spar__description *d, const spar__arm_list *list, const char *between, spar__buf *out)
{
    for (size_t i = 0; i < list->count && i < LISTED; i++) {
        spar__buf_adds(out, i ? between : "");
        add_arm(d, list->arm[i], out);
    }
    if (list->count > LISTED)
        spar__buf_printf(out, " and %zu more", list->count - LISTED);
}

static void add_heading(const char *text, bool styled, spar__buf *out)
{
    spar__buf_printf(out, "\n%s%s%s\n", styled ? "\033[1m" : "", text, styled ? "\033[0m" : "");
}

static void add_line(const char *name, spar__buf *out)
{
    spar__buf_printf(out, "  %-20s ", name);
}

static void add_von_neumann(const spar__description *d, spar__buf *out)
{
    const spar__arm_list *support = &d->report.von_neumann_support;
    add_line("von Neumann", out);
    for (size_t i = 0; i < support->count && i < LISTED; i++) {
        spar__buf_adds(out, i ? ", " : "");
        add_arm(d, support->arm[i], out);
        if (support->count > 1) {
            spar__buf_adds(out, " with ");
            add_number(d->report.von_neumann[support->arm[i]], out);
        }
    }
    if (support->count > LISTED)
        spar__buf_printf(out, " and %zu more", support->count - LISTED);
    spar__buf_adds(out, "\n");
}

static void add_winners(const spar__description *d, spar__buf *out)
{
    const spar__prefer_report *r = &d->report;
    add_line("Condorcet", out);
    if (r->has_condorcet) {
        add_arm(d, r->condorcet, out);
        spar__buf_adds(out, ", by at least ");
        add_number(r->condorcet_gap, out);
    } else {
        spar__buf_adds(out, "none: no arm beats all others");
    }
    spar__buf_adds(out, "\n");
    add_line("Copeland", out);
    add_arms(d, &r->copeland, ", ", out);
    spar__buf_printf(out, ", beating %zu of %zu\n", r->copeland_score, d->n - 1);
    add_line("Borda", out);
    add_arms(d, &r->borda, ", ", out);
    spar__buf_adds(out, ", winning ");
    add_number(r->borda_score, out);
    spar__buf_adds(out, " of its duels\n");
    add_von_neumann(d, out);
    add_line("top cycle", out);
    add_arms(d, &r->top_cycle, ", ", out);
    spar__buf_adds(out, "\n");
    add_line("order", out);
    if (r->has_order)
        add_arms(d, &r->order, " > ", out);
    else
        spar__buf_adds(out, "none: some arms tie or go in circles");
    spar__buf_adds(out, "\n");
}

static void add_law(const char *name, const spar__violations *broken, size_t of, const char *what, spar__buf *out)
{
    const char *plural = of == 1 ? "" : "s";
    add_line(name, out);
    if (broken->count) {
        spar__buf_printf(out, "broken by %zu of %zu %s%s, at worst by ", broken->count, of, what, plural);
        add_number(broken->worst, out);
    } else if (of) {
        spar__buf_printf(out, "holds (%zu %s%s)", of, what, plural);
    } else {
        spar__buf_printf(out, "holds, as there are no %ss", what);
    }
    spar__buf_adds(out, "\n");
}

static void add_gamma(const char *name, bool exists, double value, const char *without, spar__buf *out)
{
    add_line(name, out);
    if (exists)
        add_number(value, out);
    else
        spar__buf_adds(out, without);
    spar__buf_adds(out, "\n");
}

static void add_transitivity(const spar__transitivity *t, spar__buf *out)
{
    if (t->skipped) {
        spar__buf_printf(out, "  not measured: more than %d arms\n", SPAR__TRIPLES_MAX_ARMS);
        return;
    }
    add_law("weak", &t->weak, t->chains, "chain", out);
    add_law("strong", &t->strong, t->chains, "chain", out);
    add_law("triangle inequality", &t->triangle, t->triples, "triple", out);
    add_gamma("linearity gamma", t->has_linearity, t->linearity, "none: no three arms in strict order", out);
    add_gamma("relaxed gamma", t->has_relaxed, t->relaxed, "none: no Condorcet winner", out);
}

void spar__describe_text(const spar__description *d, bool styled, spar__buf *out)
{
    size_t start = out->length;
    spar__buf_add_printable(out, d->source);
    spar__buf_printf(out, ": %zu arm%s, smallest gap ", d->n, d->n == 1 ? "" : "s");
    add_number(d->smallest_gap, out);
    spar__buf_adds(out, "\n");
    if (d->note) {
        spar__buf_add_printable(out, d->note);
        spar__buf_adds(out, "\n");
    }
    if (d->counts) {
        add_heading("how sure: error at most 5 %, intervals for all pairs at once ('spar decide' says more)", styled,
                    out);
        spar__describe_sure(d, out);
    }
    add_heading(d->counts ? "winners, if the shares of the votes were exact and pairs without votes even" : "winners",
                styled, out);
    add_winners(d, out);
    add_heading("transitivity", styled, out);
    add_transitivity(&d->report.transitivity, out);
    add_heading("what a policy may assume", styled, out);
    spar__assumption assumptions[SPAR__ASSUMPTIONS];
    spar__describe_assumptions(&d->report, assumptions);
    for (size_t i = 0; i < SPAR__ASSUMPTIONS; i++)
        spar__buf_printf(out, "  %-3s  %s\n", assumptions[i].holds ? "yes" : "no", assumptions[i].text);
    spar__fit(out, start, spar__output_width());
}
