#include "bench/track.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/stage.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint64_t ends[SPAR__TRACK_STRETCHES] = {10,   20,    50,    100,   200,    500,    1000,   2000,
                                                     5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};

/* Times the rounds up to `last` until `seconds` are over. Rounds are played in blocks, which grow until reading the
 * clock costs next to nothing. */
static spar_status time_stretches(spar__stage *stage, uint64_t last, double seconds, const spar__visit *visit,
                                  spar__lap laps[SPAR__TRACK_STRETCHES])
{
    enum { FIRST_BLOCK = 8, SHORT = 200000 /* ns */ };
    double total = 0;
    uint64_t block = FIRST_BLOCK;
    for (size_t s = 0; s < SPAR__TRACK_STRETCHES && ends[s] <= last; s++) {
        while (stage->t < ends[s]) {
            uint64_t from = stage->t, until = from + block < ends[s] ? from + block : ends[s];
            double start = spar__clock_thread();
            spar_status status = spar__stage_play(stage, until);
            double took = spar__clock_thread() - start;
            if (status)
                return status;
            laps[s].rounds += until - from;
            laps[s].ns += took;
            total += took;
            if (!spar__visit_goes_on(visit))
                return SPAR_INTERRUPTED;
            if (1e-9 * total > seconds)
                return SPAR_OK;
            block *= took < SHORT ? 2 : 1;
        }
    }
    return SPAR_OK;
}

/* More rounds of a stretch win over fewer, then the least time. */
static void keep_least(spar__track *track, const spar__lap laps[SPAR__TRACK_STRETCHES])
{
    for (size_t s = 0; s < SPAR__TRACK_STRETCHES; s++) {
        bool more = laps[s].rounds > track->stretch[s].rounds;
        bool less = laps[s].rounds && laps[s].rounds == track->stretch[s].rounds && laps[s].ns < track->stretch[s].ns;
        if (more || less)
            track->stretch[s] = laps[s];
    }
}

static spar_status play_once(spar__track *track, uint64_t last, double seconds, const spar__visit *visit,
                             spar_error *err)
{
    spar__stage stage;
    spar__lap laps[SPAR__TRACK_STRETCHES] = {{0}};
    spar_status status =
        spar__stage_open(&stage, track->env, track->policy ? track->policy : track->name, track->m, track->rounds, err);
    if (!status) {
        status = time_stretches(&stage, last, seconds, visit, laps);
        if (status == SPAR_OK)
            keep_least(track, laps);
        else if (status != SPAR_INTERRUPTED)
            (void)spar__fail(err, status, "%s: %s", track->name, spar_status_text(status));
    }
    spar__stage_close(&stage);
    return status;
}

static spar_status visit_track(void *self, const spar__visit *visit, spar_error *err)
{
    spar__track *track = self;
    return play_once(track, track->rounds, visit->seconds, visit, err);
}

/* The first rounds, where somebody wants to know what they cost. */
static spar_status glance_at_track(void *self, const spar__visit *visit, spar_error *err)
{
    enum { EARLY = 1000 };
    spar__track *track = self;
    bool wanted = false;
    for (size_t i = 0; i < track->n_windows; i++)
        wanted |= track->window[i].last <= EARLY;
    return wanted ? play_once(track, EARLY, visit->seconds, visit, err) : SPAR_OK;
}

static spar_status report_track(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const spar__track *track = self;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < track->n_windows; i++) {
        const spar__window *window = &track->window[i];
        if (window->part != part)
            continue;
        spar__bench_case item = spar__bench_case_of(part, track->name, track->k, track->m);
        item.first = window->first;
        item.last = window->last;
        item.plain_ns = plain_ns;
        double ns = 0;
        for (size_t s = 0; s < SPAR__TRACK_STRETCHES; s++) {
            if (ends[s] < window->first || ends[s] > window->last)
                continue;
            item.rounds += track->stretch[s].rounds;
            ns += track->stretch[s].ns;
        }
        if (item.rounds)
            item.ns = ns / (double)item.rounds;
        status = spar__bench_report_add(out, &item);
    }
    return status;
}

static void free_track(void *self)
{
    spar__track *track = self;
    spar__free(track->name);
    spar__free(track->env);
    spar__free(track->policy);
    spar__free(track);
}

static const spar__bench_point_kind track_kind = {visit_track, glance_at_track, report_track, free_track};

static spar__track *copy_track(const spar__track *from)
{
    spar__track *track = spar__alloc(1, sizeof *track);
    if (!track)
        return NULL;
    *track = *from;
    track->name = spar__strdup(from->name);
    track->env = spar__strdup(from->env);
    track->policy = from->policy ? spar__strdup(from->policy) : NULL;
    if (track->name && track->env && (track->policy || !from->policy))
        return track;
    free_track(track);
    return NULL;
}

spar_status spar__track_add(spar__bench_points *points, const spar__track *wanted, bool plain, double purse,
                            spar__track **out)
{
    *out = NULL;
    for (size_t i = 0; i < points->n; i++) {
        spar__track *track = points->item[i].self;
        if (points->item[i].kind != &track_kind || strcmp(track->name, wanted->name) != 0 ||
            strcmp(track->env, wanted->env) != 0 || track->m != wanted->m)
            continue;
        points->item[i].purse = fmax(points->item[i].purse, purse);
        *out = track;
        return SPAR_OK;
    }
    spar__track *track = copy_track(wanted);
    spar_status status =
        spar__bench_points_add(points, &track_kind, track, plain ? wanted->k : 0, wanted->m, purse, NULL);
    *out = status ? NULL : track;
    return status;
}

void spar__track_watch(spar__track *track, spar__bench_part part, uint64_t first, uint64_t last)
{
    assert(track->n_windows < SPAR__TRACK_WINDOWS && last <= SPAR__TRACK_LONGEST);
    track->window[track->n_windows++] = (spar__window){part, first, last};
    track->rounds = last > track->rounds ? last : track->rounds;
}
