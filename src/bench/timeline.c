#include "bench/timeline.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/setup.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint64_t ends[SPAR__TIMELINE_SEGMENTS] = {10,   20,    50,    100,   200,    500,    1000,   2000,
                                                       5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};

/* Times the rounds up to `last` until `seconds` are over. Rounds are played in blocks, which grow until reading the
 * clock costs next to nothing. */
static spar_status time_segments(spar__bench_setup *setup, uint64_t last, double seconds,
                                 const spar__bench_limit *limit, spar__timing timings[SPAR__TIMELINE_SEGMENTS])
{
    enum { FIRST_BLOCK = 8, SHORT = 200000 /* ns */ };
    double total = 0;
    uint64_t block = FIRST_BLOCK;
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS && ends[s] <= last; s++) {
        while (setup->t < ends[s]) {
            uint64_t from = setup->t, until = from + block < ends[s] ? from + block : ends[s];
            double start = spar__clock_thread();
            spar_status status = spar__bench_setup_play(setup, until);
            double took = spar__clock_thread() - start;
            if (status)
                return status;
            timings[s].rounds += until - from;
            timings[s].ns += took;
            total += took;
            if (!spar__bench_goes_on(limit))
                return SPAR_INTERRUPTED;
            if (1e-9 * total > seconds)
                return SPAR_OK;
            block *= took < SHORT ? 2 : 1;
        }
    }
    return SPAR_OK;
}

/* More rounds of a segment replace fewer; of equally many the least time is kept. */
static void keep_least(spar__timeline *timeline, const spar__timing timings[SPAR__TIMELINE_SEGMENTS])
{
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS; s++) {
        bool more = timings[s].rounds > timeline->segment[s].rounds;
        bool less = timings[s].rounds && timings[s].rounds == timeline->segment[s].rounds &&
                    timings[s].ns < timeline->segment[s].ns;
        if (more || less)
            timeline->segment[s] = timings[s];
    }
}

static spar_status play_once(spar__timeline *timeline, uint64_t last, double seconds, const spar__bench_limit *limit,
                             spar_error *err)
{
    spar__bench_setup setup;
    spar__timing timings[SPAR__TIMELINE_SEGMENTS] = {{0}};
    spar_status status =
        spar__bench_setup_open(&setup, timeline->env, timeline->policy ? timeline->policy : timeline->name, timeline->m,
                               timeline->rounds, err);
    if (!status) {
        status = time_segments(&setup, last, seconds, limit, timings);
        if (status == SPAR_OK)
            keep_least(timeline, timings);
        else if (status != SPAR_INTERRUPTED)
            (void)spar__fail(err, status, "%s: %s", timeline->name, spar_status_text(status));
    }
    spar__bench_setup_close(&setup);
    return status;
}

static spar_status measure_timeline(void *self, const spar__bench_limit *limit, spar_error *err)
{
    spar__timeline *timeline = self;
    return play_once(timeline, timeline->rounds, limit->seconds, limit, err);
}

/* Only if some window ends early. */
static spar_status measure_timeline_start(void *self, const spar__bench_limit *limit, spar_error *err)
{
    enum { EARLY = 1000 };
    spar__timeline *timeline = self;
    bool wanted = false;
    for (size_t i = 0; i < timeline->n_windows; i++)
        wanted |= timeline->window[i].last <= EARLY;
    return wanted ? play_once(timeline, EARLY, limit->seconds, limit, err) : SPAR_OK;
}

static spar_status report_timeline(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const spar__timeline *timeline = self;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < timeline->n_windows; i++) {
        const spar__window *window = &timeline->window[i];
        if (window->part != part)
            continue;
        spar__bench_case item = spar__bench_case_of(part, timeline->name, timeline->k, timeline->m);
        item.first = window->first;
        item.last = window->last;
        item.plain_ns = plain_ns;
        double ns = 0;
        for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS; s++) {
            if (ends[s] < window->first || ends[s] > window->last)
                continue;
            item.rounds += timeline->segment[s].rounds;
            ns += timeline->segment[s].ns;
        }
        if (item.rounds)
            item.ns = ns / (double)item.rounds;
        status = spar__bench_report_add(out, &item);
    }
    return status;
}

static void free_timeline(void *self)
{
    spar__timeline *timeline = self;
    spar__free(timeline->name);
    spar__free(timeline->env);
    spar__free(timeline->policy);
    spar__free(timeline);
}

static const spar__bench_point_kind timeline_kind = {measure_timeline, measure_timeline_start, report_timeline,
                                                     free_timeline};

static spar__timeline *copy_timeline(const spar__timeline *from)
{
    spar__timeline *timeline = spar__alloc(1, sizeof *timeline);
    if (!timeline)
        return NULL;
    *timeline = *from;
    timeline->name = spar__strdup(from->name);
    timeline->env = spar__strdup(from->env);
    timeline->policy = from->policy ? spar__strdup(from->policy) : NULL;
    if (timeline->name && timeline->env && (timeline->policy || !from->policy))
        return timeline;
    free_timeline(timeline);
    return NULL;
}

spar_status spar__timeline_add(spar__bench_points *points, const spar__timeline *wanted, bool plain, double budget,
                               spar__timeline **out)
{
    *out = NULL;
    for (size_t i = 0; i < points->n; i++) {
        spar__timeline *timeline = points->item[i].self;
        if (points->item[i].kind != &timeline_kind || strcmp(timeline->name, wanted->name) != 0 ||
            strcmp(timeline->env, wanted->env) != 0 || timeline->m != wanted->m)
            continue;
        points->item[i].budget = fmax(points->item[i].budget, budget);
        *out = timeline;
        return SPAR_OK;
    }
    spar__timeline *timeline = copy_timeline(wanted);
    spar_status status =
        spar__bench_points_add(points, &timeline_kind, timeline, plain ? wanted->k : 0, wanted->m, budget, NULL);
    *out = status ? NULL : timeline;
    return status;
}

void spar__timeline_add_window(spar__timeline *timeline, spar__bench_part part, uint64_t first, uint64_t last)
{
    assert(timeline->n_windows < SPAR__TIMELINE_WINDOWS && last <= SPAR__TIMELINE_LONGEST);
    timeline->window[timeline->n_windows++] = (spar__window){part, first, last};
    timeline->rounds = last > timeline->rounds ? last : timeline->rounds;
}
