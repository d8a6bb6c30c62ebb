#include "rank/tally.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "rank/exact.h"
#include "rank/trials.h"

#include <math.h>
#include <string.h>

static const double unit = 0x1p42;
#define PURPOSE UINT64_C(0x72616e6b)

spar_status spar__tally_new(size_t rankers, spar__tally **out)
{
    *out = NULL;
    spar__tally *t = spar__alloc(1, sizeof *t);
    if (!t)
        return SPAR_NOMEM;
    t->rankers = rankers;
    t->pairs = rankers ? rankers * (rankers - 1) / 2 : 0;
    t->sum = spar__alloc(t->pairs, sizeof *t->sum);
    t->square = spar__alloc(t->pairs, sizeof *t->square);
    t->noise = spar__alloc(t->pairs, sizeof *t->noise);
    if (!t->sum || !t->square || !t->noise) {
        spar__tally_free(t);
        return SPAR_NOMEM;
    }
    *out = t;
    return SPAR_OK;
}

void spar__tally_free(spar__tally *t)
{
    if (!t)
        return;
    spar__free(t->sum);
    spar__free(t->square);
    spar__free(t->noise);
    spar__free(t);
}

void spar__tally_clear(spar__tally *t)
{
    t->queries = 0;
    memset(t->sum, 0, t->pairs * sizeof *t->sum);
    memset(t->square, 0, t->pairs * sizeof *t->square);
    memset(t->noise, 0, t->pairs * sizeof *t->noise);
}

/* Can that many queries have made these sums? Of a query |x| <= 1/2, and the variance of a mean of draws is <= 1/4. */
static bool is_sound(const spar__tally *t)
{
    double most = (double)t->queries * unit;
    bool good = t->queries <= SPAR__TALLY_QUERIES;
    for (size_t pair = 0; pair < t->pairs; pair++)
        good &= fabs((double)(int64_t)t->sum[pair]) <= most / 2 && (double)t->square[pair] <= most / 4 &&
                (double)t->noise[pair] <= most / 4;
    return good;
}

void spar__tally_archive(spar__tally *t, spar__archive *ar)
{
    size_t rankers = t->rankers;
    spar__archive_size(ar, &rankers);
    spar__archive_check(ar, rankers == t->rankers);
    spar__archive_u64(ar, &t->queries);
    uint64_t *const sums[] = {t->sum, t->square, t->noise};
    for (size_t s = 0; s < 3; s++)
        for (size_t pair = 0; pair < t->pairs && !ar->failed; pair++)
            spar__archive_u64(ar, &sums[s][pair]);
    if (ar->loading && !ar->failed)
        spar__archive_check(ar, is_sound(t));
}

static void put(spar__tally *t, size_t pair, double p, double variance)
{
    double x = p - 0.5;
    t->sum[pair] += (uint64_t)(int64_t)rint(x * unit);
    t->square[pair] += (uint64_t)rint(x * x * unit);
    t->noise[pair] += (uint64_t)rint(variance * unit);
}

/* What each worker has of its own. */
typedef struct tally_worker {
    spar__tally *tally;
    spar__exact *exact;
    spar__trials *trials;
    uint64_t *lists; /* rankers x top: the lists of a query as the trials take them */
    spar_status status;
} tally_worker;

typedef struct tally_job {
    const spar__comparison *how;
    size_t from;
    tally_worker *workers;
} tally_job;

static spar_status compare_exactly(tally_worker *w, const spar__comparison *how, const spar__query *query)
{
    size_t pair = 0;
    bool stopped = false;
    spar__exact_query(w->exact, query->grade, query->depth);
    for (size_t j = 1; j < w->tally->rankers && !stopped; j++) {
        spar__exact_first(w->exact, query->first + j * query->depth);
        for (size_t i = 0; i < j && !stopped; i++, pair++) {
            spar__duel_odds odds = spar__exact_second(w->exact, query->first + i * query->depth);
            put(w->tally, pair, 1 - spar__duel_odds_p(odds), 0);
            stopped = pair % 64 == 0 && how->stop && how->stop();
        }
    }
    spar__exact_query(w->exact, NULL, 0); /* the lists are not ours to keep */
    return stopped ? SPAR_INTERRUPTED : SPAR_OK;
}

/* Each pair of each query has a stream of its own. */
static spar_status compare_by_draws(tally_worker *w, const spar__comparison *how, const spar__query *query,
                                    size_t number)
{
    size_t pair = 0, depth = query->depth;
    for (size_t k = 0; k < w->tally->rankers * depth; k++)
        w->lists[k] = query->first[k];
    for (size_t j = 1; j < w->tally->rankers; j++)
        for (size_t i = 0; i < j; i++, pair++) {
            spar_rng rng;
            spar__trial_mean s;
            spar_rng_seed(&rng, how->seed, number, PURPOSE << 32 | pair);
            spar_status status = spar__trials_duel(w->trials, query->grade, depth, w->lists + i * depth,
                                                   w->lists + j * depth, how->draws, &rng, &s);
            if (status)
                return status;
            put(w->tally, pair, s.p, s.variance);
        }
    return SPAR_OK;
}

