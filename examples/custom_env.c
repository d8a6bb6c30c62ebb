/* custom_env.c - a simulated user of your own: here a taste that drifts, which no built-in environment has.
 *
 *     cc custom_env.c $(pkg-config --cflags --libs spar) -o custom_env && ./custom_env */
#include <spar/spar.h>

#include <stdio.h>

enum { ARMS = 8, SLOTS = 4, ROUNDS = 20000 };
/* Arm i is worth most when the taste, which moves slowly from 0 to 1, is at i / (ARMS - 1). */
static double worth(size_t arm, int t)
{
    double d = (double)arm / (ARMS - 1) - (double)t / ROUNDS;
    return 1 - d * d;
}

static size_t favourite(int t)
{
    size_t best = 0;
    for (size_t i = 1; i < ARMS; i++)
        if (worth(i, t) > worth(best, t))
            best = i;
    return best;
}

int main(void)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_scratch *scratch = NULL;
    double regret = 0;
    spar_rng *rng = NULL, *user = NULL; /* the policy's random numbers, and the user's */
    spar_status status = spar_rng_new(1, 0, 0, &rng);
    status = status ? status : spar_rng_new(1, 0, 1, &user);
    status = status ? status : spar_arms_new(ARMS, 0, NULL, NULL, &arms);
    status = status ? status : spar_policy_new("sparring/exp3", arms, SLOTS, ROUNDS, rng, &policy, NULL);
    status = status ? status : spar_round_new(SLOTS, &round);
    status = status ? status : spar_feedback_new(SLOTS, &feedback);
    status = status ? status : spar_scratch_new(&scratch);
    for (int t = 0; !status && t < ROUNDS; t++) {
        status = spar_policy_choose(policy, scratch, rng, round, NULL);
        for (unsigned j = 0; !status && j < SLOTS; j++) {
            regret += (worth(favourite(t), t) - worth(spar_round_arm(round, j), t)) / 2;
            for (unsigned k = j + 1; k < SLOTS; k++) {
                double p = 0.5 + (worth(spar_round_arm(round, j), t) - worth(spar_round_arm(round, k), t)) / 2;
                double u = spar_rng_uniform(user);
                spar_feedback_set(feedback, j, k, u < p ? SPAR_WIN : SPAR_LOSS);
            }
        }
        status = status ? status : spar_policy_learn(policy, round, feedback, NULL);
    }
    printf("regret %.0f in %d rounds: %s\n", regret, ROUNDS, spar_status_text(status));
    spar_scratch_free(scratch);
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_policy_free(policy);
    spar_arms_free(arms);
    spar_rng_free(user);
    spar_rng_free(rng);
    return status ? 1 : 0;
}
