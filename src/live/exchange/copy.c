/* copy.c - experiments from one store to another, of whatever kind: the same events, hashes, texts, salts and voters;
 * and the secrets of a store to another that has none of its own. */
#include "base/alloc.h"
#include "base/buf.h"
#include "live/exchange/exchange.h"
#include "live/live.h"
#include "store/digest.h"

#include <stdlib.h>
#include <string.h>

/* --- keys, tokens and invitations ---
 *
 * Who moves a service wants the cookies, links and tokens that are out there to stay good. Links have the address of an
 * experiment; the one of an experiment without a name comes from the file or database, so it is kept with the keys.
 *
 * A service may be copied while it runs, and again when it has stopped. Meanwhile people log out and accept
 * invitations, and tokens are made and revoked. So the copy keeps the hash of what was copied: as long as its secrets
 * have that hash, none is its own, and it gets those that the service has now. On the way back the same holds for the
 * place that they were copied from, as long as nothing has changed there. */

static const char COPIED[] = "copied"; /* the secret with that hash; an empty one while they are being replaced */

typedef struct copied_secrets {
    spar__store_secret *secret; /* by name; without COPIED ... */
    size_t n, room;
    bool copied; /* ... whose bytes are: */
    unsigned char hash[SPAR_HASH_SIZE];
    bool whole; /* they are not empty */
} copied_secrets;

static spar_status add(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    copied_secrets *list = context;
    if (strcmp(name, COPIED) == 0) {
        list->copied = true;
        list->whole = length == sizeof list->hash;
        if (list->whole)
            memcpy(list->hash, bytes, length);
        return SPAR_OK;
    }
    if (!spar__reserve(&list->secret, &list->room, list->n + 1, 16, sizeof *list->secret))
        return SPAR_NOMEM;
    char *named = spar__strdup(name);
    unsigned char *copy = spar__alloc(length + 1, 1);
    if (copy && length)
        memcpy(copy, bytes, length);
    list->secret[list->n++] = (spar__store_secret){named, copy, length};
    return named && copy ? SPAR_OK : SPAR_NOMEM;
}

static const spar__store_secret *find(const copied_secrets *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->secret[i].name, name) == 0)
            return &list->secret[i];
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const spar__store_secret *)a)->name, ((const spar__store_secret *)b)->name);
}

/* address: as copy_secrets has it, below. */
static spar_status list_secrets(spar__store *store, const char *address, copied_secrets *list, spar_error *err)
{
    *list = (copied_secrets){.n = 0};
    spar_status status = spar__store_secret_each(store, "", add, list, err);
    if (!status && list->n && address && !find(list, SPAR__STORE_ADDRESS) &&
        add(list, SPAR__STORE_ADDRESS, (const unsigned char *)address, strlen(address)))
        status = spar__fail_memory(err);
    if (!status && list->n) /* stores may have another order */
        qsort(list->secret, list->n, sizeof *list->secret, compare_names);
    return status;
}

/* With one more, if not NULL, which is not in the list. */
static void hash_list(const copied_secrets *list, const spar__store_secret *more, unsigned char hash[SPAR_HASH_SIZE])
{
    memset(hash, 0, SPAR_HASH_SIZE);
    for (size_t i = 0; i < list->n || more;) {
        bool now = more && (i == list->n || strcmp(more->name, list->secret[i].name) < 0);
        const spar__store_secret *secret = now ? more : &list->secret[i++];
        more = now ? NULL : more;
        spar__chain_next(hash, secret->name, strlen(secret->name), hash);
        spar__chain_next(hash, secret->bytes, secret->length, hash);
    }
}

/* In an empty store: all in one commit, with their hash. */
static spar_status put_all(spar__store *to, copied_secrets *list, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    hash_list(list, NULL, hash);
    if (!spar__reserve(&list->secret, &list->room, list->n + 1, 0, sizeof *list->secret))
        return spar__fail_memory(err);
    list->secret[list->n] = (spar__store_secret){COPIED, hash, sizeof hash};
    return spar__store_secret_add(to, list->n + 1, list->secret, err);
}

