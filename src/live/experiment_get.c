/* experiment_get.c - what can be read of an experiment: its state, the texts beside the log, and the log itself.
 *
 * Texts are looked up in the store when they are needed, and kept until there is a newer version or something was
 * removed. A voter is a random number in the log, with a name beside it; a name stays that of its voter until it is
 * dropped, which refresh notices, so a database is asked once. */
#include "base/alloc.h"
#include "base/hash.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/option.h"
#include "live/text_limits.h"
#include "store/digest.h"

#include <string.h>

void spar__hash_words(const void *bytes, size_t length, uint64_t word[2])
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(bytes, length, hash);
    word[0] = spar__get_u64(hash);
    word[1] = spar__get_u64(hash + 8);
}

static bool is_named(const char *name)
{
    return name && *name;
}

static spar_status find(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err)
{
    uint64_t word[2];
    *voter = 0;
    spar_status status = is_named(name) ? spar__text_check(&spar__voter_limits, name, err) : SPAR_OK;
    if (status || !is_named(name))
        return status;
    spar__hash_words(name, strlen(name), word);
    spar__live_name *known = &experiment->voter[word[0] % SPAR__LIVE_VOTERS];
    if (known->voter && known->high == word[0] && known->low == word[1]) {
        *voter = known->voter;
        return SPAR_OK;
    }
    status = spar__store_voter(experiment->store, experiment->id, name, strlen(name), voter, err);
    if (!status && *voter)
        *known = (spar__live_name){word[0], word[1], *voter};
    return status;
}

spar_status spar__live_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar__store_text *text,
                             size_t *n_texts, spar_error *err)
{
    spar_status status = find(experiment, name, voter, err);
    if (status || *voter || !is_named(name))
        return status;
    while (!status && !*voter)
        status = spar__random_bytes(voter, sizeof *voter, err);
    if (!status)
        status = spar__live_text(SPAR__TEXT_VOTER, *voter, 1, name, strlen(name), text, NULL, err);
    *n_texts += !status;
    return status;
}

spar_status spar__live_known_voter(spar_experiment *experiment, const char *name, uint64_t *voter, spar_error *err)
{
    spar_status status = find(experiment, name, voter, err);
    if (!status && is_named(name) && !*voter)
        status = spar__fail(err, SPAR_UNKNOWN, "there is no voter '%s'", name);
    return status;
}

/* --- texts --- */

/* Any failure but a missing text, which was removed. */
static spar_status fail_text(const char *what, size_t number, spar_status status, const char *why, spar_error *err)
{
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    return spar__fail(err, status, "the text of %s %zu cannot be read: %s; 'spar export' saves what can be read", what,
                      number, why);
}

/* Its bytes, new; *bytes NULL: there is none, or none any more. */
static spar_status get_text(spar_experiment *experiment, spar__text_kind kind, uint64_t owner, uint32_t version,
                            unsigned char **bytes, size_t *length, spar_error *err)
{
    unsigned char salt[SPAR__SALT_SIZE];
    *bytes = NULL;
    spar_status status =
        spar__store_text_get(experiment->store, experiment->id, kind, owner, version, salt, bytes, length, err);
    return status == SPAR_UNKNOWN ? SPAR_OK : status;
}

spar_status spar__live_option_get(spar_experiment *experiment, size_t arm, const spar_option **out, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_option *text = NULL;
    spar_error why = {0};
    *out = NULL;
    size_t n = experiment->state->n_options;
    if (n > experiment->n_options) {
        if (!spar__resize(&experiment->option, experiment->n_options, n, sizeof *experiment->option))
            return spar__fail_memory(err);
        experiment->n_options = n;
    }
    spar__live_option *option = &experiment->option[arm];
    uint32_t version = experiment->state->version[arm];
    if (option->version != version) {
        spar_status status = get_text(experiment, SPAR__TEXT_ARM, arm, version, &bytes, &length, &why);
        if (!status && bytes)
            status = spar__option_read(bytes, length, &text, &why);
        spar__free(bytes);
        if (status)
            return fail_text("option", arm + 1, status, why.text, err);
        spar_option_free(option->text);
        option->text = text;
        option->version = version;
        option->hashed = false;
    }
    *out = option->text;
    return SPAR_OK;
}

spar_status spar__live_item_get(spar_experiment *experiment, uint32_t index, spar_item **out, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint32_t version = experiment->state->items.item[index].version;
    spar_item *text = NULL;
    spar_error why = {0};
    *out = NULL;
    if (experiment->item.version != version || experiment->item.index != index) {
        spar_status status = get_text(experiment, SPAR__TEXT_ITEM, index, version, &bytes, &length, &why);
        if (!status && bytes)
            status = spar__item_read(bytes, length, &text, &why);
        spar__free(bytes);
        if (status)
            return fail_text("item", (size_t)index + 1, status, why.text, err);
        spar_item_free(experiment->item.text);
        experiment->item.text = text;
        experiment->item.index = index;
        experiment->item.version = version;
    }
    *out = experiment->item.text ? spar__item_share(experiment->item.text) : NULL;
    return SPAR_OK;
}

