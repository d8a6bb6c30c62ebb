/* Any bytes as a sweep file: refused, or a grid in which every policy has the values that it knows. */
#include "cli/run/run.h"
#include "cli/sweeping.h"
#include "fuzz.h"

/* Lists of many values make many policies: the rest of the code has been seen before that. */
static bool is_small(const spar__settings *settings)
{
    const spar__setting *params = spar__setting_of(settings, "param");
    size_t length = 0;
    for (size_t i = 0; i < params->n; i++)
        length += strlen(params->text[i]);
    return length < 60 && spar__setting_of(settings, "policy")->n < 5 && spar__setting_of(settings, "m")->n < 50;
}

static void check(const spar__run_grid *grid, const spar__settings *settings)
{
    require(grid->n_m == spar__setting_of(settings, "m")->n && grid->n_envs == spar__setting_of(settings, "env")->n);
    require(grid->n_policies >= spar__setting_of(settings, "policy")->n);
    require(grid->many == (grid->n_m > 1 || grid->n_params > 0));
    for (size_t k = 0; k < grid->n_params; k++) {
        bool known = false;
        for (size_t i = 0; i < grid->n_policies; i++)
            known |= grid->value[i * grid->n_params + k] != NULL;
        require(known || grid->n_policies == 0);
    }
}

void fuzz_grid(const uint8_t *data, size_t size)
{
    static const spar__command command = {.name = "run", .operands = "", .options = spar__run_options};
    spar__settings settings;
    spar__run_grid grid = {0};
    spar_error err = {0};
    require(!spar__settings_new(&command, 0, NULL, &settings, &err));
    if (!spar__runfile_parse("fuzz.yaml", (const char *)data, size, &settings, &err) &&
        !spar__settings_finish(&settings, &err) && is_small(&settings)) {
        err = (spar_error){0};
        spar_status status = spar__run_grid_make(&settings, &grid, &err);
        fuzz_refused(status, &err, NULL);
        if (!status)
            check(&grid, &settings);
        spar__run_grid_free(&grid);
    }
    spar__settings_free(&settings);
}
