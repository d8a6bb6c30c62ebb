/* target.h - a file that the user names for a command to write, beside the file that the command reads. */
#ifndef SPAR_CLI_TARGET_H
#define SPAR_CLI_TARGET_H

#include "base/error.h"

#include <stddef.h>

/* SPAR_INVALID if path is the file that is read, under whatever name, or one of those that SQLite keeps beside it.
 * source: the place of an experiment, with or without #NAME, or another file. Either may be NULL, "-" or not there.
 * (Other databases are refused when they are written: base/file.h.) */
spar_status spar__target_check(const char *source, const char *path, spar_error *err);

/* The same for n files that are to be written into dir (NULL: into none). */
spar_status spar__target_check_dir(const char *source, const char *dir, size_t n, const char *const *name,
                                   spar_error *err);

#endif
