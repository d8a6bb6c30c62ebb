/* copy.c - see copy.h. */
#include "live/copy.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "live/live.h"
#include "live/restore.h"

#include <inttypes.h>
#include <string.h>

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

/* "tea.db#second", new. */
static spar_status place_of(const char *store, const char *name, char **out, spar_error *err)
{
    spar__buf place = {0};
    spar__buf_printf(&place, "%s#%s", store, name);
    if (place.failed)
        spar__buf_free(&place);
    *out = place.text;
    return *out ? SPAR_OK : spar__fail_memory(err);
}

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

static spar_status list_names(copy_run *run, spar_error *err)
{
    spar__store *store = NULL;
    uint64_t found;
    spar_status status = spar__store_open(run->from, SPAR__STORE_READ, &store, err);
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
    return status;
}

static const char *target_name(const copy_run *run, const char *name)
{
    return run->to_name ? run->to_name : name;
}

/* --- one experiment --- */

typedef spar_status copy_fn(copy_run *run, const char *name, const char *to, spar__history *history, spar_error *err);

/* Calls fn with the log of that name and the place where it goes. */
static spar_status with_log(copy_run *run, const char *name, copy_fn *fn, spar_error *err)
{
    char *from = NULL, *to = NULL;
    spar__history *history = NULL;
    spar_status status = place_of(run->from, name, &from, err);
    if (!status)
        status = place_of(run->to, target_name(run, name), &to, err);
    if (!status)
        status = spar__history_open(from, NULL, NULL, &history, err);
    if (!status)
        status = spar__history_freeze(history, err);
    if (!status)
        status = fn(run, name, to, history, err);
    spar__history_free(history);
    spar__free(from);
    spar__free(to);
    return status;
}

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
                            run->to_shown, target_name(run, name));
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
        !spar__store_find(to, target_name(run, name), &target, NULL) &&
        !spar__store_snapshot_get(from, source, end, spar_session_engine(), &snapshot, &bytes, &length, NULL) &&
        !spar__store_snapshot_list(to, target, 1, &newest, &n, NULL) && newest < snapshot.sequence)
        (void)spar__store_snapshot_put(to, target, &snapshot, bytes, length, NULL);
    spar__free(bytes);
    spar__store_close(from);
    spar__store_close(to);
}

/* How many events the place has beyond the log. */
static spar_status count_ahead(const char *place, spar__copied *copied, spar_error *err)
{
    spar__history *there = NULL;
    unsigned char head[SPAR_HASH_SIZE];
    uint64_t end = 0;
    spar_status status = spar__history_open(place, NULL, NULL, &there, err);
    if (!status)
        status = spar__history_end(there, &end, head, err);
    copied->ahead = end > copied->events ? end - copied->events : 0;
    spar__history_free(there);
    return status;
}

static spar_status copy_log(copy_run *run, const char *name, const char *to, spar__history *history, spar_error *err)
{
    spar__copy_job *job = run->job;
    spar__restore_job restore = {.as_is = true, .progress = job->progress, .context = job->progress_context};
    spar__copied copied = {.name = name, .to = target_name(run, name)};
    spar_status status = spar__history_end(history, &copied.events, copied.head, err);
    if (!status)
        status = spar__restore(&restore, to, history, err);
    copied.added = restore.added;
    copied.names = restore.names;
    if (!status)
        status = count_ahead(to, &copied, err);
    if (status)
        return status;
    copy_snapshot(run, name, copied.events);
    job->report(job->context, &copied);
    return SPAR_OK;
}

static spar_status each(copy_run *run, copy_fn *fn, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t at = 0; at < run->names.length && !status; at += strlen(run->names.text + at) + 1)
        status = with_log(run, run->names.text + at, fn, err);
    return status;
}

/* --- secrets --- */

static spar_status note_one(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    (void)name;
    (void)bytes;
    (void)length;
    *(bool *)context = true;
    return SPAR_OK;
}

static spar_status copy_secrets(const copy_run *run, spar__store *from, spar__store *to, spar_error *err)
{
    char *was = spar__store_stem(run->from), *is = spar__store_stem(run->to);
    bool moves = was && is && run->unnamed && strcmp(was, is) != 0;
    spar_status status = was && is ? spar__copy_secrets(from, to, moves ? was : NULL, err) : spar__fail_memory(err);
    spar__free(was);
    spar__free(is);
    return status;
}

static spar_status heed_secrets(copy_run *run, spar_error *err)
{
    spar__store *from = NULL, *to = NULL;
    spar_status status = spar__store_open(run->from, SPAR__STORE_READ, &from, err);
    if (!status && run->job->secrets)
        status = spar__store_open(run->to, SPAR__STORE_CREATE, &to, err);
    if (!status && run->job->secrets)
        status = copy_secrets(run, from, to, err);
    else if (!status)
        status = spar__store_secret_each(from, "", note_one, &run->job->has_secrets, err);
    spar__store_close(from);
    spar__store_close(to);
    return status;
}

static spar_status split(copy_run *run, spar_error *err)
{
    spar__copy_job *job = run->job;
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
    return SPAR_OK;
}

spar_status spar__copy(spar__copy_job *job, spar_error *err)
{
    copy_run run = {.job = job};
    job->has_secrets = false;
    spar_status status = split(&run, err);
    if (!status)
        status = list_names(&run, err);
    if (!status)
        status = each(&run, look, err);
    if (!status)
        status = heed_secrets(&run, err);
    if (!status)
        status = each(&run, copy_log, err);
    char *const texts[] = {run.from, run.to, run.from_shown, run.to_shown, run.from_name, run.to_name};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        spar__free(texts[i]);
    spar__buf_free(&run.names);
    return status;
}
