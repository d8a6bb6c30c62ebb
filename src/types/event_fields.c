/* event_fields.c - the single fields of an event: set where its kind has them, read as 0 where not. */
#include "base/alloc.h"
#include "types/answer.h"
#include "types/arms.h"
#include "types/event.h"
#include "types/round.h"

#include <string.h>

/* Is the event of one of these kinds, given as bits? */
static bool is_one_of(const spar_event *event, unsigned kinds)
{
    return kinds >> event->kind & 1;
}

enum {
    CREATED = 1 << SPAR_EVENT_CREATED,
    SETTINGS = 1 << SPAR_EVENT_SETTINGS,
    OPTION = 1 << SPAR_EVENT_OPTION,
    RETIRED = 1 << SPAR_EVENT_RETIRED,
    ITEM = 1 << SPAR_EVENT_ITEM,
    SCREEN = 1 << SPAR_EVENT_SCREEN,
    ANSWER = 1 << SPAR_EVENT_ANSWER,
    IMPORTED = 1 << SPAR_EVENT_IMPORTED
};

void spar_event_set_horizon(spar_event *event, uint64_t horizon)
{
    if (!event)
        return;
    if (is_one_of(event, CREATED))
        event->is.horizon = horizon;
}

void spar_event_set_shuffle(spar_event *event, bool shuffle)
{
    if (!event)
        return;
    if (is_one_of(event, CREATED))
        event->is.shuffle = shuffle;
}

spar_status spar_event_set_space(spar_event *event, const spar_arms *arms)
{
    if (!event || !arms)
        return SPAR_INVALID;
    static const double nothing = 0;
    spar_arms *space = NULL;
    if (!is_one_of(event, CREATED))
        return SPAR_OK;
    spar_status status = spar__arms_continuous(arms) ? spar_arms_new_space(&arms->space, &space)
                         : arms->dim                 ? spar_arms_new(0, arms->dim, &nothing, NULL, &space)
                                                     : SPAR_OK;
    if (status)
        return status;
    spar_arms_free(event->space);
    event->space = space;
    return SPAR_OK;
}

spar_status spar_event_set_axes(spar_event *event, const char *text, bool against_last)
{
    if (!event || (text && !*text))
        return SPAR_INVALID;
    if (!is_one_of(event, CREATED))
        return SPAR_OK;
    char *copy = text ? spar__strdup(text) : NULL;
    if (text && !copy)
        return SPAR_NOMEM;
    spar__free(event->axes);
    event->axes = copy;
    event->is.against_last = copy && against_last;
    return SPAR_OK;
}

void spar_event_set_basis(spar_event *event, uint64_t basis, uint32_t engine)
{
    if (!event)
        return;
    if (is_one_of(event, SCREEN)) {
        event->is.basis = basis;
        event->is.engine = engine;
    }
}

void spar_event_set_shown_item(spar_event *event, uint32_t item)
{
    if (!event)
        return;
    if (is_one_of(event, SCREEN))
        event->is.item = item;
}

spar_status spar_event_set_outputs(spar_event *event, uint32_t version, uint32_t group, size_t n, const size_t *arm)
{
    if (!event || !version || n >= UINT32_MAX || (n && !arm) || !is_one_of(event, ITEM))
        return SPAR_INVALID;
    for (size_t i = 0; i < n; i++)
        if (arm[i] >= UINT32_MAX || (i && arm[i] <= arm[i - 1]))
            return SPAR_INVALID;
    uint32_t *output = n ? spar__alloc(n, sizeof *output) : NULL;
    if (n && !output)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++)
        output[i] = (uint32_t)arm[i];
    spar__free(event->output);
    event->output = output;
    event->is.outputs = (uint32_t)n;
    event->is.version = version;
    event->is.group = group;
    return SPAR_OK;
}

void spar_event_set_voter(spar_event *event, uint64_t voter)
{
    if (!event)
        return;
    if (is_one_of(event, SCREEN | ANSWER | IMPORTED))
        event->is.voter = voter;
}

void spar_event_set_taken(spar_event *event, uint32_t milliseconds)
{
    if (!event)
        return;
    if (is_one_of(event, ANSWER))
        event->is.taken = milliseconds;
}

void spar_event_set_flags(spar_event *event, uint32_t flags)
{
    if (!event)
        return;
    if (is_one_of(event, ANSWER))
        event->is.flags = flags;
}

void spar_event_set_hash(spar_event *event, const unsigned char *hash)
{
    if (!event)
        return;
    if (!is_one_of(event, SETTINGS | OPTION | ITEM | ANSWER))
        return;
    event->is.hashed = hash != NULL;
    if (hash) /* perhaps the one that is there */
        memmove(event->is.hash, hash, sizeof event->is.hash);
    else
        memset(event->is.hash, 0, sizeof event->is.hash);
}

