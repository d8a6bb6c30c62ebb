/* standings.c - the answers of an experiment as standings. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/answers.h"
#include "live/source.h"

/* The log as this experiment has folded it, without texts. */
typedef struct own_history {
    spar__history base; /* must come first */
    spar_experiment *experiment;
    spar__history_fn fn;
    void *context;
} own_history;

static spar_status pass_on(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                           const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    own_history *own = context;
    spar_status status = spar__live_decode(own->base.event, sequence, bytes, length, err);
    spar__history_entry entry = {sequence, own->base.event, bytes, length, hash, NULL, 0};
    return status ? status : own->fn(own->context, &entry, err);
}

static spar_status each(spar__history *history, spar__history_fn fn, void *context, spar_error *err)
{
    own_history *own = (own_history *)history;
    own->fn = fn;
    own->context = context;
    uint64_t to = own->experiment->state->sequence; /* others may have added more since */
    return to ? spar__store_read(own->experiment->store, own->experiment->id, 1, to, pass_on, own, err) : SPAR_OK;
}

static const spar__history_class OWN = {.each = each};

spar_status spar__live_answers_each(spar_experiment *experiment, spar__answers *answers, spar_error *err)
{
    own_history own = {.base = {.cls = &OWN}, .experiment = experiment};
    spar_status status = spar_event_new(&own.base.event) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__answers_each(&own.base, answers, err);
    spar_event_free(own.base.event);
    return status;
}

typedef struct standings_fold {
    spar_standings *standings;
    bool may_tie, tied; /* a tie is an alternative; there was one though it was not */
    bool without;       /* answers with flags */
    spar__key_table flagged;
    size_t *place; /* 0, 1, 2, ... */
    size_t room;
} standings_fold;

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    standings_fold *f = context;
    const spar_event *event = entry->event;
    if (spar_event_kind_of(event) == SPAR_EVENT_OPTION && spar_event_version(event) == 1)
        return spar_standings_add(f->standings, NULL, err);
    if (spar_event_kind_of(event) == SPAR_EVENT_RETIRED)
        return spar_standings_retire(f->standings, spar_event_arm(event), err);
    return SPAR_OK;
}

static bool is_flagged(const standings_fold *f, const spar__answered *a)
{
    return f->without &&
           (spar_event_flags(a->entry->event) || spar__key_find(&f->flagged, a->entry->sequence, 0) != SPAR__NO_KEY);
}

/* What was imported has an order, but who knows whether it was that of the places. */
static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    standings_fold *f = context;
    if (is_flagged(f, a))
        return SPAR_OK;
    if (a->point)
        return spar__fail(err, SPAR_UNSUPPORTED, "standings are about a list of options, not about points");
    f->tied = !f->may_tie && spar_answer_kind_of(a->given) == SPAR_ANSWER_TIE;
    if (f->tied)
        return spar__fail(err, SPAR_INTERRUPTED, "ties are possible");
    if (spar__places_reserve(&f->place, &f->room, a->m))
        return spar__fail_memory(err);
    return spar_standings_answer(f->standings, a->m, a->arm, a->screen ? f->place : NULL, a->placed, f->may_tie, 1,
                                 err);
}

/* A tie is an alternative of every answer if there is one: where the first shows, all is done again. */
static spar_status fold(spar_experiment *experiment, standings_fold *f, spar_error *err)
{
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = f};
    spar_status status = SPAR_OK;
    do {
        f->may_tie = f->tied;
        f->tied = false;
        spar_standings_free(f->standings);
        f->standings = NULL;
        if (!status || status == SPAR_INTERRUPTED)
            status = spar_standings_new(0, &f->standings, err);
        if (!status)
            status = spar__live_answers_each(experiment, &answers, err);
    } while (status == SPAR_INTERRUPTED && f->tied);
    if (!status && answers.lost)
        status = spar__fail(err, SPAR_CORRUPT, "the log has answers to screens that it does not have");
    return status;
}

spar_status spar_experiment_standings(spar_experiment *experiment, bool without_flagged, spar_standings **out,
                                      spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out || !experiment->state)
        return spar__fail(err, SPAR_INVALID, "standings are those of an experiment, and need a place to go");
    standings_fold f = {.without = without_flagged};
    spar_status status = without_flagged ? spar__source_flagged(experiment, &f.flagged, err) : SPAR_OK;
    if (!status)
        status = fold(experiment, &f, err);
    if (status)
        spar_standings_free(f.standings);
    else
        *out = f.standings;
    spar__key_table_fini(&f.flagged);
    spar__free(f.place);
    return status;
}
