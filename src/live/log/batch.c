/* batch.c - the inside of a batch (batch.h): events that wait for their commit, each with copies of its texts. */
#include "live/log/batch.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "live/answer_request.h"
#include "live/items/items.h"
#include "live/live.h"
#include "live/screen.h"
#include "store/digest.h"

#include <spar/arms.h>

#include <inttypes.h>
#include <string.h>

typedef struct spar__pending {
    spar_event *event;
    char *name, *comment; /* the bytes of the texts; NULL: none */
    spar__store_text text[2];
    size_t n_texts;
    uint64_t voter;
    size_t next;        /* of an answer: the ticket of the screen that goes right behind it; 0: none */
    bool follows;       /* it goes right behind an answer */
    spar_status status; /* after the commit */
} spar__pending;

struct spar__batch {
    spar_experiment *experiment;
    spar__pending *item;
    size_t n, room;
    spar__key_table screens; /* that have an event */
    spar__key_table voters;  /* the count is 1 + the ticket of the voter's last event */
    spar__key_table names;   /* of new voters, by hash; the count is 1 + the ticket */
    uint64_t undone;         /* the first answer that is taken back; 0: none */
    bool committed;
    spar_status status; /* of the commit */
};

/* Room for one more event, at the end. It is there once it was added; drop forgets what a refused call has left. */
static spar_status pending_new(spar__batch *batch, spar__pending **out, spar_error *err);
static void pending_drop(spar__pending *item);

/* Adds the event that was made by new, about that screen. Cannot fail. */
static size_t pending_add(spar__batch *batch, uint64_t number);

/* SPAR_BUSY if the screen has an event, or the voter (0: nobody). */
static spar_status pending_check_screen(const spar__batch *batch, uint64_t number, spar_error *err);
static spar_status pending_check_voter(const spar__batch *batch, uint64_t voter, spar_error *err);

/* The last event of a voter in the batch, NULL if there is none. */
static spar__pending *pending_of(const spar__batch *batch, uint64_t voter);

/* As spar__live_voter; the text of a new voter goes to the item. Those of this batch are known. */
static spar_status pending_voter(spar__batch *batch, spar__pending *item, const char *name, spar_error *err);

/* See pending.h. */

static spar_status grow(spar__batch *batch)
{
    spar__pending *grown = spar__grow(batch->item, &batch->room, batch->n + 1, 1, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    batch->item = grown;
    return SPAR_OK;
}

spar_status pending_new(spar__batch *batch, spar__pending **out, spar_error *err)
{
    *out = NULL;
    if (grow(batch) || spar__key_table_reserve(&batch->screens, 1) || spar__key_table_reserve(&batch->voters, 1) ||
        spar__key_table_reserve(&batch->names, 1))
        return spar__fail_memory(err);
    spar__pending *item = &batch->item[batch->n];
    if (!item->event && spar_event_new(&item->event))
        return spar__fail_memory(err);
    *out = item;
    return SPAR_OK;
}

void pending_drop(spar__pending *item)
{
    spar__free(item->name);
    spar__free(item->comment);
    *item = (spar__pending){.event = item->event};
}

/* Where a name stands among those of new voters. */
static void words_of(const char *name, uint64_t *high, uint64_t *low)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(name, strlen(name), hash);
    *high = spar__get_u64(hash);
    *low = spar__get_u64(hash + 8);
}

size_t pending_add(spar__batch *batch, uint64_t number)
{
    spar__pending *item = &batch->item[batch->n];
    size_t ticket = batch->n++;
    (void)spar__key_get(&batch->screens, number, 0);
    if (item->voter)
        batch->voters.entry[spar__key_get(&batch->voters, item->voter, 0)].count = ticket + 1;
    if (item->name) {
        uint64_t high, low;
        words_of(item->name, &high, &low);
        batch->names.entry[spar__key_get(&batch->names, high, low)].count = ticket + 1;
    }
    return ticket;
}

spar_status pending_check_screen(const spar__batch *batch, uint64_t number, spar_error *err)
{
    if (spar__key_find(&batch->screens, number, 0) == SPAR__NO_KEY)
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something about screen %" PRIu64 " is being written: try again", number);
}

