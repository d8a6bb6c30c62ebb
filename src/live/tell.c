/* tell.c - an answer to a screen, once only; and the answer taken back.
 *
 * An answer is known by its screen and revision. Told again it is the same answer if it says the same; the log is
 * asked, not a memory of what was acknowledged. */
#include "live/screen.h"

#include "base/alloc.h"
#include "live/remarks.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_UNDOS = 3, LATEST_UNDO = 100000 };

typedef struct told_answer {
    uint64_t number, voter;
    uint32_t revision;
    const char *name; /* of the voter */
    const spar_remarks *remarks;
    spar_answer *answer; /* in slots */
    spar__store_text text[2];
    size_t n_texts;
} told_answer;

/* Whose answer is it? The screen's voter, unless it was asked of nobody in particular. */
static spar_status find_voter(spar_experiment *experiment, told_answer *told, spar_error *err)
{
    uint64_t asked = spar_event_voter(experiment->event);
    spar_status status = SPAR_OK;
    if (!told->name || !*told->name)
        told->voter = asked;
    else if (!asked)
        status = spar__live_voter(experiment, told->name, &told->voter, told->text, &told->n_texts, err);
    else {
        status = spar__live_known_voter(experiment, told->name, &told->voter, err);
        if (status == SPAR_UNKNOWN || (!status && told->voter != asked))
            status = spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was asked of another voter than '%s'",
                                told->number, told->name);
    }
    return status;
}

static spar_status check_revision(spar_experiment *experiment, told_answer *told, spar_error *err)
{
    told->revision = spar_session_revision(experiment->state->session, told->number);
    if (!told->remarks || !told->remarks->revised || told->remarks->revision == told->revision)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT,
                      "screen %" PRIu64 " was undone %" PRIu32 " times, and this answer is for %" PRIu32 " times",
                      told->number, told->revision, told->remarks->revision);
}

/* A comment that comes with the same answer later would be lost. One that was removed cannot be compared. */
static spar_status check_comment(spar_experiment *experiment, const told_answer *told, bool commented, spar_error *err)
{
    char *kept = NULL;
    if (!told->remarks || !told->remarks->comment)
        return SPAR_OK;
    spar_status status = spar_experiment_comment(experiment, told->number, told->revision, &kept, err);
    bool same = kept ? strcmp(kept, told->remarks->comment) == 0 : commented;
    spar_text_free(kept);
    if (!status && !same)
        status = spar__fail(err, SPAR_CONFLICT,
                            "screen %" PRIu64 " was answered before, with %s comment; undo it to change that",
                            told->number, commented ? "another" : "no");
    return status;
}

/* The screen is answered: is it the same answer? */
static spar_status tell_again(spar_experiment *experiment, const told_answer *told, spar_error *err)
{
    spar_event *event = experiment->event;
    spar_status status = spar__live_find(experiment, SPAR_EVENT_ANSWER, told->number, told->revision, event, err);
    if (status)
        return status;
    bool same = spar_answer_equal(spar_event_answer(event), told->answer) &&
                (spar_event_voter(event) == told->voter || !told->voter);
    return same ? check_comment(experiment, told, spar_event_hash(event) != NULL, err)
                : spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was answered before, with another answer",
                             told->number);
}

static spar_status make_event(spar_experiment *experiment, told_answer *told, spar_error *err)
{
    const spar_remarks *remarks = told->remarks;
    unsigned char hash[SPAR_HASH_SIZE];
    spar_event *event = experiment->event;
    bool said = remarks && remarks->comment;
    spar_status status = spar_event_set_answer(event, told->number, told->revision, told->answer);
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    spar_event_set_voter(event, told->voter);
    spar_event_set_taken(event, remarks ? remarks->taken : 0);
    spar_event_set_flags(event, remarks ? remarks->flags : 0);
    if (said) {
        status = spar__live_text(SPAR__TEXT_COMMENT, told->number, told->revision + 1, remarks->comment,
                                 strlen(remarks->comment), &told->text[told->n_texts++], hash, err);
        spar_event_set_hash(event, hash);
    }
    spar_event_set_stamp(event, experiment->state->sequence + 1, 0);
    return status ? status : spar_session_check(experiment->state->session, event, err);
}