spar_event_kind spar_event_kind_of(const spar_event *event)
{
    return event ? event->kind : SPAR_EVENT_NONE;
}

const char *spar_event_kind_name(spar_event_kind kind)
{
    static const char *const name[] = {"created", "settings", "option", "retired",  "item",    "screen",
                                       "answer",  "undo",     "closed", "reopened", "imported"};
    return kind >= SPAR_EVENT_CREATED && kind <= SPAR_EVENT_IMPORTED ? name[kind - SPAR_EVENT_CREATED] : NULL;
}

uint64_t spar_event_sequence(const spar_event *event)
{
    return event ? event->sequence : 0;
}

int64_t spar_event_time(const spar_event *event)
{
    return event ? event->utc : 0;
}

const char *spar_event_policy(const spar_event *event)
{
    return event ? event->policy : NULL;
}

uint64_t spar_event_seed(const spar_event *event)
{
    return event ? event->is.seed : 0;
}

uint64_t spar_event_horizon(const spar_event *event)
{
    return event ? event->is.horizon : 0;
}

spar_answer_kind spar_event_asks(const spar_event *event)
{
    return event ? (spar_answer_kind)event->is.asks : (spar_answer_kind)0;
}

bool spar_event_shuffle(const spar_event *event)
{
    return event && event->is.shuffle != 0;
}

const spar_arms *spar_event_space(const spar_event *event)
{
    return event ? event->space : NULL;
}

const char *spar_event_axes(const spar_event *event)
{
    return event ? event->axes : NULL;
}

bool spar_event_against_last(const spar_event *event)
{
    return event && event->is.against_last != 0;
}

size_t spar_event_slots(const spar_event *event)
{
    if (!event)
        return 0;
    return is_one_of(event, SETTINGS) ? event->is.m : event->round->m;
}

spar_results_for spar_event_results(const spar_event *event)
{
    return event ? (spar_results_for)event->is.results : SPAR_RESULTS_MANAGERS;
}

spar_access spar_event_access(const spar_event *event)
{
    return event ? (spar_access)event->is.access : SPAR_ACCESS_OPEN;
}

size_t spar_event_arm(const spar_event *event)
{
    return event && is_one_of(event, OPTION | RETIRED) ? event->is.arm : SPAR_NO_ARM;
}

uint32_t spar_event_version(const spar_event *event)
{
    return event ? event->is.version : 0;
}

size_t spar_event_dim(const spar_event *event)
{
    return event ? event->is.dim : 0;
}

const double *spar_event_features(const spar_event *event)
{
    return event ? event->x : NULL;
}

uint32_t spar_event_item(const spar_event *event)
{
    return event && is_one_of(event, ITEM | SCREEN) ? event->is.item : SPAR_NO_ITEM;
}

uint32_t spar_event_group(const spar_event *event)
{
    return event && is_one_of(event, ITEM) ? event->is.group : SPAR_NO_GROUP;
}

size_t spar_event_outputs(const spar_event *event)
{
    return event ? event->is.outputs : 0;
}

size_t spar_event_output(const spar_event *event, size_t i)
{
    return event && i < event->is.outputs ? event->output[i] : SPAR_NO_ARM;
}

uint64_t spar_event_number(const spar_event *event)
{
    return event ? event->is.number : 0;
}

uint64_t spar_event_voter(const spar_event *event)
{
    return event ? event->is.voter : 0;
}

uint64_t spar_event_basis(const spar_event *event)
{
    return event ? event->is.basis : 0;
}

uint32_t spar_event_engine(const spar_event *event)
{
    return event ? event->is.engine : 0;
}

const spar_round *spar_event_round(const spar_event *event)
{
    return event && is_one_of(event, SCREEN | IMPORTED) ? event->round : NULL;
}

size_t spar_event_place(const spar_event *event, size_t slot)
{
    if (!event)
        return 0;
    return is_one_of(event, SCREEN) && slot < event->round->m ? event->place[slot] : SPAR_NO_SLOT;
}

uint32_t spar_event_revision(const spar_event *event)
{
    return event ? event->is.revision : 0;
}

uint32_t spar_event_taken(const spar_event *event)
{
    return event ? event->is.taken : 0;
}

uint32_t spar_event_flags(const spar_event *event)
{
    return event ? event->is.flags : 0;
}

const spar_answer *spar_event_answer(const spar_event *event)
{
    return event && is_one_of(event, ANSWER | IMPORTED) ? event->answer : NULL;
}

const unsigned char *spar_event_hash(const spar_event *event)
{
    return event && event->is.hashed ? event->is.hash : NULL;
}

const unsigned char *spar_event_key(const spar_event *event)
{
    return event && is_one_of(event, IMPORTED) ? event->is.key : NULL;
}
