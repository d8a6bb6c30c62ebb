/* rank.c - spar rank: which of many rankers wins, from learning-to-rank data and simulated clicks.
 *
 * The data are read, or their cache; every pair of rankers is compared on every query (rank/comparison.h), in cells of
 * some queries each, so that threads, machines and interrupted runs share the work; the sums become a matrix with its
 * standard errors, which is printed, drawn and judged. --generate makes random data instead. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/pool.h"
#include "cli/common.h"
#include "cli/outdir.h"
#include "cli/owner.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "env/data.h"
#include "plot/plot.h"
#include "prefer/prefer.h"
#include "rank/comparison.h"
#include "rank/letor.h"
#include "rank/queries.h"
#include "spar_version.h"
#include "text/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The matrix of all rankers, or as much of it as there is. */
typedef struct rank_work {
    const char *click, *mix; /* as they were written */
    size_t draws;            /* of each pair on each query; 0: exact */
    uint64_t seed;
    spar__interleaving lists;
    spar__tally *tally; /* of tally->queries of the queries */
    size_t of_one;      /* of these, with one document */
} rank_work;

/* How a ranker does against all others. */
typedef struct rank_standing {
    size_t ranker, beats, ties;
    double mean;            /* of P(ranker beats another) over the others */
    size_t hardest;         /* the one it does worst against: itself if it is alone */
    double margin;          /* P - 1/2 against that one */
    double error, of_draws; /* of the margin: standard errors of query sampling, and of drawing alone */
} rank_standing;

typedef struct rank_result {
    const rank_work *work;
    size_t n, of_one; /* rankers; queries with one document */
    double *p;        /* n x n each */
    double *error;
    double *of_draws;        /* NULL when the work was exact */
    rank_standing *standing; /* n, best first: by the number of rankers beaten, then by mean */
    bool has_winner;         /* the first of them beats all others */
    size_t cycle;            /* size of the top cycle */
} rank_result;

/* --- the data --- */

enum { NUMBER = 20, LISTED = 10 }; /* bytes of a number in the output, about; rankers in the table */

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

static spar_status check_names(const spar__queries *queries, const char *file, spar_error *err)
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

/* A note takes the place of the progress line. */
static void tell(void *context, const char *sentence)
{
    spar__progress_end(context);
    spar__note("%s", sentence);
}

/* Opens the data and checks that there can be a matrix. */
static spar_status open_data(rank_work *work, spar__queries_options options, spar_error *err)
{
    spar__progress_line progress;
    spar__progress_begin(&progress, "reading  ");
    progress.unit = "MB";
    progress.per = 1e6;
    options.progress = spar__progress_show;
    options.note = tell;
    options.context = &progress;
    spar_status status = spar__interleaving_open(work->mix, work->click, &options, &work->lists, err);
    spar__progress_end(&progress);
    if (status)
        return status;
    size_t rankers = spar__queries_rankers(work->lists.queries), count = spar__queries_count(work->lists.queries);
    if (rankers > SPAR__RANKERS_UNASKED && !options.features && !options.weights)
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "rank: %zu features would be compared, which takes %.2g GB of memory and prints up to %.2g GB; "
            "--features N compares the first N, up to %d",
            rankers, spar__comparison_memory(rankers, options.threads),
            1e-9 * NUMBER * (double)rankers * (double)rankers, SPAR__MATRIX_MOST);
    if (rankers > SPAR__MATRIX_MOST)
        return spar__fail(err, SPAR_UNSUPPORTED, "rank: %zu rankers, and a matrix can have %d", rankers,
                          SPAR__MATRIX_MOST);
    if (count > SPAR__TALLY_QUERIES)
        return spar__fail(err, SPAR_UNSUPPORTED, "rank: %zu queries, and there may be %d", count, SPAR__TALLY_QUERIES);
    return check_names(work->lists.queries, options.weights ? options.weights : options.names, err);
}

/* --- the comparison ---
 *
 * A sweep: a cell is a block of queries, and its numbers are a tally, whose sums do not depend on the order in which
 * they are added. */

