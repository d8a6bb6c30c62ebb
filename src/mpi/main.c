/* main.c - spar-mpi: the command, whose sweeps are played by all ranks of a job.
 *
 *     mpirun -n 64 spar-mpi run ...
 *
 * Every rank runs the same command with the same options, and so has the same list of cells. Rank 0 reads and writes
 * files, prints and reports; it plays cells, hands out cells to the other ranks, its helpers, and has the results. What
 * helpers would print is not shown, unless they fail alone: then rank 0 says why. A helper is ahead by a few cells, so
 * that no thread waits for a message; that costs a message or two for some milliseconds of work. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "sim/sweep.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- messages ---
 *
 * Between rank 0, which hands out cells and has the results, and the others, its helpers.
 *
 * All calls come from the main thread. None of them waits in MPI, which would keep a core busy that has cells to play:
 * who waits sleeps between two looks. Messages from one rank to another arrive in the order in which they were sent. */

typedef enum mail_kind {
    /* From a helper; the first word is the number of the list of cells, as a command may have several: */
    MAIL_HELLO = 1, /* hash of the plan, number of threads */
    MAIL_CELLS,     /* work of unfinished cells, then cells that are complete (sim/sweep.h) */
    MAIL_LEFT,      /* stops, 1 if it was asked to by a signal; its last word about this list of cells */
    MAIL_FAIL,      /* status and a sentence; without a list */
    MAIL_WORK,      /* rank 0: numbers of cells to play */
    MAIL_END,       /* rank 0: 1 to stop, 0 when all is done; then all cells, if they are shared */
    MAIL_QUIT,      /* rank 0: the command is over */
    MAIL_BYE        /* helper: so it is here */
} mail_kind;

typedef struct message {
    mail_kind kind;
    int rank; /* from whom */
    spar__buf bytes;
} message;

enum { SHORTEST = 20000, LONGEST = 4000000 }; /* nanoseconds of sleep */

/* A message on its way. */
typedef struct letter {
    struct letter *next;
    MPI_Request request;
    spar__buf bytes;
} letter;

static letter *sent;
static long pause_time = SHORTEST;

static int mail_rank(void)
{
    int rank;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int mail_ranks(void)
{
    int n;
    (void)MPI_Comm_size(MPI_COMM_WORLD, &n);
    return n;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "spar: rank %d: %s\n", mail_rank(), why);
    (void)MPI_Abort(MPI_COMM_WORLD, 1);
}

