/* fair_lock.c - see fair_lock.h. Who gives it up hands it to the first that waits: nobody slips in between. */
#include "service/hosting/fair_lock.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

typedef struct spar__fair_lock_waiter {
    struct spar__fair_lock_waiter *next;
    pthread_cond_t news;
    bool has_it;
} spar__fair_lock_waiter;

void spar__fair_lock_init(spar__fair_lock *fair)
{
    *fair = (spar__fair_lock){.taken = false};
    (void)pthread_mutex_init(&fair->lock, NULL);
}

void spar__fair_lock_fini(spar__fair_lock *fair)
{
    (void)pthread_mutex_destroy(&fair->lock);
}

static struct timespec after(unsigned milliseconds)
{
    struct timespec until = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)(milliseconds % 1000) * 1000000;
    until.tv_sec += (time_t)(milliseconds / 1000) + nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    return until;
}

static void join(spar__fair_lock *fair, spar__fair_lock_waiter *waiter)
{
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&waiter->news, &clock);
    (void)pthread_condattr_destroy(&clock);
    if (fair->last)
        fair->last->next = waiter;
    else
        fair->first = waiter;
    fair->last = waiter;
}

/* Takes one that gave up out of the list. */
static void leave(spar__fair_lock *fair, const spar__fair_lock_waiter *waiter)
{
    spar__fair_lock_waiter *before = NULL;
    for (spar__fair_lock_waiter *at = fair->first; at && at != waiter; at = at->next)
        before = at;
    if (before)
        before->next = waiter->next;
    else
        fair->first = waiter->next;
    if (fair->last == waiter)
        fair->last = before;
}

static bool wait_for(spar__fair_lock *fair, unsigned milliseconds)
{
    spar__fair_lock_waiter waiter = {.has_it = false};
    struct timespec until = after(milliseconds);
    join(fair, &waiter);
    while (!waiter.has_it)
        if (pthread_cond_timedwait(&waiter.news, &fair->lock, &until) == ETIMEDOUT)
            break;
    if (!waiter.has_it)
        leave(fair, &waiter);
    (void)pthread_cond_destroy(&waiter.news);
    return waiter.has_it;
}

bool spar__fair_lock_take(spar__fair_lock *fair, unsigned milliseconds)
{
    (void)pthread_mutex_lock(&fair->lock);
    bool good = !fair->taken;
    if (good)
        fair->taken = true;
    else
        good = wait_for(fair, milliseconds);
    (void)pthread_mutex_unlock(&fair->lock);
    return good;
}

void spar__fair_lock_give(spar__fair_lock *fair)
{
    (void)pthread_mutex_lock(&fair->lock);
    spar__fair_lock_waiter *next = fair->first;
    fair->taken = next != NULL;
    if (next) {
        fair->first = next->next;
        if (!fair->first)
            fair->last = NULL;
        next->has_it = true;
        (void)pthread_cond_signal(&next->news);
    }
    (void)pthread_mutex_unlock(&fair->lock);
}