spar__pending *pending_of(const spar__batch *batch, uint64_t voter)
{
    size_t i = spar__key_find(&batch->voters, voter, 0);
    return i == SPAR__NO_KEY ? NULL : &batch->item[batch->voters.entry[i].count - 1];
}

spar_status pending_check_voter(const spar__batch *batch, uint64_t voter, spar_error *err)
{
    if (!pending_of(batch, voter))
        return SPAR_OK;
    return spar__fail(err, SPAR_BUSY, "something of the same voter is being written: try again");
}

spar_status pending_voter(spar__batch *batch, spar__pending *item, const char *name, spar_error *err)
{
    uint64_t high, low;
    if (batch->names.n && name && *name) {
        words_of(name, &high, &low);
        size_t i = spar__key_find(&batch->names, high, low);
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

/* See batch.h. */

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
        pending_drop(&batch->item[i]);
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
    if (!status && batch->undone) { /* the state has that answer, and cannot unlearn */
        status = spar__live_start(experiment, batch->undone, err);
        if (!status)
            status = spar__live_refresh(experiment, err);
    } else if (!status)
        status = fold_all(batch, batch->n, order, err);
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

/* A batch of one event: commit and result. */
static spar_status batch_commit_one(spar__batch *batch, spar_error *err)
{
    spar_status status = spar__batch_commit(batch, err);
    return status ? status : spar__batch_result(batch, 0, NULL, err);
}

/* A new screen: drawn from the state at the end of the log, handed out when its event is on disk. */

enum { TRIES = 16, DRAWS = 64 }; /* another program may take a number first; some options have no item in common */

static spar_status check(const spar_experiment *experiment, spar_error *err)
{
    spar_session *session = experiment->state->session;
    size_t live = spar_session_axes(session) ? 2 : spar_arms_live(spar_session_arms(session));
    if (spar_session_closed(session))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s is closed: there are no new screens", experiment->place);
    if (live < 2)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s has %zu live option%s: there is nothing to compare",
                          experiment->place, live, live == 1 ? "" : "s");
    return SPAR_OK;
}

static spar_status check_item(spar_experiment *experiment, const spar_event *event, spar_error *err)
{
    uint32_t index = spar_event_item(event);
    spar_item *item = NULL;
    spar_status status = index == SPAR_NO_ITEM ? SPAR_OK : spar__live_item_get(experiment, index, &item, err);
    for (size_t slot = 0; slot < spar_event_slots(event) && !status && index != SPAR_NO_ITEM; slot++)
        if (!spar__item_body(item, spar_round_arm(spar_event_round(event), slot)))
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of item %zu, or an output in it, is missing",
                                experiment->place, (size_t)index + 1);
    spar_item_free(item);
    return status;
}

/* Nobody is asked about an option that cannot be shown. */
static spar_status check_texts(spar_experiment *experiment, const spar_event *event, spar_error *err)
{
    const spar_round *round = spar_event_round(event);
    spar_status status = spar__live_question_get(experiment, err);
    bool space = spar_session_axes(experiment->state->session) != NULL;
    for (size_t slot = 0; slot < spar_event_slots(event) && !status && !space; slot++) {
        const spar_option *option = NULL;
        size_t arm = spar_round_arm(round, slot);
        status = spar__live_option_get(experiment, arm, &option, err);
        if (!status && !option)
            status = spar__fail(err, SPAR_CORRUPT, "%s: the text of option %zu, which is live, is missing",
                                experiment->place, arm + 1);
    }
    return status ? status : check_item(experiment, event, err);
}

static bool may_follow(const spar__pending *last)
{
    return spar_event_kind_of(last->event) == SPAR_EVENT_ANSWER && !last->next;
}

