/* connect.c - the connection (postgres.h). */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <poll.h>
#include <string.h>

enum { OLDEST = 120000 /* PostgreSQL 12 */, FIRST_PAUSE = 50, LONGEST_PAUSE = 5000 /* milliseconds */ };

static const char *const texts[] = {
#define SPAR_PG(name, types, text) text,
#include "store/postgres/statements.def"
#undef SPAR_PG
};

static void ignore_notice(void *context, const char *message)
{
    (void)context, (void)message;
}

char *spar__pg_text(const spar__postgres *self, const char *text)
{
    spar__buf out = {0};
    for (; *text; text++)
        if (*text == '@')
            spar__buf_printf(&out, "\"%s\"", self->schema); /* letters, digits and _ only: see url.c */
        else if (*text == '~')
            spar__buf_adds(&out, self->schema);
        else
            spar__buf_add(&out, text, 1);
    if (out.failed)
        spar__buf_free(&out);
    return out.text;
}

static spar_status make_texts(spar__postgres *self, spar_error *err)
{
    for (size_t i = 0; i < SPAR__PG_COUNT; i++)
        if (!self->text[i] && !(self->text[i] = spar__pg_text(self, texts[i])))
            return spar__fail_memory(err);
    return SPAR_OK;
}

void spar__pg_disconnect(spar__postgres *self)
{
    for (size_t i = 0; i < self->n_queued; i++)
        PQclear(self->queue[i].result);
    self->n_queued = 0;
    self->flushed = false;
    self->unsent = SPAR_OK;
    for (size_t i = 0; i < SPAR__PG_COUNT; i++)
        self->prepared[i] = false;
    self->listening = false;
    self->screen_of = 0;
    PQfinish(self->conn);
    self->conn = NULL;
}

/* What stands before dbname is for a URL that does not say otherwise. A server that vanishes without a word is noticed
 * by the system, too. */
static const char *const keys[] = {"connect_timeout",  "keepalives_idle",           "keepalives_interval",
                                   "keepalives_count", "tcp_user_timeout",          "dbname",
                                   "client_encoding",  "fallback_application_name", NULL};

static void fill_values(const spar__postgres *self, const char *values[9])
{
    const char *const fixed[] = {"10", "10", "5", "3", "20000", self->url, "UTF8", "spar", NULL};
    memcpy(values, fixed, sizeof fixed);
}

/* A pooler tells each client a process of its own, which is not that of the server. */
static spar_status find_pooler(spar__postgres *self, spar_error *err)
{
    self->pooled = true;
    spar__pg_queue(self, SPAR__PG_process, "");
    spar_status status = spar__pg_flush(self, "open it", err);
    if (!status)
        self->pooled = spar__pg_number(spar__pg_result(self, 0), 0, 0) != (uint64_t)PQbackendPID(self->conn);
    if (status || self->pooled)
        return status;
    spar__pg_queue(self, SPAR__PG_session, "");
    return spar__pg_flush(self, "open it", err);
}

static spar_status connect_once(spar__postgres *self, spar_error *err)
{
    const char *values[9];
    spar__pg_disconnect(self);
    fill_values(self, values);
    self->conn = PQconnectdbParams(keys, values, 1);
    if (!self->conn)
        return spar__fail_memory(err);
    if (PQstatus(self->conn) != CONNECTION_OK)
        return spar__pg_fail(self, "connect", NULL, err);
    (void)PQsetNoticeProcessor(self->conn, ignore_notice, NULL);
    if (PQserverVersion(self->conn) < OLDEST)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: is PostgreSQL %d, expected %d or newer", self->base.name,
                          PQserverVersion(self->conn) / 10000, OLDEST / 10000);
    if (PQsetnonblocking(self->conn, 1) != 0 || !PQenterPipelineMode(self->conn))
        return spar__pg_fail(self, "connect", NULL, err);
    self->broken = false;
    spar_status status = find_pooler(self, err);
    return status ? status : spar__pg_set_up(self, &spar__pg_schema_now, err);
}

static void sleep_for(unsigned milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* Is it there, but just starting or ending? */
static bool is_starting(const spar__postgres *self)
{
    const char *values[9];
    fill_values(self, values);
    return PQpingParams(keys, values, 1) == PQPING_REJECT;
}

static unsigned pause_of(unsigned failures)
{
    unsigned pause = (unsigned)FIRST_PAUSE << (failures < 8 ? failures : 8);
    pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
    return pause / 2 + (unsigned)((uint64_t)spar__clock_wall() / 1000 % (pause / 2)); /* not all clients at once */
}

spar_status spar__pg_connect(spar__postgres *self, spar_error *err)
{
    double until = spar__clock_wall() + 1e6 * spar__patience_of(&self->base);
    spar_status status = make_texts(self, err);
    for (unsigned i = 0; !status; i++) {
        status = connect_once(self, err);
        if (status != SPAR_IO || PQstatus(self->conn) == CONNECTION_OK || spar__clock_wall() > until ||
            !is_starting(self))
            return status;
        sleep_for(pause_of(i));
        status = SPAR_OK;
    }
    return status;
}

/* After a failure nobody tries again for a while, which is longer each time: whoever comes meanwhile is refused at
 * once, and a database that comes back is not overrun. */
static spar_status connect_again(spar__postgres *self, spar_error *err)
{
    if (self->failures && spar__clock_wall() < self->next_try)
        return spar__fail(err, SPAR_IO, "%s: is not connected; another try follows soon", self->base.name);
    spar_status status = connect_once(self, err);
    if (!status) {
        self->failures = 0;
        return SPAR_OK;
    }
    self->broken = true;
    self->next_try = spar__clock_wall() + 1e6 * pause_of(self->failures);
    self->failures++;
    return status;
}

bool spar__pg_take_notices(spar__postgres *self)
{
    bool any = false;
    PGnotify *notice;
    while ((notice = PQnotifies(self->conn))) {
        any = true;
        PQfreemem(notice);
    }
    return any;
}

/* Has the server ended the connection while nobody used it? It says why, then comes the end. */
static bool is_closed(spar__postgres *self)
{
    struct pollfd one = {.fd = PQsocket(self->conn), .events = POLLIN};
    while (poll(&one, 1, 0) > 0)
        if (!PQconsumeInput(self->conn))
            return true;
    (void)spar__pg_take_notices(self); /* they would be kept for ever; who waits looks before it sleeps */
    return false;
}

spar_status spar__pg_ready(spar__postgres *self, spar_error *err)
{
    if (!self->broken && PQtransactionStatus(self->conn) == PQTRANS_IDLE && is_closed(self))
        self->broken = true;
    if (!self->broken)
        return SPAR_OK;
    if (self->base.locked) /* what was read under the lock may not hold any more */
        return spar__fail(err, SPAR_IO, "%s: failed while it was locked", self->base.name);
    return connect_again(self, err);
}
