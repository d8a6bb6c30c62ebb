/* frame.h - the one form of binary files: saved policies, results of cells, rank caches, states.
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
#ifndef SPAR_BASE_FRAME_H
#define SPAR_BASE_FRAME_H

#include "base/buf.h"
#include "base/hash.h"

#include <stdint.h>
#include <stdio.h>

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

/* The same for a frame with one section, the first of the kind, whose contents are in the buffer: it becomes the frame.
 * Another section may follow before the end. */
void spar__frame_wrap(spar__frame_writer *writer, const spar__frame_kind *kind, spar__buf *buf);

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

#endif
