/* file.h - how files are read and written, everywhere.
 *
 * A regular file is written under a temporary name in its directory and renamed at the end: it is whole or as it was
 * before, even when the program is killed. The name cannot be guessed and is never followed through a link. If the
 * path is a symbolic link, its target is replaced and the link stays; permissions of a file that is replaced are kept.
 * A database of SQLite is not replaced: that is refused.
 * What is not a regular file (devices, FIFOs, /dev/stdout) is written through, not replaced; "-" is standard output.
 *
 * A killed program leaves its temporary behind: .spar-<16 hexadecimal digits>.tmp, which it had locked (flock). The
 * next write into that directory removes those that are not locked.
 *
 * Errors name the path and the reason. Nothing here is for several threads at once on one spar__file; different files,
 * also in one directory, are independent. */
#ifndef SPAR_BASE_FILE_H
#define SPAR_BASE_FILE_H

#include "base/buf.h"

#include <stdio.h>

/* Appends a whole file to out. Refuses directories and, when limit is not 0, more than limit bytes; "-" is standard
 * input. */
spar_status spar__file_read(const char *path, size_t limit, spar__buf *out, spar_error *err);

/* Writes a whole file. A crash of the machine may lose it: use the pieces below, and commit with sync, where it must
 * not. */
spar_status spar__file_write(const char *path, const char *bytes, size_t length, spar_error *err);

/* Writing in pieces: begin; write to `stream` (which can also be read and, if it is a regular file, sought); then
 * either commit, which finds all errors that the stream had, or abandon. Both close the stream. */
typedef struct spar__file {
    FILE *stream;
    const char *shown; /* for messages; the caller's path, which must stay */
    char *target;      /* what is replaced; NULL: written through */
    char *temporary;
    int error; /* errno of a failed write, if the caller noted it: commit then fails with this reason */
} spar__file;

spar_status spar__file_begin(spar__file *file, const char *path, spar_error *err);

/* With sync the file, and the directory that names it, are on the disk when this returns. The file keeps the old
 * contents if this fails. */
spar_status spar__file_commit(spar__file *file, bool sync, spar_error *err);
void spar__file_abandon(spar__file *file);

/* A file without a name, gone when it is closed: in the directory of path, or in $TMPDIR or /tmp when that is NULL.
 * NULL, with errno, when it cannot be made. */
FILE *spar__file_unnamed(const char *path);

/* "PATH: cannot VERB: reason of errno". */
spar_status spar__fail_file(spar_error *err, const char *path, const char *verb);

/* A file that grows: a new one, to which whole pieces are added while others may read it.
 *
 * Pieces are collected and written together, at the latest with the first one that comes FLUSH nanoseconds after the
 * last write: a program that is killed loses no more than what it did in that time, and the file ends with a whole
 * piece or within one. Not for several threads at once. */

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
