/* fair_lock.h - whose turn it is to write: those who wait get it in the order in which they came.
 *
 * The file has a lock of its own, which knows no order: who tries it again and again may wait for ever. So the threads
 * of a server that write to one file take turns first. */
#ifndef SPAR_SERVICE_HOSTING_FAIR_LOCK_H
#define SPAR_SERVICE_HOSTING_FAIR_LOCK_H

#include <pthread.h>
#include <stdbool.h>

struct spar__fair_lock_waiter;

typedef struct spar__fair_lock {
    pthread_mutex_t lock;
    bool taken;
    struct spar__fair_lock_waiter *first, *last;
} spar__fair_lock;

void spar__fair_lock_init(spar__fair_lock *fair);
void spar__fair_lock_fini(spar__fair_lock *fair); /* nobody has it or waits */

/* False: not within that many milliseconds. */
bool spar__fair_lock_take(spar__fair_lock *fair, unsigned milliseconds);
void spar__fair_lock_give(spar__fair_lock *fair);

#endif
