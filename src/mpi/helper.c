#include "mpi/ranks.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "mpi/mail.h"
#include "mpi/team.h"

static const double REPORT = 2e8;   /* nanoseconds between two reports of progress */
static const double TOGETHER = 1e6; /* nanoseconds for which complete cells wait for others */

static bool quit;

bool spar__ranks_quit(void)
{
    return quit;
}

typedef struct helping {
    spar__sweep_run *run;
    spar__team *team;
    uint64_t list; /* its number */
    double sent;   /* when something was last sent */
    bool ended;
} helping;

static void send_cells(helping *h, bool always)
{
    double now = spar__clock_wall();
    if (!always && now - h->sent < TOGETHER)
        return;
    spar__buf done = spar__team_collect(h->team);
    const uint64_t word[] = {h->list, spar__sweep_partial(h->run)};
    if (done.failed) {
        spar_error err = {0};
        (void)spar__fail_memory(&err);
        spar__sweep_fail(h->run, 0, &err);
    } else if (done.length || always || now - h->sent > REPORT) {
        spar__mail_send(0, SPAR__MAIL_CELLS, word, 2, &done);
        h->sent = now;
    }
    spar__buf_free(&done);
}

static spar_status add_work(const helping *h, const spar__mail *mail)
{
    size_t n = mail->bytes.length / 8;
    size_t *cell = spar__alloc(n ? n : 1, sizeof *cell);
    for (size_t i = 0; cell && i < n; i++)
        cell[i] = (size_t)spar__mail_word(mail, i);
    spar_status status = cell ? spar__team_add(h->team, cell, n) : SPAR_NOMEM;
    spar__free(cell);
    return status;
}

static spar_status read_mail(helping *h, const spar__mail *mail, spar_error *err)
{
    size_t length;
    switch (mail->kind) {
    case SPAR__MAIL_WORK:
        return add_work(h, mail) ? spar__fail_memory(err) : SPAR_OK;
    case SPAR__MAIL_QUIT:
        quit = true;
        spar__sweep_stop(h->run);
        h->ended = true;
        return SPAR_OK;
    case SPAR__MAIL_END:
        h->ended = true;
        if (spar__mail_word(mail, 0))
            spar__sweep_stop(h->run);
        if (spar__sweep_shared(h->run)) {
            const unsigned char *bytes = spar__mail_rest(mail, 1, &length);
            return spar__sweep_take(h->run, bytes, length, err);
        }
        return SPAR_OK;
    default:
        return SPAR_OK;
    }
}

static spar_status help(helping *h, spar_error *err)
{
    spar_status status = SPAR_OK;
    while (!status && !h->ended && !spar__sweep_stopped(h->run)) {
        spar__mail mail;
        if (spar__mail_next(&mail, true)) {
            status = read_mail(h, &mail, err);
            spar__buf_free(&mail.bytes);
        }
        send_cells(h, false);
        spar__sweep_tell(h->run, 0);
    }
    return status;
}

spar_status spar__ranks_help(spar__sweep_run *run, spar_error *err)
{
    static uint64_t lists;
    helping h = {.run = run, .team = spar__team_new(run, true), .list = ++lists};
    if (!h.team)
        return spar__fail_memory(err);
    const uint64_t hello[] = {h.list, spar__sweep_of(run)->plan, spar__team_threads(h.team)};
    spar__mail_send(0, SPAR__MAIL_HELLO, hello, 3, NULL);
    spar_status status = help(&h, err);
    spar__team_end(h.team);
    bool asked = !h.ended && !status && !spar__sweep_failed(run, NULL); /* by a signal */
    const uint64_t left[] = {h.list, asked};
    if (!quit) {
        send_cells(&h, true);
        spar__mail_send(0, SPAR__MAIL_LEFT, left, 2, NULL);
    }
    spar__team_free(h.team);
    return status;
}
