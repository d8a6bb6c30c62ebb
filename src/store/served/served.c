/* served.c - the class (served.h). */
#include "store/served/served.h"

#include "base/alloc.h"
#include "store/served/socket.h"
#include "store/sqlite/sqlite.h"

/* --- open and close --- */

static spar_status open_file(spar__served *self, const char *path, spar_error *err)
{
    spar__buf place = {0};
    spar__buf_printf(&place, "sqlite:%s", path);
    spar_status status =
        place.failed ? spar__fail_memory(err) : spar__store_open(place.text, SPAR__STORE_READ, &self->file, err);
    spar__buf_free(&place);
    return status;
}

static spar_status open_served(spar__store *store, const char *path, spar_error *err)
{
    spar__served *self = (spar__served *)store;
    self->socket = -1;
    self->path = spar__served_path(path);
    store->name = spar__strdup(path);
    if (!self->path || !store->name)
        return spar__fail_memory(err);
    spar_status status = open_file(self, path, err);
    if (status || store->mode == SPAR__STORE_READ)
        return status;
    return spar__served_tell(self, &(spar__wire_request){.op = SPAR__WIRE_HELLO}, err);
}

static void close_served(spar__store *store)
{
    spar__served *self = (spar__served *)store;
    spar__served_hang_up(self);
    spar__store_close(self->file);
    spar__free(self->path);
}

/* --- writing --- */

static spar_status create(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__wire_request request = {.op = SPAR__WIRE_CREATE, .name = name};
    spar__wire_reply reply;
    spar_status status = spar__served_ask((spar__served *)store, &request, &reply, err);
    *experiment = status ? 0 : reply.number;
    spar__wire_reply_fini(&reply);
    return status;
}

static spar_status lock(spar__store *store, uint64_t experiment, spar_error *err)
{
    return spar__served_tell((spar__served *)store,
                             &(spar__wire_request){.op = SPAR__WIRE_LOCK, .experiment = experiment}, err);
}

static void unlock(spar__store *store, uint64_t experiment)
{
    (void)experiment;
    spar__served_hang_up((spar__served *)store);
}

/* The results are those of the entries that were sent: all that are not refused yet. */
static spar_status take_results(const spar__served *self, const spar__wire_reply *reply, size_t n,
                                spar__store_entry *entry, spar_error *err)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (entry[i].status)
            continue;
        if (k < reply->n) {
            entry[i].status = reply->result[k].status;
            spar_event_set_stamp(entry[i].event, reply->result[k].sequence, spar_event_time(entry[i].event));
        }
        k++;
    }
    if (k == reply->n)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "%s: its server said something that makes no sense", self->base.name);
}

static spar_status append(spar__store *store, uint64_t experiment, size_t n, spar__store_entry *entry, spar_error *err)
{
    spar__served *self = (spar__served *)store;
    spar__wire_request request = {.op = SPAR__WIRE_APPEND, .experiment = experiment, .n = n, .entry = entry};
    spar__wire_reply reply;
    spar_status status = spar__served_ask(self, &request, &reply, err);
    if (!status)
        status = take_results(self, &reply, n, entry, err);
    spar__wire_reply_fini(&reply);
    return status;
}

static spar_status next_screen(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__wire_request request = {.op = SPAR__WIRE_NEXT_SCREEN, .experiment = experiment};
    spar__wire_reply reply;
    spar_status status = spar__served_ask((spar__served *)store, &request, &reply, err);
    *number = status ? 0 : reply.number;
    spar__wire_reply_fini(&reply);
    return status;
}

