/* error.h - fill a spar_error in one line: return spar__fail(err, SPAR_PARSE, "%s:%zu: ...", file, line). */
#ifndef SPAR_BASE_ERROR_H
#define SPAR_BASE_ERROR_H

#include <spar/status.h>

#if defined(__GNUC__)
#define SPAR__PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SPAR__PRINTF(fmt, args)
#endif

/* Writes the sentence (if err is not NULL) and returns the status. Control characters and the like in it are escaped
 * (base/utf8.h); a sentence that is too long is shortened in its middle. err->text itself may be an argument. */
spar_status spar__fail(spar_error *err, spar_status status, const char *format, ...) SPAR__PRINTF(3, 4);

/* The common case: out of memory. */
spar_status spar__fail_memory(spar_error *err);

/* A public function got NULL where the header does not allow it. */
spar_status spar__fail_null(spar_error *err);

/* Sets an out-parameter to NULL, as it is after a failure; false if there is none. */
#define SPAR__CLEAR(out) ((out) ? (void)(*(out) = NULL), 1 : 0)

#endif
