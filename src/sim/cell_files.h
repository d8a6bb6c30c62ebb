/* cell_files.h - where finished cells are kept: a directory of files *.cells, each written by one process.
 *
 * A file is frames (base/frame.h), one after the other: first one of the kind "swep", which says what sweep it belongs
 * to, then one of the kind "cell" for each finished cell. A file that was broken off ends within a frame; all before it
 * counts. Frames whose checksum is wrong are left out. The files *.cell of `spar paper` before there were sweeps, of
 * one cell each and without the first frame, are read, too.
 *
 *     swep   plan   version of the program; hash of the plan; its number of cells; part and parts (0: all of it); the
 *                   words of the command
 *     cell   key    what the cell is (sim/cell.h)
 *            nums   its numbers: the same wherever it is played
 *            time   what it took. Version 1 had this within nums */
#ifndef SPAR_SIM_CELL_FILES_H
#define SPAR_SIM_CELL_FILES_H

#include "base/file.h"
#include "base/archive.h"
#include "base/order.h"

/* What the first frame of a file says. */
typedef struct spar__sweep_head {
    char *version;
    uint64_t plan, cells;
    uint32_t part, parts;
    size_t n_words;
    char **word;
} spar__sweep_head;

void spar__sweep_head_write(const spar__sweep_head *head, spar__buf *out);
spar_status spar__sweep_head_read(const void *bytes, size_t length, spar__sweep_head *out, spar_error *err);
void spar__sweep_head_free(spar__sweep_head *head);

/* A file that was read. */
typedef struct spar__cell_file {
    char *path;
    spar__buf bytes;
    bool has_head;
    spar__sweep_head head;
} spar__cell_file;

/* A cell in one of them. */
typedef struct spar__kept_cell {
    size_t file, at, length; /* which file, and where the frame is */
} spar__kept_cell;

typedef struct spar__cell_files { /* all zero: none */
    spar__cell_file *file;
    size_t n_files;
    spar__key_table keys;  /* of the keys; the number of a key is that of its cell below */
    spar__kept_cell *cell; /* the first of each key */
    size_t room;
    size_t damaged;    /* files and frames that cannot be used; a file that was broken off is not damaged */
    spar_error reason; /* the first of them */
    spar_error differ; /* two cells of one key with different numbers: which */
} spar__cell_files;

/* Reads all files of a directory, in the order of their names; one that does not exist has none. Fails when it cannot
 * be read, or without memory. */
spar_status spar__cell_files_add(spar__cell_files *files, const char *dir, spar_error *err);
void spar__cell_files_free(spar__cell_files *files);

/* The bytes of a file in memory, as if it had been read. */
spar_status spar__cell_files_take(spar__cell_files *files, const char *path, spar__buf *bytes, spar_error *err);

/* Finds the cell of this key; *length 0: there is none. */
const unsigned char *spar__cell_files_find(const spar__cell_files *files, const char *key, size_t *length);

/* A frame of a cell: what the archive has and its cache, which holds the time; and back. Opening fails if the frame is
 * damaged or has another key. */
void spar__cell_frame_write(const char *key, const spar__archive *ar, spar__buf *out);
spar_status spar__cell_frame_open(const char *key, const unsigned char *bytes, size_t length, spar__archive *ar,
                                  spar__archive *time, spar_error *err);

#endif