static bool same(const spar__store_secret *a, const spar__store_secret *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* The next of both lists by name: 0, or which of them alone has it, -1 or 1. */
static int next_of(const copied_secrets *a, size_t i, const copied_secrets *b, size_t j)
{
    int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->secret[i].name, b->secret[j].name);
    return (order > 0) - (order < 0);
}

/* One by one. After an interruption the next copy goes on: what is half replaced is nobody's own. */
static spar_status replace_all(spar__store *to, const copied_secrets *had, const copied_secrets *list, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__store_secret_put(to, COPIED, (const unsigned char *)"", 0, err);
    for (size_t i = 0, j = 0; !status && (i < had->n || j < list->n);) {
        int order = next_of(had, i, list, j);
        const spar__store_secret *old = &had->secret[i], *now = &list->secret[j];
        if (order < 0)
            status = spar__store_secret_drop(to, old->name, err);
        else if (order > 0 || !same(old, now))
            status = spar__store_secret_put(to, now->name, now->bytes, now->length, err);
        i += order <= 0;
        j += order >= 0;
    }
    hash_list(list, NULL, hash);
    return status ? status : spar__store_secret_put(to, COPIED, hash, sizeof hash, err);
}

/* An older program did not remember what it copied. */
static bool all_there(const copied_secrets *had, const copied_secrets *list)
{
    size_t i = 0, j = 0, found = 0;
    while (i < had->n || j < list->n) {
        int order = next_of(had, i, list, j);
        found += order == 0 && same(&had->secret[i], &list->secret[j]);
        i += order <= 0;
        j += order >= 0;
    }
    return found == list->n;
}

/* May the secrets of a place be replaced? They are a copy, and as they were copied; or, on the way back, what the other
 * ones were copied from, where the address may not have been written down. */
static bool is_replaceable(const copied_secrets *had, const copied_secrets *list)
{
    unsigned char hash[SPAR_HASH_SIZE];
    hash_list(had, NULL, hash);
    if (had->copied && (!had->whole || memcmp(hash, had->hash, sizeof hash) == 0))
        return true;
    const spar__store_secret *address = find(had, SPAR__STORE_ADDRESS) ? NULL : find(list, SPAR__STORE_ADDRESS);
    hash_list(had, address, hash);
    return list->copied && list->whole && memcmp(hash, list->hash, sizeof hash) == 0;
}

/* address: where the experiment without a name was served, which is kept where keys are; NULL: it is the same in `to`,
 * or there is no such experiment. */
static spar_status copy_secrets(spar__store *from, spar__store *to, const char *address, spar_error *err)
{
    copied_secrets list[2] = {{.n = 0}, {.n = 0}}, *had = &list[1];
    spar_status status = list_secrets(from, address, list, err);
    if (!status)
        status = list_secrets(to, NULL, had, err);
    if (!status && list->n) {
        if (!had->n && !had->copied)
            status = put_all(to, list, err);
        else if (is_replaceable(had, list))
            status = replace_all(to, had, list, err);
        else if (!all_there(had, list))
            status = spar__fail(err, SPAR_CONFLICT,
                                "%s: has keys or tokens of its own, as after 'spar serve'; nothing was copied, since "
                                "replacing them would end what they are good for",
                                spar__store_name(to));
    }
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < list[k].n; i++) {
            void *bytes = (void *)(uintptr_t)list[k].secret[i].bytes;
            spar__free((void *)(uintptr_t)list[k].secret[i].name);
            if (bytes)
                spar__wipe(bytes, list[k].secret[i].length);
            spar__free(bytes);
        }
        spar__free(list[k].secret);
    }
    return status;
}

/* --- which experiments --- */

