/* Any bytes as a run file of `spar run`: refused with a place, or options in their range. */
#include "cli/sweeping.h"
#include "cli/run/run.h"
#include "fuzz.h"

void fuzz_runfile(const uint8_t *data, size_t size)
{
    static const spar__command command = {.name = "run", .operands = "", .options = spar__run_options};
    spar__settings settings;
    spar_error err = {0};
    require(!spar__settings_new(&command, 0, NULL, &settings, &err));
    spar_status status = spar__runfile_parse("fuzz.yaml", (const char *)data, size, &settings, &err);
    fuzz_refused(status, &err, "fuzz.yaml");
    if (!status) {
        status = spar__settings_finish(&settings, &err);
        fuzz_refused(status, &err, NULL);
        require(status || spar__setting_number(&settings, "rounds") > 0);
    }
    spar__settings_free(&settings);
}
