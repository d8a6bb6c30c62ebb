/* fuzz.h - what the fuzz targets share. A target is a function of any bytes, in a file of its own, and one line in
 * targets.def; it stops the program where a promise is broken. Two programs call it: a fuzzer (fuzzer.c, by
 * scripts/fuzz) and the replay of its corpus (replay.c, a test).
 *
 * Targets are called many times in one process: they free what they get, or keep it in static variables. */
#ifndef SPAR_TESTS_FUZZ_H
#define SPAR_TESTS_FUZZ_H

#include "base/archive.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ(name) void fuzz_##name(const uint8_t *data, size_t size);
#define LIVE_FUZZ(name) FUZZ(name)
#define SERVICE_FUZZ(name) FUZZ(name)
#include "targets.def"
#undef FUZZ
#undef LIVE_FUZZ
#undef SERVICE_FUZZ

/* Aborts, and says which promise was broken. */
void fuzz_require(bool good, const char *what, const char *file, int line);
#define require(good) fuzz_require((good), #good, __FILE__, __LINE__)

/* Bytes as a source of decisions; at the end they are all 0. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *in);
size_t fuzz_below(fuzz_input *in, size_t n); /* 0 .. n - 1, of one byte */
uint64_t fuzz_word(fuzz_input *in);          /* eight bytes */

/* A copy with a zero byte behind it and nothing else: reading on is an error. Free it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* An empty file without a name, in memory where that can be; made once and kept in *kept, which begins as NULL. */
FILE *fuzz_stream(FILE **kept);

/* The path of a file with these contents, until the next call. */
const char *fuzz_file(const void *bytes, size_t size);

/* Saved bytes: what save functions give. */
typedef struct fuzz_saved {
    unsigned char *bytes;
    size_t length;
} fuzz_saved;

/* Bytes for a load function that get through its frame, to be freed. An input that begins like a file of the kind is
 * taken as it is. A first byte of 255 takes the rest as the sections of the kind: two bytes of length and the contents
 * of each, the last one as it comes. With any other first byte each group of ten bytes writes a word over `good` (two
 * bytes say where). The checksum is made right. */
fuzz_saved fuzz_damage(const spar__frame_kind *kind, fuzz_saved good, const uint8_t *data, size_t size);

/* The call must have succeeded; prints its sentence if not. */
void fuzz_accepted(spar_status status, const spar_error *err);

/* The status and the sentence of a call that failed, or SPAR_OK. `name`: how the sentence must begin; NULL: anyhow. */
void fuzz_refused(spar_status status, const spar_error *err, const char *name);

#endif
