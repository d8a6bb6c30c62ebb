#include "cli/rank.h"

#include "cli/progress.h"
#include "env/matrix_read.h"

#include <stdio.h>

/* A note takes the place of the progress line. */
static void tell(void *context, const char *sentence)
{
    spar__progress_end(context);
    (void)fprintf(stderr, "spar: note: %s\n", sentence);
}

/* What is wrong with the names of things is said before hours are spent on reading. */
static spar_status check_specs(spar__rank_work *work, size_t top, spar_error *err)
{
    spar__click *click = NULL;
    spar_status status = spar__mixer_new(work->method, &work->mixer, err);
    if (!status)
        status = spar__click_new(work->click_spec, 1, top, &click, err);
    spar__click_free(click);
    return status;
}

static spar_status read_queries(spar__rank_work *work, spar__queries_options *options, spar_error *err)
{
    spar__progress_line progress;
    spar__progress_begin(&progress, "reading  ");
    progress.unit = "MB";
    progress.per = 1e6;
    options->progress = spar__progress_show;
    options->note = tell;
    options->context = &progress;
    spar_status status = spar__queries_open(options, &work->queries, err);
    spar__progress_end(&progress);
    return status;
}

spar_status spar__rank_open(spar__rank_work *work, spar__queries_options options, spar_error *err)
{
    spar_status status = check_specs(work, options.top, err);
    if (!status)
        status = read_queries(work, &options, err);
    if (status)
        return status;
    size_t rankers = spar__queries_rankers(work->queries), count = spar__queries_count(work->queries);
    if (rankers > SPAR__MATRIX_MOST)
        return spar__fail(err, SPAR_UNSUPPORTED, "rank: %zu rankers, and a matrix can have %d", rankers,
                          SPAR__MATRIX_MOST);
    if (count > SPAR__TALLY_QUERIES)
        return spar__fail(err, SPAR_UNSUPPORTED, "rank: %zu queries, and there may be %d", count, SPAR__TALLY_QUERIES);
    status = spar__rank_check_names(work->queries, options.weights ? options.weights : options.names, err);
    if (!status)
        status = spar__click_new(work->click_spec, spar__queries_grades(work->queries),
                                 spar__queries_top(work->queries), &work->click, err);
    if (!status && spar__tally_new(rankers, &work->tally))
        status = spar__fail_memory(err);
    return status;
}

void spar__rank_free(spar__rank_work *work)
{
    spar__tally_free(work->tally);
    spar__click_free(work->click);
    spar__queries_free(work->queries);
}
