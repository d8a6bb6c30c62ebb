#include "bench/setup.h"

#include "base/error.h"

spar_status spar__bench_setup_open(spar__bench_setup *setup, const char *env, const char *policy, size_t m,
                                   uint64_t horizon, spar_error *err)
{
    *setup = (spar__bench_setup){0};
    spar_rng_seed(&setup->rng, 1, 1, 1);
    spar_status status = spar_env_new(env, &setup->env, err);
    if (!status)
        status = spar_world_new(setup->env, 1, 0, &setup->world, err);
    if (!status)
        status = spar_user_new("all_pairs", setup->env, &setup->user, err);
    if (!status)
        status = spar_policy_new(policy, spar_world_arms(setup->world), m, horizon, &setup->rng, &setup->policy, err);
    if (!status && (spar_round_new(m, &setup->round) || spar_feedback_new(m, &setup->feedback) ||
                    spar_scratch_new(&setup->scratch)))
        status = spar__fail_memory(err);
    return status;
}

void spar__bench_setup_close(spar__bench_setup *setup)
{
    spar_scratch_free(setup->scratch);
    spar_feedback_free(setup->feedback);
    spar_round_free(setup->round);
    spar_policy_free(setup->policy);
    spar_user_free(setup->user);
    spar_world_free(setup->world);
    spar_env_free(setup->env);
}

spar_status spar__bench_setup_play(spar__bench_setup *setup, uint64_t until)
{
    while (setup->t < until) {
        setup->t++;
        spar_status status = spar_policy_choose(setup->policy, setup->scratch, &setup->rng, setup->round, NULL);
        if (!status)
            status = spar_user_answer(setup->user, setup->world, setup->t, setup->round, setup->feedback);
        if (!status)
            status = spar_policy_learn(setup->policy, setup->round, setup->feedback, NULL);
        if (status)
            return status;
    }
    return SPAR_OK;
}
