/* Environments from text, but for rankers. */
#include "env_check.h"

void fuzz_env_spec(const uint8_t *data, size_t size)
{
    env_check(data, size, false);
}
