/* restore.c - a log from a file, or from another store, into a store, event by event: the same bytes, the same chain,
 * the same texts.
 *
 * A file is checked before the first event is written: chain, texts, and whether the log can be folded. A log of a
 * store is taken as it is: its chain is checked, not what it says. Events wait in a batch, each with copies of its
 * texts. A batch is appended under the lock, and only where the log ends with the event that came before: if somebody
 * else has written, nothing is added, and it is said. */
#include "base/alloc.h"
#include "live/exchange/exchange.h"
#include "live/live.h"

#include <inttypes.h>
#include <string.h>

enum { BATCH_EVENTS = 1024, EVENT_TEXTS = 2 /* its own, and the name of its voter */ };

static const size_t BATCH_MAX_BYTES = (size_t)16 << 20; /* of texts: images are large */

typedef struct restore_run {
    spar__restore_job *job;
    const char *place;
    spar__history *history;
    spar__store *store;
    uint64_t experiment;
    uint64_t there;                     /* events that the store has */
    uint64_t meet;                      /* the last event that both have, */
    unsigned char head[SPAR_HASH_SIZE]; /* and its hash in the store */
    uint64_t last;                      /* event of the file, */
    unsigned char hash[SPAR_HASH_SIZE]; /* and its hash */
    spar__fold *fold;
    spar__key_table undone; /* (screen, revision) */
    spar__key_table voters; /* of events that the store had, or that were added with their names */
    /* The batch: */
    uint64_t end;                             /* the last event that was written, */
    unsigned char end_hash[SPAR_HASH_SIZE];   /* and its hash */
    unsigned char batch_hash[SPAR_HASH_SIZE]; /* of the last event that waits */
    spar__store_entry *entry;
    spar__store_text *text; /* the bytes are copies */
    size_t n, bytes;        /* events that wait; the length of their texts */
} restore_run;

/* --- the location --- */

static spar_status first_of_file(void *context, const spar__history_entry *entry, spar_error *err)
{
    memcpy(context, entry->hash, SPAR_HASH_SIZE);
    return spar__fail(err, SPAR_INTERRUPTED, "one is enough");
}

static spar_status count_one(void *context, uint64_t experiment, const char *name)
{
    (void)experiment;
    (void)name;
    ++*(size_t *)context;
    return SPAR_OK;
}

