/* `spar decide` on any bytes, in each form of votes: a refusal, or a report that is safe to print; or valid JSON. The
 * first byte says how. */
#include "command.h"

extern const spar__command spar__command_decide;

void fuzz_decide(const uint8_t *data, size_t size)
{
    static const char *const form[] = {"auto", "arena", "lines", "counts", "preflib"};
    fuzz_input in = {data, size};
    uint8_t how = fuzz_byte(&in);
    const char *word[] = {fuzz_file(in.at, in.left),
                          "--format",
                          form[how % 5],
                          "--voters",
                          how & 32 ? "first" : "all",
                          "--standings",
                          how & 16 ? "approximate" : "none", /* sampling takes longer than a target should */
                          how & 64 ? "--json" : NULL,
                          NULL};
    run_command(&spar__command_decide, word, how & 64);
}
