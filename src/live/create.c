/* create.c - the first events of an experiment: created, settings, options, in one commit; then its items. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/open.h"
#include "live/option.h"
#include "live/setup.h"
#include "store/digest.h"

#include <string.h>

enum { CREATED, SETTINGS, OPTIONS };

typedef struct live_birth {
    const spar_setup *setup;
    const char *policy;
    spar__buf made; /* a policy for features */
    size_t m;
    uint64_t seed;
    spar_arms *arms; /* for the space; may have more than the options */
    size_t n;        /* events */
    spar__store_entry *entry;
    spar__store_text *text;
    spar__buf *record; /* of each option */
} live_birth;

static void birth_free(live_birth *birth)
{
    for (size_t i = 0; i < birth->n; i++) {
        if (birth->entry)
            spar_event_free(birth->entry[i].event);
        if (birth->record)
            spar__buf_free(&birth->record[i]);
    }
    spar__buf_free(&birth->made);
    spar__free(birth->entry);
    spar__free(birth->text);
    spar__free(birth->record);
    spar_arms_free(birth->arms);
}

static spar_status birth_new(live_birth *birth, const spar_setup *setup, spar_error *err)
{
    *birth = (live_birth){.setup = setup, .policy = setup->policy ? setup->policy : SPAR__LIVE_POLICY};
    if (!setup->policy && setup->axes)
        spar__space_policy(setup->axes, &birth->made);
    else if (!setup->policy)
        spar__features_policy(setup, &birth->made);
    if (birth->made.length)
        birth->policy = birth->made.text;
    birth->n = OPTIONS + setup->n;
    birth->entry = spar__alloc(birth->n, sizeof *birth->entry);
    birth->text = spar__alloc(birth->n, sizeof *birth->text);
    birth->record = spar__alloc(birth->n, sizeof *birth->record);
    if (birth->made.failed || !birth->entry || !birth->text || !birth->record || spar__setup_arms(setup, &birth->arms))
        return spar__fail_memory(err);
    birth->seed = setup->seed;
    spar_status status = setup->seeded ? SPAR_OK : spar__random_bytes(&birth->seed, sizeof birth->seed, err);
    birth->m = setup->m ? setup->m : birth->made.length ? 2 : spar__setup_slots(setup);
    if (status)
        return status;
    return setup->axes ? spar__space_serves(birth->policy, setup, birth->m, err)
                       : spar__policy_serves(birth->policy, birth->arms, birth->m, err);
}

static spar_status made(spar_status status, spar_error *err)
{
    return status ? spar__fail(err, status, "%s", spar_status_text(status)) : SPAR_OK;
}

static spar_status make_created(const live_birth *birth, spar_event *event, spar_error *err)
{
    spar_status status = spar_event_set_created(event, birth->policy, birth->seed, birth->setup->asks);
    spar_event_set_shuffle(event, true);
    if (!status && spar_arms_dim(birth->arms))
        status = spar_event_set_space(event, birth->arms);
    if (!status && birth->setup->axes)
        status = spar_event_set_axes(event, spar_axes_text(birth->setup->axes), birth->setup->against_last);
    return made(status, err);
}

/* The event of entry i gets a text. */
static spar_status attach(live_birth *birth, size_t i, spar__text_kind kind, uint64_t owner, const void *bytes,
                          size_t length, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__live_text(kind, owner, 1, bytes, length, &birth->text[i], hash, err);
    if (status)
        return status;
    spar_event_set_hash(birth->entry[i].event, hash);
    birth->entry[i].text = &birth->text[i];
    birth->entry[i].n_texts = 1;
    return SPAR_OK;
}

static spar_status make_settings(live_birth *birth, spar_event *event, spar_error *err)
{
    const spar_setup *setup = birth->setup;
    spar_status status = made(spar_event_set_settings(event, birth->m, setup->results, setup->access), err);
    if (status || !setup->question)
        return status;
    return attach(birth, SETTINGS, SPAR__TEXT_QUESTION, 0, setup->question, strlen(setup->question), err);
}

static spar_status make_option(live_birth *birth, size_t i, spar_event *event, spar_error *err)
{
    size_t arm = i - OPTIONS, dim;
    const spar_option *option = birth->setup->option[arm];
    const double *x = spar_option_features(option, &dim);
    spar_status status = made(spar_event_set_option(event, arm, 1, dim, x), err);
    if (!status)
        status = made(spar__option_record(option, &birth->record[i]), err);
    return status ? status : attach(birth, i, SPAR__TEXT_ARM, arm, birth->record[i].text, birth->record[i].length, err);
}

static spar_status make_events(live_birth *birth, spar_error *err)
{
    int64_t now = spar__live_now();
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < birth->n && !status; i++) {
        spar_event **event = &birth->entry[i].event;
        if (spar_event_new(event))
            return spar__fail_memory(err);
        spar_event_set_stamp(*event, 0, now);
        status = i == CREATED    ? make_created(birth, *event, err)
                 : i == SETTINGS ? make_settings(birth, *event, err)
                                 : make_option(birth, i, *event, err);
    }
    return status;
}

/* The number of a new experiment in the store; one that was begun and has no events is taken over. */
static spar_status number(spar_experiment *experiment, const char *name, spar_error *err)
{
    uint64_t end = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_error why = {0};
    spar_status status = spar__store_create(experiment->store, name ? name : "", &experiment->id, &why);
    if (status != SPAR_CONFLICT)
        return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
    status = spar__store_find(experiment->store, name ? name : "", &experiment->id, err);
    if (!status)
        status = spar__store_head(experiment->store, experiment->id, &end, hash, err);
    return status || !end ? status : spar__fail(err, SPAR_CONFLICT, "%s", why.text);
}

static spar_status write(spar_experiment *experiment, live_birth *birth, spar_error *err)
{
    uint64_t end = 0;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__store_lock(experiment->store, experiment->id, err);
    if (status)
        return status;
    status = spar__store_head(experiment->store, experiment->id, &end, hash, err);
    if (!status && end)
        status = spar__fail(err, SPAR_CONFLICT, "%s: another program has made the experiment", experiment->place);
    if (status) {
        spar__live_end(experiment);
        return status;
    }
    status = spar__store_append(experiment->store, experiment->id, birth->n, birth->entry, err);
    for (size_t i = 0; i < birth->n && !status; i++)
        if (birth->entry[i].status)
            status = spar__fail(err, birth->entry[i].status, "%s: %s", experiment->place,
                                spar_status_text(birth->entry[i].status));
    return status ? status : spar__live_refresh(experiment, err);
}

spar_status spar_experiment_create(const char *place, const spar_setup *setup, spar_experiment **out, spar_error *err)
{
    live_birth birth = {0};
    char *name = NULL;
    if (!out)
        return spar__fail(err, SPAR_INVALID, "there is no place for the experiment");
    *out = NULL;
    if (!place || !setup)
        return spar__fail(err, SPAR_INVALID, "a new experiment needs a place and a setup");
    spar_status status = birth_new(&birth, setup, err);
    if (!status)
        status = make_events(&birth, err);
    if (!status)
        status = spar__live_new(place, SPAR__STORE_CREATE, out, &name, err);
    if (!status)
        status = number(*out, name, err);
    if (!status)
        status = write(*out, &birth, err);
    if (!status && setup->n_items)
        status =
            spar_experiment_add_items(*out, setup->n_items, (const spar_item *const *)setup->item, NULL, NULL, err);
    birth_free(&birth);
    spar__free(name);
    if (status) {
        spar_experiment_close(*out);
        *out = NULL;
    }
    return status;
}