const spar_option *spar_experiment_option(const spar_experiment *experiment, size_t arm)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* what was looked up is kept */
    const spar_option *option = NULL;
    if (experiment && experiment->state && arm < experiment->state->n_options)
        (void)spar__live_option_get(self, arm, &option, NULL);
    return option;
}

const unsigned char *spar__live_image_hash(spar_experiment *experiment, size_t arm)
{
    size_t length = 0;
    const unsigned char *bytes = spar_option_image(spar_experiment_option(experiment, arm), &length);
    if (!bytes)
        return NULL;
    spar__live_option *option = &experiment->option[arm];
    if (!option->hashed)
        spar__sha256(bytes, length, option->image);
    option->hashed = true;
    return option->image;
}

size_t spar_experiment_find(const spar_experiment *experiment, const char *id)
{
    for (size_t arm = 0; id && arm < spar_experiment_options(experiment); arm++) {
        const spar_option *option = spar_experiment_option(experiment, arm);
        if (option && strcmp(spar_option_id(option), id) == 0)
            return arm;
    }
    return SPAR_NO_ARM;
}

spar_status spar__live_question_get(spar_experiment *experiment, spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint32_t settings = experiment->state->settings;
    spar_error why = {0};
    if (experiment->question_of == settings)
        return SPAR_OK;
    spar_status status = experiment->state->question
                             ? get_text(experiment, SPAR__TEXT_QUESTION, 0, settings, &bytes, &length, &why)
                             : SPAR_OK;
    if (status)
        return fail_text("question", settings, status, why.text, err);
    spar__free(experiment->question);
    experiment->question = (char *)bytes;
    experiment->question_of = settings;
    return SPAR_OK;
}

const char *spar_experiment_question(const spar_experiment *experiment)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* what was looked up is kept */
    if (!experiment || !experiment->state || spar__live_question_get(self, NULL))
        return NULL;
    return self->question;
}

spar_status spar_experiment_check_texts(spar_experiment *experiment, spar_error *err)
{
    const spar_option *option;
    if (!experiment || !experiment->state)
        return spar__fail(err, SPAR_INVALID, "no experiment was given");
    spar_status status = spar__live_question_get(experiment, err);
    for (size_t arm = 0; arm < experiment->state->n_options && !status; arm++)
        status = spar__live_option_get(experiment, arm, &option, err);
    return status;
}

/* --- the state --- */

/* An empty state where there is nothing to look at. */
static const spar__fold *state_of(const spar_experiment *experiment)
{
    static const spar__fold none;
    return experiment && experiment->state ? experiment->state : &none;
}

const char *spar_experiment_place(const spar_experiment *experiment)
{
    return experiment ? experiment->place : NULL;
}

const char *spar_experiment_policy(const spar_experiment *experiment)
{
    return state_of(experiment)->policy;
}

spar_answer_kind spar_experiment_asks(const spar_experiment *experiment)
{
    return (spar_answer_kind)state_of(experiment)->asks;
}

size_t spar_experiment_slots(const spar_experiment *experiment)
{
    return state_of(experiment)->m;
}

uint64_t spar_experiment_seed(const spar_experiment *experiment)
{
    return state_of(experiment)->seed;
}

spar_results_for spar_experiment_results(const spar_experiment *experiment)
{
    return (spar_results_for)state_of(experiment)->results;
}

spar_access spar_experiment_access(const spar_experiment *experiment)
{
    return (spar_access)state_of(experiment)->access;
}

bool spar_experiment_is_closed(const spar_experiment *experiment)
{
    return spar_session_closed(state_of(experiment)->session);
}

size_t spar_experiment_options(const spar_experiment *experiment)
{
    return state_of(experiment)->n_options;
}

bool spar_experiment_is_live(const spar_experiment *experiment, size_t arm)
{
    return spar_decision_is_live(state_of(experiment)->decision, arm);
}

const spar_axes *spar_experiment_axes(const spar_experiment *experiment)
{
    return spar_session_axes(state_of(experiment)->session);
}

bool spar_experiment_against_last(const spar_experiment *experiment)
{
    return spar_session_against_last(state_of(experiment)->session);
}

const spar_decision *spar_experiment_decision(const spar_experiment *experiment)
{
    return state_of(experiment)->decision;
}

static const char *option_name(void *context, size_t option)
{
    return spar_option_title(spar_experiment_option(context, option));
}

size_t spar_experiment_sentence(const spar_experiment *experiment, char *out, size_t room)
{
    spar_decision_names names = {.size = sizeof names,
                                 .context = (spar_experiment *)(uintptr_t)experiment, /* only read */
                                 .option = option_name};
    return spar_decision_sentence(state_of(experiment)->decision, &names, out, room);
}