static void receive(message *mail, const MPI_Status *status)
{
    int length = 0;
    (void)MPI_Get_count(status, MPI_BYTE, &length);
    char *bytes = spar__alloc((size_t)length + 1, 1);
    if (!bytes) {
        give_up("out of memory");
        return;
    }
    (void)MPI_Recv(bytes, length, MPI_BYTE, status->MPI_SOURCE, status->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *mail = (message){(mail_kind)status->MPI_TAG,
                      status->MPI_SOURCE,
                      {.text = bytes, .length = (size_t)length, .capacity = (size_t)length + 1}};
}

/* Has everything been received that was sent? Frees what has. */
static bool mail_settled(void)
{
    for (letter **at = &sent; *at;) {
        letter *l = *at;
        int done = 0;
        (void)MPI_Test(&l->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        spar__buf_free(&l->bytes);
        spar__free(l);
    }
    return !sent;
}

/* Takes the next message, if one has come; free its bytes. `patient`: sleep a little if not; the longer, the longer
 * nothing came. */
static bool mail_next(message *mail, bool patient)
{
    int there = 0;
    MPI_Status status;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there) {
        pause_time = SHORTEST;
        receive(mail, &status);
        return true;
    }
    (void)mail_settled();
    if (patient) {
        struct timespec t = {0, pause_time};
        (void)nanosleep(&t, NULL);
        pause_time = pause_time < LONGEST / 2 ? 2 * pause_time : LONGEST;
    }
    return false;
}

/* Sends words and bytes, without waiting. Without memory the job ends. */
static void mail_send(int rank, mail_kind kind, const uint64_t *word, size_t n_words, const spar__buf *bytes)
{
    letter *l = spar__alloc(1, sizeof *l);
    for (size_t i = 0; l && i < n_words; i++) {
        unsigned char number[8];
        spar__put_u64(number, word[i]);
        spar__buf_add(&l->bytes, (const char *)number, sizeof number);
    }
    if (l && bytes && bytes->length)
        spar__buf_add(&l->bytes, bytes->text, bytes->length);
    if (!l || l->bytes.failed || l->bytes.length > INT_MAX) {
        give_up(l && l->bytes.length > INT_MAX ? "cells of more than 2 GB cannot be sent" : "out of memory");
        return;
    }
    l->next = sent;
    sent = l;
    (void)MPI_Isend(l->bytes.text, (int)l->bytes.length, MPI_BYTE, rank, (int)kind, MPI_COMM_WORLD, &l->request);
}

static uint64_t mail_word(const message *mail, size_t i)
{
    return mail->bytes.length < 8 * (i + 1) ? 0 : spar__get_u64((const unsigned char *)mail->bytes.text + 8 * i);
}

/* The word of a message; 0 if it has fewer. The bytes behind n of them. */
static const unsigned char *mail_rest(const message *mail, size_t n, size_t *length)
{
    *length = mail->bytes.length < 8 * n ? 0 : mail->bytes.length - 8 * n;
    return (const unsigned char *)mail->bytes.text + (*length ? 8 * n : 0);
}

/* --- the threads of a rank: each takes one cell after the other, until there will be no more --- */

typedef struct thread_team thread_team;

typedef struct team_member {
    thread_team *team;
    size_t number;
    pthread_t thread;
    bool started;
} team_member;

struct thread_team {
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
static bool next_cell(thread_team *team, size_t *cell)
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
    thread_team *team = member->team;
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
static size_t start(thread_team *team)
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

/* Starts the threads. With `out`, cells that are complete wait to be sent; else they are taken here. NULL: it cannot be
 * done. */
static thread_team *team_new(spar__sweep_run *run, bool out)
{
    thread_team *team = spar__alloc(1, sizeof *team);
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
static spar_status reserve(thread_team *team, size_t n)
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

/* Adds cells. */
static spar_status team_add(thread_team *team, const size_t *cell, size_t n)
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

/* Takes up to n cells back, for others. */
static size_t team_split(thread_team *team, size_t n, size_t *cell)
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

/* Cells that nobody has begun. */
static size_t team_waiting(thread_team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    size_t waiting = team->end - team->first;
    (void)pthread_mutex_unlock(&team->lock);
    return waiting;
}

/* None is waiting or being played. */
static bool team_idle(thread_team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    bool idle = team->first == team->end && !team->busy;
    (void)pthread_mutex_unlock(&team->lock);
    return idle;
}

static void team_end(thread_team *team)
{
    (void)pthread_mutex_lock(&team->lock);
    team->closed = true;
    (void)pthread_cond_broadcast(&team->more);
    (void)pthread_mutex_unlock(&team->lock);
    for (size_t i = 0; i < team->threads; i++)
        if (team->member[i].started)
            (void)pthread_join(team->member[i].thread, NULL);
}

/* Waits for the threads to end: with the cells that they have begun, or when these were stopped. */
static void team_free(thread_team *team)
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

/* --- a helper --- */

static const double REPORT = 2e8;   /* nanoseconds between two reports of progress */
static const double TOGETHER = 1e6; /* nanoseconds for which complete cells wait for others */

static bool quit; /* a helper heard that the command is over */

typedef struct helping {
    spar__sweep_run *run;
    thread_team *team;
    uint64_t list; /* its number */
    double sent;   /* when something was last sent */
    bool ended;
} helping;

static void send_cells(helping *h, bool always)
{
    double now = spar__clock_wall();
    if (!always && now - h->sent < TOGETHER)
        return;
    /* Cells that are complete; the buffer changes hands. */
    thread_team *team = h->team;
    (void)pthread_mutex_lock(&team->lock);
    spar__buf done = team->done;
    team->done = (spar__buf){0};
    (void)pthread_mutex_unlock(&team->lock);
    const uint64_t word[] = {h->list, spar__sweep_partial(h->run)};
    if (done.failed) {
        spar_error err = {0};
        (void)spar__fail_memory(&err);
        spar__sweep_fail(h->run, 0, &err);
    } else if (done.length || always || now - h->sent > REPORT) {
        mail_send(0, MAIL_CELLS, word, 2, &done);
        h->sent = now;
    }
    spar__buf_free(&done);
}

static spar_status add_work(const helping *h, const message *mail)
{
    size_t n = mail->bytes.length / 8;
    size_t *cell = spar__alloc(n ? n : 1, sizeof *cell);
    for (size_t i = 0; cell && i < n; i++)
        cell[i] = (size_t)mail_word(mail, i);
    spar_status status = cell ? team_add(h->team, cell, n) : SPAR_NOMEM;
    spar__free(cell);
    return status;
}

static spar_status read_order(helping *h, const message *mail, spar_error *err)
{
    size_t length;
    switch (mail->kind) {
    case MAIL_WORK:
        return add_work(h, mail) ? spar__fail_memory(err) : SPAR_OK;
    case MAIL_QUIT:
        quit = true;
        spar__sweep_stop(h->run);
        h->ended = true;
        return SPAR_OK;
    case MAIL_END:
        h->ended = true;
        if (mail_word(mail, 0))
            spar__sweep_stop(h->run);
        if (spar__sweep_shared(h->run)) {
            const unsigned char *bytes = mail_rest(mail, 1, &length);
            return spar__sweep_take(h->run, bytes, length, err);
        }
        return SPAR_OK;
    default:
        return SPAR_OK;
    }
}

static spar_status help(spar__sweep_run *run, spar_error *err)
{
    static uint64_t lists;
    helping h = {.run = run, .team = team_new(run, true), .list = ++lists};
    if (!h.team)
        return spar__fail_memory(err);
    const uint64_t hello[] = {h.list, spar__sweep_of(run)->plan, h.team->threads};
    mail_send(0, MAIL_HELLO, hello, 3, NULL);
    spar_status status = SPAR_OK;
    while (!status && !h.ended && !spar__sweep_stopped(h.run)) {
        message mail;
        if (mail_next(&mail, true)) {
            status = read_order(&h, &mail, err);
            spar__buf_free(&mail.bytes);
        }
        send_cells(&h, false);
        spar__sweep_tell(h.run, 0);
    }
    team_end(h.team);
    bool asked = !h.ended && !status && !spar__sweep_failed(run, NULL); /* by a signal */
    const uint64_t left[] = {h.list, asked};
    if (!quit) {
        send_cells(&h, true);
        mail_send(0, MAIL_LEFT, left, 2, NULL);
    }
    team_free(h.team);
    return status;
}

/* --- rank 0 --- */

static const double END_PATIENCE = 3e8; /* nanoseconds that helpers have to end when the job is stopped */

enum { MOST = 1024 }; /* cells that a helper is ahead */

/* What rank 0 knows of another one. */
typedef struct helper_state {
    bool here, left;
    size_t threads;
    size_t owes;      /* cells that it has and did not send back */
    uint64_t partial; /* work of its unfinished cells */
} helper_state;

typedef struct leading {
    spar__sweep_run *run;
    thread_team *team;
    helper_state *helper; /* one per rank */
    int ranks;
    uint64_t list;  /* its number */
    size_t threads; /* of all ranks that are here */
    size_t room[MOST];
} leading;

static void fail(leading *l, int rank, const message *mail)
{
    spar_error err = {0};
    size_t length;
    const unsigned char *text = mail_rest(mail, 1, &length);
    (void)spar__fail(&err, (spar_status)(int64_t)mail_word(mail, 0), "rank %d: %.*s", rank,
                     (int)(length < 400 ? length : 400), (const char *)text);
    spar__sweep_fail(l->run, (size_t)-1, &err);
}

static void greet(leading *l, int rank, const message *mail)
{
    helper_state *h = &l->helper[rank];
    spar_error err = {0};
    h->here = true;
    h->threads = (size_t)mail_word(mail, 2);
    l->threads += h->threads;
    if (mail_word(mail, 1) == spar__sweep_of(l->run)->plan)
        return;
    (void)spar__fail(&err, SPAR_INVALID,
                     "rank %d has another plan than rank 0: its options, its data or its version differ", rank);
    spar__sweep_fail(l->run, (size_t)-1, &err);
}

static void take(leading *l, int rank, const message *mail)
{
    helper_state *h = &l->helper[rank];
    spar_error err = {0};
    size_t length;
    const unsigned char *bytes = mail_rest(mail, 2, &length);
    /* How many cells are in these bytes? */
    size_t n = 0;
    for (size_t at = 0; length - at >= 16; n++) {
        uint64_t size = spar__get_u64(bytes + at + 8);
        if (size > length - at - 16)
            break; /* taking them will say so */
        at += 16 + (size_t)size;
    }
    h->partial = mail_word(mail, 1);
    h->owes -= n < h->owes ? n : h->owes;
    if (spar__sweep_take(l->run, bytes, length, &err))
        spar__sweep_fail(l->run, (size_t)-1, &err);
}

static void read_reply(leading *l, const message *mail)
{
    if (mail->kind != MAIL_FAIL && mail_word(mail, 0) != l->list)
        return; /* a helper that is late: of the list before */
    switch (mail->kind) {
    case MAIL_HELLO:
        greet(l, mail->rank, mail);
        break;
    case MAIL_CELLS:
        take(l, mail->rank, mail);
        break;
    case MAIL_FAIL:
        fail(l, mail->rank, mail);
        break;
    case MAIL_LEFT:
        l->helper[mail->rank].left = true;
        if (mail_word(mail, 1))
            spar__sweep_stop(l->run);
        break;
    default:
        break;
    }
}

/* Sends a helper more to do: one cell for each of its threads, and while there are many left enough to be ahead. The
 * fewer are left, the fewer it gets at once, so that all end together. */
static void feed(leading *l, int rank)
{
    helper_state *h = &l->helper[rank];
    size_t left = team_waiting(l->team), share = left / l->threads * h->threads / 4;
    size_t ahead = left < 2 * l->threads ? 0 : share < MOST / 2 ? share : MOST / 2;
    size_t wanted = h->threads + ahead;
    if (!left || !h->here || h->left || h->owes > h->threads + ahead / 2 || h->owes >= wanted)
        return;
    size_t n = wanted - h->owes, *cell = l->room;
    n = team_split(l->team, n < MOST ? n : MOST, cell);
    uint64_t word[MOST];
    for (size_t i = 0; i < n; i++)
        word[i] = cell[i];
    if (n)
        mail_send(rank, MAIL_WORK, word, n, NULL);
    h->owes += n;
}

static bool all_done(const leading *l)
{
    size_t owed = 0;
    for (int r = 1; r < l->ranks; r++)
        owed += l->helper[r].owes;
    return !owed && team_idle(l->team);
}

static void lead_until_done(leading *l)
{
    message mail;
    while (!spar__sweep_stopped(l->run) && !all_done(l)) {
        for (int r = 1; r < l->ranks; r++)
            feed(l, r);
        uint64_t partial = 0;
        for (int r = 1; r < l->ranks; r++)
            partial += l->helper[r].partial;
        spar__sweep_tell(l->run, partial);
        while (mail_next(&mail, false)) {
            read_reply(l, &mail);
            spar__buf_free(&mail.bytes);
        }
        if (mail_next(&mail, true)) {
            read_reply(l, &mail);
            spar__buf_free(&mail.bytes);
        }
    }
}

/* mpirun ends all ranks when one dies, with a signal that leaves them a second: the sentence comes before anything
 * else. */
static void tell_stopped(leading *l)
{
    const spar__sweep *sweep = spar__sweep_of(l->run);
    size_t done = spar__sweep_secure(l->run);
    if (!spar__stop_wanted() || spar__sweep_failed(l->run, NULL))
        return;
    if (sweep->dir && !sweep->unkept.status)
        spar__note("stopped by a signal, or because a rank has ended; %zu of %zu cells are complete and kept in %s: "
                   "the same command continues",
                   done, sweep->cells, sweep->dir);
    else
        spar__note("stopped by a signal, or because a rank has ended; %zu of %zu cells are complete; with --out they "
                   "would be kept",
                   done, sweep->cells);
}

/* Tells the helpers. When it was stopped, they have cells that are complete: a dead one does not answer. */
static spar_status end_list(leading *l)
{
    uint64_t stop = spar__sweep_stopped(l->run);
    spar__buf cells = {0};
    if (spar__sweep_shared(l->run) && spar__sweep_give(l->run, &cells))
        return SPAR_NOMEM;
    for (int r = 1; r < l->ranks; r++)
        mail_send(r, MAIL_END, &stop, 1, &cells);
    spar__buf_free(&cells);
    double start = spar__clock_wall();
    for (bool waits = stop; waits && spar__clock_wall() - start < END_PATIENCE;) {
        message mail;
        waits = false;
        for (int r = 1; r < l->ranks; r++)
            waits |= l->helper[r].here && !l->helper[r].left;
        if (waits && mail_next(&mail, true)) {
            read_reply(l, &mail);
            spar__buf_free(&mail.bytes);
        }
    }
    return SPAR_OK;
}

static spar_status lead(spar__sweep_run *run, spar_error *err)
{
    const size_t *cell;
    size_t n = spar__sweep_missing(run, &cell);
    leading *l = spar__alloc(1, sizeof *l);
    spar_status status = SPAR_NOMEM;
    if (!l)
        return spar__fail_memory(err);
    static uint64_t lists;
    l->run = run;
    l->list = ++lists;
    l->ranks = mail_ranks();
    l->helper = spar__alloc((size_t)l->ranks, sizeof *l->helper);
    l->team = l->helper ? team_new(run, false) : NULL;
    if (l->team && !(status = team_add(l->team, cell, n))) {
        l->threads = l->team->threads;
        lead_until_done(l);
        if (spar__sweep_stopped(run))
            tell_stopped(l);
        team_end(l->team);
        status = end_list(l);
    }
    team_free(l->team);
    spar__free(l->helper);
    spar__free(l);
    return status ? spar__fail_memory(err) : SPAR_OK;
}

/* --- the command --- */

static const double QUIT_PATIENCE = 5e9; /* nanoseconds until a rank that does not answer is left alone */

static const spar__sweep_runner leads = {.helps = false, .run = lead};
static const spar__sweep_runner helps = {.helps = true, .run = help};

/* Ranks on this machine. */
static int ranks_here(void)
{
    MPI_Comm here;
    int n = 1;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) == MPI_SUCCESS) {
        (void)MPI_Comm_size(here, &n);
        (void)MPI_Comm_free(&here);
    }
    return n;
}

/* Is it a command whose cells are played by all? */
static bool is_sweep(int argc, char **argv)
{
    const spar__command *command = argc > 1 ? spar__command_find(argv[1]) : NULL;
    for (const spar__option *o = command ? command->options : NULL; o && o->name; o++)
        if (strcmp(o->name, "part") == 0)
            return true;
    return false;
}

/* Runs the command quietly, then waits until rank 0 is through. */
static int run_helper(int argc, char **argv)
{
    /* What it would print goes nowhere, or to a file from which its last sentence can be read. */
    FILE *said = tmpfile();
    FILE *nowhere = fopen("/dev/null", "w");
    int errors = said ? fileno(said) : nowhere ? fileno(nowhere) : -1;
    (void)dup2(nowhere ? fileno(nowhere) : -1, STDOUT_FILENO);
    (void)dup2(errors, STDERR_FILENO);
    spar__sweeping_runner = &helps;
    bool failed = is_sweep(argc, argv) && spar__main(argc, argv) && !quit && !spar__stop_wanted();
    if (failed) {
        /* Tells rank 0 why, in the words that would have been printed. */
        char line[600] = "";
        spar__buf text = {0};
        uint64_t status = (uint64_t)(int64_t)SPAR_INVALID;
        if (said)
            rewind(said);
        while (said && fgets(line, sizeof line, said))
            continue;
        line[strcspn(line, "\n")] = '\0';
        spar__buf_adds(&text, strncmp(line, "spar: ", 6) == 0 ? line + 6 : *line ? line : "it failed");
        mail_send(0, MAIL_FAIL, &status, 1, &text);
        spar__buf_free(&text);
    }
    for (bool over = quit; !over;) {
        message mail;
        if (!mail_next(&mail, true))
            continue;
        over = mail.kind == MAIL_QUIT;
        spar__buf_free(&mail.bytes);
    }
    mail_send(0, MAIL_BYE, NULL, 0, NULL);
    while (!mail_settled())
        continue;
    return 0;
}

/* Ends the job; false: a rank does not answer. */
static bool dismiss(void)
{
    int ranks = mail_ranks(), left = ranks - 1;
    double start = spar__clock_wall(), patience = spar__stop_wanted() ? QUIT_PATIENCE / 10 : QUIT_PATIENCE;
    for (int r = 1; r < ranks; r++)
        mail_send(r, MAIL_QUIT, NULL, 0, NULL);
    while ((left || !mail_settled()) && spar__clock_wall() - start < patience) {
        message mail;
        if (!mail_next(&mail, true))
            continue;
        left -= mail.kind == MAIL_BYE;
        spar__buf_free(&mail.bytes);
    }
    return !left;
}

/* mpirun gives its ranks a terminal as standard output, whatever its own is: a report would be fitted to its width. So
 * it is printed to a file first. */
static int report_apart(int argc, char **argv)
{
    char block[1 << 14];
    FILE *kept = tmpfile();
    int real = dup(STDOUT_FILENO);
    if (!kept || real < 0 || dup2(fileno(kept), STDOUT_FILENO) < 0)
        return spar__main(argc, argv);
    int status = spar__main(argc, argv);
    (void)fflush(stdout);
    (void)dup2(real, STDOUT_FILENO);
    (void)close(real);
    rewind(kept);
    for (size_t n; (n = fread(block, 1, sizeof block, kept)) > 0;)
        if (fwrite(block, 1, n, stdout) != n)
            status = 1;
    (void)fclose(kept);
    return status;
}

static int run_leader(int argc, char **argv)
{
    spar__sweeping_runner = &leads;
    spar__progress_soon();
    int status = is_sweep(argc, argv) ? report_apart(argc, argv) : spar__main(argc, argv);
    if (fflush(stdout) != 0)
        status = 1;
    if (!dismiss())
        (void)MPI_Abort(MPI_COMM_WORLD, status ? status : 1);
    return status;
}

int main(int argc, char **argv)
{
    int got;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &got) || got < MPI_THREAD_FUNNELED) {
        (void)fprintf(stderr, "spar: this MPI does not support threads\n");
        return 1;
    }
    /* One thread per core that mpirun has given to this rank, or its share of all cores. */
    cpu_set_t cores;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int mine = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : (int)online;
    int n = mine < online ? mine : (int)online / ranks_here();
    char text[16];
    (void)snprintf(text, sizeof text, "%d", n < 1 ? 1 : n);
    (void)setenv("SPAR_THREADS", text, 0);
    int status = mail_rank() == 0 ? run_leader(argc, argv) : run_helper(argc, argv);
    (void)MPI_Finalize();
    return status;
}
