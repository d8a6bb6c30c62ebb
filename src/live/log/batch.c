/* batch.c - asks, answers and undos, several in one commit (batch.h).
 *
 * Each call is checked against the state and becomes an event that waits, with copies of its texts. A screen is drawn
 * from the state at the end of the log and handed out when its event is on disk. An answer is known by its screen and
 * revision: told again it is the same answer if it says the same; the log is asked, not a memory of what was
 * acknowledged. The memory of a batch serves the next one. */
#include "live/log/batch.h"

#include "base/alloc.h"
#include "live/answer_request.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/screen.h"

#include <spar/arms.h>

#include <inttypes.h>
#include <string.h>

typedef struct pending_event {
    spar_event *event;
    char *name, *comment; /* the bytes of the texts; NULL: none */
    spar__store_text text[2];
    size_t n_texts;
    uint64_t voter;
    size_t next;  /* of an answer: the ticket of the screen that goes right after it; 0: none */
    bool follows; /* it goes right after an answer */
    size_t at;    /* of the commit: which entry it is */
} pending_event;

struct spar__batch {
    spar_experiment *experiment;
    pending_event *item;
    size_t n, room;
    spar__store_entry *entry; /* the same in the order of the log */
    size_t entry_room;
    spar__key_table screens; /* that have an event */
    spar__key_table voters;  /* the count is 1 + the ticket of the voter's last event */
    spar__key_table names;   /* of new voters, by hash; the count is 1 + the ticket */
    uint64_t undone;         /* the first answer that is taken back; 0: none */
    bool committed;
    spar_status status; /* of the commit */
};

/* --- events that wait --- */

/* Room for one more event, at the end. It is there once it was added. */
static spar_status pending_new(spar__batch *batch, pending_event **out, spar_error *err)
{
    *out = NULL;
    if (!spar__reserve(&batch->item, &batch->room, batch->n + 1, 1, sizeof *batch->item) ||
        !spar__reserve(&batch->entry, &batch->entry_room, batch->n + 1, 1, sizeof *batch->entry) ||
        spar__key_table_reserve(&batch->screens, 1) || spar__key_table_reserve(&batch->voters, 1) ||
        spar__key_table_reserve(&batch->names, 1) ||
        (!batch->item[batch->n].event && spar_event_new(&batch->item[batch->n].event)))
        return spar__fail_memory(err);
    *out = &batch->item[batch->n];
    return SPAR_OK;
}

/* Forgets what a refused call, or a batch that is over, has left. */
static void pending_drop(pending_event *item)
{
    spar__free(item->name);
    spar__free(item->comment);
    *item = (pending_event){.event = item->event};
}

/* Adds the event that was made by new, about that screen. Cannot fail. */
static size_t pending_add(spar__batch *batch, uint64_t number)
{
    pending_event *item = &batch->item[batch->n];
    size_t ticket = batch->n++;
    (void)spar__key_get(&batch->screens, number, 0);
    if (item->voter)
        batch->voters.entry[spar__key_get(&batch->voters, item->voter, 0)].count = ticket + 1;
    if (item->name) {
        uint64_t word[2];
        spar__hash_words(item->name, strlen(item->name), word);
        batch->names.entry[spar__key_get(&batch->names, word[0], word[1])].count = ticket + 1;
    }
    return ticket;
}

/* The last event of a voter in the batch, NULL if there is none. */
static pending_event *pending_of(const spar__batch *batch, uint64_t voter)
{
    size_t i = spar__key_find(&batch->voters, voter, 0);
    return i == SPAR__NO_KEY ? NULL : &batch->item[batch->voters.entry[i].count - 1];
}

/* SPAR_BUSY if the screen, or the voter (0: nobody), has an event. */
static spar_status pending_check_screen(const spar__batch *batch, uint64_t number, spar_error *err)
{
    if (spar__key_find(&batch->screens, number, 0) == SPAR__NO_KEY)
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something about screen %" PRIu64 " is being written: try again", number);
}

static spar_status pending_check_voter(const spar__batch *batch, uint64_t voter, spar_error *err)
{
    if (!pending_of(batch, voter))
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something of the same voter is being written: try again");
}

