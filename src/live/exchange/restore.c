/* restore.c - writes a log that is somewhere else into a store, event by event: the same bytes, the same chain.
 *
 * Events wait in a batch, each with copies of its texts. A batch is appended under the lock, and only where the log
 * ends with the event that came before: if somebody else has written, nothing is added, and it is said. */
#include "base/alloc.h"
#include "live/exchange/exchange.h"
#include "live/exchange/history.h"
#include "live/live.h"

#include <inttypes.h>
#include <string.h>

enum { SPAR__LOG_BATCH = 1024, SPAR__LOG_TEXTS = 2 /* of an event: its own, and the name of its voter */ };

typedef struct spar__log_writer {
    spar__store *store;
    uint64_t experiment;
    uint64_t end;                        /* the last event that the store has, */
    unsigned char head[SPAR_HASH_SIZE];  /* and its hash */
    unsigned char batch[SPAR_HASH_SIZE]; /* the hash of the last event that waits */
    spar__store_entry *entry;
    spar__store_text *text; /* the bytes are copies */
    size_t n, bytes;        /* events that wait; the length of their texts */
    uint64_t added;
} spar__log_writer;

/* end and head are the caller's to set; store and experiment are only used. */
static spar_status log_writer_init(spar__log_writer *writer, spar__store *store, uint64_t experiment, spar_error *err);
static void log_writer_fini(spar__log_writer *writer); /* what waits is forgotten; all zero is fine */

/* The next event, with its text and the name of its voter (NULL: none). Appends when the batch is full. */
static spar_status log_writer_add(spar__log_writer *writer, const spar__history_entry *entry,
                                  const spar__store_text *name, spar_error *err);

/* Appends what waits. */
static spar_status log_writer_flush(spar__log_writer *writer, spar_error *err);

/* Does the log end with the last event that was written? */
static spar_status log_writer_check(spar__log_writer *writer, spar_error *err);

/* See log_writer.h. */

static const size_t MOST_BYTES = (size_t)16 << 20; /* of texts in a batch: images are large */

spar_status log_writer_init(spar__log_writer *writer, spar__store *store, uint64_t experiment, spar_error *err)
{
    *writer = (spar__log_writer){.store = store, .experiment = experiment};
    writer->entry = spar__alloc(SPAR__LOG_BATCH, sizeof *writer->entry);
    writer->text = spar__alloc((size_t)SPAR__LOG_BATCH * SPAR__LOG_TEXTS, sizeof *writer->text);
    if (writer->entry && writer->text)
        return SPAR_OK;
    log_writer_fini(writer);
    return spar__fail_memory(err);
}

static void free_texts(spar__store_entry *entry)
{
    for (size_t i = 0; i < entry->n_texts; i++)
        spar__free((void *)(uintptr_t)entry->text[i].bytes);
    entry->n_texts = 0;
}

void log_writer_fini(spar__log_writer *writer)
{
    for (size_t i = 0; writer->entry && i < SPAR__LOG_BATCH; i++) {
        free_texts(&writer->entry[i]);
        spar_event_free(writer->entry[i].event);
    }
    spar__free(writer->entry);
    spar__free(writer->text);
    *writer = (spar__log_writer){0};
}

static spar_status copy_text(spar__log_writer *writer, spar__store_entry *entry, const spar__store_text *text)
{
    if (!text)
        return SPAR_OK;
    unsigned char *bytes = spar__alloc(text->length + 1, 1);
    if (!bytes)
        return SPAR_NOMEM;
    if (text->length)
        memcpy(bytes, text->bytes, text->length);
    spar__store_text *copy = &writer->text[writer->n * SPAR__LOG_TEXTS + entry->n_texts++];
    *copy = *text;
    copy->bytes = bytes;
    writer->bytes += text->length;
    return SPAR_OK;
}

