/* runfile.h - options from a YAML file: the keys are the option names, or their plurals for lists.
 *
 *     environments: [ "utility(set=1good)", "utility(set=arith)" ]
 *     policies:
 *       - ind_self_sparring
 *       - rucb(alpha=0.51)
 *     m: [2, 4]
 *     parameters:
 *       eta: [0.5, 1, 2]
 *     rounds: 20000
 */
#ifndef SPAR_CLI_RUNFILE_H
#define SPAR_CLI_RUNFILE_H

#include "cli/options.h"

/* Adds what the file ("-" is standard input) says to the settings. */
spar_status spar__runfile_load(const char *path, spar__settings *settings, spar_error *err);

/* The same from memory; name is what errors call it. */
spar_status spar__runfile_parse(const char *name, const char *text, size_t length, spar__settings *settings,
                                spar_error *err);

#endif
