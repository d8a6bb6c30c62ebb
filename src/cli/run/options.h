/* options.h - the options of `spar run`. */
#ifndef SPAR_CLI_RUN_OPTIONS_H
#define SPAR_CLI_RUN_OPTIONS_H

#include "cli/common.h"

extern const spar__option spar__run_options[];

/* The words of --band, in order. */
typedef enum spar__band { SPAR__BAND_SD, SPAR__BAND_QUANTILE, SPAR__BAND_NONE } spar__band;

#endif
