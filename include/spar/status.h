/* status.h - how a call went, and the sentence that says why it did not go well.
 *
 * Functions return a spar_status: 0, or a negative value from the list below. Functions that parse or touch the
 * outside world also take a caller-owned spar_error, last; its sentence names the offending input. The error may be
 * NULL where the caller does not care. The library never prints, exits or keeps a last error.
 *
 * NULL is allowed for err, for what a function ending in _free takes, for an array of no elements, and where a header
 * says so. Elsewhere it is refused: a function that returns a status gives SPAR_INVALID, changes nothing, and sets its
 * out-parameter, if it has one, to NULL; any other function does nothing and gives 0, false, NULL, NaN or what it has
 * for 'none'. This holds for the fields of structs that are handed in, too.
 *
 * Threads: an error belongs to one call at a time. */
#ifndef SPAR_STATUS_H
#define SPAR_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SPAR_API __attribute__((visibility("default")))
#else
#define SPAR_API
#endif

#define SPAR_STATUS_MAP(X)                                                                                             \
    X(OK, 0, "success")                                                                                                \
    X(NOMEM, -1, "out of memory")                                                                                      \
    X(INVALID, -2, "invalid argument")                                                                                 \
    X(PARSE, -3, "malformed input")                                                                                    \
    X(UNKNOWN, -4, "unknown name")                                                                                     \
    X(UNSUPPORTED, -5, "not supported by this combination")                                                            \
    X(IO, -6, "input or output failed")                                                                                \
    X(CORRUPT, -7, "saved state is damaged")                                                                           \
    X(INTERRUPTED, -8, "interrupted")                                                                                  \
    X(CONFLICT, -9, "contradicts what was said before")                                                                \
    X(BUSY, -10, "in use by another program")                                                                          \
    X(FULL, -11, "no space left")                                                                                      \
    X(ALL_SEEN, -12, "nothing is left to show")

typedef enum spar_status {
#define SPAR_STATUS_ENUM(name, value, text) SPAR_##name = value,
    SPAR_STATUS_MAP(SPAR_STATUS_ENUM)
#undef SPAR_STATUS_ENUM
} spar_status;

typedef struct spar_error {
    spar_status status;
    char text[512];
} spar_error;

/* A few words for a status; never NULL. */
SPAR_API const char *spar_status_text(spar_status status);

/* An error on the heap, for languages that cannot put one on the stack: made, read, freed. */
SPAR_API spar_error *spar_error_new(void); /* NULL: out of memory */
SPAR_API spar_status spar_error_status(const spar_error *err);
SPAR_API const char *spar_error_text(const spar_error *err);
SPAR_API void spar_error_free(spar_error *err); /* NULL is fine */

/* Frees bytes that a save function of the library made; NULL is fine. */
SPAR_API void spar_bytes_free(unsigned char *bytes);

#ifdef __cplusplus
}
#endif

#endif
