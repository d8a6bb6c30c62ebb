/* Any text is a policy that plays, or a refusal with a sentence. */
#include "policy/policy.h"

#include <spar/spar.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void play(const spar_policy *policy)
{
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 2);
    if (spar_scratch_new(&scratch) || spar_round_new(1, &round) ||
        spar_policy_choose(policy, scratch, &rng, round, NULL))
        abort();
    for (size_t j = 0; j < round->m; j++)
        if (round->arm[j] >= spar_policy_arms(policy)->n)
            abort();
    spar_round_free(round);
    spar_scratch_free(scratch);
}

/* The first byte is the number of slots. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *text = malloc(size);
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng rng;
    if (!text || spar_arms_new(3, 0, NULL, NULL, &arms))
        abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    spar_rng_seed(&rng, 1, 1, 1);
    spar_status status = spar_policy_new(text, arms, data[0] % 8, 0, &rng, &policy, &err);
    if ((status == SPAR_OK) != (policy != NULL) || (status && (err.status != status || !err.text[0])))
        abort();
    if (policy)
        play(policy);
    spar_policy_free(policy);
    spar_arms_free(arms);
    free(text);
    return 0;
}
