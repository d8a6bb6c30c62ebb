/* ask_tell.c - the loop of a live experiment: ask the policy what to show, tell it what people said.
 *
 *     cc ask_tell.c $(pkg-config --cflags --libs spar) -o ask_tell && ./ask_tell */
#include <spar/spar.h>

#include <stdio.h>

/* Stands for the people: do they prefer headline a over headline b? */
static int people_prefer(size_t a, size_t b, spar_rng *rng)
{
    static const double appeal[] = {0.30, 0.80, 0.45, 0.50};
    return spar_rng_uniform(rng) < 0.5 + (appeal[a] - appeal[b]) / 2;
}

int main(void)
{
    static const char *const headline[] = {"plain", "question", "number", "quote"};
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_scratch *scratch = NULL;
    spar_error err = {SPAR_NOMEM, "out of memory"};
    double score[4];
    int failed = 1;

    spar_rng *rng = NULL; /* the same seed gives the same numbers */

    if (spar_rng_new(2017, 0, 0, &rng) || spar_arms_new(4, 0, NULL, headline, &arms) || spar_round_new(3, &round) ||
        spar_feedback_new(3, &feedback) || spar_scratch_new(&scratch) ||
        spar_policy_new("ind_self_sparring", arms, 3, 0, rng, &policy, &err)) {
        fprintf(stderr, "%s\n", err.text);
        goto end;
    }
    for (int visitor = 0; visitor < 500; visitor++) {
        if (spar_policy_choose(policy, scratch, rng, round, NULL)) /* ask: three headlines to show together */
            goto end;
        if (spar_feedback_reset(feedback, spar_round_slots(round)))
            goto end;
        for (size_t j = 0; j < spar_round_slots(round); j++) /* pairs that nobody compared simply stay missing */
            for (size_t k = j + 1; k < spar_round_slots(round); k++)
                spar_feedback_set(feedback, j, k,
                                  people_prefer(spar_round_arm(round, j), spar_round_arm(round, k), rng) ? SPAR_WIN
                                                                                                         : SPAR_LOSS);
        if (spar_policy_learn(policy, round, feedback, NULL)) /* tell */
            goto end;
    }
    if (spar_policy_score(policy, scratch, 4, score, NULL)) /* how good it thinks each is; higher is better */
        goto end;
    for (size_t i = 0; i < spar_arms_count(arms); i++)
        printf("%-10s %.3f\n", spar_arms_name(arms, i), score[i]);
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
