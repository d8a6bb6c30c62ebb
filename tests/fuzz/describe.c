/* `spar describe` on any bytes as a matrix of probabilities or win counts: a refusal, or a report that is safe to
 * print; or valid JSON. The first byte says how. */
#include "command.h"

extern const spar__command spar__command_describe;

void fuzz_describe(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    uint8_t how = fuzz_byte(&in);
    const char *word[4] = {fuzz_file(in.at, in.left)};
    size_t n = 1;
    if (how & 1)
        word[n++] = "--counts";
    if (how & 2)
        word[n] = "--json";
    run_command(&spar__command_describe, word, how & 2);
}
