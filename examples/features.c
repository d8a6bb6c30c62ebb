/* features.c - options that are alike are liked alike: learn about all of them from answers about a few.
 *
 *     cc features.c $(pkg-config --cflags --libs spar) -o features && ./features
 *
 * 48 settings of a lamp, 8 brightnesses by 6 warmths of light, and one person who is asked 60 times which of two is
 * nicer. With an independent belief for each setting that is little more than one question a setting; with a kernel
 * every answer says something about the neighbours too. */
#include <spar/spar.h>

#include <stdio.h>

enum { BRIGHT = 8, WARM = 6, ARMS = BRIGHT * WARM, QUESTIONS = 60 };

/* Stands for the person, who likes it rather bright and rather warm, and is not always sure. */
static double comfort(const double *x)
{
    double b = x[0] - 0.7, w = x[1] - 0.6;
    return 1 - 1.5 * (b * b + w * w);
}

int main(void)
{
    double x[ARMS][2], mean[ARMS], sd[ARMS];
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_scratch *scratch = NULL;
    spar_error err = {SPAR_NOMEM, "out of memory"};
    spar_rng *rng = NULL; /* the same seed gives the same numbers */
    int failed = 1;

    for (size_t i = 0; i < ARMS; i++) { /* features between 0 and 1, so that one length scale serves both */
        x[i][0] = (double)(i / WARM) / (BRIGHT - 1);
        x[i][1] = (double)(i % WARM) / (WARM - 1);
    }
    /* Answers of 0 and 1 that are mostly noise: a mean of 1/2 and a noise variance near 1/4. */
    const char *spec = "kernel_self_sparring(length=0.4,variance=0.05,noise=0.2,mean=0.5)";
    if (spar_rng_new(7, 0, 0, &rng) || spar_arms_new(ARMS, 2, x[0], NULL, &arms) || spar_round_new(2, &round) ||
        spar_feedback_new(2, &feedback) || spar_scratch_new(&scratch) ||
        spar_policy_new(spec, arms, 2, 0, rng, &policy, &err)) {
        fprintf(stderr, "%s\n", err.text);
        goto end;
    }
    for (int t = 0; t < QUESTIONS; t++) {
        if (spar_policy_choose(policy, scratch, rng, round, NULL) || spar_feedback_reset(feedback, 2))
            goto end;
        double likes = 0.5 + (comfort(x[spar_round_arm(round, 0)]) - comfort(x[spar_round_arm(round, 1)])) / 2;
        spar_feedback_set(feedback, 0, 1, spar_rng_uniform(rng) < likes ? SPAR_WIN : SPAR_LOSS);
        if (spar_policy_learn(policy, round, feedback, NULL))
            goto end;
    }
    if (spar_policy_belief(policy, scratch, ARMS, mean, sd, NULL)) /* its chance to win, as far as the answers tell */
        goto end;
    size_t best = 0;
    for (size_t i = 1; i < ARMS; i++)
        if (mean[i] > mean[best])
            best = i;
    printf("after %d questions: brightness %.2f, warmth %.2f (comfort %.3f of %.3f), wins %.2f +- %.2f\n", QUESTIONS,
           x[best][0], x[best][1], comfort(x[best]), comfort((double[]){5. / 7, 0.6}), mean[best], sd[best]);
    failed = 0;
end:
    spar_scratch_free(scratch);
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_policy_free(policy);
    spar_arms_free(arms);
    spar_rng_free(rng);
    return failed;
}