typedef struct copy_run {
    spar__copy_job *job;
    char *from, *to;  /* stores, */
    char *from_shown; /* for messages */
    char *to_shown;
    char *from_name, *to_name; /* of the experiment; NULL: none was given */
    spar__buf names;           /* of those to be copied, one after the other, each with its 0 byte */
    size_t n;
    bool unnamed; /* one of them has no name */
} copy_run;

static spar_status add_name(void *context, uint64_t experiment, const char *name)
{
    copy_run *run = context;
    (void)experiment;
    if (run->from_name && strcmp(run->from_name, name) != 0)
        return SPAR_OK;
    spar__buf_add(&run->names, name, strlen(name) + 1);
    run->n++;
    run->unnamed |= !*name;
    return run->names.failed ? SPAR_NOMEM : SPAR_OK;
}

/* --- one experiment --- */

typedef spar_status copy_fn(copy_run *run, const char *name, const char *to, spar__history *history, spar_error *err);

/* May it go there? Nothing is made. */
static spar_status look(copy_run *run, const char *name, const char *to, spar__history *history, spar_error *err)
{
    spar__restore_target target = SPAR__RESTORE_OTHER;
    uint64_t end = 0;
    unsigned char head[SPAR_HASH_SIZE];
    spar_status status = spar__history_end(history, &end, head, err);
    if (!status && !end)
        status = spar__fail(err, SPAR_CORRUPT, "%s: experiment '%s' has no events: it was never completely made",
                            run->from_shown, name);
    if (!status)
        status = spar__restore_look(to, history, &target, err);
    if (!status && target == SPAR__RESTORE_OTHER)
        status = spar__fail(err, SPAR_CONFLICT,
                            "%s: has another experiment called '%s'; nothing was copied; another name can be given "
                            "behind a '#', for one experiment at a time",
                            run->to_shown, (run->to_name ? run->to_name : name));
    return status;
}

/* The newest snapshot: without one, whoever opens the copy first folds the whole log. Only that is lost if it fails. */
static void copy_snapshot(copy_run *run, const char *name, uint64_t end)
{
    spar__store *from = NULL, *to = NULL;
    spar__store_snapshot snapshot;
    unsigned char *bytes = NULL;
    size_t length = 0, n = 0;
    uint64_t source, target, newest = 0;
    if (!spar__store_open(run->from, SPAR__STORE_READ, &from, NULL) &&
        !spar__store_open(run->to, SPAR__STORE_WRITE, &to, NULL) && !spar__store_find(from, name, &source, NULL) &&
        !spar__store_find(to, (run->to_name ? run->to_name : name), &target, NULL) &&
        !spar__store_snapshot_get(from, source, end, spar_session_engine(), &snapshot, &bytes, &length, NULL) &&
        !spar__store_snapshot_list(to, target, 1, &newest, &n, NULL) && newest < snapshot.sequence)
        (void)spar__store_snapshot_put(to, target, &snapshot, bytes, length, NULL);
    spar__free(bytes);
    spar__store_close(from);
    spar__store_close(to);
}

static spar_status copy_log(copy_run *run, const char *name, const char *to, spar__history *history, spar_error *err)
{
    spar__copy_job *job = run->job;
    spar__restore_job restore = {.as_is = true, .progress = job->progress, .context = job->progress_context};
    spar__copied copied = {.name = name, .to = (run->to_name ? run->to_name : name)};
    spar_status status = spar__history_end(history, &copied.events, copied.head, err);
    if (!status)
        status = spar__restore(&restore, to, history, err);
    copied.added = restore.added;
    copied.names = restore.names;
    if (!status) {
        /* How many events the place has beyond the log. */
        spar__history *there = NULL;
        unsigned char head[SPAR_HASH_SIZE];
        uint64_t end = 0;
        status = spar__history_open(to, NULL, NULL, &there, err);
        if (!status)
            status = spar__history_end(there, &end, head, err);
        copied.ahead = end > copied.events ? end - copied.events : 0;
        spar__history_free(there);
    }
    if (status)
        return status;
    copy_snapshot(run, name, copied.events);
    job->report(job->context, &copied);
    return SPAR_OK;
}

