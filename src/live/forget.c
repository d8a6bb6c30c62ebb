/* forget.c - texts are removed; the log stays as it is, and still verifies. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/items_add.h"
#include "live/items_redact.h"

#include <inttypes.h>
#include <string.h>

/* What a voter wrote: comments by screen and revision, sources by event, and the name. */
typedef struct written_by {
    spar_experiment *experiment;
    uint64_t voter, upto; /* and the last event that was looked at */
    spar__text_key *item;
    size_t n, room;
} written_by;

static spar_status note(written_by *list, spar__text_kind kind, uint64_t owner, uint32_t version)
{
    spar__text_key *grown = spar__grow(list->item, &list->room, list->n + 1, 16, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    list->item = grown;
    list->item[list->n++] = (spar__text_key){kind, owner, version};
    return SPAR_OK;
}

static spar_status look(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                        const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    written_by *list = context;
    spar_event *event = list->experiment->event;
    (void)hash;
    spar_status status = spar__live_decode(event, sequence, bytes, length, err);
    if (!status)
        list->upto = sequence;
    if (status || spar_event_voter(event) != list->voter)
        return status;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER && spar_event_hash(event))
        status = note(list, SPAR__TEXT_COMMENT, spar_event_number(event), spar_event_revision(event) + 1);
    else if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        status = note(list, SPAR__TEXT_SOURCE, sequence, 0);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

static void look_again(spar_experiment *experiment)
{
    for (size_t arm = 0; arm < experiment->n_options; arm++)
        experiment->option[arm].version = 0;
    experiment->item.version = 0;
    memset(experiment->voter, 0, sizeof experiment->voter);
}

void spar__live_heed_drops(spar_experiment *experiment, uint64_t drops)
{
    if (drops == experiment->drops)
        return;
    look_again(experiment);
    experiment->drops = drops;
}

/* All at once, under the lock, which is given up. Who is not there may have been removed by a call that failed behind
 * that: the same call completes it. Else the status of the search stands. */
static spar_status drop(spar_experiment *experiment, size_t n, const spar__text_key *key, spar_status found,
                        size_t *removed, spar_error *err)
{
    spar__text_dropped dropped = {0};
    spar_error why = {0};
    if (found && found != SPAR_UNKNOWN) {
        spar__live_end(experiment);
        return found;
    }
    spar_status status = spar__store_text_drop(experiment->store, experiment->id, n, key, &dropped, &why);
    look_again(experiment);
    if (removed)
        *removed = dropped.n;
    if (status)
        return spar__fail(err, status, "%s", why.text);
    return dropped.completed ? SPAR_OK : found;
}

/* What is new since the last call. */
static spar_status find_written(written_by *list, const char *voter, spar_error *err)
{
    spar_experiment *experiment = list->experiment;
    uint64_t whose = 0;
    spar_status status = spar__live_known_voter(experiment, voter, &whose, err);
    if (status)
        return status;
    if (whose != list->voter) {
        list->voter = whose;
        list->upto = list->n = 0;
        if (note(list, SPAR__TEXT_VOTER, whose, 0))
            return spar__fail_memory(err);
    }
    return spar__store_read(experiment->store, experiment->id, list->upto + 1, 0, look, list, err);
}

/* A long log takes a while, so it is read before the lock, too. */
static spar_status forget(written_by *list, const char *voter, size_t *removed, spar_error *err)
{
    spar_status status = find_written(list, voter, err);
    if (!status || status == SPAR_UNKNOWN)
        status = spar__live_begin(list->experiment, err);
    if (status)
        return status;
    status = find_written(list, voter, err);
    return drop(list->experiment, status ? 0 : list->n, list->item, status, removed, err);
}

spar_status spar_experiment_forget(spar_experiment *experiment, const char *voter, size_t *removed, spar_error *err)
{
    written_by list = {.experiment = experiment};
    if (removed)
        *removed = 0;
    if (!voter || !*voter)
        return spar__fail(err, SPAR_INVALID, "no voter was named");
    spar_status status = spar__live_check(experiment, err);
    if (status)
        return status;
    status = forget(&list, voter, removed, err);
    spar__free(list.item);
    return status;
}

static spar_status find_retired(const spar_experiment *experiment, const char *id, size_t *arm, spar_error *err)
{
    *arm = spar_experiment_find(experiment, id);
    if (*arm == SPAR_NO_ARM)
        return spar__fail(err, SPAR_UNKNOWN, "%s has no option '%s'", experiment->place, id);
    if (spar_experiment_is_live(experiment, *arm))
        return spar__fail(err, SPAR_UNSUPPORTED, "option '%s' is live: retire it first", id);
    return SPAR_OK;
}

/* What is removed: the texts of the option, and items in the versions that have its outputs. */
static spar_status drop_option(spar_experiment *experiment, const char *id, size_t *removed, spar_error *err)
{
    size_t arm = 0, n = 0;
    spar__text_key *key = NULL;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = find_retired(experiment, id, &arm, err);
    if (!status && spar__items_old(experiment, 1, &key, &n))
        status = spar__fail_memory(err);
    if (key)
        key[0] = (spar__text_key){SPAR__TEXT_ARM, arm, 0};
    status = drop(experiment, n, key, status, removed, err);
    spar__free(key);
    return status;
}

spar_status spar_experiment_redact(spar_experiment *experiment, const char *id, size_t *removed, spar_error *err)
{
    size_t arm = 0;
    if (removed)
        *removed = 0;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "no option was named");
    spar_status status = spar__live_check(experiment, err);
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (!status && !find_retired(experiment, id, &arm, NULL))
        status = spar__items_strip(experiment, arm, err);
    return status ? status : drop_option(experiment, id, removed, err);
}

spar_status spar_experiment_redact_item(spar_experiment *experiment, const char *id, size_t *removed, spar_error *err)
{
    uint32_t index = 0;
    if (removed)
        *removed = 0;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "no item was named");
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = spar__items_find(experiment, id, &index, err);
    if (!status) {
        status = spar__item_withdraw(experiment, index, err);
        if (!status)
            status = spar__live_begin(experiment, err);
        if (status)
            return status;
    }
    spar__text_key key = {SPAR__TEXT_ITEM, index, 0};
    return drop(experiment, !status, &key, status, removed, err);
}
