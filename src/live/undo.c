/* undo.c - an answer taken back. */
#include "live/pending.h"

#include "live/screen.h"

#include <inttypes.h>

enum { MOST_UNDOS = 3, LATEST_UNDO = 100000 };

typedef struct undo_request {
    uint64_t number;
    const char *name; /* of the voter; NULL or "": anybody */
    uint32_t revision;
    bool again;  /* it was undone before */
    uint64_t at; /* where the answer is */
} undo_request;

static spar_status refuse_undo(const spar__fold *state, const undo_request *undone, uint32_t revision, spar_error *err)
{
    uint64_t number = undone->number;
    if (undone->revision > revision)
        return spar__fail(err, SPAR_CONFLICT,
                          "screen %" PRIu64 " was undone %" PRIu32 " times, and this undo is for %" PRIu32 " times",
                          number, revision, undone->revision);
    if (!undone->again && spar__fold_find_open(state, number) < state->n_open)
        return spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " is open: there is no answer to take back", number);
    if (!undone->again && revision >= MOST_UNDOS)
        return spar__fail(err, SPAR_UNSUPPORTED, "screen %" PRIu64 " was undone %d times, which is the most", number,
                          MOST_UNDOS);
    return SPAR_OK;
}

/* Is the answer in experiment->event that of the voter? */
static spar_status check_undoer(spar_experiment *experiment, const undo_request *undone, spar_error *err)
{
    uint64_t voter = 0;
    if (!undone->name || !*undone->name)
        return SPAR_OK;
    spar_status status = spar__live_known_voter(experiment, undone->name, &voter, err);
    if (status == SPAR_UNKNOWN || (!status && voter != spar_event_voter(experiment->event)))
        status = spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was answered by another voter than '%s'",
                            undone->number, undone->name);
    return status;
}

/* Finds the answer, which goes to experiment->event. */
static spar_status find_answer(spar_experiment *experiment, undo_request *undone, spar_error *err)
{
    const spar__fold *state = experiment->state;
    const spar_event *screen;
    uint32_t revision = 0;
    spar_status status = spar__live_revision(experiment, undone->number, &revision, err);
    if (undone->revision == SPAR_ANY_REVISION)
        undone->revision = revision;
    undone->again = undone->revision < revision;
    if (!status)
        status = spar__screen_find(experiment, undone->number, &screen, err);
    if (!status)
        status = refuse_undo(state, undone, revision, err);
    if (!status)
        status =
            spar__live_find(experiment, SPAR_EVENT_ANSWER, undone->number, undone->revision, experiment->event, err);
    undone->at = status ? 0 : spar_event_sequence(experiment->event);
    return status;
}

/* May the answer to the screen be taken back? Makes the event, unless that was done before. */
static spar_status prepare(spar__batch *batch, spar__pending *item, undo_request *undone, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar_status status = spar__pending_check_screen(batch, undone->number, err);
    if (!status)
        status = find_answer(experiment, undone, err);
    if (!status)
        status = check_undoer(experiment, undone, err);
    if (status)
        return status;
    item->voter = spar_event_voter(experiment->event);
    status = spar__pending_check_voter(batch, item->voter, err);
    if (status || undone->again)
        return status;
    if (experiment->state->sequence + batch->n + 1 - undone->at > LATEST_UNDO)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "screen %" PRIu64 " was answered more than %d events ago: it is too late to take it back",
                          undone->number, LATEST_UNDO);
    spar_event_set_undo(item->event, undone->number, undone->revision);
    return SPAR_OK;
}

spar_status spar__batch_undo(spar__batch *batch, uint64_t number, const char *voter, uint32_t revision, bool *again,
                             size_t *ticket, spar_error *err)
{
    undo_request undone = {.number = number, .name = voter, .revision = revision};
    spar__pending *item = NULL;
    *again = false;
    spar_status status = spar__pending_new(batch, &item, err);
    if (!status)
        status = prepare(batch, item, &undone, err);
    *again = !status && undone.again;
    if (!status && !undone.again) {
        batch->undone = batch->undone && batch->undone < undone.at ? batch->undone : undone.at;
        *ticket = spar__pending_add(batch, number);
    } else if (item)
        spar__pending_drop(item);
    return status;
}

spar_status spar_experiment_undo(spar_experiment *experiment, uint64_t number, const char *voter, uint32_t revision,
                                 bool *again, spar_error *err)
{
    spar__batch *batch = NULL;
    size_t ticket = 0;
    bool before = false;
    if (again)
        *again = false;
    spar_status status;
    status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_undo(batch, number, voter, revision, &before, &ticket, err);
    if (!status && !before)
        status = spar__batch_commit_one(batch, err);
    spar__batch_free(batch);
    if (again && !status)
        *again = before;
    return status;
}
