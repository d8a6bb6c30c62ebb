#include "cli/rank/rank.h"

#include "base/alloc.h"
#include "base/number.h"
#include "base/utf8.h"
#include "cli/progress.h"
#include "cli/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 10 }; /* rankers in the table */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Why a matrix file cannot hold this name; NULL if it can. */
static const char *fault_of(const char *name)
{
    const char *end;
    if (strpbrk(name, ",#"))
        return "has a comma or #";
    if (spar__printable(NULL, 0, name, strlen(name)) != strlen(name))
        return "has control characters or bytes that are no UTF-8";
    (void)spar__scan_double(name, &end);
    return *end ? NULL : "is a number";
}

spar_status spar__rank_check_names(const spar__queries *queries, const char *file, spar_error *err)
{
    size_t n = spar__queries_rankers(queries);
    const char **sorted = spar__alloc(n, sizeof *sorted);
    if (!sorted)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        sorted[i] = spar__queries_name(queries, i);
        const char *fault = fault_of(sorted[i]);
        if (fault)
            status = spar__fail(err, SPAR_INVALID, "%.200s: the name '%.80s' %s, which a matrix file cannot have", file,
                                sorted[i], fault);
    }
    if (!status)
        qsort(sorted, n, sizeof *sorted, compare_names);
    for (size_t i = 1; !status && i < n; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = spar__fail(err, SPAR_INVALID, "%.200s: the name '%.80s' is given twice", file, sorted[i]);
    spar__free(sorted);
    return status;
}

static const char *name_of(const spar__rank_result *r, size_t ranker)
{
    return spar__queries_name(r->work->lists.queries, ranker);
}

/* How the numbers were made, without a line break. */
static void add_origin(const spar__rank_result *r, spar__buf *out)
{
    const spar__rank_work *work = r->work;
    size_t all = spar__queries_count(work->lists.queries);
    spar__buf_printf(out, "%zu ranker%s, ", r->n, r->n == 1 ? "" : "s");
    if (work->tally->queries < all)
        spar__buf_printf(out, "%" PRIu64 " of ", work->tally->queries);
    spar__buf_printf(out, "%zu quer%s", all, all == 1 ? "y" : "ies");
    if (r->of_one)
        spar__buf_printf(out, " (%zu of one document)", r->of_one);
    spar__buf_printf(out, ", clicks %s, %s ", work->click, work->mix);
    if (work->draws)
        spar__buf_printf(out, "by %zu draws", work->draws);
    else
        spar__buf_adds(out, "exactly");
    spar__buf_printf(out, ", top %zu, seed %" PRIu64, spar__queries_top(work->lists.queries), work->seed);
}

/* Blanks between the numbers, or commas where a name has blanks. */
static const char *separator(const spar__rank_result *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (strpbrk(name_of(r, i), " \t\v\f\r"))
            return ",";
    return " ";
}

spar_status spar__rank_matrix(const spar__rank_result *r, const double *values, const char *what, spar__buf *out)
{
    const char *between = separator(r);
    for (size_t i = 0; i < r->n; i++)
        spar__buf_printf(out, "%s%s", i ? between : "", name_of(r, i));
    for (size_t at = 0; at < r->n * r->n; at++) {
        if (at % r->n == 0 && spar__stop_due())
            return SPAR_INTERRUPTED;
        char text[SPAR__NUMBER_SIZE];
        (void)spar__number_print(text, values[at]);
        spar__buf_adds(out, at % r->n ? between : "\n");
        spar__buf_adds(out, text);
    }
    spar__buf_printf(out, "\n# %s: ", what);
    add_origin(r, out);
    spar__buf_adds(out, "\n");
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}

