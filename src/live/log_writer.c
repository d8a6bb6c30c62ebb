/* log_writer.c - see log_writer.h. */
#include "live/log_writer.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <string.h>

static const size_t MOST_BYTES = (size_t)16 << 20; /* of texts in a batch: images are large */

spar_status spar__log_writer_init(spar__log_writer *writer, spar__store *store, uint64_t experiment, spar_error *err)
{
    *writer = (spar__log_writer){.store = store, .experiment = experiment};
    writer->entry = spar__alloc(SPAR__LOG_BATCH, sizeof *writer->entry);
    writer->text = spar__alloc((size_t)SPAR__LOG_BATCH * SPAR__LOG_TEXTS, sizeof *writer->text);
    if (writer->entry && writer->text)
        return SPAR_OK;
    spar__log_writer_fini(writer);
    return spar__fail_memory(err);
}

static void free_texts(spar__store_entry *entry)
{
    for (size_t i = 0; i < entry->n_texts; i++)
        spar__free((void *)(uintptr_t)entry->text[i].bytes);
    entry->n_texts = 0;
}

void spar__log_writer_fini(spar__log_writer *writer)
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

spar_status spar__log_writer_add(spar__log_writer *writer, const spar__history_entry *entry,
                                 const spar__store_text *name, spar_error *err)
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
    return writer->n == SPAR__LOG_BATCH || writer->bytes > MOST_BYTES ? spar__log_writer_flush(writer, err) : SPAR_OK;
}

spar_status spar__log_writer_check(spar__log_writer *writer, spar_error *err)
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
        status = spar__log_writer_check(writer, err);
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

spar_status spar__log_writer_flush(spar__log_writer *writer, spar_error *err)
{
    if (!writer->n)
        return SPAR_OK;
    spar_status status = append(writer, err);
    if (!status)
        status = look_at(writer, err);
    for (size_t i = 0; i < writer->n; i++)
        free_texts(&writer->entry[i]);
    writer->n = writer->bytes = 0;
    return status;
}