/* As spar__live_voter; the text of a new voter goes to the item. Those of this batch are known. */
static spar_status pending_voter(spar__batch *batch, pending_event *item, const char *name, spar_error *err)
{
    uint64_t word[2];
    if (batch->names.n && name && *name) {
        spar__hash_words(name, strlen(name), word);
        size_t i = spar__key_find(&batch->names, word[0], word[1]);
        if (i != SPAR__NO_KEY) {
            item->voter = batch->item[batch->names.entry[i].count - 1].voter;
            return SPAR_OK;
        }
    }
    size_t before = item->n_texts;
    spar_status status =
        spar__live_voter(batch->experiment, name, &item->voter, &item->text[before], &item->n_texts, err);
    if (status || item->n_texts == before)
        return status;
    item->name = spar__strdup(name);
    item->text[before].bytes = (const unsigned char *)item->name;
    return item->name ? SPAR_OK : spar__fail_memory(err);
}

/* --- a batch from its beginning to its end --- */

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

void spar__batch_free_spare(spar_experiment *experiment)
{
    spar__batch *batch = experiment->spare;
    for (size_t i = 0; batch && i < batch->room; i++)
        spar_event_free(batch->item[i].event);
    if (batch) {
        spar__free(batch->item);
        spar__free(batch->entry);
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
    if (!batch->committed)
        spar__live_end(experiment);
    else if (!batch->status && batch->n) {
        if (batch->undone)
            experiment->snapshot_after = 0; /* the next undo need not fold as much as this one */
        spar__snapshot_take(experiment);
        if (batch->undone)
            spar__snapshot_drop(experiment, batch->undone, experiment->state->sequence);
    }
    /* As new, but for the memory, which the next batch uses again. */
    for (size_t i = 0; i < batch->n; i++)
        pending_drop(&batch->item[i]);
    spar__key_table_clear(&batch->screens);
    spar__key_table_clear(&batch->voters);
    spar__key_table_clear(&batch->names);
    batch->n = 0;
    batch->undone = 0;
    batch->committed = false;
    batch->status = SPAR_OK;
    spar__batch_free_spare(experiment);
    experiment->spare = batch;
}

spar_status spar__batch_commit(spar__batch *batch, spar_error *err)
{
    int64_t now = spar__live_now();
    size_t n = 0;
    if (batch->committed)
        return spar__fail(err, SPAR_INVALID, "a batch is committed once");
    batch->committed = true;
    if (!batch->n) {
        spar__live_end(batch->experiment);
        return SPAR_OK;
    }
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->item[i].follows)
            continue;
        /* A screen that follows an answer comes right after it. */
        for (pending_event *item = &batch->item[i]; item; item = item->next ? &batch->item[item->next] : NULL) {
            item->at = n;
            spar_event_set_stamp(item->event, 0, now);
            batch->entry[n++] = (spar__store_entry){.event = item->event, .text = item->text, .n_texts = item->n_texts};
        }
    }
    batch->status = spar__live_append(batch->experiment, n, batch->entry, batch->undone, err);
    return batch->status;
}

spar_status spar__batch_result(const spar__batch *batch, size_t ticket, uint64_t *number, spar_error *err)
{
    if (number)
        *number = 0;
    if (!batch->committed || batch->status || ticket >= batch->n)
        return spar__fail(err, batch->status ? batch->status : SPAR_INVALID, "there is no event %zu that was committed",
                          ticket);
    const spar__store_entry *entry = &batch->entry[batch->item[ticket].at];
    if (entry->status)
        return spar__fail(err, entry->status, "another program has written the same before: %s",
                          spar_status_text(entry->status));
    if (number)
        *number = spar_event_number(entry->event);
    return SPAR_OK;
}

spar_status spar__batch_screen(const spar__batch *batch, size_t ticket, spar_screen **out, spar_error *err)
{
    *out = NULL;
    spar_status status = spar__batch_result(batch, ticket, NULL, err);
    return status ? status : spar__screen_new(batch->experiment, batch->item[ticket].event, out, err);
}

/* A batch of one call ends: what it added is committed. */
static spar_status end_single(spar__batch *batch, spar_status status, bool added, spar_error *err)
{
    if (!status && added)
        status = spar__batch_commit(batch, err);
    if (!status && added)
        status = spar__batch_result(batch, 0, NULL, err);
    spar__batch_free(batch);
    return status;
}

/* --- a new screen --- */

enum {
    MAX_TRIES = 16,
    MAX_DRAWS = 64
}; /* another program may take a number first; some options have no item in common */

