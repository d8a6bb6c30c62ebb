/* temporary.h - files that are on their way. */
#ifndef SPAR_RANK_TEMPORARY_H
#define SPAR_RANK_TEMPORARY_H

#include "base/buf.h"

#include <stdio.h>

/* A new file beside path, to be renamed to it; its name is added to *name. NULL, with errno, when it cannot be made. */
FILE *spar__temporary_beside(const char *path, spar__buf *name);

/* A file without a name, which is gone when it is closed: beside path, or in $TMPDIR or /tmp when that is NULL. */
FILE *spar__temporary_hidden(const char *path);

#endif
