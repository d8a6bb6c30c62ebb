/* look.c - what can be read of an experiment without asking the store. */
#include "live/live.h"

#include <string.h>

/* NULL where there is nothing to look at. */
static const spar__fold *state_of(const spar_experiment *experiment)
{
    return experiment ? experiment->state : NULL;
}

const char *spar_experiment_place(const spar_experiment *experiment)
{
    return experiment ? experiment->place : NULL;
}

const char *spar_experiment_policy(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->policy : NULL;
}

spar_answer_kind spar_experiment_asks(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? (spar_answer_kind)state->asks : (spar_answer_kind)0;
}

size_t spar_experiment_slots(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->m : 0;
}

uint64_t spar_experiment_seed(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->seed : 0;
}

spar_results_for spar_experiment_results(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? (spar_results_for)state->results : SPAR_RESULTS_MANAGERS;
}

spar_access spar_experiment_access(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? (spar_access)state->access : SPAR_ACCESS_OPEN;
}

bool spar_experiment_is_closed(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state && spar_session_closed(state->session);
}

size_t spar_experiment_options(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->n_options : 0;
}

bool spar_experiment_is_live(const spar_experiment *experiment, size_t arm)
{
    const spar__fold *state = state_of(experiment);
    return state && arm < state->n_options && spar_decision_is_live(state->decision, arm);
}

const spar_axes *spar_experiment_axes(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? spar_session_axes(state->session) : NULL;
}

bool spar_experiment_against_last(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state && spar_session_against_last(state->session);
}

const spar_decision *spar_experiment_decision(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->decision : NULL;
}

static const char *option_name(void *context, size_t option)
{
    return spar_option_title(spar_experiment_option(context, option));
}

size_t spar_experiment_sentence(const spar_experiment *experiment, char *out, size_t room)
{
    const spar__fold *state = state_of(experiment);
    spar_decision_names names = {.size = sizeof names,
                                 .context = (spar_experiment *)(uintptr_t)experiment, /* only read */
                                 .option = option_name};
    return state ? spar_decision_sentence(state->decision, &names, out, room) : 0;
}

void spar_experiment_counts(const spar_experiment *experiment, uint64_t *screens, uint64_t *answers, uint64_t *undone,
                            uint64_t *imported)
{
    const spar__fold *state = state_of(experiment);
    if (screens)
        *screens = state ? state->screens : 0;
    if (answers)
        *answers = state ? state->answers : 0;
    if (undone)
        *undone = state ? state->undone : 0;
    if (imported)
        *imported = state ? state->imported : 0;
}

uint64_t spar_experiment_sequence(const spar_experiment *experiment)
{
    const spar__fold *state = state_of(experiment);
    return state ? state->sequence : 0;
}

void spar_experiment_head(const spar_experiment *experiment, unsigned char hash[SPAR_HASH_SIZE])
{
    static const unsigned char none[SPAR_HASH_SIZE];
    const spar__fold *state = state_of(experiment);
    if (hash)
        memcpy(hash, state ? state->hash : none, SPAR_HASH_SIZE);
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
    if (!state || !voter_of(experiment, voter, &whose))
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
    if (!state || !voter_of(experiment, voter, &whose))
        return 0;
    if (!voter)
        return state->last;
    size_t i = spar__key_find(&state->voters, whose, 0);
    return i == SPAR__NO_KEY ? 0 : state->voters.entry[i].count;
}
