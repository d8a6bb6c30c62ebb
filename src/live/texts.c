/* texts.c - question and options: their texts, looked up in the store when they are needed. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/images.h"
#include "live/item.h"
#include "live/option.h"
#include "store/digest.h"

#include <string.h>

/* Room for as many options as the state has. */
static bool reserve(spar_experiment *experiment)
{
    size_t n = experiment->state->n_options;
    if (n <= experiment->n_options)
        return true;
    spar__live_option *grown = spar__realloc(experiment->option, experiment->n_options, n, sizeof *grown);
    if (!grown)
        return false;
    experiment->option = grown;
    experiment->n_options = n;
    return true;
}

/* Any failure but a missing text, which was removed. */
static spar_status fail_text(const char *what, size_t number, spar_status status, const char *why, spar_error *err)
{
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    return spar__fail(err, status, "the text of %s %zu cannot be read: %s; 'spar export' saves what can be read", what,
                      number, why);
}

static spar_status look_up(spar_experiment *experiment, size_t arm, uint32_t version, spar_error *err)
{
    spar__live_option *option = &experiment->option[arm];
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    spar_option *text = NULL;
    spar_error why = {0};
    spar_status status = spar__store_text_get(experiment->store, experiment->id, SPAR__TEXT_ARM, arm, version, salt,
                                              &bytes, &length, &why);
    if (!status)
        status = spar__option_read(bytes, length, &text, &why);
    spar__free(bytes);
    if (status && status != SPAR_UNKNOWN)
        return fail_text("option", arm + 1, status, why.text, err);
    spar_option_free(option->text);
    option->text = text;
    option->version = version;
    option->hashed = false;
    return SPAR_OK;
}

spar_status spar__live_option_get(spar_experiment *experiment, size_t arm, const spar_option **out, spar_error *err)
{
    *out = NULL;
    if (!reserve(experiment))
        return spar__fail_memory(err);
    uint32_t version = experiment->state->version[arm];
    if (experiment->option[arm].version != version) {
        spar_status status = look_up(experiment, arm, version, err);
        if (status)
            return status;
    }
    *out = experiment->option[arm].text;
    return SPAR_OK;
}

spar_status spar__live_item_get(spar_experiment *experiment, uint32_t index, spar_item **out, spar_error *err)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    uint32_t version = experiment->state->items.item[index].version;
    spar_item *text = NULL;
    spar_error why = {0};
    *out = NULL;
    if (experiment->item.version != version || experiment->item.index != index) {
        spar_status status = spar__store_text_get(experiment->store, experiment->id, SPAR__TEXT_ITEM, index, version,
                                                  salt, &bytes, &length, &why);
        if (!status)
            status = spar__item_read(bytes, length, &text, &why);
        spar__free(bytes);
        if (status && status != SPAR_UNKNOWN)
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
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    uint32_t settings = experiment->state->settings;
    spar_error why = {0};
    spar_status status = SPAR_UNKNOWN;
    if (experiment->question_of == settings)
        return SPAR_OK;
    if (experiment->state->question)
        status = spar__store_text_get(experiment->store, experiment->id, SPAR__TEXT_QUESTION, 0, settings, salt, &bytes,
                                      &length, &why);
    if (status && status != SPAR_UNKNOWN)
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