static spar_status each(copy_run *run, copy_fn *fn, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t at = 0; at < run->names.length && !status; at += strlen(run->names.text + at) + 1) {
        /* Calls fn with the log of that name and the place where it goes. */
        const char *name = run->names.text + at;
        spar__buf from = {0}, to = {0};
        spar__history *history = NULL;
        spar__buf_printf(&from, "%s#%s", run->from, name);
        spar__buf_printf(&to, "%s#%s", run->to, run->to_name ? run->to_name : name);
        status = from.failed || to.failed ? spar__fail_memory(err)
                                          : spar__history_open(from.text, NULL, NULL, &history, err);
        if (!status)
            status = spar__history_freeze(history, err);
        if (!status)
            status = fn(run, name, to.text, history, err);
        spar__history_free(history);
        spar__buf_free(&from);
        spar__buf_free(&to);
    }
    return status;
}

/* --- all of it --- */

static spar_status note_one(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    (void)name;
    (void)bytes;
    (void)length;
    *(bool *)context = true;
    return SPAR_OK;
}

/* What is to be copied, and whether it can be. */
static spar_status prepare(copy_run *run, spar_error *err)
{
    spar__copy_job *job = run->job;
    spar__store *store = NULL;
    uint64_t found;
    spar_status status = spar__store_split(job->from, &run->from, &run->from_name, err);
    if (!status)
        status = spar__store_split(job->to, &run->to, &run->to_name, err);
    if (status)
        return status;
    run->from_shown = spar__store_shown(run->from);
    run->to_shown = spar__store_shown(run->to);
    if (!run->from_shown || !run->to_shown)
        return spar__fail_memory(err);
    if (job->secrets && run->from_name)
        return spar__fail(err, SPAR_INVALID, "keys, tokens and invitations belong to all of %s, not to '%s' alone",
                          run->from_shown, run->from_name);
    if (job->secrets && run->to_name) /* invitations and voters are those of a name */
        return spar__fail(err, SPAR_INVALID,
                          "with keys, tokens and invitations experiments keep their names: leave out #%s",
                          run->to_name);
    status = spar__store_open(run->from, SPAR__STORE_READ, &store, err);
    if (!status && run->from_name)
        status = spar__store_find(store, run->from_name, &found, err);
    if (!status)
        status = spar__store_experiments(store, add_name, run, err);
    if (!status && !run->n)
        status = spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment", spar__store_name(store));
    if (!status && run->n > 1 && run->to_name)
        status = spar__fail(err, SPAR_INVALID,
                            "%s: holds %zu experiments, which keep their names: name the one that becomes '%s'",
                            spar__store_name(store), run->n, run->to_name);
    spar__store_close(store);
    return status ? status : each(run, look, err);
}

spar_status spar__copy(spar__copy_job *job, spar_error *err)
{
    copy_run run = {.job = job};
    spar__store *from = NULL, *to = NULL;
    char *was = NULL, *is = NULL; /* the addresses of the experiment without a name */
    job->has_secrets = false;
    spar_status status = prepare(&run, err);
    if (!status)
        status = spar__store_open(run.from, SPAR__STORE_READ, &from, err);
    if (!status && !job->secrets)
        status = spar__store_secret_each(from, "", note_one, &job->has_secrets, err);
    else if (!status) {
        status = spar__store_open(run.to, SPAR__STORE_CREATE, &to, err);
        was = spar__store_stem(run.from);
        is = spar__store_stem(run.to);
        if (!status)
            status = was && is ? copy_secrets(from, to, run.unnamed && strcmp(was, is) != 0 ? was : NULL, err)
                               : spar__fail_memory(err);
    }
    spar__store_close(from);
    spar__store_close(to);
    if (!status)
        status = each(&run, copy_log, err);
    char *const texts[] = {run.from, run.to, run.from_shown, run.to_shown, run.from_name, run.to_name, was, is};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        spar__free(texts[i]);
    spar__buf_free(&run.names);
    return status;
}