spar_status log_writer_add(spar__log_writer *writer, const spar__history_entry *entry, const spar__store_text *name,
                           spar_error *err)
{
    spar__store_entry *to = &writer->entry[writer->n];
    to->text = &writer->text[writer->n * SPAR__LOG_TEXTS];
    if ((!to->event && spar_event_new(&to->event)) || spar_event_copy(entry->event, to->event) ||
        copy_text(writer, to, entry->text) || copy_text(writer, to, name)) {
        free_texts(to);
        return spar__fail_memory(err);
    }
    memcpy(writer->batch, entry->hash, sizeof writer->batch);
    writer->n++;
    return writer->n == SPAR__LOG_BATCH || writer->bytes > MOST_BYTES ? log_writer_flush(writer, err) : SPAR_OK;
}

spar_status log_writer_check(spar__log_writer *writer, spar_error *err)
{
    uint64_t end = 0;
    unsigned char head[SPAR_HASH_SIZE];
    spar_status status = spar__store_head(writer->store, writer->experiment, &end, head, err);
    if (!status && (end != writer->end || memcmp(head, writer->head, sizeof head) != 0))
        status = spar__fail(err, SPAR_CONFLICT,
                            "%s: another program writes to this experiment: its log does not end with event %" PRIu64
                            " as it was written",
                            spar__store_name(writer->store), writer->end);
    return status;
}

/* The lock is given up, whatever happens. */
static spar_status append(spar__log_writer *writer, spar_error *err)
{
    spar__store *store = writer->store;
    spar_status status = spar__store_lock(store, writer->experiment, err);
    if (!status)
        status = log_writer_check(writer, err);
    if (!status)
        return spar__store_append(store, writer->experiment, writer->n, writer->entry, err);
    spar__store_unlock(store);
    return status;
}

/* What became of the events of a batch that was appended. */
static spar_status look_at(spar__log_writer *writer, spar_error *err)
{
    for (size_t i = 0; i < writer->n; i++) {
        spar_status status = writer->entry[i].status;
        if (status)
            return spar__fail(err, status, "event %" PRIu64 " cannot be added: %s", writer->end + i + 1,
                              spar_status_text(status));
        writer->added++;
    }
    writer->end += writer->n;
    memcpy(writer->head, writer->batch, sizeof writer->head);
    return SPAR_OK;
}

spar_status log_writer_flush(spar__log_writer *writer, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (!writer->n)
        return SPAR_OK;
    do
        status = append(writer, err);
    while (status == SPAR_BUSY && spar__store_lapsed(writer->store));
    if (!status)
        status = look_at(writer, err);
    for (size_t i = 0; i < writer->n; i++)
        free_texts(&writer->entry[i]);
    writer->n = writer->bytes = 0;
    return status;
}

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
    spar__log_writer writer;
} restore_run;

/* --- the place --- */

static spar_status first_of_file(void *context, const spar__history_entry *entry, spar_error *err)
{
    memcpy(context, entry->hash, SPAR_HASH_SIZE);
    return spar__fail(err, SPAR_INTERRUPTED, "one is enough");
}

static spar_status take_hash(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                             const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    (void)sequence;
    (void)bytes;
    (void)length;
    (void)err;
    memcpy(context, hash, SPAR_HASH_SIZE);
    return SPAR_OK;
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
    if (!status)
        return SPAR_OK;
    if (status == SPAR_UNKNOWN)
        status = spar__store_experiments(store, count_one, &n, err);
    else
        return spar__fail(err, status, "%s", why.text);
    return status || name || !n ? status : spar__fail(err, SPAR_UNKNOWN, "%s", why.text);
}

static spar_status compare_first(spar__store *store, uint64_t experiment, spar__history *history,
                                 spar__restore_target *target, spar_error *err)
{
    unsigned char ours[SPAR_HASH_SIZE] = {0}, theirs[SPAR_HASH_SIZE] = {0};
    uint64_t end = 0;
    spar_status status = spar__history_each(history, first_of_file, theirs, err);
    if (status && status != SPAR_INTERRUPTED)
        return status;
    status = spar__store_head(store, experiment, &end, ours, err);
    if (!status && end)
        status = spar__store_read(store, experiment, 1, 1, take_hash, ours, err);
    *target = !end                                     ? SPAR__RESTORE_NEW
              : memcmp(ours, theirs, sizeof ours) == 0 ? SPAR__RESTORE_SAME
                                                       : SPAR__RESTORE_OTHER;
    return status;
}

