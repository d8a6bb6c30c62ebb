/* batch.c - see batch.h. */
#include "live/pending.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "live/screen.h"
#include "store/digest.h"

spar_status spar__batch_begin(spar_experiment *experiment, spar__batch **out, spar_error *err)
{
    *out = NULL;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    spar__batch *batch = experiment->spare ? experiment->spare : spar__alloc(1, sizeof *batch);
    if (!batch) {
        spar__live_end(experiment);
        return spar__fail_memory(err);
    }
    experiment->spare = NULL;
    batch->experiment = experiment;
    *out = batch;
    return SPAR_OK;
}

static void keep_snapshots(const spar__batch *batch)
{
    spar_experiment *experiment = batch->experiment;
    if (batch->status || !batch->n)
        return;
    if (batch->undone)
        experiment->snapshot_after = 0; /* the next undo need not fold as much as this one */
    spar__snapshot_take(experiment);
    if (batch->undone)
        spar__snapshot_drop(experiment, batch->undone, experiment->state->sequence);
}

/* As new, but for the memory, which the next batch uses again. */
static void clear(spar__batch *batch)
{
    for (size_t i = 0; i < batch->n; i++)
        spar__pending_drop(&batch->item[i]);
    spar__key_table_clear(&batch->screens);
    spar__key_table_clear(&batch->voters);
    spar__key_table_clear(&batch->names);
    batch->n = 0;
    batch->undone = 0;
    batch->committed = false;
    batch->status = SPAR_OK;
}

void spar__batch_free_spare(spar_experiment *experiment)
{
    spar__batch *batch = experiment->spare;
    for (size_t i = 0; batch && i < batch->room; i++)
        spar_event_free(batch->item[i].event);
    if (batch) {
        spar__free(batch->item);
        spar__key_table_fini(&batch->screens);
        spar__key_table_fini(&batch->voters);
        spar__key_table_fini(&batch->names);
    }
    spar__free(batch);
    experiment->spare = NULL;
}

void spar__batch_free(spar__batch *batch)
{
    if (!batch)
        return;
    spar_experiment *experiment = batch->experiment;
    if (batch->committed)
        keep_snapshots(batch);
    else
        spar__live_end(experiment);
    clear(batch);
    spar__batch_free_spare(experiment);
    experiment->spare = batch;
}

size_t spar__batch_size(const spar__batch *batch)
{
    return batch->n;
}

/* In the order of the log: a screen that follows an answer comes right behind it. */
static size_t put_in_order(spar__batch *batch, spar__pending **order)
{
    size_t n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->item[i].follows)
            continue;
        order[n++] = &batch->item[i];
        if (batch->item[i].next)
            order[n++] = &batch->item[batch->item[i].next];
    }
    return n;
}

static spar_status append(spar__batch *batch, spar__pending **order, spar__store_entry *entry, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    int64_t now = spar__live_now();
    size_t n = put_in_order(batch, order);
    for (size_t i = 0; i < n; i++) {
        spar_event_set_stamp(order[i]->event, 0, now);
        entry[i] = (spar__store_entry){.event = order[i]->event, .text = order[i]->text, .n_texts = order[i]->n_texts};
    }
    spar_status status = spar__store_append(experiment->store, experiment->id, n, entry, err);
    for (size_t i = 0; i < n && !status; i++)
        order[i]->status = entry[i].status;
    return status;
}

/* Folds an event as it is on disk now; false: it is not the next one of the state. */
static bool fold_own(spar_experiment *experiment, const spar_event *event)
{
    spar__fold *state = experiment->state;
    unsigned char *bytes = NULL, hash[SPAR_HASH_SIZE];
    size_t length = 0;
    uint64_t sequence = state->sequence + 1;
    bool good = spar_event_sequence(event) == sequence && !spar_event_encode(event, &bytes, &length) &&
                !spar__live_decode(experiment->event, sequence, bytes, length, NULL);
    if (good) {
        spar__chain_next(state->hash, bytes, length, hash);
        good = !spar__fold_apply(state, experiment->event, hash, NULL);
    }
    spar_bytes_free(bytes);
    return good;
}

/* What was appended under the lock follows what was folded under it: it need not be read. */
static spar_status fold_all(spar__batch *batch, size_t n, spar__pending **order, spar_error *err)
{
    bool good = true;
    double start = spar__clock_thread();
    for (size_t i = 0; i < n && good; i++)
        good = order[i]->status || fold_own(batch->experiment, order[i]->event);
    spar__snapshot_note(batch->experiment, n, start);
    return good ? SPAR_OK : spar__live_refresh(batch->experiment, err);
}

/* Appends and folds. The lock is given up. */
static spar_status write_all(spar__batch *batch, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar__pending **order = spar__alloc(batch->n, sizeof(*order));
    spar__store_entry *entry = spar__alloc(batch->n, sizeof *entry);
    spar_status status = SPAR_NOMEM;
    if (order && entry)
        status = append(batch, order, entry, err);
    else {
        spar__live_end(experiment);
        (void)spar__fail_memory(err);
    }
    spar__live_lock_state(experiment);
    if (!status && batch->undone) { /* the state has that answer, and cannot unlearn */
        status = spar__live_start(experiment, batch->undone, err);
        if (!status)
            status = spar__live_refresh(experiment, err);
    } else if (!status)
        status = fold_all(batch, batch->n, order, err);
    spar__live_unlock_state(experiment);
    spar__free(order);
    spar__free(entry);
    return status;
}

spar_status spar__batch_commit(spar__batch *batch, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    if (batch->committed)
        return spar__fail(err, SPAR_INVALID, "a batch is committed once");
    batch->committed = true;
    if (!batch->n) {
        spar__live_end(experiment);
        return SPAR_OK;
    }
    batch->status = write_all(batch, err);
    return batch->status;
}

spar_status spar__batch_result(const spar__batch *batch, size_t ticket, uint64_t *number, spar_error *err)
{
    if (number)
        *number = 0;
    if (!batch->committed || batch->status || ticket >= batch->n)
        return spar__fail(err, batch->status ? batch->status : SPAR_INVALID, "there is no event %zu that was committed",
                          ticket);
    const spar__pending *item = &batch->item[ticket];
    if (item->status)
        return spar__fail(err, item->status, "another program has written the same before: %s",
                          spar_status_text(item->status));
    if (number)
        *number = spar_event_number(item->event);
    return SPAR_OK;
}

spar_status spar__batch_screen(const spar__batch *batch, size_t ticket, spar_screen **out, spar_error *err)
{
    *out = NULL;
    spar_status status = spar__batch_result(batch, ticket, NULL, err);
    return status ? status : spar__screen_new(batch->experiment, batch->item[ticket].event, out, err);
}

spar_status spar__batch_commit_one(spar__batch *batch, spar_error *err)
{
    spar_status status = spar__batch_commit(batch, err);
    return status ? status : spar__batch_result(batch, 0, NULL, err);
}
