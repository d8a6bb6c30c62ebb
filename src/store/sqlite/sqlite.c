/* sqlite.c - experiments, the lock, and the class (sqlite.h). */
#include "store/sqlite/sqlite.h"

#include "base/alloc.h"
#include "base/buf.h"

static spar_status open_sqlite(spar__store *store, const char *path, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__buf plain = {0};
    spar__buf_printf(&plain, "%s%s", path[0] == '/' ? "" : "./", path);
    self->path = plain.text;
    store->name = spar__strdup(path);
    if (plain.failed || !store->name)
        return spar__fail_memory(err);
    return spar__sqlite_connect(self, err);
}

static void close_sqlite(spar__store *store)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar__sqlite_disconnect(self); /* rolls back, too */
    spar__sqlite_unhold(self);
    spar__key_table_fini(&self->imports.recent);
    spar__free(self->path);
}

static spar_status give_experiments(spar__sqlite *self, sqlite3_stmt *each, spar__store_experiment_fn fn, void *context,
                                    spar_error *err)
{
    bool row;
    spar_status status;
    while (!(status = spar__sqlite_step(self, each, &row, "read", err)) && row) {
        const char *name = (const char *)sqlite3_column_text(each, 1);
        status = fn(context, (uint64_t)sqlite3_column_int64(each, 0), name ? name : "");
        if (status)
            return status;
    }
    return status;
}

static spar_status experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    sqlite3_stmt *each;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_prepare(self, "SELECT number, name FROM experiment ORDER BY number", &each, err);
    if (status)
        return status;
    status = give_experiments(self, each, fn, context, err);
    (void)sqlite3_finalize(each);
    return status;
}

static spar_status insert_experiment(spar__sqlite *self, const char *name, uint64_t *experiment, spar_error *err)
{
    bool row;
    sqlite3_stmt *create = spar__sqlite_bind(self, SPAR__SQL_create, err, "s", name);
    spar_status status = spar__sqlite_step(self, create, &row, "write", err);
    if (status)
        return status;
    if (!row)
        return spar__fail(err, SPAR_CONFLICT, "%s: there is an experiment '%s' already", self->base.name, name);
    *experiment = (uint64_t)sqlite3_column_int64(create, 0);
    (void)sqlite3_reset(create);
    return SPAR_OK;
}

static spar_status create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    uint64_t number = 0;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status)
        status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = spar__sqlite_end(self, insert_experiment(self, name, &number, err), err);
    *experiment = status ? 0 : number;
    return status;
}

static spar_status lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    return spar__sqlite_enter((spar__sqlite *)store, experiment, err);
}

static void unlock(spar__store *store, uint64_t experiment)
{
    (void)experiment;
    (void)spar__sqlite_end((spar__sqlite *)store, SPAR_INTERRUPTED, NULL);
}

static spar_status last_screen(spar__sqlite *self, uint64_t experiment, uint64_t *last, spar_error *err)
{
    bool row;
    sqlite3_stmt *screens = spar__sqlite_bind(self, SPAR__SQL_screens, err, "i", (int64_t)experiment);
    spar_status status = spar__sqlite_step(self, screens, &row, "read", err);
    if (status)
        return status;
    if (!row)
        return spar__sqlite_known(self, experiment, err);
    *last = (uint64_t)sqlite3_column_int64(screens, 0);
    (void)sqlite3_reset(screens);
    return SPAR_OK;
}

/* Nobody asks so often: somebody wrote to the file. */
static spar_status check_left(const spar__sqlite *self, uint64_t last, spar_error *err)
{
    if (last < INT64_MAX)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: there is no number for another screen: the last is %llu", self->base.name,
                      (unsigned long long)last);
}

/* Without the lock, the number is noted in the file, so that nobody else gets it. */
static spar_status reserve_screen(spar__sqlite *self, uint64_t experiment, uint64_t *number, spar_error *err)
{
    uint64_t last = 0;
    spar_status status = spar__sqlite_begin(self, err);
    if (status)
        return status;
    status = last_screen(self, experiment, &last, err);
    if (!status)
        status = check_left(self, last, err);
    if (!status)
        status = spar__sqlite_run(
            self, spar__sqlite_bind(self, SPAR__SQL_reserve, err, "ii", (int64_t)experiment, (int64_t)last + 1), err);
    status = spar__sqlite_end(self, status, err);
    *number = status ? 0 : last + 1;
    return status;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__sqlite *self = (spar__sqlite *)store;
    spar_status status = spar__sqlite_ready(self, err);
    if (!status && !store->locked)
        return reserve_screen(self, experiment, number, err);
    if (!status && !self->last_screen)
        status = last_screen(self, experiment, &self->last_screen, err);
    if (!status)
        status = check_left(self, self->last_screen, err);
    *number = status ? 0 : ++self->last_screen;
    return status;
}

extern const spar__store_class spar__store_sqlite;
const spar__store_class spar__store_sqlite = {
    .name = "sqlite",
    .brief = "a file, by SQLite",
    .scheme = {"sqlite"},
    .size = sizeof(spar__sqlite),
    .stand_in = spar__sqlite_stand_in,
    .open = open_sqlite,
    .close = close_sqlite,
    .experiments = experiments,
    .create = create,
    .lock = lock,
    .unlock = unlock,
    .append = spar__sqlite_append,
    .next_screen = next_screen,
    .head = spar__sqlite_head,
    .read = spar__sqlite_read,
    .locate = spar__sqlite_locate,
    .wait = spar__sqlite_wait,
    .text_get = spar__sqlite_text_get,
    .text_each = spar__sqlite_text_each,
    .text_put = spar__sqlite_text_put,
    .text_drop = spar__sqlite_text_drop,
    .text_drops = spar__sqlite_text_drops,
    .voter = spar__sqlite_voter,
    .snapshot_put = spar__sqlite_snapshot_put,
    .snapshot_get = spar__sqlite_snapshot_get,
    .snapshot_list = spar__sqlite_snapshot_list,
    .snapshot_keep = spar__sqlite_snapshot_keep,
    .secret_put = spar__sqlite_secret_put,
    .secret_add = spar__sqlite_secret_add,
    .secret_swap = spar__sqlite_secret_swap,
    .secret_get = spar__sqlite_secret_get,
    .secret_each = spar__sqlite_secret_each,
    .secret_drop = spar__sqlite_secret_drop,
    .backup = spar__sqlite_backup,
    .check = spar__sqlite_check,
    .hold = spar__sqlite_hold,
};
