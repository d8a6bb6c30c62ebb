/* owner.h - an output directory belongs to the command that wrote there first. The same command may come again: it goes
 * on, or writes the same files. Another one would leave files of both side by side, and is refused. */
#ifndef SPAR_CLI_OWNER_H
#define SPAR_CLI_OWNER_H

#include "cli/options.h"

/* Makes the directory as spar__outdir_make does. Fails if DIR/command.txt is there and has another command. */
spar_status spar__owner_check(const char *dir, const spar__settings *settings, spar_error *err);

/* Writes DIR/command.txt, the command with all that decides its results; call it before the first file of results. */
spar_status spar__owner_sign(const char *dir, const spar__settings *settings, spar_error *err);

#endif