/* Nobody is asked about an option or an item that cannot be shown. */
static spar_status check_texts(spar_experiment *experiment, const spar_event *event, spar_error *err)
{
    const spar_round *round = spar_event_round(event);
    uint32_t index = spar_event_item(event);
    spar_item *item = NULL;
    bool space = spar_session_axes(experiment->state->session) != NULL;
    spar_status status = spar__live_question_get(experiment, err);
    for (size_t slot = 0; slot < spar_event_slots(event) && !status && !space; slot++) {
        const spar_option *option = NULL;
        size_t arm = spar_round_arm(round, slot);
        status = spar__live_option_get(experiment, arm, &option, err);
        if (!status && !option)
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of option %zu, which is live, is missing",
                                experiment->place, arm + 1);
    }
    if (status || index == SPAR_NO_ITEM)
        return status;
    status = spar__live_item_get(experiment, index, &item, err);
    for (size_t slot = 0; slot < spar_event_slots(event) && !status; slot++)
        if (!spar__item_body(item, spar_round_arm(round, slot)))
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of item %zu, or an output in it, is missing",
                                experiment->place, (size_t)index + 1);
    spar_item_free(item);
    return status;
}

/* One screen: what the policy shows under the next number, and the voter's next item with outputs of all of it. */
static spar_status draw_once(spar_experiment *experiment, pending_event *item, spar_error *err)
{
    uint64_t number = 0;
    spar_status status = spar__store_next_screen(experiment->store, experiment->id, &number, err);
    if (!status)
        status = spar_session_draft(experiment->state->session, number, item->event, err);
    if (status)
        return status;
    spar_event_set_voter(item->event, item->voter);
    spar_event_set_shown_item(item->event,
                              spar__items_choose(&experiment->state->items, experiment->state->seed, item->event));
    return SPAR_OK;
}

/* Options that have no item left in common are drawn again, under another number: other voters are not concerned, and
 * the screen can still be computed from the log. */
static spar_status draw(spar_experiment *experiment, pending_event *item, spar_error *err)
{
    const spar__items *items = &experiment->state->items;
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    spar_status status = draw_once(experiment, item, err);
    if (status || !items->n || spar_event_item(item->event) != SPAR_NO_ITEM)
        return status;
    size_t left = spar__items_left(items, item->voter, arms, spar_event_slots(item->event));
    for (int i = 1; i < MAX_DRAWS && left && !status && spar_event_item(item->event) == SPAR_NO_ITEM; i++)
        status = draw_once(experiment, item, err);
    if (status || spar_event_item(item->event) != SPAR_NO_ITEM)
        return status;
    bool some = spar__items_left(items, 0, arms, spar_event_slots(item->event)) > 0; /* whoever saw them */
    return spar__fail(err, SPAR_ALL_SEEN, "%s: %s", experiment->place,
                      left   ? "all seen; no item that is left has an output for each of the options to be shown"
                      : some ? "all seen; this voter was shown every item"
                             : "no item has outputs of enough live options");
}

/* The event of a new screen. */
static spar_status draft(spar__batch *batch, pending_event *item, const char *voter, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar_session *session = experiment->state->session;
    size_t live = spar_session_axes(session) ? 2 : spar_arms_live(spar_session_arms(session));
    if (spar_session_closed(session))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s is closed: there are no new screens", experiment->place);
    if (live < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %zu live option%s: there is nothing to compare",
                          experiment->place, live, live == 1 ? "" : "s");
    spar_status status = pending_voter(batch, item, voter, err);
    pending_event *last = status ? NULL : pending_of(batch, item->voter);
    if (last && (spar_event_kind_of(last->event) != SPAR_EVENT_ANSWER || last->next)) /* only an answer, and once */
        status = pending_check_voter(batch, item->voter, err);
    if (!status)
        status = draw(experiment, item, err);
    if (!status)
        status = check_texts(experiment, item->event, err);
    if (status)
        return status;
    item->follows = last != NULL;
    if (last)
        last->next = batch->n;
    return SPAR_OK;
}

spar_status spar__batch_ask(spar__batch *batch, const char *voter, size_t *ticket, spar_error *err)
{
    pending_event *item = NULL;
    spar_status status = pending_new(batch, &item, err);
    if (status)
        return status;
    status = draft(batch, item, voter, err);
    if (status)
        pending_drop(item);
    else
        *ticket = pending_add(batch, spar_event_number(item->event));
    return status;
}

spar_status spar_experiment_ask(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a screen is asked of an experiment, and needs a place to go");
    spar_status status = SPAR_CONFLICT;
    for (int i = 0; i < MAX_TRIES && status == SPAR_CONFLICT; i++) {
        spar__batch *batch = NULL;
        size_t ticket = 0;
        status = spar__batch_begin(experiment, &batch, err);
        if (!status)
            status = spar__batch_ask(batch, voter, &ticket, err);
        if (!status)
            status = spar__batch_commit(batch, err);
        if (!status)
            status = spar__batch_screen(batch, ticket, out, err);
        spar__batch_free(batch);
    }
    return status;
}