spar_status spar__restore_look(const char *place, spar__history *history, spar__restore_target *target, spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar__store *store = NULL;
    uint64_t experiment = 0;
    *target = SPAR__RESTORE_NEW;
    spar_status status = spar__store_split(place, &path, &name, err);
    /* One that cannot be opened is not there; if it is, making it will fail and say why. */
    if (!status && !spar__store_open(path, SPAR__STORE_READ, &store, NULL)) {
        status = find(store, name, &experiment, err);
        if (!status && experiment)
            status = compare_first(store, experiment, history, target, err);
    }
    spar__store_close(store);
    spar__free(path);
    spar__free(name);
    return status;
}

/* Makes what is not there. */
static spar_status open_place(restore_run *run, spar_error *err)
{
    char *path = NULL, *name = NULL;
    spar_status status = spar__store_split(run->place, &path, &name, err);
    if (!status)
        status = spar__store_open(path, SPAR__STORE_CREATE, &run->store, err);
    if (!status)
        status = find(run->store, name, &run->experiment, err);
    if (!status && !run->experiment)
        status = spar__store_create(run->store, name ? name : "", &run->experiment, err);
    if (!status)
        status = spar__store_head(run->store, run->experiment, &run->there, run->head, err);
    run->meet = run->there < run->last ? run->there : run->last;
    if (!status && run->meet)
        status = spar__store_read(run->store, run->experiment, run->meet, run->meet, take_hash, run->head, err);
    spar__free(path);
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

static bool is_undone(const restore_run *run, const spar_event *event)
{
    return spar_event_kind_of(event) == SPAR_EVENT_ANSWER &&
           spar__key_find(&run->undone, spar_event_number(event), spar_event_revision(event)) != SPAR__NO_KEY;
}

static spar_status fold_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    spar_error why = {0};
    spar_status status = step(run, entry->sequence, err);
    if (status || is_undone(run, entry->event))
        return status;
    status = spar__fold_apply(run->fold, entry->event, entry->hash, &why);
    return status ? spar__fail(err, status == SPAR_NOMEM ? status : SPAR_PARSE,
                               "line %zu, event %" PRIu64 " (%s) cannot be: %s", entry->line, entry->sequence,
                               spar_event_kind_name(spar_event_kind_of(entry->event)), why.text)
                  : SPAR_OK;
}

static spar_status check_end(restore_run *run, spar_error *err)
{
    uint64_t end = 0;
    unsigned char head[SPAR_HASH_SIZE];
    spar_status status = spar__history_end(run->history, &end, head, err);
    run->job->events = run->last;
    run->job->whole = end != 0;
    if (!status && end && (end != run->last || memcmp(head, run->hash, sizeof head) != 0))
        status = spar__fail(err, SPAR_PARSE, "the last line speaks of %" PRIu64 " events, but there are %" PRIu64, end,
                            run->last);
    if (!status && !run->last)
        status = spar__fail(err, SPAR_PARSE, "there are no events in the file");
    return status;
}

static spar_status check_file(restore_run *run, spar_error *err)
{
    spar_status status = spar__fold_new(&run->fold) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(run->history, note_undone, run, err);
    if (!status)
        status = check_end(run, err);
    if (!status)
        status = spar__history_each(run->history, fold_event, run, err);
    return status;
}

/* Of a log that is taken as it is: where it ends. */
static spar_status find_end(restore_run *run, spar_error *err)
{
    spar_status status = spar__history_end(run->history, &run->last, run->hash, err);
    run->job->events = run->last;
    run->job->whole = true;
    return status;
}

/* --- writing --- */

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

