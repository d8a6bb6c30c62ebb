/* transaction.c - transactions and the lock of an experiment, which is that of its row (postgres.h). */
#include "store/postgres/postgres.h"

#include <stdio.h>
#include <string.h>

enum { LOCKED = 2 }; /* which statement of the beginning it is */

void spar__pg_begin(spar__postgres *self)
{
    char patience[16];
    (void)snprintf(patience, sizeof patience, "%u", spar__patience_of(&self->base));
    spar__pg_queue(self, SPAR__PG_begin, "");
    spar__pg_queue(self, SPAR__PG_settings, "s", patience);
}

void spar__pg_begin_locked(spar__postgres *self, uint64_t experiment)
{
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_lock, "i", (int64_t)experiment);
}

spar_status spar__pg_take_head(const spar__postgres *self, size_t i, uint64_t experiment, spar__store_mark *mark,
                               spar_error *err)
{
    const PGresult *head = spar__pg_result(self, i);
    size_t length;
    if (PQntuples(head) == 0)
        return spar__pg_fail_unknown(self, experiment, err);
    const unsigned char *hash = spar__pg_bytes(head, 0, 1, &length);
    mark->sequence = spar__pg_number(head, 0, 0);
    if (length != SPAR_HASH_SIZE || mark->sequence > INT64_MAX)
        return spar__fail(err, SPAR_CORRUPT, "%s: the head of experiment %llu is damaged", self->base.name,
                          (unsigned long long)experiment);
    memcpy(mark->hash, hash, SPAR_HASH_SIZE);
    mark->drops = spar__pg_number(head, 0, 2);
    return SPAR_OK;
}

spar_status spar__pg_take_lock(spar__postgres *self, uint64_t experiment, spar_error *err)
{
    return spar__pg_take_head(self, LOCKED, experiment, &self->end, err);
}

void spar__pg_leave(spar__postgres *self)
{
    self->news = NULL;
    self->screen_of = 0;
    if (self->broken || PQtransactionStatus(self->conn) == PQTRANS_IDLE)
        return;
    spar__pg_queue(self, SPAR__PG_rollback, "");
    if (spar__pg_flush(self, "roll back", NULL))
        self->broken = true;
}

spar_status spar__pg_enter(spar__postgres *self, uint64_t experiment, spar_error *err)
{
    if (self->base.locked)
        return SPAR_OK;
    spar__pg_begin_locked(self, experiment);
    spar_status status = spar__pg_flush(self, "lock it", err);
    if (!status)
        status = spar__pg_take_lock(self, experiment, err);
    return status ? spar__pg_end(self, status, "lock it", err) : SPAR_OK;
}

/* A transaction that failed before is rolled back by COMMIT, which calls that a success. */
static spar_status check_commit(spar__postgres *self, const char *verb, spar_error *err)
{
    for (size_t i = self->n_queued; i-- > 0;)
        if (self->queue[i].id == SPAR__PG_commit && !self->queue[i].prepares &&
            strcmp(PQcmdStatus(self->queue[i].result), "COMMIT") == 0)
            return SPAR_OK;
    self->broken = true;
    return spar__fail(err, SPAR_IO, "%s: cannot %s: the transaction was not committed", self->base.name, verb);
}

spar_status spar__pg_end(spar__postgres *self, spar_status status, const char *verb, spar_error *err)
{
    if (!status) {
        spar__pg_queue(self, SPAR__PG_commit, "");
        if (self->news)
            spar__pg_queue(self, SPAR__PG_tell, "ss", self->channel, self->news);
        status = spar__pg_flush(self, verb, err);
    }
    if (!status)
        status = check_commit(self, verb, err);
    self->news = NULL;
    self->screen_of = 0;
    if (status)
        spar__pg_leave(self);
    return status;
}
