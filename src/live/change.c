/* change.c - an experiment that is running is changed: options, settings, and texts that are removed.
 *
 * Options and settings change by events. Texts are removed beside the log, which stays as it is and still verifies;
 * what was shown stays in it. A text of an item goes away with all versions of the item that have it, so that the next
 * version must do without. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/option.h"
#include "live/text_limits.h"

#include <inttypes.h>
#include <string.h>

/* Under the lock: appends the event if the session agrees to it, and gives the lock up. */
static spar_status finish(spar_experiment *experiment, spar_status status, const spar__store_text *text, size_t n_texts,
                          spar_error *err)
{
    if (!status) {
        spar_event_set_stamp(experiment->event, experiment->state->sequence + 1, 0);
        status = spar_session_check(experiment->state->session, experiment->event, err);
    }
    if (!status)
        return spar__live_commit(experiment, experiment->event, n_texts, text, err);
    spar__live_end(experiment);
    return status;
}

static spar_status made(spar_status status, spar_error *err)
{
    return status ? spar__fail(err, status, "%s", spar_status_text(status)) : SPAR_OK;
}

/* --- options --- */

const char spar__axes_fixed[] =
    "the axes are fixed when an experiment is made: nothing is added, changed or retired; make "
    "a new experiment";

static spar_status refuse_in_space(const spar_experiment *experiment, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s is about the settings of a space: %s", experiment->place,
                      spar__axes_fixed);
}

/* The event of the option as arm, and its text, if it may be. */
static spar_status make_option(spar_experiment *experiment, const spar_option *option, size_t arm, spar__buf *record,
                               spar__store_text *text, spar_error *err)
{
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    size_t n, dim = spar_arms_dim(arms);
    const double *x = spar_option_features(option, &n), *now = spar_arms_features(arms, arm);
    if (arm == SPAR__MOST_OPTIONS)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %d options, which is the most", experiment->place,
                          SPAR__MOST_OPTIONS);
    if (n != dim)
        return spar__fail(err, SPAR_INVALID, "option '%s' has %zu features, the others have %zu",
                          spar_option_id(option), n, dim);
    if (dim && now && memcmp(x, now, dim * sizeof *x) != 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "the features of option '%s' cannot change", spar_option_id(option));
    uint32_t version = arm < experiment->state->n_options ? experiment->state->version[arm] + 1 : 1;
    return spar__option_event(experiment->event, option, arm, version, record, text, err);
}

spar_status spar__option_event(spar_event *event, const spar_option *option, size_t arm, uint32_t version,
                               spar__buf *record, spar__store_text *text, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    size_t dim;
    const double *x = spar_option_features(option, &dim);
    spar_status status = made(spar_event_set_option(event, arm, version, dim, x), err);
    if (!status)
        status = made(spar__option_record(option, record), err);
    if (!status)
        status = spar__live_text(SPAR__TEXT_ARM, arm, version, record->text, record->length, text, hash, err);
    if (!status)
        spar_event_set_hash(event, hash);
    return status;
}

spar_status spar_experiment_add(spar_experiment *experiment, const spar_option *option, size_t *arm, spar_error *err)
{
    spar__buf record = {0};
    spar__store_text text;
    bool same = false;
    if (arm)
        *arm = SPAR_NO_ARM;
    if (!option)
        return spar__fail(err, SPAR_INVALID, "no option was given");
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    if (spar_experiment_axes(experiment)) {
        spar__live_end(experiment);
        return refuse_in_space(experiment, err);
    }
    size_t at = spar_experiment_find(experiment, spar_option_id(option));
    at = at == SPAR_NO_ARM ? experiment->state->n_options : at;
    /* Is it, text by text, what the option is now? Features cannot change. */
    const spar_option *now = spar_experiment_option(experiment, at);
    spar__buf old = {0};
    if (now) {
        status = made(spar__option_record(now, &old), err);
        if (!status)
            status = made(spar__option_record(option, &record), err);
        same = !status && old.length == record.length && memcmp(old.text, record.text, old.length) == 0;
        spar__buf_free(&old);
        spar__buf_free(&record);
    }
    if (same)
        spar__live_end(experiment);
    else {
        status = status ? status : make_option(experiment, option, at, &record, &text, err);
        status = finish(experiment, status, &text, 1, err);
    }
    spar__buf_free(&record);
    if (!status && arm)
        *arm = at;
    return status;
}

spar_status spar_experiment_retire(spar_experiment *experiment, const char *id, spar_error *err)
{
    if (!id)
        return spar__fail(err, SPAR_INVALID, "no option was named");
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    size_t arm = spar_experiment_find(experiment, id);
    if (spar_experiment_axes(experiment))
        status = refuse_in_space(experiment, err);
    else if (arm == SPAR_NO_ARM)
        status = spar__fail(err, SPAR_UNKNOWN, "%s has no option '%s'", experiment->place, id);
    else if (!spar_experiment_is_live(experiment, arm))
        status = spar__fail(err, SPAR_CONFLICT, "option '%s' is retired already", id);
    else if (spar_arms_live(spar_session_arms(experiment->state->session)) == 1)
        status = spar__fail(err, SPAR_UNSUPPORTED, "option '%s' is the last one and cannot retire", id);
    else
        status = made(spar_event_set_retired(experiment->event, arm), err);
    return finish(experiment, status, NULL, 0, err);
}