/* The experiment of that name, or the only one; *experiment 0 where there is none yet. */
static spar_status find(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    size_t n = 0;
    spar_error why = {0};
    spar_status status = spar__store_find(store, name, experiment, &why);
    if (status == SPAR_UNKNOWN) {
        status = spar__store_experiments(store, count_one, &n, err);
        return status || name || !n ? status : spar__fail(err, SPAR_UNKNOWN, "%s", why.text);
    }
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

spar_status spar__restore_look(const char *place, spar__history *history, spar__restore_target *target, spar_error *err)
{
    unsigned char ours[SPAR_HASH_SIZE] = {0}, theirs[SPAR_HASH_SIZE] = {0};
    char *name = NULL;
    spar__store *store = NULL;
    uint64_t experiment = 0, end = 0;
    *target = SPAR__RESTORE_NEW;
    /* One that cannot be opened is not there; if it is, making it will fail and say why. */
    if (spar__location_open(place, SPAR__STORE_READ, &store, &name, NULL))
        return SPAR_OK;
    spar_status status = find(store, name, &experiment, err);
    if (!status && experiment) {
        status = spar__history_each(history, first_of_file, theirs, err);
        status = status == SPAR_INTERRUPTED ? SPAR_OK : status;
        if (!status)
            status = spar__store_head(store, experiment, &end, ours, err);
        if (!status && end)
            status = spar__log_hash_at(store, experiment, 1, ours, err);
    }
    if (end)
        *target = memcmp(ours, theirs, sizeof ours) == 0 ? SPAR__RESTORE_SAME : SPAR__RESTORE_OTHER;
    spar__store_close(store);
    spar__free(name);
    return status;
}

/* --- the file --- */

static spar_status interrupted(const restore_run *run, spar_error *err)
{
    return spar__fail(err, SPAR_INTERRUPTED, "interrupted: %" PRIu64 " event%s added; the same command goes on",
                      run->job->added, run->job->added == 1 ? " was" : "s were");
}

static spar_status step(restore_run *run, uint64_t sequence, spar_error *err)
{
    spar__restore_job *job = run->job;
    if (sequence % 256 || !job->progress || job->progress(job->context, sequence, run->job->events))
        return SPAR_OK;
    return interrupted(run, err);
}

static spar_status note_undone(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    spar_status status = step(run, entry->sequence, err);
    run->last = entry->sequence;
    memcpy(run->hash, entry->hash, sizeof run->hash);
    if (status || spar_event_kind_of(entry->event) != SPAR_EVENT_UNDO)
        return status;
    if (spar__key_table_reserve(&run->undone, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&run->undone, spar_event_number(entry->event), spar_event_revision(entry->event));
    return SPAR_OK;
}

static spar_status fold_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    const spar_event *event = entry->event;
    spar_error why = {0};
    spar_status status = step(run, entry->sequence, err);
    if (status || (spar_event_kind_of(event) == SPAR_EVENT_ANSWER &&
                   spar__key_find(&run->undone, spar_event_number(event), spar_event_revision(event)) != SPAR__NO_KEY))
        return status;
    status = spar__fold_apply(run->fold, event, entry->hash, &why);
    return status ? spar__fail(err, status == SPAR_NOMEM ? status : SPAR_PARSE,
                               "line %zu, event %" PRIu64 " (%s) cannot be: %s", entry->line, entry->sequence,
                               spar_event_kind_name(spar_event_kind_of(event)), why.text)
                  : SPAR_OK;
}

/* Of a log that is taken as it is only where it ends is asked. */
static spar_status check_log(restore_run *run, spar_error *err)
{
    if (run->job->as_is) {
        spar_status status = spar__history_end(run->history, &run->last, run->hash, err);
        run->job->events = run->last;
        run->job->whole = true;
        return status;
    }
    spar_status status = spar__fold_new(&run->fold) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(run->history, note_undone, run, err);
    if (!status) {
        uint64_t end = 0;
        unsigned char head[SPAR_HASH_SIZE];
        status = spar__history_end(run->history, &end, head, err);
        run->job->events = run->last;
        run->job->whole = end != 0;
        if (!status && end && (end != run->last || memcmp(head, run->hash, sizeof head) != 0))
            status = spar__fail(err, SPAR_PARSE, "the last line speaks of %" PRIu64 " events, but there are %" PRIu64,
                                end, run->last);
        if (!status && !run->last)
            status = spar__fail(err, SPAR_PARSE, "there are no events in the file");
    }
    return status ? status : spar__history_each(run->history, fold_event, run, err);
}

/* --- writing --- */

static void free_texts(spar__store_entry *entry)
{
    for (size_t i = 0; i < entry->n_texts; i++)
        spar__free((void *)(uintptr_t)entry->text[i].bytes);
    entry->n_texts = 0;
}

static spar_status copy_text(restore_run *run, spar__store_entry *entry, const spar__store_text *text)
{
    if (!text)
        return SPAR_OK;
    unsigned char *bytes = spar__alloc(text->length + 1, 1);
    if (!bytes)
        return SPAR_NOMEM;
    if (text->length)
        memcpy(bytes, text->bytes, text->length);
    spar__store_text *copy = &run->text[run->n * EVENT_TEXTS + entry->n_texts++];
    *copy = *text;
    copy->bytes = bytes;
    run->bytes += text->length;
    return SPAR_OK;
}

/* Does the log end with the last event that was written? */
static spar_status check_written(restore_run *run, spar_error *err)
{
    uint64_t end = 0;
    unsigned char head[SPAR_HASH_SIZE];
    spar_status status = spar__store_head(run->store, run->experiment, &end, head, err);
    if (!status && (end != run->end || memcmp(head, run->end_hash, sizeof head) != 0))
        status = spar__fail(err, SPAR_CONFLICT,
                            "%s: another program writes to this experiment: its log does not end with event %" PRIu64
                            " as it was written",
                            spar__store_name(run->store), run->end);
    return status;
}

/* Appends what waits. */
static spar_status flush(restore_run *run, spar_error *err)
{
    if (!run->n)
        return SPAR_OK;
    /* The lock is given up, whatever happens. */
    spar_status status = spar__store_lock(run->store, run->experiment, err);
    if (!status)
        status = check_written(run, err);
    if (!status)
        status = spar__store_append(run->store, run->experiment, run->n, run->entry, err);
    else
        spar__store_unlock(run->store);
    for (size_t i = 0; i < run->n && !status; i++) {
        status = run->entry[i].status;
        run->job->added += !status;
        if (status)
            (void)spar__fail(err, status, "event %" PRIu64 " cannot be added: %s", run->end + i + 1,
                             spar_status_text(status));
    }
    if (!status) {
        run->end += run->n;
        memcpy(run->end_hash, run->batch_hash, sizeof run->end_hash);
    }
    for (size_t i = 0; i < run->n; i++)
        free_texts(&run->entry[i]);
    run->n = run->bytes = 0;
    return status;
}

static spar_status note_voter(restore_run *run, uint64_t voter, spar_error *err)
{
    if (spar__key_table_reserve(&run->voters, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&run->voters, voter, 0);
    return SPAR_OK;
}

/* Events that the store has: are they the same, and who are their voters? */
static spar_status look_back(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    uint64_t voter = spar_event_voter(entry->event);
    if (entry->sequence == run->meet && memcmp(entry->hash, run->head, sizeof run->head) != 0)
        return spar__fail(err, SPAR_CONFLICT, "%s begins like %s, but its event %" PRIu64 " or one before is another",
                          spar__store_name(run->store), run->job->as_is ? "the log to be copied" : "the file",
                          run->meet);
    return entry->sequence > run->there || !voter ? SPAR_OK : note_voter(run, voter, err);
}

/* An event that the store does not have, with its text, and the name of its voter where that is the voter's first.
 * Appends when the batch is full. */
static spar_status add_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    spar__store_entry *to = &run->entry[run->n];
    spar__store_text name = {0};
    unsigned char *bytes = NULL;
    uint64_t voter = spar_event_voter(entry->event);
    if (entry->sequence <= run->there)
        return run->job->as_is ? look_back(run, entry, err) : SPAR_OK;
    bool first = run->job->as_is && voter && spar__key_find(&run->voters, voter, 0) == SPAR__NO_KEY;
    spar_status status = step(run, entry->sequence, err);
    if (!status && first)
        status = spar__history_name(run->history, voter, &name, &bytes, err);
    if (!status && first)
        status = note_voter(run, voter, err);
    to->text = &run->text[run->n * EVENT_TEXTS];
    if (!status && ((!to->event && spar_event_new(&to->event)) || spar_event_copy(entry->event, to->event) ||
                    copy_text(run, to, entry->text) || copy_text(run, to, bytes ? &name : NULL))) {
        free_texts(to);
        status = spar__fail_memory(err);
    }
    if (!status) {
        memcpy(run->batch_hash, entry->hash, sizeof run->batch_hash);
        run->n++;
    }
    if (!status && (run->n == BATCH_EVENTS || run->bytes > BATCH_MAX_BYTES))
        status = flush(run, err);
    run->job->names += !status && bytes;
    spar__free(bytes);
    return status;
}

/* Of a voter who was there before and has no name: it may have been removed, and does not come back by itself. */
static spar_status add_name(void *context, const spar__store_text *text, spar_error *err)
{
    restore_run *run = context;
    spar_error why = {0};
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length;
    if (spar__key_find(&run->voters, text->owner, 0) != SPAR__NO_KEY && !run->job->all_names) {
        run->job->left_out += spar__store_text_get(run->store, run->experiment, SPAR__TEXT_VOTER, text->owner, 1, salt,
                                                   &bytes, &length, NULL) != SPAR_OK;
        spar__free(bytes);
        return SPAR_OK;
    }
    spar_status status = spar__store_text_put(run->store, run->experiment, text, &why);
    run->job->names += !status;
    return !status || status == SPAR_CONFLICT ? SPAR_OK : spar__fail(err, status, "%s", why.text);
}

static spar_status write_log(restore_run *run, spar_error *err)
{
    spar_error why = {0};
    run->entry = spar__alloc(BATCH_EVENTS, sizeof *run->entry);
    run->text = spar__alloc((size_t)BATCH_EVENTS * EVENT_TEXTS, sizeof *run->text);
    spar_status status = run->entry && run->text ? SPAR_OK : spar__fail_memory(err);
    if (!status && run->there && !run->job->as_is)
        status = spar__history_each(run->history, look_back, run, err);
    if (!status && !run->job->as_is) /* before the events: after a failure their voters are known */
        status = spar__history_voters(run->history, add_name, run, err);
    if (status)
        return status;
    status = spar__history_each(run->history, add_event, run, &why);
    spar_status end = !status || status == SPAR_INTERRUPTED ? flush(run, err) : SPAR_OK;
    if (end)
        return end;
    if (status == SPAR_INTERRUPTED) /* with what the last batch added */
        return interrupted(run, err);
    if (status)
        return spar__fail(err, status, "%s", why.text);
    return run->job->added ? check_written(run, err) : SPAR_OK;
}

spar_status spar__restore(spar__restore_job *job, const char *place, spar__history *history, spar_error *err)
{
    restore_run run = {.job = job, .place = place, .history = history};
    job->events = job->added = job->names = job->left_out = 0;
    spar_status status = check_log(&run, err);
    if (!status) {
        /* Makes what is not there. */
        char *name = NULL;
        status = spar__location_open(run.place, SPAR__STORE_CREATE, &run.store, &name, err);
        if (!status)
            status = find(run.store, name, &run.experiment, err);
        if (!status && !run.experiment)
            status = spar__store_create(run.store, name ? name : "", &run.experiment, err);
        if (!status)
            status = spar__store_head(run.store, run.experiment, &run.there, run.head, err);
        run.end = run.there;
        memcpy(run.end_hash, run.head, sizeof run.end_hash);
        run.meet = run.there < run.last ? run.there : run.last;
        if (!status && run.meet)
            status = spar__log_hash_at(run.store, run.experiment, run.meet, run.head, err);
        spar__free(name);
    }
    if (!status)
        status = write_log(&run, err);
    for (size_t i = 0; run.entry && i < BATCH_EVENTS; i++) {
        free_texts(&run.entry[i]);
        spar_event_free(run.entry[i].event);
    }
    spar__free(run.entry);
    spar__free(run.text);
    spar__fold_free(run.fold);
    spar__key_table_fini(&run.undone);
    spar__key_table_fini(&run.voters);
    spar__store_close(run.store);
    return status;
}

void spar__restore_json(const spar__restore_job *job, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "events", job->events);
    spar__json_add_unsigned(json, "added", job->added);
    spar__json_add_unsigned(json, "names_added", job->names);
    spar__json_add_unsigned(json, "names_left_out", job->left_out);
    spar__json_end_object(json);
}
