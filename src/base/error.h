/* error.h - what went wrong: fill a spar_error in one line, return spar__fail(err, SPAR_PARSE, "%s:%zu: ...", file,
 * line); and say which known name is closest to one that is not known. */
#ifndef SPAR_BASE_ERROR_H
#define SPAR_BASE_ERROR_H

#include <spar/status.h>

#include <stddef.h>

#if defined(__GNUC__)
#define SPAR__PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SPAR__PRINTF(fmt, args)
#endif

/* Writes the sentence (if err is not NULL) and returns the status. Control characters and the like in it are escaped
 * (buf.h); a sentence that is too long is shortened in its middle. err->text itself may be an argument. */
spar_status spar__fail(spar_error *err, spar_status status, const char *format, ...) SPAR__PRINTF(3, 4);

/* The common case: out of memory. */
spar_status spar__fail_memory(spar_error *err);

/* A public function got NULL where the header does not allow it. */
spar_status spar__fail_null(spar_error *err);

/* Sets an out-parameter to NULL, as it is after a failure; false if there is none. */
#define SPAR__CLEAR(out) ((out) ? (void)(*(out) = NULL), 1 : 0)

/* "Did you mean": refuse a name, and say which known one is closest. */

/* Edit distance (insert, delete, replace, swap of neighbours), with names cut at 63 characters. */
size_t spar__edit_distance(const char *a, const char *b);

/* Offer candidates one by one; best stays NULL while none is close enough to be worth naming. Case, underscores,
 * hyphens and blanks make no difference. */
typedef struct spar__nearest {
    const char *wanted;
    const char *best;
    size_t distance;
    char known[200]; /* all candidates, "a, b, c", while they fit */
    size_t used;     /* of known; its size when not all fit */
} spar__nearest;

spar__nearest spar__nearest_to(const char *wanted);
void spar__nearest_offer(spar__nearest *nearest, const char *candidate);

/* "; did you mean 'arith'?" for a text that is near to one of the words "arith|geom|...", else "". */
enum { SPAR__HINT = 96 };
void spar__choice_hint(const char *choices, const char *text, char hint[SPAR__HINT]);

/* The one sentence for all unknown names (SPAR_UNKNOWN): "unknown policy 'ucb'; did you mean 'ucb1'?", or the names
 * there are if none is near and the list is short. `owner`, if not NULL, stands first: "beta: unknown parameter ...".
 * The caller that shows the sentence may add where to look names up. */
spar_status spar__fail_unknown(spar_error *err, const char *owner, const char *kind, const spar__nearest *nearest);

#endif