enum {
    EDITION = 1,   /* to be raised when the same key gives other numbers than before */
    FEWEST = 64,   /* cells, if there are as many queries: work for as many threads */
    WORK = 2000000 /* pairs and draws of a cell, about: less than a second */
};
static const double BYTES = 1e9; /* of the tallies of all cells, at most, but for the fewest */

typedef struct rank_cells {
    rank_work *work;
    spar__comparison how;
    uint64_t data; /* hash of the queries */
    size_t queries, block;
    spar__tally **tally; /* one per worker */
    size_t n_workers;
} rank_cells;

static size_t first_of(const rank_cells *cells, size_t cell)
{
    return cell * cells->block;
}

static size_t end_of(const rank_cells *cells, size_t cell)
{
    size_t end = (cell + 1) * cells->block;
    return end < cells->queries ? end : cells->queries;
}

static void describe_cell(const void *self, size_t cell, spar__buf *out)
{
    const rank_cells *cells = self;
    spar__buf_printf(out, "spar %s rank edition %d; data %016" PRIx64 "; click %s; mix %s; draws %zu; seed %" PRIu64,
                     SPAR_VERSION, EDITION, cells->data, cells->work->click, cells->work->mix, cells->work->draws,
                     cells->work->seed);
    spar__buf_printf(out, "; queries %zu from %zu", end_of(cells, cell) - first_of(cells, cell), first_of(cells, cell));
}

static uint64_t work_of(const void *self, size_t cell)
{
    return end_of(self, cell) - first_of(self, cell);
}

/* What comparing one query takes. */
static double work_of_query(const rank_cells *cells)
{
    double draws = cells->work->draws ? (double)cells->work->draws : 1;
    return ((double)cells->work->tally->pairs + 1) * draws;
}

/* A few queries at a time, so that it can be stopped in between. */
static spar_status play(void *self, size_t cell, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    const rank_cells *cells = self;
    size_t from = first_of(cells, cell), end = end_of(cells, cell);
    size_t step = (size_t)(WORK / 10 / work_of_query(cells)) + 1;
    spar_status status = SPAR_OK;
    spar__tally_clear(cells->tally[worker]);
    for (size_t at = from; !status && at < end; at += step) {
        size_t to = step < end - at ? at + step : end;
        status = spar__tally_add(cells->tally[worker], &cells->how, at, to, err);
        if (!status && !progress(context, to - from, end - from) && to < end)
            status = SPAR_INTERRUPTED;
    }
    *complete = !status;
    return status == SPAR_INTERRUPTED ? SPAR_OK : status;
}

static void archive(void *self, size_t cell, size_t worker, spar__archive *ar)
{
    const rank_cells *cells = self;
    spar__tally *tally = cells->tally[worker];
    spar__tally_archive(tally, ar);
    spar__archive_check(ar, tally->queries == end_of(cells, cell) - first_of(cells, cell));
}

static void take(void *self, size_t cell, size_t worker)
{
    const rank_cells *cells = self;
    spar__tally_join(cells->work->tally, cells->tally[worker]);
    for (size_t q = first_of(cells, cell); q < end_of(cells, cell); q++)
        cells->work->of_one += spar__queries_get(cells->work->lists.queries, q).docs == 1;
}

/* Of how many queries a cell is: the same for everyone who has the same data. */
static size_t choose_block(const rank_cells *cells)
{
    double queries = (double)cells->queries, wanted = queries * work_of_query(cells) / WORK;
    double most = BYTES / (24 * (double)cells->work->tally->pairs + 1);
    double n = wanted > FEWEST ? wanted : FEWEST;
    n = n > most ? most : n;
    n = n < 8 ? 8 : n;
    return n >= queries ? 1 : (size_t)(queries / n + 0.999);
}

