/* Real people (sushi.soc), four options a screen, the first of the ballot wins: who counts slots and not arms lets the
 * runners-up gain for ever, because three copies of the best lose three times to one that is chosen once. */
#include "sim/lab.h"

#include "sampler/rng.h"
#include "types/arms.h"

#include <string.h>

static bool knows_clones(void)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    if (spar_arms_new(4, 0, NULL, NULL, &arms))
        exit(1);
    (void)spar_policy_new("ind_self_sparring(clones=arm)", arms, 4, 0, &rng, &policy, NULL);
    bool known = policy;
    spar_policy_free(policy);
    spar_arms_free(arms);
    return known;
}

int main(void)
{
    static const char *const policies[] = {"ind_self_sparring(clones=slot)", "ind_self_sparring(clones=arm)"};
    const char *data = getenv("SPAR_DATA");
    char env[500];
    if (!data || !knows_clones()) {
        skip(data ? "self_sparring has no clones=" : "SPAR_DATA is not set");
        return done();
    }
    (void)snprintf(env, sizeof env, "voters(file=%s/preflib/sushi.soc)", data);
    spar_plan plan = standard();
    plan.env = env;
    plan.feedback = "winner(rule=voter)";
    plan.policies = policies;
    plan.n_policies = 2;
    plan.m = 4;
    plan.rounds = 5000;
    plan.runs = 100;
    spar_results *results = simulate(&plan);
    size_t last = spar_results_checkpoints(results), half = 0;
    while (spar_results_checkpoint(results)[half] < 1000)
        half++;
    double slot = spar_results_statistic(results, 0, last, SPAR_STAT_MEAN);
    double arm = spar_results_statistic(results, 1, last, SPAR_STAT_MEAN);
    double slot_early = spar_results_statistic(results, 0, half, SPAR_STAT_MEAN);
    double arm_early = spar_results_statistic(results, 1, half, SPAR_STAT_MEAN);
    ok(slot > 690 && slot < 850, "slots counted: regret %.0f", slot);
    ok(arm > 30 && arm < 120, "arms counted: regret %.0f", arm);
    ok(slot > 3 * slot_early && arm < 2 * arm_early, "the first grows on: %.0f and %.0f after 1000 rounds", slot_early,
       arm_early);
    spar_results_free(results);
    return done();
}
