/* postgres.c - experiments, the lock, numbers of screens, and the class (postgres.h). */
#include "store/postgres/postgres.h"

#include "base/alloc.h"

enum { MOST_TRIES = 100 };

static spar_status open_postgres(spar__store *store, const char *url, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_read_url(self, url, err);
    return status ? status : spar__pg_connect(self, err);
}

static void close_postgres(spar__store *store)
{
    spar__postgres *self = (spar__postgres *)store;
    spar__pg_disconnect(self); /* the server rolls back */
    for (size_t i = 0; i < SPAR__PG_COUNT; i++)
        spar__free(self->text[i]);
    spar__free(self->url);
    spar__free(self->schema);
    spar__free(self->channel);
}

static spar_status experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_experiments, "");
    status = spar__pg_flush(self, "read", err);
    if (status)
        return status;
    PGresult *rows = spar__pg_keep(self, 0);
    for (int r = 0; r < PQntuples(rows) && !status; r++)
        status = fn(context, spar__pg_number(rows, r, 0), PQgetvalue(rows, r, 1));
    PQclear(rows);
    return status;
}

/* *experiment 0: another one had the same number or the same name. */
static spar_status try_create(spar__postgres *self, const char *name, uint64_t *experiment, spar_error *err)
{
    static const unsigned char zeros[SPAR_HASH_SIZE];
    uint64_t number = 0;
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__PG_create, "sb", name, (const void *)zeros, sizeof zeros);
    spar_status status = spar__pg_flush(self, "make an experiment", err);
    if (!status && spar__pg_rows(self, SPAR__PG_AFTER_BEGIN) > 0)
        number = spar__pg_number(spar__pg_result(self, SPAR__PG_AFTER_BEGIN), 0, 0);
    status = spar__pg_end(self, status, "make an experiment", err);
    *experiment = status ? 0 : number;
    return status;
}

static spar_status find(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (status)
        return status;
    spar__pg_queue(self, SPAR__PG_named, "s", name);
    status = spar__pg_flush(self, "read", err);
    if (!status && spar__pg_rows(self, 0) > 0)
        *experiment = spar__pg_number(spar__pg_result(self, 0), 0, 0);
    return status;
}

static spar_status check_name(spar__postgres *self, const char *name, spar_error *err)
{
    uint64_t there = 0;
    spar_status status = find(&self->base, name, &there, err);
    if (!status && there)
        return spar__fail(err, SPAR_CONFLICT, "%s: there is an experiment '%s' already", self->base.name, name);
    return status;
}

static spar_status create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    for (int i = 0; i < MOST_TRIES && !status && !*experiment; i++) {
        status = try_create(self, name, experiment, err);
        if (!status && !*experiment)
            status = check_name(self, name, err);
    }
    if (!status && !*experiment)
        return spar__fail(err, SPAR_BUSY, "%s: too many make experiments at once", store->name);
    return status;
}

static spar_status lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    return status ? status : spar__pg_enter(self, experiment, err);
}

static void unlock(spar__store *store, uint64_t experiment)
{
    (void)experiment;
    spar__pg_leave((spar__postgres *)store);
}

/* The more are asked for before the next append, the more are fetched at once. */
static spar_status fetch_screens(spar__postgres *self, uint64_t experiment, spar_error *err)
{
    int64_t n = self->screen_of == experiment ? self->screen_fetch : 1;
    self->screen_of = 0;
    spar__pg_queue(self, SPAR__PG_screens, "ii", (int64_t)experiment, n);
    spar_status status = spar__pg_flush(self, "number a screen", err);
    if (status)
        return status;
    const PGresult *rows = spar__pg_result(self, 0);
    if (PQntuples(rows) != (int)n)
        return spar__pg_fail_unknown(self, experiment, err);
    for (int64_t i = 0; i < n; i++)
        self->screen[n - 1 - i] = spar__pg_number(rows, (int)i, 0);
    self->screen_of = experiment;
    self->n_screens = (size_t)n;
    self->screen_fetch = 2 * n < SPAR__PG_SCREENS ? 2 * n : SPAR__PG_SCREENS;
    return SPAR_OK;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__postgres *self = (spar__postgres *)store;
    spar_status status = spar__pg_ready(self, err);
    if (!status && (self->screen_of != experiment || self->n_screens == 0))
        status = fetch_screens(self, experiment, err);
    *number = status ? 0 : self->screen[--self->n_screens];
    return status;
}

/* Any number of servers may use it at once. */
static spar_status hold(spar__store *store, spar_error *err)
{
    (void)store, (void)err;
    return SPAR_OK;
}

extern const spar__store_class spar__store_postgres;
const spar__store_class spar__store_postgres = {
    .name = "postgres",
    .brief = "a PostgreSQL database, for any number of servers",
    .scheme = {"postgresql", "postgres"},
    .url = true,
    .size = sizeof(spar__postgres),
    .open = open_postgres,
    .close = close_postgres,
    .experiments = experiments,
    .find = find,
    .create = create,
    .lock = lock,
    .unlock = unlock,
    .append = spar__pg_append,
    .next_screen = next_screen,
    .head = spar__pg_head,
    .look = spar__pg_look,
    .read = spar__pg_read,
    .locate = spar__pg_locate,
    .wait = spar__pg_wait,
    .text_get = spar__pg_text_get,
    .text_each = spar__pg_text_each,
    .text_put = spar__pg_text_put,
    .text_drop = spar__pg_text_drop,
    .text_drops = spar__pg_text_drops,
    .voter = spar__pg_voter,
    .snapshot_put = spar__pg_snapshot_put,
    .snapshot_get = spar__pg_snapshot_get,
    .snapshot_list = spar__pg_snapshot_list,
    .snapshot_keep = spar__pg_snapshot_keep,
    .secret_put = spar__pg_secret_put,
    .secret_add = spar__pg_secret_add,
    .secret_swap = spar__pg_secret_swap,
    .secret_get = spar__pg_secret_get,
    .secret_each = spar__pg_secret_each,
    .secret_drop = spar__pg_secret_drop,
    .backup = spar__pg_backup,
    .check = spar__pg_check,
    .hold = hold,
};
