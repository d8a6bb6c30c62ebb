#include "mpi/team.h"

#include "base/alloc.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

typedef struct team_member {
    spar__team *team;
    size_t number;
    pthread_t thread;
    bool started;
} team_member;

struct spar__team {
    spar__sweep_run *run;
    bool out;
    team_member *member;
    size_t threads;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t more;
    size_t *cell, first, end, room; /* waiting: cell[first] to cell[end - 1] */
    size_t busy;
    bool closed; /* nothing more will come */
    spar__buf done;
};

/* The next cell; false: there will be none. */
static bool next_cell(spar__team *team, size_t *cell)
{
    (void)pthread_mutex_lock(&team->lock);
    while (team->first == team->end && !team->closed)
        (void)pthread_cond_wait(&team->more, &team->lock);
    bool some = team->first < team->end && !team->closed;
    if (some) {
        *cell = team->cell[team->first++];
        team->busy++;
    }
    (void)pthread_mutex_unlock(&team->lock);
    return some;
}

static void *work(void *argument)
{
    team_member *member = argument;
    spar__team *team = member->team;
    spar__buf frame = {0};
    for (size_t cell; next_cell(team, &cell);) {
        if (!spar__sweep_stopped(team->run))
            spar__sweep_cell(team->run, cell, member->number, team->out ? &frame : NULL);
        (void)pthread_mutex_lock(&team->lock);
        team->busy--;
        if (frame.length)
            spar__buf_add(&team->done, frame.text, frame.length);
        team->done.failed |= frame.failed;
        (void)pthread_mutex_unlock(&team->lock);
        spar__buf_clear(&frame);
    }
    spar__buf_free(&frame);
    return NULL;
}

/* Signals are left to the main thread: the mask is inherited. */
static size_t start(spar__team *team)
{
    sigset_t all, before;
    size_t started = 0;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (size_t i = 0; i < team->threads; i++) {
        team_member *member = &team->member[i];
        *member = (team_member){.team = team, .number = i};
        member->started = !pthread_create(&member->thread, NULL, work, member);
        started += member->started;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

spar__team *spar__team_new(spar__sweep_run *run, bool out)
{
    spar__team *team = spar__alloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->run = run;
    team->out = out;
    team->threads = spar__sweep_threads(run);
    team->member = spar__alloc(team->threads, sizeof *team->member);
    if (!team->member || pthread_mutex_init(&team->lock, NULL) || pthread_cond_init(&team->more, NULL) ||
        !start(team)) {
        spar__free(team->member);
        spar__free(team);
        return NULL;
    }
    return team;
}

/* Moves what is waiting to the front when that is enough. */
static spar_status reserve(spar__team *team, size_t n)
{
    size_t waiting = team->end - team->first;
    if (team->first) {
        memmove(team->cell, team->cell + team->first, waiting * sizeof *team->cell);
        team->first = 0;
        team->end = waiting;
    }
    size_t *grown = spar__grow(team->cell, &team->room, team->end + n, 0, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    team->cell = grown;
    return SPAR_OK;
}

spar_status spar__team_add(spar__team *team, const size_t *cell, size_t n)
{
    (void)pthread_mutex_lock(&team->lock);
    spar_status status = n <= team->room - team->end ? SPAR_OK : reserve(team, n);
    if (!status && n) {
        memcpy(team->cell + team->end, cell, n * sizeof *cell);
        team->end += n;
        (void)pthread_cond_broadcast(&team->more);
    }
    (void)pthread_mutex_unlock(&team->lock);
    return status;
}

size_t spar__team_split(spar__team *team, size_t n, size_t *cell)
{
    (void)pthread_mutex_lock(&team->lock);
    size_t waiting = team->end - team->first;
    n = n < waiting ? n : waiting;
    if (n)
        memcpy(cell, team->cell + team->first, n * sizeof *cell);
    team->first += n;
    (void)pthread_mutex_unlock(&team->lock);
    return n;
}

size_t spar__team_threads(const spar__team *team)
{
    return team->threads;
}

size_t spar__team_waiting(spar__team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    size_t waiting = team->end - team->first;
    (void)pthread_mutex_unlock(&team->lock);
    return waiting;
}

bool spar__team_idle(spar__team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    bool idle = team->first == team->end && !team->busy;
    (void)pthread_mutex_unlock(&team->lock);
    return idle;
}

spar__buf spar__team_collect(spar__team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    spar__buf done = team->done;
    team->done = (spar__buf){0};
    (void)pthread_mutex_unlock(&team->lock);
    return done;
}

void spar__team_end(spar__team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    team->closed = true;
    (void)pthread_cond_broadcast(&team->more);
    (void)pthread_mutex_unlock(&team->lock);
    for (size_t i = 0; i < team->threads; i++)
        if (team->member[i].started)
            (void)pthread_join(team->member[i].thread, NULL);
}

void spar__team_free(spar__team *team)
{
    if (!team)
        return;
    (void)pthread_mutex_destroy(&team->lock);
    (void)pthread_cond_destroy(&team->more);
    spar__buf_free(&team->done);
    spar__free(team->cell);
    spar__free(team->member);
    spar__free(team);
}
