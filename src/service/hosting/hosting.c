/* hosting.c - the experiments that are served, the reader and the thread of transfers (hosting.h). */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/live.h"
#include "service/server.h"

#include <string.h>
#include <time.h>

void spar__hosting_init(spar__hosting *hosting, const char *location)
{
    *hosting = (spar__hosting){.location = location};
    (void)pthread_mutex_init(&hosting->lock, NULL);
}

static void close_handle(spar__hosted *hosted, int user)
{
    spar__opened *opened = &hosted->opened[user];
    spar_experiment_close(opened->experiment);
    opened->experiment = NULL;
}

/* By who may fold. */
static void drop_state(spar__hosted *hosted)
{
    (void)pthread_rwlock_wrlock(&hosted->shared.lock);
    spar__fold_free(hosted->shared.state);
    hosted->shared.state = NULL;
    (void)pthread_rwlock_unlock(&hosted->shared.lock);
}

static void free_hosted(spar__hosted *hosted)
{
    for (int user = 0; user < SPAR__BY_COUNT; user++)
        close_handle(hosted, user);
    drop_state(hosted);
    (void)pthread_rwlock_destroy(&hosted->shared.lock);
    (void)pthread_mutex_destroy(&hosted->folding);
    spar__buf_free(&hosted->result.json);
    for (size_t i = 0; i < SPAR__WEB_LANGUAGES; i++)
        spar__buf_free(&hosted->result.view[i]);
    spar__pace_fini(&hosted->result.pace);
    spar__free(hosted->name);
    spar__free(hosted->where);
    spar__free(hosted);
}

void spar__hosting_fini(spar__hosting *hosting)
{
    for (size_t i = 0; i < hosting->n; i++)
        free_hosted(hosting->hosted[i]);
    spar__free(hosting->hosted);
    spar__free(hosting->unnamed);
    for (int user = 0; user < SPAR__BY_COUNT; user++)
        spar__store_close(hosting->store[user]);
    (void)pthread_mutex_destroy(&hosting->lock);
}

/* Under the lock. */
static spar__hosted *find(const spar__hosting *hosting, const char *name)
{
    for (size_t i = 0; i < hosting->n; i++)
        if (strcmp(hosting->hosted[i]->name, name) == 0)
            return hosting->hosted[i];
    return NULL;
}

/* The one without a name may be called like another. */
static char *free_name(const spar__hosting *all, const char *wanted)
{
    spar__buf name = {0};
    spar__buf_adds(&name, wanted);
    for (unsigned i = 2; !name.failed && find(all, name.text); i++) {
        spar__buf_clear(&name);
        spar__buf_printf(&name, "%s-%u", wanted, i);
    }
    if (name.failed)
        spar__buf_free(&name);
    return name.text;
}

static spar__hosted *new_hosted(spar__hosting *all, const char *name)
{
    spar__hosted *hosted = spar__alloc(1, sizeof *hosted);
    spar__buf where = {0};
    spar__buf_printf(&where, "%s#%s", all->location, name);
    if (hosted) {
        (void)pthread_rwlock_init(&hosted->shared.lock, NULL);
        (void)pthread_mutex_init(&hosted->folding, NULL);
    }
    if (hosted && !where.failed) {
        hosted->name = free_name(all, *name ? name : all->unnamed);
        hosted->where = spar__strdup(where.text);
        hosted->all = all;
    }
    spar__buf_free(&where);
    if (hosted && (!hosted->name || !hosted->where)) {
        free_hosted(hosted);
        hosted = NULL;
    }
    return hosted;
}

/* An experiment has a larger number than those that were there before. */
static spar_status add_hosted(void *context, uint64_t number, const char *name)
{
    spar__hosting *hosting = context;
    if (number <= hosting->last)
        return SPAR_OK;
    spar__hosted **grown = spar__grow(hosting->hosted, &hosting->room, hosting->n + 1, 1, sizeof(*grown));
    if (!grown)
        return SPAR_NOMEM;
    hosting->hosted = grown;
    hosting->hosted[hosting->n] = new_hosted(hosting, name);
    if (!hosting->hosted[hosting->n])
        return SPAR_NOMEM;
    hosting->n++;
    hosting->last = number;
    return SPAR_OK;
}

spar_status spar__hosting_load(spar__hosting *hosting, spar__store *store, spar_error *err)
{
    spar_status status = SPAR_OK;
    (void)pthread_mutex_lock(&hosting->lock);
    if (!hosting->unnamed) { /* the file's name, or that of the file that this one was copied from */
        unsigned char *bytes = NULL;
        size_t length = 0;
        status = spar__store_secret_get(store, SPAR__STORE_ADDRESS, &bytes, &length, err);
        if (!status || status == SPAR_UNKNOWN) {
            hosting->unnamed = length ? spar__alloc(length + 1, 1) : spar__store_stem(hosting->location);
            if (hosting->unnamed && length)
                memcpy(hosting->unnamed, bytes, length);
            status = hosting->unnamed ? SPAR_OK : spar__fail_memory(err);
        }
        spar__free(bytes);
    }
    if (!status)
        status = spar__store_experiments(store, add_hosted, hosting, err);
    (void)pthread_mutex_unlock(&hosting->lock);
    return status;
}