/* The tally of all queries, or of fewer if the user wants to stop or others play the rest. */
static spar_status compare_all(rank_work *work, spar__sweeping *sweeping, spar_error *err)
{
    const spar__queries *queries = work->lists.queries;
    rank_cells cells = {.work = work,
                        .how = {&work->lists, work->draws, work->seed, 1, spar__stop_wanted},
                        .data = spar__state_hash(queries),
                        .queries = spar__queries_count(queries),
                        .n_workers = spar__pool_workers(sweeping->sweep.threads, SIZE_MAX) + 1};
    size_t rankers = spar__queries_rankers(queries);
    cells.tally = spar__alloc(cells.n_workers, sizeof(spar__tally *));
    bool made = cells.tally && !spar__tally_new(rankers, &work->tally);
    for (size_t i = 0; made && i < cells.n_workers; i++)
        made = !spar__tally_new(rankers, &cells.tally[i]);
    spar_status status = made ? SPAR_OK : spar__fail_memory(err);
    if (!status) {
        cells.block = choose_block(&cells);
        const spar__cell_list list = {.n = (cells.queries + cells.block - 1) / cells.block,
                                      .self = &cells,
                                      .text = describe_cell,
                                      .work = work_of,
                                      .play = play,
                                      .archive = archive,
                                      .take = take};
        sweeping->progress.unit = "queries";
        status = spar__sweeping_play(sweeping, &list, err);
    }
    for (size_t i = 0; cells.tally && i < cells.n_workers; i++)
        spar__tally_free(cells.tally[i]);
    spar__free(cells.tally);
    return status;
}

/* --- the result --- */

static rank_standing stand(const rank_result *r, size_t i)
{
    rank_standing s = {.ranker = i, .hardest = i};
    double sum = 0;
    for (size_t j = 0; j < r->n; j++) {
        double p = r->p[i * r->n + j];
        if (j == i)
            continue;
        s.beats += p > 0.5;
        s.ties += p == 0.5;
        sum += p;
        if (s.hardest == i || p < r->p[i * r->n + s.hardest])
            s.hardest = j;
    }
    size_t at = i * r->n + s.hardest;
    s.mean = r->n > 1 ? sum / (double)(r->n - 1) : 0.5;
    s.margin = r->p[at] - 0.5;
    s.error = r->error[at];
    s.of_draws = r->of_draws ? r->of_draws[at] : 0;
    return s;
}

static int compare_standings(const void *left, const void *right)
{
    const rank_standing *a = left, *b = right;
    if (a->beats != b->beats)
        return a->beats > b->beats ? -1 : 1;
    if (a->mean != b->mean)
        return a->mean > b->mean ? -1 : 1;
    return (a->ranker > b->ranker) - (a->ranker < b->ranker);
}

/* What it has made is the caller's to free, also after a failure. */
static spar_status result_make(const rank_work *work, rank_result *out, spar_error *err)
{
    size_t n = work->tally->rankers;
    *out = (rank_result){.work = work, .n = n, .of_one = work->of_one};
    out->p = spar__alloc(n, n * sizeof *out->p);
    out->error = spar__alloc(n, n * sizeof *out->error);
    out->of_draws = work->draws ? spar__alloc(n, n * sizeof *out->of_draws) : NULL;
    out->standing = spar__alloc(n, sizeof *out->standing);
    size_t *members = spar__alloc(n, sizeof *members);
    if (!out->p || !out->error || (work->draws && !out->of_draws) || !out->standing || !members) {
        spar__free(members);
        return spar__fail_memory(err);
    }
    spar__tally_read(work->tally, out->p, out->error, out->of_draws);
    for (size_t i = 0; i < n; i++)
        out->standing[i] = stand(out, i);
    qsort(out->standing, n, sizeof *out->standing, compare_standings);
    out->has_winner = spar__condorcet(n, out->p, NULL);
    out->cycle = spar__top_cycle(n, out->p, members);
    spar__free(members);
    return SPAR_OK;
}

/* Is the first of the standings shown to be better than this ranker: by more than two standard errors? Never with one
 * query, whose error is unknown. */
static bool told_apart(const rank_result *r, size_t ranker)
{
    size_t at = r->standing[0].ranker * r->n + ranker;
    return r->work->tally->queries > 1 && r->p[at] - 0.5 > 2 * r->error[at];
}

/* --- as text --- */

static const char *name_of(const rank_result *r, size_t ranker)
{
    return spar__queries_name(r->work->lists.queries, ranker);
}