/* --- an answer to a screen --- */

typedef struct answer_call {
    spar__batch *batch;
    pending_event *item;
    uint64_t number, asked; /* of whom: the voter; 0: of nobody in particular */
    uint32_t revision;
    const char *name; /* of the voter who answers */
    const spar_remarks *remarks;
    spar_answer *answer; /* in slots */
} answer_call;

/* The screen is answered: is it the same answer? A comment that comes with it later would be lost; one that was removed
 * cannot be compared. */
static spar_status tell_again(const answer_call *call, spar_error *err)
{
    spar_experiment *experiment = call->batch->experiment;
    spar_event *event = experiment->event;
    spar_status status = spar__live_find(experiment, SPAR_EVENT_ANSWER, call->number, call->revision, event, err);
    if (status)
        return status;
    if (!spar_answer_equal(spar_event_answer(event), call->answer) ||
        (spar_event_voter(event) != call->item->voter && call->item->voter))
        return spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was answered before, with another answer",
                          call->number);
    if (!call->remarks || !call->remarks->comment)
        return SPAR_OK;
    char *kept = NULL;
    bool commented = spar_event_hash(event) != NULL;
    status = spar_experiment_comment(experiment, call->number, call->revision, &kept, err);
    bool same = kept ? strcmp(kept, call->remarks->comment) == 0 : commented;
    spar_text_free(kept);
    if (!status && !same)
        status = spar__fail(err, SPAR_CONFLICT,
                            "screen %" PRIu64 " was answered before, with %s comment; undo it to change that",
                            call->number, commented ? "another" : "no");
    return status;
}

static spar_status make_event(answer_call *call, spar_error *err)
{
    const spar_remarks *remarks = call->remarks;
    const spar__fold *state = call->batch->experiment->state;
    pending_event *item = call->item;
    spar_status status = spar_event_set_answer(item->event, call->number, call->revision, call->answer);
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    spar_event_set_voter(item->event, item->voter);
    spar_event_set_taken(item->event, remarks ? remarks->taken : 0);
    spar_event_set_flags(item->event, remarks ? remarks->flags : 0);
    if (remarks && remarks->comment) {
        unsigned char hash[SPAR_HASH_SIZE];
        item->comment = spar__strdup(remarks->comment);
        if (!item->comment)
            return spar__fail_memory(err);
        status = spar__live_text(SPAR__TEXT_COMMENT, call->number, call->revision + 1, item->comment,
                                 strlen(item->comment), &item->text[item->n_texts++], hash, err);
        spar_event_set_hash(item->event, hash);
    }
    spar_event_set_stamp(item->event, state->sequence + 1, 0);
    return status ? status : spar_session_check(state->session, item->event, err);
}

/* What is to be appended, or *again. */
static spar_status prepare_answer(answer_call *call, const spar_answer *answer, bool *again, spar_error *err)
{
    spar_experiment *experiment = call->batch->experiment;
    const spar__fold *state = experiment->state;
    const spar_remarks *remarks = call->remarks;
    const spar_event *screen = NULL;
    spar_status status = pending_check_screen(call->batch, call->number, err);
    if (!status)
        status = spar__screen_find(experiment, call->number, &screen, err);
    if (!status) {
        call->asked = spar_event_voter(screen);
        status = spar__answer_to_slots(screen, answer, call->answer, err);
    }
    if (!status)
        status = spar__live_revision(experiment, call->number, &call->revision, err);
    if (!status && remarks && remarks->revised && remarks->revision != call->revision)
        status = spar__fail(err, SPAR_CONFLICT,
                            "this answer is for revision %" PRIu32 " of screen %" PRIu64
                            ", which is at revision %" PRIu32 "%s",
                            remarks->revision, call->number, call->revision,
                            remarks->revision < call->revision ? ": that answer was undone" : "");
    /* Whose answer is it? The screen's voter, unless it was asked of nobody in particular. */
    pending_event *item = call->item;
    if (!call->name || !*call->name)
        item->voter = call->asked;
    else if (!status && !call->asked)
        status = pending_voter(call->batch, item, call->name, err);
    else if (!status) {
        status = spar__live_known_voter(experiment, call->name, &item->voter, err);
        if (status == SPAR_UNKNOWN || (!status && item->voter != call->asked))
            status = spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was asked of another voter than '%s'",
                                call->number, call->name);
    }
    if (!status)
        status = pending_check_voter(call->batch, item->voter, err);
    if (status)
        return status;
    *again = spar__fold_find_open(state, call->number) == state->n_open;
    return *again ? tell_again(call, err) : make_event(call, err);
}

