/* fair_lock.h - whose turn it is to write: those who wait get it in the order in which they came.
 *
 * The file has a lock of its own, which knows no order: who tries it again and again may wait for ever. So the threads
 * of a server that write to one file take turns first. */
#ifndef SPAR_SERVICE_HOSTING_FAIR_LOCK_H
#define SPAR_SERVICE_HOSTING_FAIR_LOCK_H

#include <pthread.h>
#include <stdbool.h>

struct spar__turn_waiter;

typedef struct spar__turn {
    pthread_mutex_t lock;
    bool taken;
    struct spar__turn_waiter *first, *last;
} spar__turn;

void spar__turn_init(spar__turn *turn);
void spar__turn_fini(spar__turn *turn); /* nobody has it or waits */

/* False: not within that many milliseconds. */
bool spar__turn_take(spar__turn *turn, unsigned milliseconds);
void spar__turn_give(spar__turn *turn);

#endif