/* How the numbers were made, without a line break. */
static void add_origin(const rank_result *r, spar__buf *out)
{
    const rank_work *work = r->work;
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

/* Numbers in the format of matrix(file=), names in the first line. A large matrix is given up (SPAR_INTERRUPTED) when
 * the user has waited too long for the end. */
static spar_status print_matrix(const rank_result *r, const double *values, const char *what, spar__buf *out)
{
    const char *between = " "; /* or a comma where a name has blanks */
    for (size_t i = 0; i < r->n; i++)
        if (strpbrk(name_of(r, i), " \t\v\f\r"))
            between = ",";
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

/* Who wins, in a sentence. */
static void add_verdict(const rank_result *r, spar__buf *out)
{
    const rank_standing *first = &r->standing[0];
    const char *name = name_of(r, first->ranker), *hardest = name_of(r, first->hardest);
    bool one_query = r->work->tally->queries < 2; /* whose error is unknown */
    spar__buf rivals = {0};                       /* that the first one is not shown to beat */
    size_t n = 0;
    for (size_t i = 1; i < r->n; i++)
        if (!told_apart(r, r->standing[i].ranker) && n++ < LISTED)
            spar__buf_printf(&rivals, ", %s", name_of(r, r->standing[i].ranker));
    if (n > LISTED)
        spar__buf_printf(&rivals, " and %zu more", n - LISTED);
    if (n)
        spar__buf_printf(out, "cannot be told apart: %s%s (%s); ", name, rivals.text ? rivals.text : "",
                         one_query ? "one query shows no error" : "within 2 standard errors");
    if (r->n == 1) {
        spar__buf_printf(out, "%s is the only ranker", name);
    } else if (n && !r->has_winner) {
        spar__buf_printf(out, "no ranker beats all others; %s beats most (%zu of %zu); %zu are in the top cycle", name,
                         first->beats, r->n - 1, r->cycle);
    } else {
        spar__buf_printf(out, "%s %s%s by the least: %.4f", name,
                         n ? "comes out first, ahead of " : "beats all others, ", hardest, first->margin);
        if (!one_query)
            spar__buf_printf(out, " +- %.4f", first->error);
        if (!one_query && r->of_draws)
            spar__buf_printf(out, " (of draws %.4f)", first->of_draws);
    }
    out->failed |= rivals.failed;
    spar__buf_free(&rivals);
}

/* The best rankers, for a line of this width (0: any). */
static void print_table(const rank_result *r, bool styled, size_t width, spar__buf *out)
{
    static const char *const head[] = {"ranker", "worst against", "beats", "mean P", "margin", "se", "of draws"};
    size_t start = out->length;
    spar__text_table table = {.columns = r->of_draws ? 7 : 6, .left = 2, .width = width};
    add_origin(r, out);
    spar__buf_adds(out, "\n\n");
    spar__fit(out, start, width);
    for (size_t i = 0; i < table.columns; i++)
        spar__text_table_add(&table, "%s", head[i]);
    for (size_t i = 0; i < r->n && i < LISTED; i++) {
        const rank_standing *s = &r->standing[i];
        bool alone = s->hardest == s->ranker;
        spar__text_table_add(&table, "%s", name_of(r, s->ranker));
        spar__text_table_add(&table, "%s", alone ? "-" : name_of(r, s->hardest));
        spar__text_table_add(&table, "%zu", s->beats);
        spar__text_table_add(&table, "%.4f", s->mean);
        spar__text_table_add(&table, "%.4f", s->margin);
        spar__text_table_add(&table, "%.4f", s->error);
        if (r->of_draws)
            spar__text_table_add(&table, "%.4f", s->of_draws);
    }
    spar__text_table_print(&table, styled, out);
    spar__text_table_free(&table);
    if (r->n > LISTED)
        spar__buf_printf(out, "and %zu more\n", r->n - LISTED);
    spar__buf_adds(out, "\n");
    start = out->length;
    add_verdict(r, out);
    spar__buf_adds(out,
                   "\nmargin: P - 1/2 against the ranker it does worst against; se and +-: its standard error over "
                   "queries\n");
    spar__fit(out, start, width);
}

/* --- as JSON and as a picture --- */

static spar_status add_square(spar__json *json, const char *key, const double *values, size_t n)
{
    spar__json_key(json, key);
    if (!values) {
        spar__json_null(json);
        return SPAR_OK;
    }
    spar__json_begin_array(json);
    for (size_t i = 0; i < n; i++) {
        if (spar__stop_due())
            return SPAR_INTERRUPTED;
        spar__json_begin_array(json);
        for (size_t j = 0; j < n; j++)
            spar__json_number(json, values[i * n + j]);
        spar__json_end_array(json);
    }
    spar__json_end_array(json);
    return SPAR_OK;
}

/* Given up like a matrix. */
static spar_status print_json(const rank_result *r, spar__buf *out)
{
    const rank_work *work = r->work;
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "click", work->click);
    spar__json_add_string(&json, "method", work->mix);
    if (work->draws)
        spar__json_add_unsigned(&json, "draws", work->draws);
    else
        spar__json_add_null(&json, "draws");
    spar__json_add_unsigned(&json, "top", spar__queries_top(work->lists.queries));
    spar__json_add_unsigned(&json, "seed", work->seed);
    spar__json_add_unsigned(&json, "queries", work->tally->queries);
    spar__json_add_unsigned(&json, "queries_in_data", spar__queries_count(work->lists.queries));
    spar__json_add_unsigned(&json, "queries_of_one_document", r->of_one);
    spar__json_add_unsigned(&json, "rankers", r->n);
    spar__json_key(&json, "names");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < r->n; i++)
        spar__json_string(&json, spar__queries_name(work->lists.queries, i));
    spar__json_end_array(&json);
    if (r->has_winner)
        spar__json_add_unsigned(&json, "winner", r->standing[0].ranker);
    else
        spar__json_add_null(&json, "winner");
    spar__json_key(&json, "not_told_apart");
    spar__json_begin_array(&json);
    for (size_t i = 1; i < r->n; i++)
        if (!told_apart(r, r->standing[i].ranker))
            spar__json_unsigned(&json, r->standing[i].ranker);
    spar__json_end_array(&json);
    spar__json_key(&json, "standings");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < r->n; i++) {
        /* Rankers count from 0, as in `spar describe`. */
        const rank_standing *s = &r->standing[i];
        spar__json_begin_object(&json);
        spar__json_add_unsigned(&json, "ranker", s->ranker);
        spar__json_add_string(&json, "name", spar__queries_name(r->work->lists.queries, s->ranker));
        spar__json_add_unsigned(&json, "beats", s->beats);
        spar__json_add_unsigned(&json, "ties", s->ties);
        spar__json_add_number(&json, "mean", s->mean);
        spar__json_add_unsigned(&json, "worst_against", s->hardest);
        spar__json_add_number(&json, "margin", s->margin);
        spar__json_add_number(&json, "se", s->error);
        if (r->of_draws)
            spar__json_add_number(&json, "draws_se", s->of_draws);
        spar__json_end_object(&json);
    }
    spar__json_end_array(&json);
    if (add_square(&json, "matrix", r->p, r->n) || add_square(&json, "errors", r->error, r->n) ||
        add_square(&json, "draw_errors", r->of_draws, r->n))
        return SPAR_INTERRUPTED;
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
    return out->failed ? SPAR_NOMEM : SPAR_OK;
}