void spar_experiment_counts(const spar_experiment *experiment, uint64_t *screens, uint64_t *answers, uint64_t *undone,
                            uint64_t *imported)
{
    const spar__fold *state = state_of(experiment);
    if (screens)
        *screens = state->screens;
    if (answers)
        *answers = state->answers;
    if (undone)
        *undone = state->undone;
    if (imported)
        *imported = state->imported;
}

uint64_t spar_experiment_sequence(const spar_experiment *experiment)
{
    return state_of(experiment)->sequence;
}

void spar_experiment_head(const spar_experiment *experiment, unsigned char hash[SPAR_HASH_SIZE])
{
    if (hash)
        memcpy(hash, state_of(experiment)->hash, SPAR_HASH_SIZE);
}

/* The number of a voter by name, 0 for ""; false where there is no such voter. */
static bool voter_of(const spar_experiment *experiment, const char *name, uint64_t *voter)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* the store is only read */
    *voter = 0;
    return !name || !spar__live_known_voter(self, name, voter, NULL);
}

size_t spar_experiment_open_screens(const spar_experiment *experiment, const char *voter, size_t most, uint64_t *number)
{
    const spar__fold *state = state_of(experiment);
    uint64_t whose;
    if (!state->session || !voter_of(experiment, voter, &whose))
        return 0;
    if (voter)
        return spar__fold_open_of(state, whose, most, number);
    for (size_t i = 0; i < state->n_open && i < most && number; i++)
        number[i] = state->open[i].number;
    return state->n_open;
}

uint64_t spar_experiment_last_answered(const spar_experiment *experiment, const char *voter)
{
    const spar__fold *state = state_of(experiment);
    uint64_t whose;
    if (!state->session || !voter_of(experiment, voter, &whose))
        return 0;
    if (!voter)
        return state->last;
    size_t i = spar__key_find(&state->voters, whose, 0);
    return i == SPAR__NO_KEY ? 0 : state->voters.entry[i].count;
}

/* --- items --- */

size_t spar_experiment_items(const spar_experiment *experiment)
{
    return state_of(experiment)->items.n;
}

spar_status spar_experiment_item(spar_experiment *experiment, size_t index, spar_item **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out || index >= spar_experiment_items(experiment))
        return spar__fail(err, experiment && out ? SPAR_UNKNOWN : SPAR_INVALID, "there is no item %zu", index + 1);
    return spar__live_item_get(experiment, (uint32_t)index, out, err);
}

size_t spar_experiment_items_left(const spar_experiment *experiment, const char *voter)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* looking a name up changes nothing */
    uint64_t number = 0;
    if (!spar_experiment_items(experiment))
        return 0;
    if (voter && *voter) /* who is not known yet has seen nothing */
        (void)spar__live_known_voter(self, voter, &number, NULL);
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    size_t live = spar_arms_live(arms), m = experiment->state->m < live ? experiment->state->m : live;
    return spar__items_left(&experiment->state->items, number, arms, m);
}

/* --- the log --- */

typedef struct event_listener {
    spar_event *event;
    spar_experiment_event_fn fn;
    void *context;
} event_listener;

static spar_status pass_on(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                           const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    const event_listener *to = context;
    spar_status status = spar__live_decode(to->event, sequence, bytes, length, err);
    return status ? status : to->fn(to->context, to->event, hash, err);
}

spar_status spar_experiment_each(spar_experiment *experiment, uint64_t from, spar_experiment_event_fn fn, void *context,
                                 spar_error *err)
{
    event_listener to = {NULL, fn, context};
    if (!experiment || !fn)
        return spar__fail(err, SPAR_INVALID, "events are read from an experiment, and need somebody to take them");
    if (spar_event_new(&to.event))
        return spar__fail_memory(err);
    spar_status status = spar__store_read(experiment->store, experiment->id, from ? from : 1, 0, pass_on, &to, err);
    spar_event_free(to.event);
    return status;
}

static spar_status text(spar_experiment *experiment, spar__text_kind kind, uint64_t owner, uint32_t version, char **out,
                        spar_error *err)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a text is looked up in an experiment, and needs a place to go");
    spar_status status = get_text(experiment, kind, owner, version, &bytes, &length, err);
    *out = (char *)bytes;
    return status;
}

spar_status spar_experiment_voter_name(spar_experiment *experiment, uint64_t voter, char **name, spar_error *err)
{
    return text(experiment, SPAR__TEXT_VOTER, voter, 1, name, err);
}

spar_status spar_experiment_comment(spar_experiment *experiment, uint64_t screen, uint32_t revision, char **comment,
                                    spar_error *err)
{
    return text(experiment, SPAR__TEXT_COMMENT, screen, revision + 1, comment, err);
}

void spar_text_free(char *words)
{
    spar__free(words);
}

spar_status spar_experiment_backup(spar_experiment *experiment, const char *path, spar_error *err)
{
    if (!experiment || !path)
        return spar__fail(err, SPAR_INVALID, "a backup is made of an experiment, and needs a path");
    return spar__store_backup(experiment->store, path, err);
}
