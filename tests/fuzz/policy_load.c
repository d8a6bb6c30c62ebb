/* Saved policies over finite sets of arms. The first byte picks the policy whose state is damaged; 255: see fuzz.h. */
#include "policy_check.h"

void fuzz_policy_load(const uint8_t *data, size_t size)
{
    policy_check(data, size, 0, play_n_finite(), 2);
}