static void add_row(const spar__rank_result *r, const spar__rank_standing *s, spar__text_table *table)
{
    bool alone = s->hardest == s->ranker;
    spar__text_table_add(table, "%s", name_of(r, s->ranker));
    spar__text_table_add(table, "%s", alone ? "-" : name_of(r, s->hardest));
    spar__text_table_add(table, "%zu", s->beats);
    spar__text_table_add(table, "%.4f", s->mean);
    spar__text_table_add(table, "%.4f", s->margin);
    spar__text_table_add(table, "%.4f", s->error);
    if (r->of_draws)
        spar__text_table_add(table, "%.4f", s->of_draws);
}

void spar__rank_table(const spar__rank_result *r, bool styled, size_t width, spar__buf *out)
{
    static const char *const head[] = {"ranker", "worst against", "beats", "mean P", "margin", "se", "of draws"};
    size_t start = out->length;
    spar__text_table table = {.columns = r->of_draws ? 7 : 6, .left = 2, .width = width};
    add_origin(r, out);
    spar__buf_adds(out, "\n\n");
    spar__fit(out, start, width);
    for (size_t i = 0; i < table.columns; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < r->n && i < LISTED; i++)
        add_row(r, &r->standing[i], &table);
    spar__text_table_print(&table, styled, out);
    spar__text_table_free(&table);
    if (r->n > LISTED)
        spar__buf_printf(out, "and %zu more\n", r->n - LISTED);
    spar__buf_adds(out, "\n");
    start = out->length;
    spar__rank_verdict(r, out);
    spar__buf_adds(out,
                   "\nmargin: P - 1/2 against the ranker it does worst against; se and +-: its standard error over "
                   "queries\n");
    spar__fit(out, start, width);
}

static void add_margin(const spar__rank_result *r, const spar__rank_standing *s, spar__buf *out)
{
    spar__buf_printf(out, "%.4f", s->margin);
    if (r->work->tally->queries < 2) /* its error is unknown */
        return;
    spar__buf_printf(out, " +- %.4f", s->error);
    if (r->of_draws)
        spar__buf_printf(out, " (of draws %.4f)", s->of_draws);
}

/* The rankers that the first one is not shown to beat; returns how many. */
static size_t add_rivals(const spar__rank_result *r, spar__buf *out)
{
    size_t n = 0;
    for (size_t i = 1; i < r->n; i++)
        if (!spar__rank_told_apart(r, r->standing[i].ranker) && n++ < LISTED)
            spar__buf_printf(out, ", %s", name_of(r, r->standing[i].ranker));
    if (n > LISTED)
        spar__buf_printf(out, " and %zu more", n - LISTED);
    return n;
}

static void add_first(const spar__rank_result *r, spar__buf *out)
{
    const spar__rank_standing *first = &r->standing[0];
    if (r->has_winner) {
        spar__buf_printf(out, "%s comes out first, ahead of %s by the least: ", name_of(r, first->ranker),
                         name_of(r, first->hardest));
        add_margin(r, first, out);
    } else {
        spar__buf_printf(out, "no ranker beats all others; %s beats most (%zu of %zu); %zu are in the top cycle",
                         name_of(r, first->ranker), first->beats, r->n - 1, r->cycle);
    }
}

void spar__rank_verdict(const spar__rank_result *r, spar__buf *out)
{
    const spar__rank_standing *first = &r->standing[0];
    spar__buf rivals = {0};
    if (r->n == 1) {
        spar__buf_printf(out, "%s is the only ranker", name_of(r, 0));
    } else if (add_rivals(r, &rivals)) {
        spar__buf_printf(out, "cannot be told apart: %s%s (%s); ", name_of(r, first->ranker),
                         rivals.text ? rivals.text : "",
                         r->work->tally->queries < 2 ? "one query shows no error" : "within 2 standard errors");
        add_first(r, out);
    } else {
        spar__buf_printf(out, "%s beats all others, %s by the least: ", name_of(r, first->ranker),
                         name_of(r, first->hardest));
        add_margin(r, first, out);
    }
    out->failed |= rivals.failed;
    spar__buf_free(&rivals);
}
