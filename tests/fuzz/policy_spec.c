/* Any text is a policy that plays, or a refusal with a sentence. The first byte is the number of slots. */
#include "play.h"

void fuzz_policy_spec(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    uint8_t how = fuzz_byte(&in);
    char *text = fuzz_text(in.at, in.left);
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    spar_status status = spar_policy_new(text, play_arms(PLAY_GRID), how % 5, how & 128 ? 100 : 0, &rng, &policy, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (policy != NULL));
    if (policy)
        (void)play_choose(policy, play_tools_get());
    spar_policy_free(policy);
    free(text);
}
