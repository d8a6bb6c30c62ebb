/* multileave.c - which way to rank is best? Each search shows a mix of three rankings; clicks tell, whenever they come.
 *
 *     cc multileave.c $(pkg-config --cflags --libs spar) -o multileave && ./multileave */
#include <spar/spar.h>

#include <stdio.h>

enum { RANKERS = 5, SLOTS = 3, DOCS = 10, WAITING = 20 }; /* clicks come in 20 searches late */

/* Stands for your search engine: ranker r puts the good documents, 1 to 3, r places from the top. */
static void rank(size_t r, uint64_t search, uint64_t list[DOCS])
{
    for (size_t place = 0; place < DOCS; place++)
        list[place] = search * 100 + (place + DOCS - r) % DOCS + 1;
}

int main(void)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_scratch *scratch = NULL;
    spar_feedback *feedback = NULL;
    spar_round *round[WAITING] = {NULL}; /* what was shown to whom, until the clicks are in */
    spar_mix *mix[WAITING] = {NULL};
    double score[RANKERS] = {0};
    spar_rng *rng = NULL; /* the same seed gives the same numbers */
    spar_status status = spar_rng_new(2014, 0, 0, &rng);
    status = status ? status : spar_arms_new(RANKERS, 0, NULL, NULL, &arms);
    status = status ? status : spar_policy_new("ind_self_sparring", arms, SLOTS, 0, rng, &policy, NULL);
    status = status ? status : spar_scratch_new(&scratch);
    status = status ? status : spar_feedback_new(SLOTS, &feedback);
    for (size_t i = 0; !status && i < WAITING; i++)
        status = spar_round_new(SLOTS, &round[i]) ? SPAR_NOMEM : spar_mix_new(&mix[i]);

    for (uint64_t search = 0; !status && search < 2000; search++) {
        size_t i = search % WAITING;
        bool clicked[DOCS] = {false};
        if (search >= WAITING) { /* the clicks on an earlier page: here a reader who likes documents 1 to 3 */
            for (size_t place = 0; place < spar_mix_shown(mix[i]); place++)
                clicked[place] = spar_mix_docs(mix[i])[place] % 100 <= 3 && spar_rng_uniform(rng) < 0.5;
            status = spar_mix_feedback(mix[i], clicked, false, feedback);
            status = status ? status : spar_policy_learn(policy, round[i], feedback, NULL);
        }
        uint64_t lists[SLOTS][DOCS];
        const uint64_t *list[SLOTS] = {lists[0], lists[1], lists[2]};
        status = status ? status : spar_policy_choose(policy, scratch, rng, round[i], NULL); /* three rankers */
        for (size_t j = 0; !status && j < SLOTS; j++)
            rank(spar_round_arm(round[i], j), search, lists[j]);
        status = status ? status
                        : spar_mix_lists("team_draft", SLOTS, list, (size_t[]){DOCS, DOCS, DOCS}, DOCS, rng, mix[i],
                                         NULL); /* show spar_mix_docs(mix[i]), from the top */
    }
    status = status ? status : spar_policy_score(policy, scratch, RANKERS, score, NULL);
    for (size_t r = 0; !status && r < RANKERS; r++)
        printf("ranker %zu  %.3f\n", r, score[r]);
    for (size_t i = 0; i < WAITING; i++) {
        spar_round_free(round[i]);
        spar_mix_free(mix[i]);
    }
    spar_feedback_free(feedback);
    spar_scratch_free(scratch);
    spar_policy_free(policy);
    spar_arms_free(arms);
    spar_rng_free(rng);
    for (size_t r = 1; r < RANKERS; r++)
        status = status || score[r] >= score[0]; /* ranker 0 is the best */
    return status ? 1 : 0;
}
