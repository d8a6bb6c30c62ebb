/* archive.h - state to bytes and back, by one function for both directions: a class lists its fields once, and saving
 * and loading cannot disagree. Bytes are little-endian on every machine. Errors stick in `failed`. Saving only reads:
 * a failed one leaves everything as it was, and others may read meanwhile.
 *
 * A cache is what a class can compute again from the rest of its state, though perhaps not to the last bit. It goes to
 * `cache`, an archive of its own without a further cache. Where that is NULL, saving leaves it out, and loading
 * computes it. So files can lose their caches, and a new version may keep others, or in another form. */
#ifndef SPAR_BASE_ARCHIVE_H
#define SPAR_BASE_ARCHIVE_H

#include "base/buf.h"
#include "base/hash.h"

#include <stdio.h>

typedef struct spar__archive {
    bool loading;
    bool failed;
    bool no_memory;          /* that is why it failed */
    spar__buf out;           /* saving: what was written */
    const unsigned char *in; /* loading: what is left to read */
    size_t left;
    unsigned version;            /* loading: of what is read, where that matters */
    struct spar__archive *cache; /* NULL: none */
} spar__archive;

void spar__archive_bytes(spar__archive *ar, void *bytes, size_t n);
void spar__archive_u8(spar__archive *ar, uint8_t *value);
void spar__archive_u32(spar__archive *ar, uint32_t *value);
void spar__archive_u64(spar__archive *ar, uint64_t *value);
void spar__archive_size(spar__archive *ar, size_t *value);
void spar__archive_bool(spar__archive *ar, bool *value);
void spar__archive_f64(spar__archive *ar, double *value);

void spar__archive_sizes(spar__archive *ar, size_t *values, size_t n);
void spar__archive_f64s(spar__archive *ar, double *values, size_t n);
void spar__archive_bools(spar__archive *ar, bool *values, size_t n);

/* A string of its own; loading allocates it (*text must be NULL before). NULL strings are kept as NULL. */
void spar__archive_text(spar__archive *ar, char **text);

/* Says whether a loaded value makes sense: loading fails when it does not. */
void spar__archive_check(spar__archive *ar, bool good);

/* The same for a step of loading that has a status of its own: being out of memory is no damage. */
void spar__archive_step(spar__archive *ar, spar_status status);

/* Loading: is there room for count more values of at least one byte? Guards allocations sized by the input. */
bool spar__archive_holds(spar__archive *ar, size_t count);

/* The one form of binary files: saved policies, results of cells, rank caches, states.
 *
 * Numbers are little-endian. Every section begins at a multiple of 8 bytes, so that its contents can be used in place.
 *
 *     offset  bytes
 *          0      4   "spar"
 *          4      4   the kind of file: four characters
 *          8      4   version of the format of this kind, from 1
 *         12      4   0
 *         16          sections, one after the other:
 *                          0   4   tag: four characters
 *                          4   4   0, or for a section that may be dropped the version of its contents, from 1
 *                          8   8   n, the length of the contents
 *                         16   n   the contents
 *                       16+n       zeros up to a multiple of 8
 *   end - 24     24   the last section: tag "end ", 0, length 8, and the checksum (base/hash.h) of all bytes before it
 *
 * Sections that may be dropped hold what can be computed again (caches). A reader skips those that it does not know
 * or that have another version, and refuses a file with an unknown section that may not be dropped. Each owner
 * defines what its sections hold; base/archive.h is the usual way to fill them. */

enum { SPAR__FRAME_SECTIONS = 4 };

/* A kind of file, as this program knows it. */
typedef struct spar__frame_kind {
    const char *name; /* for messages: "saved policy" */
    char tag[5];
    uint32_t version; /* the newest that can be read, and the one that is written */
    struct {
        char tag[5];
        uint32_t cache; /* 0, or the version of its contents if it may be dropped */
    } section[SPAR__FRAME_SECTIONS];
} spar__frame_kind;

/* Writing, to a buffer or a stream; the other one is NULL. The stream need not be seekable. Errors stick in the target
 * (buf->failed, ferror), which the caller checks at the end. */
typedef struct spar__frame_writer {
    spar__buf *buf;
    FILE *file;
    const spar__frame_kind *kind;
    spar__hash hash;
    uint64_t left; /* bytes still missing from the section */
} spar__frame_writer;

void spar__frame_begin(spar__frame_writer *writer, const spar__frame_kind *kind, spar__buf *buf, FILE *file);

/* Begins the i-th section of the kind; exactly `length` bytes must be added before the next one or the end. */
void spar__frame_section(spar__frame_writer *writer, size_t i, uint64_t length);
void spar__frame_add(spar__frame_writer *writer, const void *bytes, size_t length);
void spar__frame_end(spar__frame_writer *writer);

/* Reading from memory, which must stay. The contents are aligned to 8 bytes if `bytes` is. */
typedef struct spar__frame {
    uint32_t version; /* of the file: 1 to kind->version */
    struct {
        const unsigned char *bytes; /* NULL: the file does not have it, or not in this version */
        size_t length;
    } section[SPAR__FRAME_SECTIONS];
} spar__frame;

/* Finds the sections of the kind. Everything is checked: the file is whole and of this kind, and its checksum is right;
 * SPAR_UNSUPPORTED if it has a newer version, SPAR_CORRUPT for the rest. */
spar_status spar__frame_read(const spar__frame_kind *kind, const void *bytes, size_t length, spar__frame *out,
                             spar_error *err);

/* Frames may follow each other in one file: how many bytes the first one takes. 0: there is no frame, or not all of it.
 * Only its heads were looked at: spar__frame_read says whether the rest is right. */
size_t spar__frame_size(const void *bytes, size_t length);

/* Does it begin like a file of this kind, of any version? */
bool spar__frame_is(const spar__frame_kind *kind, const void *bytes, size_t length);

/* An object as a frame, filled by an archive: what most save and load functions are. The first section of the
 * kind holds the state, the second, if there is one, its caches (spar__archive.cache). */

/* Saving: the frame around what the archive and its cache hold, which is freed. *bytes is NULL on failure. */
spar_status spar__saved_write(const spar__frame_kind *kind, spar__archive *ar, unsigned char **bytes, size_t *length);

/* Loading: an archive that reads the state, and one for the caches (NULL: not wanted); then, when all was read, how
 * that went. */
spar_status spar__saved_open(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, spar__archive *ar,
                             spar_error *err);
spar_status spar__saved_open_both(const spar__frame_kind *kind, const unsigned char *bytes, size_t length,
                                  spar__archive *ar, spar__archive *cache, spar_error *err);
spar_status spar__saved_close(const spar__frame_kind *kind, const spar__archive *ar, spar_error *err);

#endif