static spar_status text_put(spar__store *store, uint64_t experiment, const spar__store_text *text, spar_error *err)
{
    spar__wire_request request = {.op = SPAR__WIRE_TEXT_PUT, .experiment = experiment, .text = *text};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status text_drop(spar__store *store, uint64_t experiment, size_t n, const spar__text_key *key,
                             spar__text_dropped *dropped, spar_error *err)
{
    spar__wire_request request = {
        .op = SPAR__WIRE_TEXT_DROP, .experiment = experiment, .n = n, .key = (spar__text_key *)(uintptr_t)key};
    spar__wire_reply reply;
    spar_status status = spar__served_ask((spar__served *)store, &request, &reply, err);
    *dropped = (spar__text_dropped){.n = (size_t)reply.number, .completed = reply.completed};
    spar__wire_reply_fini(&reply);
    return status;
}

static spar_status snapshot_put(spar__store *store, uint64_t experiment, const spar__store_snapshot *snapshot,
                                const unsigned char *bytes, size_t length, spar_error *err)
{
    spar__wire_request request = {.op = SPAR__WIRE_SNAPSHOT_PUT,
                                  .experiment = experiment,
                                  .snapshot = *snapshot,
                                  .bytes = bytes,
                                  .length = length};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status snapshot_keep(spar__store *store, uint64_t experiment, size_t n, const uint64_t *sequence,
                                 spar_error *err)
{
    spar__wire_request request = {
        .op = SPAR__WIRE_SNAPSHOT_KEEP, .experiment = experiment, .n = n, .sequence = (uint64_t *)(uintptr_t)sequence};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status secret_put(spar__store *store, const char *name, const unsigned char *bytes, size_t length,
                              spar_error *err)
{
    spar__wire_request request = {.op = SPAR__WIRE_SECRET_PUT, .name = name, .bytes = bytes, .length = length};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status secret_add(spar__store *store, size_t n, const spar__store_secret *secret, spar_error *err)
{
    spar__wire_request request = {
        .op = SPAR__WIRE_SECRET_ADD, .n = n, .secret = (spar__store_secret *)(uintptr_t)secret};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status secret_swap(spar__store *store, const spar__store_secret was_now[2], spar_error *err)
{
    spar__wire_request request = {
        .op = SPAR__WIRE_SECRET_SWAP, .n = 2, .secret = (spar__store_secret *)(uintptr_t)was_now};
    return spar__served_tell((spar__served *)store, &request, err);
}

static spar_status secret_drop(spar__store *store, const char *name, spar_error *err)
{
    return spar__served_tell((spar__served *)store, &(spar__wire_request){.op = SPAR__WIRE_SECRET_DROP, .name = name},
                             err);
}

static spar_status hold(spar__store *store, spar_error *err)
{
    return spar__sqlite_fail_held(store->name, err);
}

/* --- reading: the file itself --- */

static spar__store *file_of(const spar__store *store)
{
    return ((const spar__served *)store)->file;
}

static spar_status experiments(spar__store *store, spar__store_experiment_fn fn, void *context, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->experiments(file, fn, context, err);
}

static spar_status head(spar__store *store, uint64_t experiment, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                        spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->head(file, experiment, sequence, hash, err);
}

static spar_status read_log(spar__store *store, uint64_t experiment, uint64_t from, uint64_t to,
                            spar__store_event_fn fn, void *context, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->read(file, experiment, from, to, fn, context, err);
}

static spar_status locate(spar__store *store, uint64_t experiment, spar__once once, uint64_t *sequence, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->locate(file, experiment, once, sequence, err);
}

static spar_status wait_news(spar__store *store, uint64_t experiment, uint64_t sequence, unsigned milliseconds,
                             bool *news, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->wait(file, experiment, sequence, milliseconds, news, err);
}

static spar_status text_get(spar__store *store, uint64_t experiment, spar__text_kind kind, uint64_t owner,
                            uint32_t version, unsigned char salt[SPAR__SALT_SIZE], unsigned char **bytes,
                            size_t *length, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->text_get(file, experiment, kind, owner, version, salt, bytes, length, err);
}

static spar_status text_each(spar__store *store, uint64_t experiment, spar__text_kind kind, spar__store_text_fn fn,
                             void *context, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->text_each(file, experiment, kind, fn, context, err);
}

static spar_status text_drops(spar__store *store, uint64_t experiment, uint64_t *number, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->text_drops(file, experiment, number, err);
}

static spar_status voter(spar__store *store, uint64_t experiment, const char *name, size_t length, uint64_t *voter,
                         spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->voter(file, experiment, name, length, voter, err);
}

static spar_status snapshot_get(spar__store *store, uint64_t experiment, uint64_t limit, uint32_t engine,
                                spar__store_snapshot *snapshot, unsigned char **bytes, size_t *length, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->snapshot_get(file, experiment, limit, engine, snapshot, bytes, length, err);
}

static spar_status snapshot_list(spar__store *store, uint64_t experiment, size_t most, uint64_t *sequence, size_t *n,
                                 spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->snapshot_list(file, experiment, most, sequence, n, err);
}

static spar_status secret_get(spar__store *store, const char *name, unsigned char **bytes, size_t *length,
                              spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->secret_get(file, name, bytes, length, err);
}

static spar_status secret_each(spar__store *store, const char *prefix, spar__store_secret_fn fn, void *context,
                               spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->secret_each(file, prefix, fn, context, err);
}

static spar_status backup(spar__store *store, const char *path, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->backup(file, path, err);
}

static spar_status check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    spar__store *file = file_of(store);
    return file->cls->check(file, fn, context, err);
}

const spar__store_class spar__store_served = {
    .name = "served",
    .brief = "a file that another process serves, through its socket",
    .scheme = {"served"},
    .size = sizeof(spar__served),
    .open = open_served,
    .close = close_served,
    .experiments = experiments,
    .create = create,
    .lock = lock,
    .unlock = unlock,
    .append = append,
    .next_screen = next_screen,
    .head = head,
    .read = read_log,
    .locate = locate,
    .wait = wait_news,
    .text_get = text_get,
    .text_each = text_each,
    .text_put = text_put,
    .text_drop = text_drop,
    .text_drops = text_drops,
    .voter = voter,
    .snapshot_put = snapshot_put,
    .snapshot_get = snapshot_get,
    .snapshot_list = snapshot_list,
    .snapshot_keep = snapshot_keep,
    .secret_put = secret_put,
    .secret_add = secret_add,
    .secret_swap = secret_swap,
    .secret_get = secret_get,
    .secret_each = secret_each,
    .secret_drop = secret_drop,
    .backup = backup,
    .check = check,
    .hold = hold,
};
