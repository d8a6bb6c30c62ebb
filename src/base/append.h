/* append.h - a file that grows: a new one, to which whole pieces are added while others may read it.
 *
 * Pieces are collected and written together, at the latest with the first one that comes FLUSH nanoseconds after the
 * last write: a program that is killed loses no more than what it did in that time, and the file ends with a whole
 * piece or within one. Not for several threads at once. */
#ifndef SPAR_BASE_APPEND_H
#define SPAR_BASE_APPEND_H

#include "base/buf.h"

typedef struct spar__append { /* all zero: no file */
    int fd;                   /* while path is not NULL */
    char *path;
    spar__buf waiting;
    double written; /* when something was last written */
} spar__append;

/* Makes dir/<16 hexadecimal digits><suffix>, and the directory dir itself where only that is missing. */
spar_status spar__append_begin(spar__append *file, const char *dir, const char *suffix, spar_error *err);

/* After a failure the file ends where the system could no longer write. */
spar_status spar__append_add(spar__append *file, const char *bytes, size_t length, spar_error *err);

/* Writes what is waiting. With sync it is on the disk when this returns. */
spar_status spar__append_flush(spar__append *file, bool sync, spar_error *err);

/* Closes the file without writing what is waiting; nothing without a file. */
void spar__append_end(spar__append *file);

#endif
