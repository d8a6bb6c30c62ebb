/* grid.h - what `spar run` compares: environments x m, each with all policies; and policies x values of parameters. */
#ifndef SPAR_CLI_RUN_GRID_H
#define SPAR_CLI_RUN_GRID_H

#include "cli/options.h"

typedef struct spar__run_grid {
    size_t n_envs, n_m, n_policies, n_params;
    char **env;    /* borrowed from the settings */
    size_t *m;     /* in the order given */
    char **policy; /* with their parameters */
    char **param;  /* names of --param, each once */
    char **value;  /* n_policies x n_params: the value that a policy has; NULL: it does not know the parameter */
    bool many;     /* several m, or parameters: reports have columns for them */
} spar__run_grid;

/* Refuses a parameter that no policy has. Free it also after a failure. */
spar_status spar__run_grid_make(const spar__settings *settings, spar__run_grid *out, spar_error *err);
void spar__run_grid_free(spar__run_grid *grid);

#endif