spar__hosted *spar__hosting_find(spar__hosting *hosting, const char *name)
{
    (void)pthread_mutex_lock(&hosting->lock);
    spar__hosted *found = find(hosting, name);
    (void)pthread_mutex_unlock(&hosting->lock);
    return found;
}

/* Strangers may ask for any name: not more often than this. */
static const double LOOK_EVERY = 0.1;

bool spar__call_find_hosted(spar__call *call, int user)
{
    spar__hosting *hosting = &call->service->hosting;
    const char *name = spar__call_param(call, 0);
    double now = spar__seconds();
    call->hosted = name ? spar__hosting_find(hosting, name) : NULL;
    if (name && !call->hosted && hosting->store[user] && now - hosting->looked[user] >= LOOK_EVERY) {
        hosting->looked[user] = now; /* another program may just have made it */
        (void)spar__hosting_load(hosting, hosting->store[user], NULL);
        call->hosted = spar__hosting_find(hosting, name);
    }
    if (name && !call->hosted)
        spar__reply_problem(&call->reply, 404, "unknown", "there is no experiment '%.80s'", name);
    return !name || call->hosted;
}

const char *spar__hosted_name(const spar__hosted *hosted)
{
    return strrchr(hosted->where, '#') + 1;
}

size_t spar__hosting_count(spar__hosting *hosting)
{
    (void)pthread_mutex_lock(&hosting->lock);
    size_t n = hosting->n;
    (void)pthread_mutex_unlock(&hosting->lock);
    return n;
}

spar__hosted *spar__hosting_get(spar__hosting *hosting, size_t i)
{
    (void)pthread_mutex_lock(&hosting->lock);
    spar__hosted *hosted = i < hosting->n ? hosting->hosted[i] : NULL;
    (void)pthread_mutex_unlock(&hosting->lock);
    return hosted;
}

/* --- opening --- */

/* Opens it where needed and brings it to the end of the log. By who may fold, where the state is shared; after a
 * failure the log is read again. */
static spar_status bring_up_to_date(spar__hosted *hosted, int user, spar_error *err)
{
    spar__opened *opened = &hosted->opened[user];
    spar__store **store = &hosted->all->store[user];
    bool shared = user == SPAR__BY_WRITER || user == SPAR__BY_READER;
    bool writes = user == SPAR__BY_WRITER || user == SPAR__BY_TRANSFER;
    spar_status status = SPAR_OK;
    if (opened->experiment) {
        if (shared)
            spar__live_take_state(opened->experiment);
        status = spar_experiment_refresh(opened->experiment, err);
    } else {
        if (!*store)
            status = spar__store_open(hosted->all->location, writes ? SPAR__STORE_WRITE : SPAR__STORE_READ, store, err);
        if (!status)
            status = spar__live_open_on(*store, hosted->where, spar__hosted_name(hosted), writes,
                                        shared ? &hosted->shared : NULL, &opened->experiment, err);
        if (!status)
            opened->experiment->served = user == SPAR__BY_WRITER;
    }
    if (status) {
        close_handle(hosted, user);
        if (shared)
            drop_state(hosted);
    }
    return status;
}

/* The writer may fold until it releases the experiment, and looks for what is new when it has the store's lock. */
static spar_status open_to_write(spar__hosted *hosted, spar_error *err)
{
    spar__opened *opened = &hosted->opened[SPAR__BY_WRITER];
    if (!opened->held) {
        (void)pthread_mutex_lock(&hosted->folding);
        opened->held = true;
        if (opened->experiment)
            spar__live_take_state(opened->experiment);
    }
    return opened->experiment && opened->experiment->state ? SPAR_OK : bring_up_to_date(hosted, SPAR__BY_WRITER, err);
}

/* The reader folds what others have written only while the writer has nothing to do. Else the writer folds it in a
 * moment: the reader waits for that, but not for a writer that waits itself; then it takes the state as it is. */
static spar_status open_to_read(spar__hosted *hosted, spar_error *err)
{
    enum { TRIES = 5000 };
    const struct timespec pause = {0, 200000};
    spar__opened *opened = &hosted->opened[SPAR__BY_READER];
    for (unsigned tries = 0; tries <= TRIES; tries++) {
        spar__store_mark mark;
        spar_status status = SPAR_OK;
        if (opened->experiment) {
            status = spar__store_look(opened->experiment->store, opened->experiment->id, &mark, err);
            if (status)
                return status;
            spar__live_heed_drops(opened->experiment, mark.drops);
            (void)pthread_rwlock_rdlock(&hosted->shared.lock);
            const spar__fold *state = hosted->shared.state;
            bool ends_there = state && !state->broken && state->sequence == mark.sequence &&
                              memcmp(state->hash, mark.hash, sizeof state->hash) == 0;
            opened->held = ends_there || (tries == TRIES && state);
            if (opened->held) {
                spar__live_take_state(opened->experiment);
                return SPAR_OK;
            }
            (void)pthread_rwlock_unlock(&hosted->shared.lock);
        }
        if (pthread_mutex_trylock(&hosted->folding) == 0) {
            status = bring_up_to_date(hosted, SPAR__BY_READER, err);
            (void)pthread_mutex_unlock(&hosted->folding);
        } else {
            (void)nanosleep(&pause, NULL);
        }
        if (status)
            return status;
    }
    return spar__fail(err, SPAR_BUSY, "%s: is being written to; try again", hosted->name);
}

