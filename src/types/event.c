#include "types/event.h"

#include "base/alloc.h"
#include "types/answer.h"
#include "types/arms.h"
#include "types/round.h"

#include <string.h>

spar_status spar_event_new(spar_event **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_event *event = spar__alloc(1, sizeof *event);
    if (!event || spar_round_new(4, &event->round) || spar_answer_new(&event->answer)) {
        spar_event_free(event);
        return SPAR_NOMEM;
    }
    *out = event;
    return SPAR_OK;
}

void spar_event_free(spar_event *event)
{
    if (!event)
        return;
    spar_round_free(event->round);
    spar_answer_free(event->answer);
    spar_arms_free(event->space);
    spar__free(event->place);
    spar__free(event->policy);
    spar__free(event->axes);
    spar__free(event->x);
    spar__free(event->output);
    spar__free(event);
}

/* All but the stamp, the round and the answer. */
static void clear_rest(spar_event *event)
{
    spar_arms_free(event->space);
    spar__free(event->policy);
    spar__free(event->axes);
    spar__free(event->x);
    spar__free(event->output);
    event->space = NULL;
    event->policy = NULL;
    event->axes = NULL;
    event->x = NULL;
    event->output = NULL;
    memset(&event->is, 0, sizeof event->is);
    event->kind = SPAR_EVENT_NONE;
}

void spar__event_clear(spar_event *event)
{
    clear_rest(event);
    event->round->m = 0;
    spar_answer_set_skip(event->answer);
}

spar_status spar__event_reserve_places(spar_event *event, size_t m)
{
    if (m <= event->place_room)
        return SPAR_OK;
    size_t *place = spar__realloc(event->place, event->place_room, m, sizeof *place);
    if (!place)
        return SPAR_NOMEM;
    event->place = place;
    event->place_room = m;
    return SPAR_OK;
}

spar_status spar_event_copy(const spar_event *from, spar_event *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (from == to)
        return SPAR_OK;
    spar__archive out = {.loading = false};
    spar__event_archive((spar_event *)(uintptr_t)from, &out); /* the archive only reads when it saves */
    spar__archive in = {.loading = true, .failed = out.failed, .no_memory = out.no_memory};
    in.in = (const unsigned char *)out.out.text;
    in.left = out.out.length;
    spar__event_clear(to);
    to->kind = from->kind;
    in.version = from->axes ? 2 : 1;
    spar__event_archive(to, &in);
    spar__buf_free(&out.out);
    if (in.failed) {
        spar__event_clear(to);
        return in.no_memory ? SPAR_NOMEM : SPAR_INVALID;
    }
    spar_event_set_stamp(to, from->sequence, from->utc);
    return SPAR_OK;
}

spar_status spar_event_dup(const spar_event *event, spar_event **out)
{
    if (!SPAR__CLEAR(out) || !event)
        return SPAR_INVALID;
    spar_status status = spar_event_new(out);
    if (!status)
        status = spar_event_copy(event, *out);
    if (status) {
        spar_event_free(*out);
        *out = NULL;
    }
    return status;
}

void spar_event_set_stamp(spar_event *event, uint64_t sequence, int64_t microseconds)
{
    if (!event)
        return;
    event->sequence = sequence;
    event->utc = microseconds;
}

static void begin(spar_event *event, spar_event_kind kind)
{
    spar__event_clear(event);
    event->kind = kind;
}

/* The same with a round, an answer or both, which may be those that the event has: they are copied before the rest is
 * cleared. */
static spar_status begin_with(spar_event *event, spar_event_kind kind, const spar_round *round,
                              const spar_answer *answer)
{
    spar_status status = round ? spar_round_copy(round, event->round) : SPAR_OK;
    if (!status && answer)
        status = spar_answer_copy(answer, event->answer);
    if (status) {
        spar__event_clear(event);
        return status;
    }
    clear_rest(event);
    if (!round)
        event->round->m = 0;
    if (!answer)
        spar_answer_set_skip(event->answer);
    event->kind = kind;
    return SPAR_OK;
}

