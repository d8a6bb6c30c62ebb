/* texts.c - question and options: their texts, looked up in the store when they are needed. */
#include "live/live.h"

#include "base/alloc.h"
#include "live/option.h"

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

static void look_up(spar_experiment *experiment, size_t arm, uint32_t version)
{
    spar__live_option *option = &experiment->option[arm];
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    spar_option *text = NULL;
    spar_status status = spar__store_text_get(experiment->store, experiment->id, SPAR__TEXT_ARM, arm, version, salt,
                                              &bytes, &length, NULL);
    if (!status)
        status = spar__option_read(bytes, length, &text, NULL);
    spar__free(bytes);
    if (status == SPAR_NOMEM)
        return; /* next time */
    spar_option_free(option->text);
    option->text = text;
    option->version = version;
}

const spar_option *spar_experiment_option(const spar_experiment *experiment, size_t arm)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* what was looked up is kept */
    if (!experiment || !experiment->state || arm >= experiment->state->n_options || !reserve(self))
        return NULL;
    uint32_t version = experiment->state->version[arm];
    if (self->option[arm].version != version)
        look_up(self, arm, version);
    return self->option[arm].version == version ? self->option[arm].text : NULL;
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

static void look_up_question(spar_experiment *experiment)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length = 0;
    uint32_t settings = experiment->state->settings;
    spar_status status = SPAR_UNKNOWN;
    if (experiment->state->question)
        status = spar__store_text_get(experiment->store, experiment->id, SPAR__TEXT_QUESTION, 0, settings, salt, &bytes,
                                      &length, NULL);
    if (status == SPAR_NOMEM)
        return;
    spar__free(experiment->question);
    experiment->question = status ? NULL : (char *)bytes;
    experiment->question_of = settings;
}

const char *spar_experiment_question(const spar_experiment *experiment)
{
    spar_experiment *self = (spar_experiment *)(uintptr_t)experiment; /* what was looked up is kept */
    if (!experiment || !experiment->state)
        return NULL;
    if (self->question_of != self->state->settings)
        look_up_question(self);
    return self->question;
}
