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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__archive {
    bool loading;
    bool failed;
    bool no_memory;          /* that is why it failed */
    spar__buf out;           /* saving: what was written */
    const unsigned char *in; /* loading: what is left to read */
    size_t left;
    unsigned version; /* loading: of what is read, where that matters */
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

#endif