spar_status spar_event_set_created(spar_event *event, const char *policy, uint64_t seed, spar_answer_kind asks)
{
    if (!event || !policy)
        return SPAR_INVALID;
    if (!*policy || asks < SPAR_ANSWER_WINNER || asks > SPAR_ANSWER_PAIRS)
        return SPAR_INVALID;
    char *copy = spar__strdup(policy);
    begin(event, copy ? SPAR_EVENT_CREATED : SPAR_EVENT_NONE);
    if (!copy)
        return SPAR_NOMEM;
    event->is.seed = seed;
    event->is.asks = (uint8_t)asks;
    event->policy = copy;
    return SPAR_OK;
}

spar_status spar_event_set_settings(spar_event *event, size_t m, spar_results_for results, spar_access access)
{
    if (!event)
        return SPAR_INVALID;
    if (m == 0 || m > UINT32_MAX || (unsigned)results > SPAR_RESULTS_PUBLIC || (unsigned)access > SPAR_ACCESS_INVITED)
        return SPAR_INVALID;
    begin(event, SPAR_EVENT_SETTINGS);
    event->is.m = (uint32_t)m;
    event->is.results = (uint8_t)results;
    event->is.access = (uint8_t)access;
    return SPAR_OK;
}

spar_status spar_event_set_option(spar_event *event, size_t arm, uint32_t version, size_t dim, const double *x)
{
    if (!event)
        return SPAR_INVALID;
    if (arm >= UINT32_MAX || version == 0 || dim > UINT32_MAX)
        return SPAR_INVALID;
    double *copy = dim ? spar__alloc(dim, sizeof *copy) : NULL;
    if (dim && !copy)
        return SPAR_NOMEM;
    if (dim)
        memcpy(copy, x, dim * sizeof *copy);
    begin(event, SPAR_EVENT_OPTION);
    event->is.arm = (uint32_t)arm;
    event->is.version = version;
    event->is.dim = (uint32_t)dim;
    event->x = copy;
    return SPAR_OK;
}

spar_status spar_event_set_retired(spar_event *event, size_t arm)
{
    if (!event)
        return SPAR_INVALID;
    if (arm >= UINT32_MAX)
        return SPAR_INVALID;
    begin(event, SPAR_EVENT_RETIRED);
    event->is.arm = (uint32_t)arm;
    return SPAR_OK;
}

void spar_event_set_item(spar_event *event, uint32_t index)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_ITEM);
    event->is.item = index;
    event->is.version = 1;
    event->is.group = SPAR_NO_GROUP;
}

spar_status spar_event_set_screen(spar_event *event, uint64_t number, const spar_round *round, const size_t *place)
{
    if (!event || !round)
        return SPAR_INVALID;
    if (spar__event_reserve_places(event, round->m))
        return SPAR_NOMEM;
    spar_status status = begin_with(event, SPAR_EVENT_SCREEN, round, NULL);
    if (status)
        return status;
    event->is.number = number;
    event->is.item = SPAR_NO_ITEM;
    for (size_t j = 0; j < event->round->m; j++)
        event->place[j] = place ? place[j] : j;
    return SPAR_OK;
}

spar_status spar_event_set_answer(spar_event *event, uint64_t number, uint32_t revision, const spar_answer *answer)
{
    if (!event || !answer)
        return SPAR_INVALID;
    spar_status status = begin_with(event, SPAR_EVENT_ANSWER, NULL, answer);
    if (status)
        return status;
    event->is.number = number;
    event->is.revision = revision;
    return SPAR_OK;
}

void spar_event_set_undo(spar_event *event, uint64_t number, uint32_t revision)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_UNDO);
    event->is.number = number;
    event->is.revision = revision;
}

void spar_event_set_closed(spar_event *event)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_CLOSED);
}

void spar_event_set_reopened(spar_event *event)
{
    if (!event)
        return;
    begin(event, SPAR_EVENT_REOPENED);
}

spar_status spar_event_set_imported(spar_event *event, const unsigned char *key, const spar_round *round,
                                    const spar_answer *answer)
{
    if (!event || !round || !answer)
        return SPAR_INVALID;
    unsigned char copy[SPAR_HASH_SIZE] = {0};
    if (key)
        memcpy(copy, key, sizeof copy);
    spar_status status = begin_with(event, SPAR_EVENT_IMPORTED, round, answer);
    if (status)
        return status;
    memcpy(event->is.key, copy, sizeof copy);
    event->round->asked = false; /* as it is decoded, whatever the round was */
    memset(event->round->memo, 0, sizeof event->round->memo);
    for (size_t j = 0; j < event->round->m; j++)
        event->round->prob[j] = 1;
    return SPAR_OK;
}