spar_status spar__hosted_open(spar__hosted *hosted, int user, spar_experiment **out, spar_error *err)
{
    spar__opened *opened = &hosted->opened[user];
    opened->used = spar__seconds();
    spar_status status = user == SPAR__BY_WRITER   ? open_to_write(hosted, err)
                         : user == SPAR__BY_READER ? open_to_read(hosted, err)
                                                   : bring_up_to_date(hosted, user, err);
    *out = status ? NULL : opened->experiment;
    return status;
}

void spar__hosted_release(spar__hosted *hosted, int user)
{
    spar__opened *opened = &hosted->opened[user];
    if (!opened->held)
        return;
    opened->held = false;
    if (user == SPAR__BY_WRITER)
        (void)pthread_mutex_unlock(&hosted->folding);
    else
        (void)pthread_rwlock_unlock(&hosted->shared.lock);
}

void spar__hosted_close(spar__hosted *hosted, int user)
{
    close_handle(hosted, user);
    if (user == SPAR__BY_WRITER)
        drop_state(hosted);
}

/* The state goes with the last handle. */
void spar__hosting_tidy(spar__hosting *hosting, int user, double now)
{
    for (size_t i = 0; i < spar__hosting_count(hosting); i++) {
        spar__hosted *hosted = spar__hosting_get(hosting, i);
        if (!hosted->opened[user].experiment || now - hosted->opened[user].used <= SPAR__HOSTED_IDLE_SECONDS)
            continue;
        (void)pthread_mutex_lock(&hosted->folding);
        close_handle(hosted, user);
        if (!hosted->opened[SPAR__BY_WRITER].experiment && !hosted->opened[SPAR__BY_READER].experiment)
            drop_state(hosted);
        (void)pthread_mutex_unlock(&hosted->folding);
    }
}

void spar__hosting_follow(spar__hosting *hosting, bool may_store)
{
    for (size_t i = 0; i < spar__hosting_count(hosting); i++) {
        spar__hosted *hosted = spar__hosting_get(hosting, i);
        spar__opened *opened = &hosted->opened[SPAR__BY_WRITER];
        if (opened->experiment && !open_to_write(hosted, NULL) && !bring_up_to_date(hosted, SPAR__BY_WRITER, NULL) &&
            may_store)
            spar__snapshot_take(opened->experiment);
        spar__hosted_release(hosted, SPAR__BY_WRITER);
    }
}

/* --- the reader: answers what only looks, with experiments of its own, so that a long look keeps no vote waiting ---
 */

/* The experiment that the call names; false: there is none, or not for this caller, and that was answered. */
static bool open_for(spar__call *call, int user, spar_experiment **experiment)
{
    spar_error err = {0};
    *experiment = NULL;
    if (!spar__call_find_hosted(call, user) || !call->hosted)
        return !call->reply.status;
    spar_status status = spar__hosted_open(call->hosted, user, experiment, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    return !status && spar__auth_check_here(call, *experiment);
}

bool spar__reader_work(spar__service *service, spar__call *call)
{
    spar_experiment *experiment = NULL;
    if (open_for(call, SPAR__BY_READER, &experiment))
        spar__call_answer(call, call->route->answer, experiment);
    if (call->hosted)
        spar__hosted_release(call->hosted, SPAR__BY_READER);
    if (!call->passed)
        return true;
    if (spar__worker_put(&service->standings, call))
        return false; /* that of the standings answers it: it is not ours any more */
    call->reply.retry_after = 1;
    (void)spar__reply_problem(&call->reply, 503, "busy", "too many requests wait; try again");
    return true;
}

void spar__reader_tick(spar__service *service)
{
    spar__hosting_tidy(&service->hosting, SPAR__BY_READER, spar__seconds());
}

/* --- transfers: imports and exports, one after the other, with experiments of their own. An import writes in small
 * steps and gives up the store's lock after each, so that no vote waits for all of it. --- */

bool spar__transfer_work(spar__service *service, spar__call *call)
{
    spar_experiment *experiment = NULL;
    spar_error err = {0};
    spar_status status = call->route->method == SPAR__GET ? SPAR_OK : spar__disk_check(service, &err);
    if (status)
        spar__reply_failure(&call->reply, status, &err);
    else if (open_for(call, SPAR__BY_TRANSFER, &experiment))
        spar__call_answer(call, call->route->answer, experiment);
    if (call->hosted) /* seldom used */
        spar__hosted_close(call->hosted, SPAR__BY_TRANSFER);
    return true;
}
