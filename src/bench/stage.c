#include "bench/stage.h"

#include "base/error.h"

spar_status spar__stage_open(spar__stage *stage, const char *env, const char *policy, size_t m, uint64_t horizon,
                             spar_error *err)
{
    *stage = (spar__stage){0};
    spar_rng_seed(&stage->rng, 1, 1, 1);
    spar_status status = spar_env_new(env, &stage->env, err);
    if (!status)
        status = spar_world_new(stage->env, 1, 0, &stage->world, err);
    if (!status)
        status = spar_user_new("all_pairs", stage->env, &stage->user, err);
    if (!status)
        status = spar_policy_new(policy, spar_world_arms(stage->world), m, horizon, &stage->rng, &stage->policy, err);
    if (!status && (spar_round_new(m, &stage->round) || spar_feedback_new(m, &stage->feedback) ||
                    spar_scratch_new(&stage->scratch)))
        status = spar__fail_memory(err);
    return status;
}

void spar__stage_close(spar__stage *stage)
{
    spar_scratch_free(stage->scratch);
    spar_feedback_free(stage->feedback);
    spar_round_free(stage->round);
    spar_policy_free(stage->policy);
    spar_user_free(stage->user);
    spar_world_free(stage->world);
    spar_env_free(stage->env);
}

spar_status spar__stage_play(spar__stage *stage, uint64_t until)
{
    while (stage->t < until) {
        stage->t++;
        spar_status status = spar_policy_choose(stage->policy, stage->scratch, &stage->rng, stage->round, NULL);
        if (!status)
            status = spar_user_answer(stage->user, stage->world, stage->t, stage->round, stage->feedback);
        if (!status)
            status = spar_policy_learn(stage->policy, stage->round, stage->feedback, NULL);
        if (status)
            return status;
    }
    return SPAR_OK;
}
