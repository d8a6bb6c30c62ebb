/* Any bytes as a run file of `spar run`: read into its options, which are then checked. */
#include "cli/run/options.h"
#include "cli/runfile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const spar__command command = {.name = "run", .operands = "", .options = spar__run_options};
    spar__settings settings;
    spar_error err;
    if (spar__settings_new(&command, 0, NULL, &settings, &err))
        return 0;
    if (!spar__runfile_parse("fuzz.yaml", (const char *)data, size, &settings, &err) &&
        !spar__settings_finish(&settings, &err) && spar__setting_number(&settings, "rounds") == 0)
        abort(); /* out of range, and yet accepted */
    spar__settings_free(&settings);
    return 0;
}
