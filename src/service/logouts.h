/* logouts.h - sessions that were ended before their time. A session is a signed text that the server does not keep, so
 * it remembers those that were logged out, until they end by themselves: the last 4,096. The writer keeps them in the
 * store, where the other servers of the store find them, and this one when it is started again.
 *
 * Threads: any; the list has its own lock. */
#ifndef SPAR_SERVICE_LOGOUTS_H
#define SPAR_SERVICE_LOGOUTS_H

#include "store/store.h"

#include <pthread.h>

enum { SPAR__SESSION_ID = 16, SPAR__LOGOUTS_MOST = 4096 };

typedef struct spar__logouts {
    pthread_mutex_t lock;
    unsigned char id[SPAR__LOGOUTS_MOST][SPAR__SESSION_ID];
    bool kept[SPAR__LOGOUTS_MOST]; /* it is in the store */
    size_t n;                      /* ever: the oldest are forgotten */
} spar__logouts;

void spar__logouts_init(spar__logouts *logouts);
void spar__logouts_fini(spar__logouts *logouts);
void spar__logouts_add(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID]); /* again: changes nothing */
bool spar__logouts_has(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID]);

/* What is new goes to the store, to stay until all sessions of now are over; and what is there comes from it, but for
 * what is over, which is dropped. */
spar_status spar__logouts_keep(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err);
spar_status spar__logouts_load(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err);

#endif
