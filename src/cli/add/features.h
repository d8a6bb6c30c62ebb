/* features.h - may a file with features be added to an experiment? */
#ifndef SPAR_CLI_ADD_FEATURES_H
#define SPAR_CLI_ADD_FEATURES_H

#include "text/option_rows.h"

#include <spar/experiment.h>

/* Refused unless the file has all options of the experiment, with the features that they have. */
spar_status spar__features_check(const spar_experiment *experiment, const spar__option_rows *rows, const char *path,
                                 spar_error *err);

#endif
