/* forget.c - texts are removed; the log stays as it is, and still verifies. */
#include "live/live.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <string.h>

/* What a voter wrote: comments by screen, sources by event. */
typedef struct written_by {
    spar_experiment *experiment;
    uint64_t voter;
    struct {
        spar__text_kind kind;
        uint64_t owner;
    } * item;
    size_t n, room;
} written_by;

static spar_status note(written_by *list, spar__text_kind kind, uint64_t owner)
{
    if (list->n == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        void *grown = spar__realloc(list->item, list->room, room, sizeof *list->item);
        if (!grown)
            return SPAR_NOMEM;
        list->item = grown;
        list->room = room;
    }
    list->item[list->n].kind = kind;
    list->item[list->n++].owner = owner;
    return SPAR_OK;
}

static spar_status look(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    written_by *list = context;
    spar_event *event = list->experiment->event;
    (void)hash;
    spar_status status = spar__live_decode(event, sequence, bytes, length, err);
    if (status || spar_event_voter(event) != list->voter)
        return status;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER && spar_event_hash(event))
        status = note(list, SPAR__TEXT_COMMENT, spar_event_number(event));
    else if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        status = note(list, SPAR__TEXT_SOURCE, sequence);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* The name goes last: after a failure the same call can be made again. */
static spar_status drop_all(written_by *list, size_t *removed, spar_error *err)
{
    spar_experiment *experiment = list->experiment;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < list->n && !status; i++) {
        size_t dropped = 0;
        status = spar__store_text_drop(experiment->store, experiment->id, list->item[i].kind, list->item[i].owner,
                                       &dropped, err);
        *removed += dropped;
    }
    size_t name = 0;
    if (!status)
        status = spar__store_text_drop(experiment->store, experiment->id, SPAR__TEXT_VOTER, list->voter, &name, err);
    *removed += name;
    return status;
}

spar_status spar_experiment_forget(spar_experiment *experiment, const char *voter, size_t *removed, spar_error *err)
{
    written_by list = {.experiment = experiment};
    size_t ignored;
    removed = removed ? removed : &ignored;
    *removed = 0;
    if (!voter || !*voter)
        return spar__fail(err, SPAR_INVALID, "no voter was named");
    spar_status status = spar__live_check(experiment, err);
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (!status)
        status = spar__live_known_voter(experiment, voter, &list.voter, err);
    if (!status)
        status = spar__store_read(experiment->store, experiment->id, 1, 0, look, &list, err);
    if (!status)
        status = drop_all(&list, removed, err);
    spar__free(list.item);
    return status;
}

spar_status spar_experiment_redact(spar_experiment *experiment, const char *id, size_t *removed, spar_error *err)
{
    if (removed)
        *removed = 0;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "no option was named");
    spar_status status = spar__live_check(experiment, err);
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (status)
        return status;
    size_t arm = spar_experiment_find(experiment, id);
    if (arm == SPAR_NO_ARM)
        return spar__fail(err, SPAR_UNKNOWN, "%s has no option '%s'", experiment->place, id);
    if (spar_experiment_is_live(experiment, arm))
        return spar__fail(err, SPAR_UNSUPPORTED, "option '%s' is live: retire it first", id);
    status = spar__store_text_drop(experiment->store, experiment->id, SPAR__TEXT_ARM, arm, removed, err);
    if (status)
        return status;
    spar_option_free(experiment->option[arm].text);
    experiment->option[arm].text = NULL;
    return SPAR_OK;
}
