/* Turns: one at a time, in the order in which they came, and whoever waited too long is not in the way. */
#include "service/hosting/fair_lock.h"
#include "tap.h"

#include <stdlib.h>
#include <time.h>

enum { THREADS = 6, ROUNDS = 2000 };

static spar__fair_lock turn;
static int order[THREADS], n_order; /* under the turn */
static long inside, most_inside, sum;

static void nap(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}, NULL);
}

/* Until another one is the last that waits, for a minute at most; gives it. */
static const void *await_next(const void *before)
{
    const void *last = NULL;
    for (int i = 0; i < 60000 && (!last || last == before); i++) {
        nap(i > 0);
        (void)pthread_mutex_lock(&turn.lock);
        last = turn.last;
        (void)pthread_mutex_unlock(&turn.lock);
    }
    return last;
}

static void *wait_in_line(void *context)
{
    int number = *(int *)context;
    if (spar__fair_lock_take(&turn, 10000)) {
        order[n_order++] = number;
        spar__fair_lock_give(&turn);
    }
    return NULL;
}

static void test_order(void)
{
    pthread_t thread[THREADS];
    int number[THREADS];
    const void *last = NULL;
    ok(spar__fair_lock_take(&turn, 0), "a free turn is taken at once");
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        if (pthread_create(&thread[i], NULL, wait_in_line, &number[i]))
            abort();
        last = await_next(last);
    }
    spar__fair_lock_give(&turn);
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(thread[i], NULL);
    bool sorted = n_order == THREADS;
    for (int i = 0; i < n_order; i++)
        sorted = sorted && order[i] == i;
    ok(sorted, "%d threads get it as they came", n_order);
}

static void *give_up(void *context)
{
    *(bool *)context = spar__fair_lock_take(&turn, 50);
    return NULL;
}

static void test_patience(void)
{
    pthread_t thread[3];
    bool got[3] = {true, true, true};
    int last = 0;
    n_order = 0;
    ok(spar__fair_lock_take(&turn, 0) && !spar__fair_lock_take(&turn, 0) && !spar__fair_lock_take(&turn, 5),
       "not taken twice");
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, give_up, &got[i]))
            abort();
    nap(10);
    if (pthread_create(&thread[2], NULL, wait_in_line, &last))
        abort();
    for (int i = 0; i < 2; i++)
        (void)pthread_join(thread[i], NULL);
    (void)await_next(NULL);
    spar__fair_lock_give(&turn);
    (void)pthread_join(thread[2], NULL);
    ok(!got[0] && !got[1] && n_order == 1, "two give up, who came behind them gets it");
    ok(spar__fair_lock_take(&turn, 0), "and it is free again");
    spar__fair_lock_give(&turn);
}

static void *enter_often(void *context)
{
    long *got = context;
    for (int i = 0; i < ROUNDS; i++) {
        if (!spar__fair_lock_take(&turn, i % 7 ? 10000 : 0))
            continue;
        inside++;
        most_inside = inside > most_inside ? inside : most_inside;
        sum++;
        inside--;
        spar__fair_lock_give(&turn);
        ++*got;
    }
    return NULL;
}

static void test_crowd(void)
{
    pthread_t thread[THREADS];
    long got[THREADS] = {0}, all = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, enter_often, &got[i]))
            abort();
    for (int i = 0; i < THREADS; i++) {
        (void)pthread_join(thread[i], NULL);
        all += got[i];
    }
    ok(sum == all && most_inside == 1 && all >= THREADS * ROUNDS * 6 / 7, "one at a time, %ld times", sum);
}

int main(void)
{
    spar__fair_lock_init(&turn);
    test_order();
    test_patience();
    test_crowd();
    spar__fair_lock_fini(&turn);
    return done();
}