spar_status spar__batch_tell(spar__batch *batch, uint64_t number, const char *voter, const spar_answer *answer,
                             const spar_remarks *remarks, bool *again, size_t *ticket, spar_error *err)
{
    answer_call call = {.batch = batch, .number = number, .name = voter, .remarks = remarks};
    bool before = false;
    *again = false;
    spar_status status = pending_new(batch, &call.item, err);
    if (!status && spar_answer_new(&call.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = prepare_answer(&call, answer, &before, err);
    spar_answer_free(call.answer);
    if (!status && !before)
        *ticket = pending_add(batch, number);
    else if (call.item)
        pending_drop(call.item);
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
    spar_status status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_tell(batch, number, voter, answer, remarks, &before, &ticket, err);
    status = end_single(batch, status, !before, err);
    if (again && !status)
        *again = before;
    return status;
}

/* --- an answer taken back --- */

enum { MAX_UNDOS = 3, UNDO_MAX_EVENTS = 100000 };

typedef struct undo_request {
    uint64_t number;
    const char *name; /* of the voter; NULL or "": anybody */
    uint32_t revision;
    bool again;  /* it was undone before */
    uint64_t at; /* where the answer is */
} undo_request;

/* May the answer to the screen be taken back? Makes the event, unless that was done before. */
static spar_status prepare_undo(spar__batch *batch, pending_event *item, undo_request *undone, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    const spar__fold *state = experiment->state;
    const spar_event *screen;
    uint64_t number = undone->number, voter = 0;
    uint32_t revision = 0;
    spar_status status = pending_check_screen(batch, number, err);
    if (!status)
        status = spar__live_revision(experiment, number, &revision, err);
    if (undone->revision == SPAR_ANY_REVISION)
        undone->revision = revision;
    undone->again = undone->revision < revision;
    if (!status)
        status = spar__screen_find(experiment, number, &screen, err);
    if (status)
        return status;
    if (undone->revision > revision)
        return spar__fail(err, SPAR_CONFLICT,
                          "screen %" PRIu64 " was undone %" PRIu32 " times, and this undo is for %" PRIu32 " times",
                          number, revision, undone->revision);
    if (!undone->again && spar__fold_find_open(state, number) < state->n_open)
        return spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " is open: there is no answer to take back", number);
    if (!undone->again && revision >= MAX_UNDOS)
        return spar__fail(err, SPAR_UNSUPPORTED, "screen %" PRIu64 " was undone %d times, which is the most", number,
                          MAX_UNDOS);
    status = spar__live_find(experiment, SPAR_EVENT_ANSWER, number, undone->revision, experiment->event, err);
    if (!status && undone->name && *undone->name) { /* is the answer that of the voter? */
        status = spar__live_known_voter(experiment, undone->name, &voter, err);
        if (status == SPAR_UNKNOWN || (!status && voter != spar_event_voter(experiment->event)))
            status = spar__fail(err, SPAR_CONFLICT, "screen %" PRIu64 " was answered by another voter than '%s'",
                                number, undone->name);
    }
    if (status)
        return status;
    undone->at = spar_event_sequence(experiment->event);
    item->voter = spar_event_voter(experiment->event);
    status = pending_check_voter(batch, item->voter, err);
    if (status || undone->again)
        return status;
    if (state->sequence + batch->n + 1 - undone->at > UNDO_MAX_EVENTS)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "screen %" PRIu64 " was answered more than %d events ago: it is too late to take it back",
                          number, UNDO_MAX_EVENTS);
    spar_event_set_undo(item->event, number, undone->revision);
    return SPAR_OK;
}

spar_status spar__batch_undo(spar__batch *batch, uint64_t number, const char *voter, uint32_t revision, bool *again,
                             size_t *ticket, spar_error *err)
{
    undo_request undone = {.number = number, .name = voter, .revision = revision};
    pending_event *item = NULL;
    *again = false;
    spar_status status = pending_new(batch, &item, err);
    if (!status)
        status = prepare_undo(batch, item, &undone, err);
    *again = !status && undone.again;
    if (!status && !undone.again) {
        batch->undone = batch->undone && batch->undone < undone.at ? batch->undone : undone.at;
        *ticket = pending_add(batch, number);
    } else if (item)
        pending_drop(item);
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
    spar_status status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_undo(batch, number, voter, revision, &before, &ticket, err);
    status = end_single(batch, status, !before, err);
    if (again && !status)
        *again = before;
    return status;
}