/* --- settings: every event has all of them, the question too; what is so already needs no event --- */

spar_status spar__settings_event(spar_event *event, const spar__live_settings *settings, uint32_t number,
                                 spar__store_text *text, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    const char *question = settings->question;
    spar_status status = made(spar_event_set_settings(event, settings->m, settings->results, settings->access), err);
    if (status || !question)
        return status;
    status = spar__live_text(SPAR__TEXT_QUESTION, 0, number, question, strlen(question), text, hash, err);
    if (!status)
        spar_event_set_hash(event, hash);
    return status;
}

/* The settings as they are, but for one of them. m may change until the first screen. */
typedef enum settings_part { QUESTION, SLOTS, RESULTS, ACCESS } settings_part;

static spar_status change_settings(spar_experiment *experiment, settings_part part, const spar__live_settings *to,
                                   spar_error *err)
{
    spar__store_text text;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    const spar__fold *state = experiment->state;
    const char *was = spar_experiment_question(experiment), *question = part == QUESTION ? to->question : was;
    const spar__live_settings settings = {question, part == SLOTS ? to->m : state->m,
                                          part == RESULTS ? to->results : (spar_results_for)state->results,
                                          part == ACCESS ? to->access : (spar_access)state->access};
    const spar_arms *arms = spar_session_arms(state->session);
    if (settings.m != state->m && (state->screens || state->imported))
        status =
            spar__fail(err, SPAR_UNSUPPORTED,
                       "m is %" PRIu32 " and cannot change any more: the first screen was asked or imported", state->m);
    else if (settings.m != state->m && spar_arms_live(arms) >= 2)
        status = spar__policy_serves(state->policy, arms, settings.m, err);
    if (!status && part == SLOTS && spar_experiment_against_last(experiment) && settings.m != 2)
        status =
            spar__fail(err, SPAR_UNSUPPORTED, "a setting is compared with the last one: m is 2, not %zu", settings.m);
    /* One whose text cannot be read is not known to be the same. */
    bool same = (question != NULL) == state->question && (!question || was) && (!was || strcmp(was, question) == 0) &&
                state->m == settings.m && state->results == (uint32_t)settings.results &&
                state->access == (uint32_t)settings.access;
    if (status || same) {
        spar__live_end(experiment);
        return status;
    }
    status = spar__settings_event(experiment->event, &settings, state->settings + 1, &text, err);
    return finish(experiment, status, &text, question != NULL, err);
}

spar_status spar_experiment_set_question(spar_experiment *experiment, const char *question, spar_error *err)
{
    spar_status status = question ? spar__question_check(question, err) : SPAR_OK;
    return status ? status : change_settings(experiment, QUESTION, &(spar__live_settings){.question = question}, err);
}

spar_status spar_experiment_set_slots(spar_experiment *experiment, size_t m, spar_error *err)
{
    spar_status status = spar__slots_check(m, err);
    return status ? status : change_settings(experiment, SLOTS, &(spar__live_settings){.m = m}, err);
}

spar_status spar_experiment_set_results(spar_experiment *experiment, spar_results_for results, spar_error *err)
{
    if (results != SPAR_RESULTS_MANAGERS && results != SPAR_RESULTS_AFTER_VOTE && results != SPAR_RESULTS_PUBLIC)
        return spar__fail(err, SPAR_INVALID, "results are for managers, after_vote or public, not for %d",
                          (int)results);
    return change_settings(experiment, RESULTS, &(spar__live_settings){.results = results}, err);
}

spar_status spar_experiment_set_access(spar_experiment *experiment, spar_access access, spar_error *err)
{
    if (access != SPAR_ACCESS_OPEN && access != SPAR_ACCESS_INVITED)
        return spar__fail(err, SPAR_INVALID, "access is open or invited, not %d", (int)access);
    return change_settings(experiment, ACCESS, &(spar__live_settings){.access = access}, err);
}

/* --- closed and reopened; what is so already needs no event --- */

static spar_status set_closed(spar_experiment *experiment, bool closed, spar_error *err)
{
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    if (spar_experiment_is_closed(experiment) == closed) {
        spar__live_end(experiment);
        return SPAR_OK;
    }
    if (closed)
        spar_event_set_closed(experiment->event);
    else
        spar_event_set_reopened(experiment->event);
    return finish(experiment, SPAR_OK, NULL, 0, err);
}

spar_status spar_experiment_end(spar_experiment *experiment, spar_error *err)
{
    return set_closed(experiment, true, err);
}

spar_status spar_experiment_reopen(spar_experiment *experiment, spar_error *err)
{
    return set_closed(experiment, false, err);
}