/* One screen: what the policy shows under the next number, and the voter's next item with outputs of all of it. */
static spar_status draw_once(spar_experiment *experiment, spar__pending *item, spar_error *err)
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
static spar_status draw(spar_experiment *experiment, spar__pending *item, spar_error *err)
{
    const spar__items *items = &experiment->state->items;
    const spar_arms *arms = spar_session_arms(experiment->state->session);
    spar_status status = draw_once(experiment, item, err);
    if (status || !items->n || spar_event_item(item->event) != SPAR_NO_ITEM)
        return status;
    size_t left = spar__items_left(items, item->voter, arms, spar_event_slots(item->event));
    for (int i = 1; i < DRAWS && left && !status && spar_event_item(item->event) == SPAR_NO_ITEM; i++)
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
static spar_status draft(spar__batch *batch, spar__pending *item, const char *voter, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar_status status = check(experiment, err);
    if (!status)
        status = pending_voter(batch, item, voter, err);
    spar__pending *last = status ? NULL : pending_of(batch, item->voter);
    if (last && !may_follow(last))
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
    spar__pending *item = NULL;
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

static spar_status try(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    spar__batch *batch = NULL;
    size_t ticket = 0;
    spar_status status = spar__batch_begin(experiment, &batch, err);
    if (!status)
        status = spar__batch_ask(batch, voter, &ticket, err);
    if (!status)
        status = spar__batch_commit(batch, err);
    if (!status)
        status = spar__batch_screen(batch, ticket, out, err);
    spar__batch_free(batch);
    return status;
}

spar_status spar_experiment_ask(spar_experiment *experiment, const char *voter, spar_screen **out, spar_error *err)
{
    if (out)
        *out = NULL;
    if (!experiment || !out)
        return spar__fail(err, SPAR_INVALID, "a screen is asked of an experiment, and needs a place to go");
    spar_status status = SPAR_CONFLICT;
    for (int i = 0; i < TRIES && (status == SPAR_CONFLICT || spar__live_lapsed(experiment, status)); i++)
        status = try(experiment, voter, out, err);
    return status;
}

/* An answer to a screen, once only.
 *
 * An answer is known by its screen and revision. Told again it is the same answer if it says the same; the log is
 * asked, not a memory of what was acknowledged. */

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
        return pending_voter(told->batch, item, told->name, err);
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
static spar_status tell_prepare(told_answer *told, const spar_answer *answer, bool *again, spar_error *err)
{
    const spar__fold *state = told->batch->experiment->state;
    spar_status status = pending_check_screen(told->batch, told->number, err);
    if (!status)
        status = read_screen(told, answer, err);
    if (!status)
        status = check_revision(told, err);
    if (!status)
        status = find_voter(told, err);
    if (!status)
        status = pending_check_voter(told->batch, told->item->voter, err);
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
    spar_status status = pending_new(batch, &told.item, err);
    if (!status && spar_answer_new(&told.answer))
        status = spar__fail_memory(err);
    if (!status)
        status = tell_prepare(&told, answer, &before, err);
    spar_answer_free(told.answer);
    if (!status && !before)
        *ticket = pending_add(batch, number);
    else if (told.item)
        pending_drop(told.item);
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
    do {
        status = spar__batch_begin(experiment, &batch, err);
        if (!status)
            status = spar__batch_tell(batch, number, voter, answer, remarks, &before, &ticket, err);
        if (!status && !before)
            status = batch_commit_one(batch, err);
        spar__batch_free(batch);
    } while (spar__live_lapsed(experiment, status));
    if (again && !status)
        *again = before;
    return status;
}

/* An answer taken back. */

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
static spar_status undo_prepare(spar__batch *batch, spar__pending *item, undo_request *undone, spar_error *err)
{
    spar_experiment *experiment = batch->experiment;
    spar_status status = pending_check_screen(batch, undone->number, err);
    if (!status)
        status = find_answer(experiment, undone, err);
    if (!status)
        status = check_undoer(experiment, undone, err);
    if (status)
        return status;
    item->voter = spar_event_voter(experiment->event);
    status = pending_check_voter(batch, item->voter, err);
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
    spar_status status = pending_new(batch, &item, err);
    if (!status)
        status = undo_prepare(batch, item, &undone, err);
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
    spar_status status;
    do {
        status = spar__batch_begin(experiment, &batch, err);
        if (!status)
            status = spar__batch_undo(batch, number, voter, revision, &before, &ticket, err);
        if (!status && !before)
            status = batch_commit_one(batch, err);
        spar__batch_free(batch);
    } while (spar__live_lapsed(experiment, status));
    if (again && !status)
        *again = before;
    return status;
}