/* Under the lock: what is to be appended, or *again. */
static spar_status prepare(spar_experiment *experiment, told_answer *told, const spar_answer *answer, bool *again,
                           spar_error *err)
{
    spar_status status = spar__screen_event(experiment, told->number, err);
    if (!status)
        status = spar__answer_to_slots(experiment->event, answer, told->answer, err);
    if (!status)
        status = check_revision(experiment, told, err);
    if (!status)
        status = find_voter(experiment, told, err);
    if (status)
        return status;
    *again = spar__fold_find_open(experiment->state, told->number) == experiment->state->n_open;
    return *again ? tell_again(experiment, told, err) : make_event(experiment, told, err);
}

static spar_status tell(spar_experiment *experiment, told_answer *told, const spar_answer *answer, bool *again,
                        spar_error *err)
{
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = prepare(experiment, told, answer, again, err);
    if (status || *again) {
        spar__live_end(experiment);
        return status;
    }
    return spar__live_commit(experiment, experiment->event, told->n_texts, told->text, err);
}

spar_status spar_experiment_tell(spar_experiment *experiment, uint64_t number, const char *voter,
                                 const spar_answer *answer, const spar_remarks *remarks, bool *again, spar_error *err)
{
    told_answer told = {.number = number, .name = voter, .remarks = remarks};
    bool before = false;
    if (again)
        *again = false;
    if (!experiment || !answer)
        return spar__fail(err, SPAR_INVALID, "an answer is told to an experiment, and must be given");
    spar_status status = spar_answer_new(&told.answer) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = tell(experiment, &told, answer, &before, err);
    spar_answer_free(told.answer);
    if (again && !status)
        *again = before;
    return status;
}

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

/* May the answer to the screen be taken back? Makes the event, unless that was done before. */
static spar_status prepare_undo(spar_experiment *experiment, undo_request *undone, spar_error *err)
{
    const spar__fold *state = experiment->state;
    uint32_t revision = spar_session_revision(state->session, undone->number);
    spar_event *event = experiment->event;
    if (undone->revision == SPAR_ANY_REVISION)
        undone->revision = revision;
    undone->again = undone->revision < revision;
    spar_status status = spar__screen_event(experiment, undone->number, err);
    if (!status)
        status = refuse_undo(state, undone, revision, err);
    if (!status)
        status = spar__live_find(experiment, SPAR_EVENT_ANSWER, undone->number, undone->revision, event, err);
    if (!status)
        status = check_undoer(experiment, undone, err);
    undone->at = spar_event_sequence(event);
    if (!status && !undone->again && state->sequence + 1 - undone->at > LATEST_UNDO)
        status = spar__fail(err, SPAR_UNSUPPORTED,
                            "screen %" PRIu64 " was answered more than %d events ago: it is too late to take it back",
                            undone->number, LATEST_UNDO);
    if (!status)
        spar_event_set_undo(event, undone->number, undone->revision);
    return status;
}

spar_status spar_experiment_undo(spar_experiment *experiment, uint64_t number, const char *voter, uint32_t revision,
                                 bool *again, spar_error *err)
{
    undo_request undone = {.number = number, .name = voter, .revision = revision};
    if (again)
        *again = false;
    spar_status status = spar__live_begin(experiment, err);
    if (status)
        return status;
    status = prepare_undo(experiment, &undone, err);
    if (status || undone.again) {
        spar__live_end(experiment);
        if (again && !status)
            *again = true;
        return status;
    }
    status = spar__live_commit(experiment, experiment->event, 0, NULL, err);
    if (!status)
        spar__snapshot_drop(experiment, undone.at, experiment->state->sequence);
    return status;
}
