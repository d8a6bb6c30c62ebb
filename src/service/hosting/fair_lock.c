/* fair_lock.c - see turn.h. Who gives it up hands it to the first that waits: nobody slips in between. */
#include "service/hosting/fair_lock.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

typedef struct spar__turn_waiter {
    struct spar__turn_waiter *next;
    pthread_cond_t news;
    bool has_it;
} spar__turn_waiter;

void spar__turn_init(spar__turn *turn)
{
    *turn = (spar__turn){.taken = false};
    (void)pthread_mutex_init(&turn->lock, NULL);
}

void spar__turn_fini(spar__turn *turn)
{
    (void)pthread_mutex_destroy(&turn->lock);
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

static void join(spar__turn *turn, spar__turn_waiter *waiter)
{
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&waiter->news, &clock);
    (void)pthread_condattr_destroy(&clock);
    if (turn->last)
        turn->last->next = waiter;
    else
        turn->first = waiter;
    turn->last = waiter;
}

/* Takes one that gave up out of the list. */
static void leave(spar__turn *turn, const spar__turn_waiter *waiter)
{
    spar__turn_waiter *before = NULL;
    for (spar__turn_waiter *at = turn->first; at && at != waiter; at = at->next)
        before = at;
    if (before)
        before->next = waiter->next;
    else
        turn->first = waiter->next;
    if (turn->last == waiter)
        turn->last = before;
}

static bool wait_for(spar__turn *turn, unsigned milliseconds)
{
    spar__turn_waiter waiter = {.has_it = false};
    struct timespec until = after(milliseconds);
    join(turn, &waiter);
    while (!waiter.has_it)
        if (pthread_cond_timedwait(&waiter.news, &turn->lock, &until) == ETIMEDOUT)
            break;
    if (!waiter.has_it)
        leave(turn, &waiter);
    (void)pthread_cond_destroy(&waiter.news);
    return waiter.has_it;
}

bool spar__turn_take(spar__turn *turn, unsigned milliseconds)
{
    (void)pthread_mutex_lock(&turn->lock);
    bool good = !turn->taken;
    if (good)
        turn->taken = true;
    else
        good = wait_for(turn, milliseconds);
    (void)pthread_mutex_unlock(&turn->lock);
    return good;
}

void spar__turn_give(spar__turn *turn)
{
    (void)pthread_mutex_lock(&turn->lock);
    spar__turn_waiter *next = turn->first;
    turn->taken = next != NULL;
    if (next) {
        turn->first = next->next;
        if (!turn->first)
            turn->last = NULL;
        next->has_it = true;
        (void)pthread_cond_signal(&next->news);
    }
    (void)pthread_mutex_unlock(&turn->lock);
}
