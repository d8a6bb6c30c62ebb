/* tell.c - an answer to a screen, once only.
 *
 * An answer is known by its screen and revision. Told again it is the same answer if it says the same; the log is
 * asked, not a memory of what was acknowledged. */
#include "live/pending.h"

#include "base/alloc.h"
#include "live/remarks.h"
#include "live/screen.h"

#include <inttypes.h>
#include <string.h>

typedef struct told_answer {
    spar__batch *batch;
    spar__pending *item;
    uint64_t number, asked; /* of whom: the voter; 0: of nobody in particular */
    uint32_t revision;
    const char *name; /* of the voter who answers */
    const spar_remarks *remarks;
    spar_answer *answer; /* in slots */
} told_answer;

/* What was asked, and the answer in its slots. */
static spar_status read_screen(told_answer *told, const spar_answer *answer, spar_error *err)
{
    const spar_event *screen = NULL;
    spar_status status = spar__screen_find(told->batch->experiment, told->number, &screen, err);
    if (status)
        return status;
    told->asked = spar_event_voter(screen);
    return spar__answer_to_slots(screen, answer, told->answer, err);
}

/* Whose answer is it? The screen's voter, unless it was asked of nobody in particular. */
static spar_status find_voter(told_answer *told, spar_error *err)
{
    spar__pending *item = told->item;
    if (!told->name || !*told->name) {
        item->voter = told->asked;
        return SPAR_OK;
    }
    if (!told->asked)
        return spar__pending_voter(told->batch, item, told->name, err);
    spar_status status = spar__live_known_voter(told->batch->experiment, told->name, &item->voter, err);
    if (status == SPAR_UNKNOWN || (!status && item->voter != told->asked))
        status = spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was asked of another voter than '%s'", told->number,
                            told->name);
    return status;
}

static spar_status check_revision(told_answer *told, spar_error *err)
{
    spar_status status = spar__live_revision(told->batch->experiment, told->number, &told->revision, err);
    if (status || !told->remarks || !told->remarks->revised || told->remarks->revision == told->revision)
        return status;
    return spar__fail(err, SPAR_CONFLICT,
                      "this answer is for revision %" PRIu32 " of screen %" PRIu64 ", which is at revision %" PRIu32
                      "%s",
                      told->remarks->revision, told->number, told->revision,
                      told->remarks->revision < told->revision ? ": that answer was undone" : "");
}

/* A comment that comes with the same answer later would be lost. One that was removed cannot be compared. */
static spar_status check_comment(const told_answer *told, bool commented, spar_error *err)
{
    char *kept = NULL;
    if (!told->remarks || !told->remarks->comment)
        return SPAR_OK;
    spar_status status = spar_experiment_comment(told->batch->experiment, told->number, told->revision, &kept, err);
    bool same = kept ? strcmp(kept, told->remarks->comment) == 0 : commented;
    spar_text_free(kept);
    if (!status && !same)
        status = spar__fail(err, SPAR_CONFLICT,
                            "screen %" PRIu64 " was answered before, with %s comment; undo it to change that",
                            told->number, commented ? "another" : "no");
    return status;
}

/* The screen is answered: is it the same answer? */
static spar_status tell_again(const told_answer *told, spar_error *err)
{
    spar_experiment *experiment = told->batch->experiment;
    spar_event *event = experiment->event;
    spar_status status = spar__live_find(experiment, SPAR_EVENT_ANSWER, told->number, told->revision, event, err);
    if (status)
        return status;
    bool same = spar_answer_equal(spar_event_answer(event), told->answer) &&
                (spar_event_voter(event) == told->item->voter || !told->item->voter);
    return same ? check_comment(told, spar_event_hash(event) != NULL, err)
                : spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was answered before, with another answer",
                             told->number);
}

static spar_status add_comment(told_answer *told, spar_error *err)
{
    spar__pending *item = told->item;
    unsigned char hash[SPAR_HASH_SIZE];
    item->comment = spar__strdup(told->remarks->comment);
    if (!item->comment)
        return spar__fail_memory(err);
    spar_status status = spar__live_text(SPAR__TEXT_COMMENT, told->number, told->revision + 1, item->comment,
                                         strlen(item->comment), &item->text[item->n_texts++], hash, err);
    spar_event_set_hash(item->event, hash);
    return status;
}

static spar_status make_event(told_answer *told, spar_error *err)
{
    const spar_remarks *remarks = told->remarks;
    const spar__fold *state = told->batch->experiment->state;
    spar_event *event = told->item->event;
    spar_status status = spar_event_set_answer(event, told->number, told->revision, told->answer);
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    spar_event_set_voter(event, told->item->voter);
    spar_event_set_taken(event, remarks ? remarks->taken : 0);
    spar_event_set_flags(event, remarks ? remarks->flags : 0);
    if (remarks && remarks->comment)
        status = add_comment(told, err);
    spar_event_set_stamp(event, state->sequence + 1, 0);
    return status ? status : spar_session_check(state->session, event, err);
}

/* What is to be appended, or *again. */
static spar_status prepare(told_answer *told, const spar_answer *answer, bool *again, spar_error *err)
{
    const spar__fold *state = told->batch->experiment->state;
    spar_status status = spar__pending_check_screen(told->batch, told->number, err);
    if (!status)
        status = read_screen(told, answer, err);
    if (!status)
        status = check_revision(told, err);
    if (!status)
        status = find_voter(told, err);
    if (!status)
        status = spar__pending_check_voter(told->batch, told->item->voter, err);
    if (status)
        return status;
    *again = spar__fold_find_open(state, told->number) == state->n_open;
    return *again ? tell_again(told, err) : make_event(told, err);
}

spar_status spar__batch_tell(spar__batch *batch, uint64_t number, const char *voter, const spar_answer *answer,
                             const spar_remarks *remarks, bool *again, size_t *ticket, spar_error *err)
{
    told_answer told = {.batch = batch, .number = number, .name = voter, .remarks = remarks};
    bool before = false;
    *again = false;
    spar_status status = spar__pending_new(batch, &told.item, err);
    if (!status && spar_answer_new(&told.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = prepare(&told, answer, &before, err);
    spar_answer_free(told.answer);
    if (!status && !before)
        *ticket = spar__pending_add(batch, number);
    else if (told.item)
        spar__pending_drop(told.item);
    *again = !status && before;
    return status;
}

spar_status spar_experiment_tell(spar_experiment *experiment, uint64_t number, const char *voter,
                                 const spar_answer *answer, const spar_remarks *remarks, bool *again, spar_error *err)
{
    spar__batch *batch = NULL;
    size_t ticket = 0;
    bool before = false;
    if (again)
        *again = false;
    if (!experiment || !answer)
        return spar__fail(err, SPAR_INVALID, "an answer is told to an experiment, and must be given");
    spar_status status;
    status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_tell(batch, number, voter, answer, remarks, &before, &ticket, err);
    if (!status && !before)
        status = spar__batch_commit_one(batch, err);
    spar__batch_free(batch);
    if (again && !status)
        *again = before;
    return status;
}