/* --- texts that are removed --- */

/* What a voter wrote: comments by screen and revision, sources by event, and the name. */
typedef struct written_by {
    spar_experiment *experiment;
    uint64_t voter, upto; /* and the last event that was looked at */
    spar__text_key *item;
    size_t n, room;
} written_by;

static spar_status note(written_by *list, spar__text_kind kind, uint64_t owner, uint32_t version)
{
    if (!spar__reserve(&list->item, &list->room, list->n + 1, 16, sizeof *list->item))
        return SPAR_NOMEM;
    list->item[list->n++] = (spar__text_key){kind, owner, version};
    return SPAR_OK;
}

static spar_status note_written(void *context, const spar_event *event, const unsigned char *hash, spar_error *err)
{
    written_by *list = context;
    spar_status status = SPAR_OK;
    (void)hash;
    list->upto = spar_event_sequence(event);
    if (spar_event_voter(event) != list->voter)
        return SPAR_OK;
    if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER && spar_event_hash(event))
        status = note(list, SPAR__TEXT_COMMENT, spar_event_number(event), spar_event_revision(event) + 1);
    else if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        status = note(list, SPAR__TEXT_SOURCE, list->upto, 0);
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
    return spar_experiment_each(experiment, list->upto + 1, note_written, list, err);
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
    /* a long log takes a while, so it is read before the lock, too */
    status = find_written(&list, voter, err);
    if (!status || status == SPAR_UNKNOWN)
        status = spar__live_begin(experiment, err);
    if (!status) {
        status = find_written(&list, voter, err);
        status = drop(experiment, status ? 0 : list.n, list.item, status, removed, err);
    }
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
spar_status spar_experiment_redact(spar_experiment *experiment, const char *id, size_t *removed, spar_error *err)
{
    size_t arm = 0, n = 0, total = 1;
    if (removed)
        *removed = 0;
    if (!id)
        return spar__fail(err, SPAR_INVALID, "no option was named");
    spar_status status = spar__live_check(experiment, err);
    if (!status)
        status = spar__live_refresh(experiment, err);
    if (!status && !find_retired(experiment, id, &arm, NULL))
        status = spar__items_strip(experiment, arm, err);
    if (!status)
        status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = find_retired(experiment, id, &arm, err);
    const spar__items *items = &experiment->state->items;
    for (size_t i = 0; i < items->n; i++)
        total += items->item[i].version - 1;
    spar__text_key *key = status ? NULL : spar__alloc(total, sizeof *key);
    if (!status && !key)
        status = spar__fail_memory(err);
    if (key)
        key[n++] = (spar__text_key){SPAR__TEXT_ARM, arm, 0};
    for (size_t i = 0; key && i < items->n; i++) /* all versions but the last */
        for (uint32_t version = 1; version < items->item[i].version; version++)
            key[n++] = (spar__text_key){SPAR__TEXT_ITEM, i, version};
    status = drop(experiment, n, key, status, removed, err);
    spar__free(key);
    return status;
}

typedef struct item_search {
    const char *id;
    size_t length;
    uint32_t index;
} item_search;

static spar_status match_item(void *context, const spar__store_text *text, spar_error *err)
{
    item_search *search = context;
    spar__piece id, group;
    (void)err;
    if (spar__item_peek(text->bytes, text->length, &id, &group) && id.length == search->length &&
        memcmp(id.text, search->id, id.length) == 0)
        search->index = (uint32_t)text->owner;
    return SPAR_OK;
}

/* Under the lock: the item of that id is shown no more, if it still is. One that was withdrawn before is found as long
 * as a text of it is there. SPAR_UNKNOWN: there is none. The lock is held after that, and after no other failure. */
static spar_status withdraw(spar_experiment *experiment, const char *id, uint32_t *index, spar_error *err)
{
    item_search search = {id, strlen(id), SPAR_NO_ITEM};
    spar_status status =
        spar__store_text_each(experiment->store, experiment->id, SPAR__TEXT_ITEM, match_item, &search, err);
    *index = search.index;
    if (!status && search.index >= experiment->state->items.n)
        return spar__fail(err, SPAR_UNKNOWN, "%s has no item '%s'", experiment->place, id);
    if (status) {
        spar__live_end(experiment);
        return status;
    }
    const spar__item_state *item = &experiment->state->items.item[*index];
    if (!item->has)
        return SPAR_OK;
    spar_event_set_item(experiment->event, *index);
    (void)spar_event_set_outputs(experiment->event, item->version + 1, item->group, 0, NULL);
    status = spar__live_commit(experiment, experiment->event, 0, NULL, err);
    return status ? status : spar__live_begin(experiment, err);
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
    status = withdraw(experiment, id, &index, err);
    if (status && status != SPAR_UNKNOWN)
        return status;
    spar__text_key key = {SPAR__TEXT_ITEM, index, 0};
    return drop(experiment, !status, &key, status, removed, err);
}
