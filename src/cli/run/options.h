/* options.h - the options of `spar run`. */
#ifndef SPAR_CLI_RUN_OPTIONS_H
#define SPAR_CLI_RUN_OPTIONS_H

#include "cli/common.h"

extern const spar__option spar__run_options[];

#endif
