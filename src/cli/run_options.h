/* run_options.h - what a simulation can be told; shared by `spar run` and whoever reads run files. */
#ifndef SPAR_CLI_RUN_OPTIONS_H
#define SPAR_CLI_RUN_OPTIONS_H

#include "cli/options.h"

extern const spar__option spar__run_options[];

/* The words of --band, in order. */
typedef enum spar__band { SPAR__BAND_SD, SPAR__BAND_QUANTILE, SPAR__BAND_NONE } spar__band;

#endif
