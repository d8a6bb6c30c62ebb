/* Environments of rankers from text and data: each reads a file through a large window and starts threads. */
#include "env_check.h"

void fuzz_env_rankers(const uint8_t *data, size_t size)
{
    env_check(data, size, true);
}
