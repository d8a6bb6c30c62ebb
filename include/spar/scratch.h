/* scratch.h - working memory of choose: make one per thread and hand it to every call. It grows to what the largest
 * call needs and then allocates no more.
 *
 * Threads: one thread at a time for each scratch. NULL is refused unless said otherwise: see status.h. */
#ifndef SPAR_SCRATCH_H
#define SPAR_SCRATCH_H

#include <spar/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_scratch spar_scratch;

/* Empty; it grows by use. NULL is fine for free. */
SPAR_API spar_status spar_scratch_new(spar_scratch **out);
SPAR_API void spar_scratch_free(spar_scratch *scratch);

#ifdef __cplusplus
}
#endif

#endif