enum { PLOTTED = 30, DETAIL = 80 };

/* The best rankers, each against the one that it does worst against. */
static spar_status draw(const rank_result *r, spar__drawing *out)
{
    size_t n = r->n < PLOTTED ? r->n : PLOTTED;
    spar__interval_row *row = spar__alloc(n, sizeof *row);
    char(*detail)[DETAIL] = spar__alloc(n, sizeof *detail);
    char subtitle[200];
    spar_status status = row && detail ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < n; i++) {
        const rank_standing *s = &r->standing[i];
        double p = 0.5 + s->margin, reach = isfinite(s->error) ? 2 * s->error : 0;
        (void)snprintf(detail[i], DETAIL, "beats %zu of %zu, worst against %.30s", s->beats, r->n - 1,
                       name_of(r, s->hardest));
        row[i] = (spar__interval_row){.label = name_of(r, s->ranker),
                                      .detail = detail[i],
                                      .value = p,
                                      .low = fmax(p - reach, 0),
                                      .high = fmin(p + reach, 1),
                                      .faint = i > 0 && told_apart(r, s->ranker)};
    }
    (void)snprintf(subtitle, sizeof subtitle, "the first %zu of %zu, %" PRIu64 " queries, %.60s, %.60s", n, r->n,
                   r->work->tally->queries, r->work->click, r->work->mix);
    out->name = "Rankers against the one they do worst against";
    if (!status)
        status = spar__draw_intervals(
            &(spar__interval_figure){.title = out->name,
                                     .subtitle = subtitle,
                                     .x_label = "P(ranker beats the one it does worst against)",
                                     .note = "Bars: two standard errors over queries to each side.",
                                     .strong = "may be as good as the first",
                                     .faint = "shown to be behind the first",
                                     .n = n,
                                     .row = row},
            out);
    spar__free(row);
    spar__free(detail);
    return status;
}