static void run_query(void *context, size_t index, size_t number)
{
    const tally_job *job = context;
    tally_worker *w = &job->workers[number];
    if (w->status)
        return;
    size_t q = job->from + index;
    spar__query query = spar__queries_get(job->how->of->queries, q);
    w->status = job->how->draws ? compare_by_draws(w, job->how, &query, q) : compare_exactly(w, job->how, &query);
}

static spar_status worker_open(tally_worker *w, size_t rankers, const spar__comparison *how)
{
    size_t top = spar__queries_top(how->of->queries);
    spar_status status = spar__tally_new(rankers, &w->tally);
    if (status)
        return status;
    if (!how->draws)
        return spar__exact_new(how->of->click, top, &w->exact);
    w->lists = spar__alloc(rankers, top * sizeof *w->lists);
    return w->lists ? spar__trials_new(&how->of->mixer, how->of->click, how->stop, &w->trials) : SPAR_NOMEM;
}

static void worker_close(tally_worker *w)
{
    spar__tally_free(w->tally);
    spar__exact_free(w->exact);
    spar__trials_free(w->trials);
    spar__free(w->lists);
}

void spar__tally_join(spar__tally *to, const spar__tally *from)
{
    to->queries += from->queries;
    for (size_t pair = 0; pair < to->pairs; pair++) {
        to->sum[pair] += from->sum[pair];
        to->square[pair] += from->square[pair];
        to->noise[pair] += from->noise[pair];
    }
}

static spar_status fail(spar_status status, spar_error *err)
{
    return status == SPAR_NOMEM ? spar__fail_memory(err) : spar__fail(err, status, "interrupted");
}

spar_status spar__tally_add(spar__tally *tally, const spar__comparison *how, size_t from, size_t to, spar_error *err)
{
    const spar__queries *queries = how->of->queries;
    if (tally->rankers != spar__queries_rankers(queries) || from > to ||
        how->of->click->top < spar__queries_top(queries))
        return spar__fail(err, SPAR_INVALID, "the tally, the click model and the queries do not belong together");
    size_t n = to - from;
    if (n > SPAR__TALLY_QUERIES - tally->queries)
        return spar__fail(err, SPAR_UNSUPPORTED, "more than %d queries", SPAR__TALLY_QUERIES);
    size_t n_workers = spar__pool_workers(how->threads, n);
    tally_job job = {how, from, spar__alloc(n_workers, sizeof(tally_worker))};
    spar_status status = job.workers ? SPAR_OK : SPAR_NOMEM;
    for (size_t w = 0; !status && w < n_workers; w++)
        status = worker_open(&job.workers[w], tally->rankers, how);
    if (!status)
        spar__pool_run(how->threads, n, run_query, &job);
    for (size_t w = 0; !status && w < n_workers; w++)
        status = job.workers[w].status;
    for (size_t w = 0; !status && w < n_workers; w++)
        spar__tally_join(tally, job.workers[w].tally);
    for (size_t w = 0; job.workers && w < n_workers; w++)
        worker_close(&job.workers[w]);
    spar__free(job.workers);
    if (status)
        return fail(status, err);
    tally->queries += n;
    return SPAR_OK;
}

static void set_pair(double *matrix, size_t n, size_t i, size_t j, double ij, double ji)
{
    if (!matrix)
        return;
    matrix[i * n + j] = ij;
    matrix[j * n + i] = ji;
}

void spar__tally_read(const spar__tally *t, double *p, double *query_se, double *draw_se)
{
    size_t n = t->rankers, pair = 0;
    double q = (double)t->queries;
    for (size_t j = 0; j < n; j++) {
        set_pair(p, n, j, j, 0.5, 0.5);
        set_pair(query_se, n, j, j, 0, 0);
        set_pair(draw_se, n, j, j, 0, 0);
        for (size_t i = 0; i < j; i++, pair++) {
            double sum = (double)(int64_t)t->sum[pair] / unit, square = (double)t->square[pair] / unit;
            double mean = q > 0 ? sum / q : 0, spread = fmax(square - sum * mean, 0);
            double by_query = q > 1 ? sqrt(spread / (q * (q - 1))) : 0;
            double by_draw = q > 0 ? sqrt((double)t->noise[pair] / unit) / q : 0;
            set_pair(p, n, i, j, 0.5 + mean, 1 - (0.5 + mean));
            set_pair(query_se, n, i, j, by_query, by_query);
            set_pair(draw_se, n, i, j, by_draw, by_draw);
        }
    }
}
