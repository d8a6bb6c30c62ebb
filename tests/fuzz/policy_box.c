/* Saved policies over continuous spaces, apart from the others because each round of theirs is a search of some
 * milliseconds: one input in 256 plays one. */
#include "policy_check.h"

void fuzz_policy_box(const uint8_t *data, size_t size)
{
    size_t first = play_n_finite();
    policy_check(data, size, first, play_n_stacks - first, spar__hash_of(data, size) % 256 == 0);
}
