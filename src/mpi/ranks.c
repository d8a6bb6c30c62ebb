#include "mpi/ranks.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/clock.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "mpi/mail.h"
#include "mpi/team.h"

#include <string.h>

static const double PATIENCE = 3e8; /* nanoseconds that helpers have to end when the job is stopped */

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
    spar__team *team;
    helper_state *helper; /* one per rank */
    int ranks;
    uint64_t list;  /* its number */
    size_t threads; /* of all ranks that are here */
    size_t room[MOST];
} leading;

static void fail(leading *l, int rank, const spar__mail *mail)
{
    spar_error err = {0};
    size_t length;
    const unsigned char *text = spar__mail_rest(mail, 1, &length);
    (void)spar__fail(&err, (spar_status)(int64_t)spar__mail_word(mail, 0), "rank %d: %.*s", rank,
                     (int)(length < 400 ? length : 400), (const char *)text);
    spar__sweep_fail(l->run, (size_t)-1, &err);
}

static void greet(leading *l, int rank, const spar__mail *mail)
{
    helper_state *h = &l->helper[rank];
    spar_error err = {0};
    h->here = true;
    h->threads = (size_t)spar__mail_word(mail, 2);
    l->threads += h->threads;
    if (spar__mail_word(mail, 1) == spar__sweep_of(l->run)->plan)
        return;
    (void)spar__fail(&err, SPAR_INVALID,
                     "rank %d has another plan than rank 0: its options, its data or its version differ", rank);
    spar__sweep_fail(l->run, (size_t)-1, &err);
}

/* How many cells are in these bytes? */
static size_t count_cells(const unsigned char *bytes, size_t length)
{
    size_t n = 0;
    for (size_t at = 0; length - at >= 16; n++) {
        uint64_t size = spar__get_u64(bytes + at + 8);
        if (size > length - at - 16)
            break; /* taking them will say so */
        at += 16 + (size_t)size;
    }
    return n;
}

static void take(leading *l, int rank, const spar__mail *mail)
{
    helper_state *h = &l->helper[rank];
    spar_error err = {0};
    size_t length;
    const unsigned char *bytes = spar__mail_rest(mail, 2, &length);
    size_t n = count_cells(bytes, length);
    h->partial = spar__mail_word(mail, 1);
    h->owes -= n < h->owes ? n : h->owes;
    if (spar__sweep_take(l->run, bytes, length, &err))
        spar__sweep_fail(l->run, (size_t)-1, &err);
}

static void read_mail(leading *l, const spar__mail *mail)
{
    if (mail->kind != SPAR__MAIL_FAIL && spar__mail_word(mail, 0) != l->list)
        return; /* a helper that is late: of the list before */
    switch (mail->kind) {
    case SPAR__MAIL_HELLO:
        greet(l, mail->rank, mail);
        break;
    case SPAR__MAIL_CELLS:
        take(l, mail->rank, mail);
        break;
    case SPAR__MAIL_FAIL:
        fail(l, mail->rank, mail);
        break;
    case SPAR__MAIL_LEFT:
        l->helper[mail->rank].left = true;
        if (spar__mail_word(mail, 1))
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
    size_t left = spar__team_waiting(l->team), share = left / l->threads * h->threads / 4;
    size_t ahead = left < 2 * l->threads ? 0 : share < MOST / 2 ? share : MOST / 2;
    size_t wanted = h->threads + ahead;
    if (!left || !h->here || h->left || h->owes > h->threads + ahead / 2 || h->owes >= wanted)
        return;
    size_t n = wanted - h->owes, *cell = l->room;
    n = spar__team_split(l->team, n < MOST ? n : MOST, cell);
    uint64_t word[MOST];
    for (size_t i = 0; i < n; i++)
        word[i] = cell[i];
    if (n)
        spar__mail_send(rank, SPAR__MAIL_WORK, word, n, NULL);
    h->owes += n;
}

static bool all_done(const leading *l)
{
    size_t owed = 0;
    for (int r = 1; r < l->ranks; r++)
        owed += l->helper[r].owes;
    return !owed && spar__team_idle(l->team);
}

static void tell(leading *l)
{
    uint64_t partial = 0;
    for (int r = 1; r < l->ranks; r++)
        partial += l->helper[r].partial;
    spar__sweep_tell(l->run, partial);
}

static void lead(leading *l)
{
    spar__mail mail;
    while (!spar__sweep_stopped(l->run) && !all_done(l)) {
        for (int r = 1; r < l->ranks; r++)
            feed(l, r);
        tell(l);
        while (spar__mail_next(&mail, false)) {
            read_mail(l, &mail);
            spar__buf_free(&mail.bytes);
        }
        if (spar__mail_next(&mail, true)) {
            read_mail(l, &mail);
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
static spar_status dismiss(leading *l)
{
    uint64_t stop = spar__sweep_stopped(l->run);
    spar__buf cells = {0};
    if (spar__sweep_shared(l->run) && spar__sweep_give(l->run, &cells))
        return SPAR_NOMEM;
    for (int r = 1; r < l->ranks; r++)
        spar__mail_send(r, SPAR__MAIL_END, &stop, 1, &cells);
    spar__buf_free(&cells);
    double start = spar__clock_wall();
    for (bool waits = stop; waits && spar__clock_wall() - start < PATIENCE;) {
        spar__mail mail;
        waits = false;
        for (int r = 1; r < l->ranks; r++)
            waits |= l->helper[r].here && !l->helper[r].left;
        if (waits && spar__mail_next(&mail, true)) {
            read_mail(l, &mail);
            spar__buf_free(&mail.bytes);
        }
    }
    return SPAR_OK;
}

spar_status spar__ranks_lead(spar__sweep_run *run, spar_error *err)
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
    l->ranks = spar__mail_ranks();
    l->helper = spar__alloc((size_t)l->ranks, sizeof *l->helper);
    l->team = l->helper ? spar__team_new(run, false) : NULL;
    if (l->team && !(status = spar__team_add(l->team, cell, n))) {
        l->threads = spar__team_threads(l->team);
        lead(l);
        if (spar__sweep_stopped(run))
            tell_stopped(l);
        spar__team_end(l->team);
        status = dismiss(l);
    }
    spar__team_free(l->team);
    spar__free(l->helper);
    spar__free(l);
    return status ? spar__fail_memory(err) : SPAR_OK;
}