/* --- the command --- */

enum { DRAWS = 100 };

static const char *const of_generate[] = {"queries", "docs", "grades", NULL};
static const char *const of_matrix[] = {"click",   "top",   "method", "draws", "weights",   "names",
                                        "threads", "cache", "json",   "part",  "plan-only", NULL};

/* Refuses options of --generate without it, and the others with it. */
static spar_status refuse(const spar__settings *settings, const char *const *names, const char *why, spar_error *err)
{
    for (; *names; names++)
        if (spar__setting_of(settings, *names)->source == SPAR__SOURCE_FLAG)
            return spar__fail(err, SPAR_INVALID, "rank: --%s is %s --generate", *names, why);
    return SPAR_OK;
}

static bool write_text(void *context, const char *text, size_t length)
{
    spar__file *file = context;
    if (fwrite(text, 1, length, file->stream) != length)
        file->error = errno;
    return !file->error && !spar__stop_wanted();
}

/* Random data to a file, or to standard output when --out is missing or "-". */
static spar_status generate(const spar__settings *settings, spar_error *err)
{
    const char *path = spar__setting_text(settings, "out");
    spar__file file;
    struct stat info;
    spar_status status = refuse(settings, of_matrix, "not for", err);
    if (!status && settings->n_operands)
        status = spar__fail(err, SPAR_INVALID, "rank: --generate takes no data: did not expect '%.200s'",
                            settings->operand[0]);
    if (!status && path && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        status = spar__fail(err, SPAR_IO, "%s: is a directory; with --generate, --out is a file", path);
    if (status)
        return status;
    const spar__generate_options options = {
        .queries = (size_t)spar__setting_number(settings, "queries"),
        .docs = (size_t)spar__setting_number(settings, "docs"),
        .features = (size_t)spar__setting_number(settings, "features"),
        .grades = spar__setting_is(settings, "grades", "5") ? 5 : 3,
        .seed = spar__setting_number(settings, "seed"),
    };
    spar__stop_catch();
    status = spar__file_begin(&file, path ? path : "-", err);
    if (status)
        return status;
    status = spar__generate(&options, write_text, &file, err);
    if (!status || file.error)
        return spar__file_commit(&file, false, err);
    spar__file_abandon(&file);
    return status;
}

static spar_status make_work(const spar__settings *settings, rank_work *work, spar_error *err)
{
    const char *cache = spar__setting_text(settings, "cache");
    const spar__queries_options options = {
        .path = settings->operand,
        .paths = settings->n_operands,
        .cache = cache && strcmp(cache, "none") == 0 ? "" : cache,
        .weights = spar__setting_text(settings, "weights"),
        .names = spar__setting_text(settings, "names"),
        .features = spar__setting_of(settings, "features")->source == SPAR__SOURCE_DEFAULT
                        ? 0
                        : (size_t)spar__setting_number(settings, "features"),
        .top = (size_t)spar__setting_number(settings, "top"),
        .seed = spar__setting_number(settings, "seed"),
        .threads = (size_t)spar__setting_number(settings, "threads"),
    };
    if (options.weights && options.features)
        return spar__fail(err, SPAR_INVALID,
                          "rank: --features cannot be combined with --weights, which name their own");
    work->click = spar__setting_of(settings, "click")->text[0];
    work->mix = spar__setting_of(settings, "method")->text[0];
    work->seed = options.seed;
    work->draws = (size_t)spar__setting_number(settings, "draws");
    if (!work->draws && strcmp(work->mix, "team_draft") != 0)
        work->draws = DRAWS;
    return open_data(work, options, err);
}

/* Only parts of the matrix were made: they are not printed. */
static spar_status give_up(const rank_result *result, spar_status why, spar__buf *out, spar_error *err)
{
    spar__buf_clear(out);
    if (why == SPAR_NOMEM)
        return spar__fail_memory(err);
    return spar__fail(err, why, "interrupted while the matrix of %zu rankers was written", result->n);
}

static spar_status write_square(const rank_result *result, const double *values, const char *dir, const char *name,
                                const char *what, spar_error *err)
{
    spar__buf text = {0};
    spar_status status = print_matrix(result, values, what, &text);
    status = status ? give_up(result, status, &text, err) : spar__outdir_write(dir, name, &text, err);
    spar__buf_free(&text);
    return status;
}

static spar_status write_files(const rank_result *r, const char *dir, spar_error *err)
{
    spar__buf table = {0};
    spar_status status = write_square(r, r->p, dir, "matrix.txt", "P(row beats column)", err);
    if (!status)
        status = write_square(r, r->error, dir, "errors.txt", "standard errors of matrix.txt, over queries", err);
    if (!status && r->of_draws)
        status = write_square(r, r->of_draws, dir, "draws.txt", "the part of errors.txt that comes from drawing", err);
    print_table(r, false, 0, &table);
    if (!status)
        status = table.failed ? spar__fail_memory(err) : spar__outdir_write(dir, "winners.txt", &table, err);
    if (!status) {
        spar__drawing drawing = {0};
        status = draw(r, &drawing) ? spar__fail_memory(err)
                                   : spar__outdir_figure(dir, "winners", &drawing,
                                                         "All numbers are in <code>matrix.txt</code> and "
                                                         "<code>errors.txt</code>.",
                                                         err);
        spar__drawing_free(&drawing);
    }
    spar__buf_free(&table);
    return status;
}

/* Prints the matrix; if that goes to files, the table of winners instead. */
static spar_status report(const rank_work *work, const spar__settings *settings, spar__buf *out, spar_error *err)
{
    const char *dir = spar__setting_text(settings, "out");
    rank_result result;
    spar_status status = result_make(work, &result, err);
    if (!status) {
        spar__buf verdict = {0};
        if (spar__setting_number(settings, "json")) {
            status = print_json(&result, out);
        } else if (dir) {
            print_table(&result, spar__output_styled(), spar__output_width(), out);
            spar__buf_adds(out, "'spar describe ");
            spar__buf_add_printable(out, dir);
            spar__buf_adds(out, "/matrix.txt' says more, taking the matrix for exact\n");
        } else {
            status = print_matrix(&result, result.p, "P(row beats column)", out);
            add_verdict(&result, &verdict);
            if (!status && !verdict.failed)
                spar__note("%s; 'spar describe' says more", verdict.text);
        }
        spar__buf_free(&verdict);
        if (status)
            status = give_up(&result, status, out, err);
        else if (dir && !(status = spar__owner_sign(dir, settings, err)))
            status = write_files(&result, dir, err);
    }
    spar__free(result.p);
    spar__free(result.error);
    spar__free(result.of_draws);
    spar__free(result.standing);
    return status;
}

static spar_status rank(const spar__settings *settings, spar__buf *out, spar_error *err)
{
    rank_work work = {0};
    spar__sweeping sweeping;
    if (spar__setting_number(settings, "generate"))
        return generate(settings, err);
    if (!settings->n_operands)
        return spar__fail(err, SPAR_INVALID, "rank: no data; give a file, '-' for standard input, or --generate");
    spar_status status = refuse(settings, of_generate, "only for", err);
    for (size_t i = 0; !status && i < settings->n_operands; i++)
        if (spar__setting_text(settings, "part") && strcmp(settings->operand[i], "-") == 0)
            status = spar__fail(err, SPAR_INVALID, "rank: --part needs files, as every part reads the data itself");
    if (!status)
        status = spar__check_out(settings, err);
    if (status)
        return status;
    status = spar__sweeping_begin(&sweeping, settings, out, err);
    if (!status && sweeping.out && !sweeping.sweep.list && !spar__sweeping_helps())
        status = spar__owner_check(sweeping.out, settings, err);
    if (!status)
        status = make_work(settings, &work, err);
    if (!status)
        status = compare_all(&work, &sweeping, err);
    if (!status && sweeping.reports) {
        size_t all = spar__queries_count(work.lists.queries);
        uint64_t compared = work.tally->queries;
        if (compared)
            status = report(&work, settings, out, err);
        if (!status && !compared && all)
            status = spar__fail(err, SPAR_INTERRUPTED, "interrupted before the first of %zu queries was compared", all);
        else if (!status && compared < all)
            status = spar__fail(err, SPAR_INTERRUPTED, "interrupted; the matrix is of %" PRIu64 " of %zu queries%s",
                                compared, all, spar__sweeping_continues(&sweeping));
    }
    spar__tally_free(work.tally);
    spar__interleaving_close(&work.lists);
    return spar__sweeping_end(&sweeping, status, false, err);
}

static const spar__option options[] = {
    {.name = "click",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "C",
     .standard = "perfect",
     .help = "click model: perfect, navigational, informational or position(...)"},
    SPAR__COUNT_OPTION("top", "N", "10", 1, SPAR__TOP_MOST, "documents of a list that are shown"),
    {.name = "method",
     .kind = SPAR__OPTION_TEXT,
     .metavar = "M",
     .standard = "team_draft",
     .help = "how two lists are mixed: team_draft, probabilistic(tau=3) or optimised"},
    SPAR__COUNT_OPTION(
        "draws", "N", NULL, 2, 1000000000,
        "draws of each pair on each query (default: none for team_draft, which is exact; 100 for others)"),
    SPAR__TEXT_OPTION(
        "weights", "FILE",
        "rankers that are weighted sums, one per line: 'name feature:weight ...' (default: every feature)"),
    SPAR__TEXT_OPTION("names", "FILE", "names of the features, one a line"),
    SPAR__COUNT_OPTION("seed", "S", "1", 0, UINT64_MAX, "of the order of documents with equal scores, and of draws"),
    SPAR__OPTION_THREADS,
    SPAR__TEXT_OPTION("cache", "FILE",
                      "keeps what was read; 'none' keeps nothing (default: the first DATA with .spar-cache appended)"),
    SPAR__TEXT_OPTION("out", "DIR",
                      "write matrix.txt, errors.txt and winners.txt there, and print the last; continues what was "
                      "interrupted there"),
    SPAR__OPTION_PART,
    SPAR__OPTION_PLAN_ONLY,
    SPAR__SWITCH_OPTION("json", "print JSON: the matrix, its errors, the standings"),
    SPAR__SWITCH_OPTION("generate", "make random data, to standard output or a file --out"),
    SPAR__COUNT_OPTION("queries", "N", "500", 1, UINT32_MAX, "to generate"),
    SPAR__COUNT_OPTION("docs", "N", "20", 1, SPAR__DOCS_MOST, "to generate: documents of a query, on average"),
    SPAR__COUNT_OPTION("features", "N", "46", 1, SPAR__FEATURE_MOST,
                       "to generate; of DATA: compare only the first N (default: all up to 1000)"),
    SPAR__CHOICE_OPTION("grades", "N", "3", "3|5", "to generate: grades of relevance, from 0"),
    {.name = NULL},
};

const spar__command spar__command_rank = {
    .name = "rank",
    .brief = "Compare rankers on learning-to-rank data: their preference matrix under simulated clicks",
    .operands = "DATA... [OPTIONS]  |  spar rank --generate [OPTIONS]",
    .max_operands = SIZE_MAX,
    .options = options,
    .notes =
        "DATA are files in the LETOR format, 'grade qid:Q feature:value ...' ('-' is standard input).\n"
        "Prints P(row beats column), for 'spar describe -' and --env 'matrix(file=...)'. Results are the same for\n"
        "any number of threads. Ctrl-C reports the queries that are complete; with --out, the same command continues\n"
        "from there, and so it does after a crash. With data of your own:\n"
        "  spar rank train.txt --click navigational --out out/rank",
    .example = "spar rank --generate --queries 50 --docs 12 --features 8",
    .run = rank,
};