/* An event that the store does not have, with the name of its voter where that is the voter's first. */
static spar_status add_new(restore_run *run, const spar__history_entry *entry, spar_error *err)
{
    spar__store_text name = {0};
    unsigned char *bytes = NULL;
    uint64_t voter = spar_event_voter(entry->event);
    bool first = run->job->as_is && voter && spar__key_find(&run->voters, voter, 0) == SPAR__NO_KEY;
    spar_status status = first ? spar__history_name(run->history, voter, &name, &bytes, err) : SPAR_OK;
    if (!status && first)
        status = note_voter(run, voter, err);
    if (!status)
        status = log_writer_add(&run->writer, entry, bytes ? &name : NULL, err);
    run->job->names += !status && bytes;
    run->job->added = run->writer.added;
    spar__free(bytes);
    return status;
}

static spar_status add_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    restore_run *run = context;
    if (entry->sequence <= run->there)
        return run->job->as_is ? look_back(run, entry, err) : SPAR_OK;
    spar_status status = step(run, entry->sequence, err);
    return status ? status : add_new(run, entry, err);
}

static bool has_name(const restore_run *run, uint64_t voter)
{
    unsigned char salt[SPAR__SALT_SIZE], *bytes = NULL;
    size_t length;
    spar_status status =
        spar__store_text_get(run->store, run->experiment, SPAR__TEXT_VOTER, voter, 1, salt, &bytes, &length, NULL);
    spar__free(bytes);
    return !status;
}

/* Of a voter who was there before and has no name: it may have been removed, and does not come back by itself. */
static spar_status add_name(void *context, const spar__store_text *text, spar_error *err)
{
    restore_run *run = context;
    spar_error why = {0};
    bool there = spar__key_find(&run->voters, text->owner, 0) != SPAR__NO_KEY;
    if (there && !run->job->all_names) {
        run->job->left_out += !has_name(run, text->owner);
        return SPAR_OK;
    }
    spar_status status = spar__store_text_put(run->store, run->experiment, text, &why);
    run->job->names += !status;
    return !status || status == SPAR_CONFLICT ? SPAR_OK : spar__fail(err, status, "%s", why.text);
}

static spar_status write_events(restore_run *run, spar_error *err)
{
    spar_error why = {0};
    spar_status status = spar__history_each(run->history, add_event, run, &why);
    spar_status end = !status || status == SPAR_INTERRUPTED ? log_writer_flush(&run->writer, err) : SPAR_OK;
    run->job->added = run->writer.added;
    if (end)
        return end;
    if (status == SPAR_INTERRUPTED) /* with what the last batch added */
        return interrupted(run, err);
    return status ? spar__fail(err, status, "%s", why.text) : SPAR_OK;
}

static spar_status write_log(restore_run *run, spar_error *err)
{
    spar_status status = log_writer_init(&run->writer, run->store, run->experiment, err);
    if (status)
        return status;
    run->writer.end = run->there;
    memcpy(run->writer.head, run->head, sizeof run->writer.head);
    if (run->there && !run->job->as_is)
        status = spar__history_each(run->history, look_back, run, err);
    if (!status && !run->job->as_is) /* before the events: after a failure their voters are known */
        status = spar__history_voters(run->history, add_name, run, err);
    if (!status)
        status = write_events(run, err);
    return status || !run->job->added ? status : log_writer_check(&run->writer, err);
}

static void restore_free(restore_run *run)
{
    log_writer_fini(&run->writer);
    spar__fold_free(run->fold);
    spar__key_table_fini(&run->undone);
    spar__key_table_fini(&run->voters);
    spar__store_close(run->store);
}

spar_status spar__restore(spar__restore_job *job, const char *place, spar__history *history, spar_error *err)
{
    restore_run run = {.job = job, .place = place, .history = history};
    job->events = job->added = job->names = job->left_out = 0;
    spar_status status = job->as_is ? find_end(&run, err) : check_file(&run, err);
    if (!status)
        status = open_place(&run, err);
    if (!status)
        status = write_log(&run, err);
    restore_free(&run);
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
