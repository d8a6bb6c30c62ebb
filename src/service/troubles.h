/* troubles.h - what is wrong with the storage, on standard error: once for each cause, not for each request, and once
 * more when it is over.
 *
 * A cause is a sentence. It is over when something was stored and it has not come up for a while; so an experiment that
 * is damaged, beside others that are not, is told of once.
 *
 * Threads: any. */
#ifndef SPAR_SERVICE_TROUBLES_H
#define SPAR_SERVICE_TROUBLES_H

#include "base/error.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { SPAR__TROUBLES_MOST = 16, SPAR__TROUBLE_SECONDS = 10 };

typedef struct spar__trouble {
    spar_error what;
    double last; /* when it came up, by the monotonic clock */
    uint64_t times;
} spar__trouble;

typedef struct spar__troubles {
    pthread_mutex_t lock;
    spar__trouble trouble[SPAR__TROUBLES_MOST]; /* further causes are not told while there are so many */
    size_t n;
} spar__troubles;

void spar__troubles_init(spar__troubles *troubles);
void spar__troubles_fini(spar__troubles *troubles);

/* Something failed. What is no trouble of the storage (a wrong request, a conflict) is passed over. NULL is fine. */
void spar__troubles_add(spar__troubles *troubles, spar_status status, const spar_error *err, double now);

/* Something was stored. */
void spar__troubles_good(spar__troubles *troubles, double now);

#endif
