/* cells.c - the comparison of rankers as a sweep: a cell is a block of queries, and its numbers are a tally, whose sums
 * do not depend on the order in which they are added. */
#include "base/alloc.h"
#include "base/pool.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "cli/rank/rank.h"
#include "rank/comparison.h"
#include "spar_version.h"

#include <inttypes.h>

enum {
    EDITION = 1,   /* to be raised when the same key gives other numbers than before */
    FEWEST = 64,   /* cells, if there are as many queries: work for as many threads */
    WORK = 2000000 /* pairs and draws of a cell, about: less than a second */
};
static const double BYTES = 1e9; /* of the tallies of all cells, at most, but for the fewest */

typedef struct rank_cells {
    spar__rank_work *work;
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

static void text(const void *self, size_t cell, spar__buf *out)
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

static spar_status open_workers(rank_cells *cells, size_t rankers)
{
    cells->tally = spar__alloc(cells->n_workers, sizeof(spar__tally *));
    spar_status status = cells->tally ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < cells->n_workers; i++)
        status = spar__tally_new(rankers, &cells->tally[i]);
    return status;
}

spar_status spar__rank_compare(spar__rank_work *work, spar__sweeping *sweeping, spar_error *err)
{
    const spar__queries *queries = work->lists.queries;
    rank_cells cells = {.work = work,
                        .how = {&work->lists, work->draws, work->seed, 1, spar__stop_wanted},
                        .data = spar__state_hash(queries),
                        .queries = spar__queries_count(queries),
                        .n_workers = spar__pool_workers(sweeping->sweep.threads, SIZE_MAX) + 1};
    size_t rankers = spar__queries_rankers(queries);
    spar_status status =
        spar__tally_new(rankers, &work->tally) || open_workers(&cells, rankers) ? spar__fail_memory(err) : SPAR_OK;
    if (!status) {
        cells.block = choose_block(&cells);
        const spar__cell_list list = {.n = (cells.queries + cells.block - 1) / cells.block,
                                      .self = &cells,
                                      .text = text,
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
