#include "cli/rank.h"

#include "base/clock.h"
#include "base/pool.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>

static const double BLOCK = 0.2; /* seconds that the user waits for an answer */
static const double SAVE = 1;    /* seconds of work that may be lost */
static const double SHARE = 20;  /* or so many times what saving takes */

static spar__judged get(const void *data, size_t i)
{
    spar__query q = spar__queries_get(data, i);
    return (spar__judged){.docs = q.docs, .grade = q.grade, .depth = q.depth, .first = q.first};
}

/* In seconds. */
static double now(void)
{
    return 1e-9 * spar__clock_wall();
}

/* The next queries, as many as *block says, which is then made to last the right time. */
static spar_status step(spar__rank_work *work, size_t *block, spar_error *err)
{
    const spar__judgments judgments = {.rankers = spar__queries_rankers(work->queries),
                                       .top = spar__queries_top(work->queries),
                                       .data = work->queries,
                                       .get = get};
    const spar__comparison how = {
        .click = work->click, .mixer = work->draws ? &work->mixer : NULL, .draws = work->draws, .seed = work->seed};
    size_t from = (size_t)work->tally->queries, left = spar__queries_count(work->queries) - from;
    double start = now();
    spar_status status = spar__tally_add(work->tally, &judgments, &how, from, from + (*block < left ? *block : left),
                                         work->threads, err);
    double spent = now() - start;
    if (spent < BLOCK / 2)
        *block *= 2;
    else if (spent > 2 * BLOCK && *block > spar__pool_workers(work->threads, SIZE_MAX))
        *block /= 2;
    return status;
}

/* A disk that is full is no reason to stop. */
static void save(const spar__rank_work *work, const char *dir, bool *warned)
{
    spar_error trouble = {0};
    if (spar__rank_state_save(work, dir, &trouble) && !*warned) {
        (void)fprintf(stderr, "spar: warning: what is done is not saved: %s\n", trouble.text);
        *warned = true;
    }
}

spar_status spar__rank_compare(spar__rank_work *work, const char *dir, spar_error *err)
{
    uint64_t n = spar__queries_count(work->queries);
    size_t block = spar__pool_workers(work->threads, SIZE_MAX);
    spar_status status = dir ? spar__rank_state_load(work, dir, err) : SPAR_OK;
    uint64_t first = status ? 0 : work->tally->queries;
    bool warned = false;
    double saved = now(), cost = 0;
    spar__progress_line progress;
    spar__progress_begin(&progress, "");
    progress.unit = "queries";
    while (!status && work->tally->queries < n &&
           spar__progress_show(&progress, work->tally->queries - first, n - first)) {
        status = step(work, &block, err);
        double then = now();
        if (!status && dir && then - saved > fmax(SAVE, SHARE * cost)) {
            save(work, dir, &warned);
            saved = now();
            cost = saved - then;
        }
    }
    spar__progress_end(&progress);
    if (!status && dir && work->tally->queries > first) /* the files are still to be written */
        save(work, dir, &warned);
    return status;
}
