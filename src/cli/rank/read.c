#include "cli/rank/rank.h"

#include "cli/common.h"
#include "cli/progress.h"
#include "env/matrix_read.h"
#include "rank/comparison.h"

#include <stdio.h>

enum { NUMBER = 20 }; /* bytes of a number in the output, about */

/* A note takes the place of the progress line. */
static void tell(void *context, const char *sentence)
{
    spar__progress_end(context);
    spar__note("%s", sentence);
}

spar_status spar__rank_open(spar__rank_work *work, spar__queries_options options, spar_error *err)
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
    return spar__rank_check_names(work->lists.queries, options.weights ? options.weights : options.names, err);
}

void spar__rank_free(spar__rank_work *work)
{
    spar__tally_free(work->tally);
    spar__interleaving_close(&work->lists);
}
