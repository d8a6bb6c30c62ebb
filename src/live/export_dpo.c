/* export_dpo.c - preferences for training (direct preference optimisation): a JSON line {prompt, chosen, rejected} for
 * each pair of outputs of an item that an answer orders. Ties say nothing here. */
#include "live/export.h"

#include "base/alloc.h"
#include "live/item.h"
#include "live/rows.h"
#include "text/json.h"

#include <string.h>

/* The record of an item in its last version that has a text. */
typedef struct dpo_item {
    unsigned char *bytes; /* NULL: removed */
    size_t length;
} dpo_item;

typedef struct dpo_export {
    spar__export *export;
    dpo_item *item;
    size_t n, room;
    spar_feedback *feedback;
    spar__buf out;
    uint64_t bare, ties, bad, skips, removed, comments;
} dpo_export;

static spar_status reserve(dpo_export *x, size_t index)
{
    dpo_item *item = spar__grow(x->item, &x->room, index + 1, 64, sizeof *item);
    if (!item)
        return SPAR_NOMEM;
    x->item = item;
    x->n = index >= x->n ? index + 1 : x->n;
    return SPAR_OK;
}

/* What a later version took away stays away. */
static spar_status keep_item(dpo_export *x, const spar__history_entry *entry)
{
    size_t index = spar_event_item(entry->event);
    if (reserve(x, index))
        return SPAR_NOMEM;
    dpo_item *item = &x->item[index];
    spar__free(item->bytes);
    *item = (dpo_item){0};
    if (!entry->text)
        return SPAR_OK;
    item->bytes = spar__alloc(entry->text->length + 1, 1);
    if (!item->bytes)
        return SPAR_NOMEM;
    memcpy(item->bytes, entry->text->bytes, entry->text->length);
    item->length = entry->text->length;
    return SPAR_OK;
}

static void add_row(dpo_export *x, const char *prompt, const char *chosen, const char *rejected)
{
    spar__json json = {.out = &x->out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "prompt", prompt);
    spar__json_add_string(&json, "chosen", chosen);
    spar__json_add_string(&json, "rejected", rejected);
    spar__json_end_object(&json);
    spar__buf_adds(&x->out, "\n");
    x->export->rows++;
}

/* One pair of places: a row, a tie, or nothing was said. False: an output is not there any more. */
static bool add_pair(dpo_export *x, const spar__answered *a, const spar_item *item, size_t j, size_t k)
{
    spar_outcome outcome = spar_feedback_get(x->feedback, j, k);
    size_t winner = outcome == SPAR_WIN ? j : k, loser = outcome == SPAR_WIN ? k : j;
    const char *chosen = spar__item_body(item, a->arm[winner]), *rejected = spar__item_body(item, a->arm[loser]);
    x->ties += outcome == SPAR_TIE;
    if (outcome != SPAR_WIN && outcome != SPAR_LOSS)
        return true;
    if (chosen && rejected)
        add_row(x, spar_item_prompt(item), chosen, rejected);
    return chosen && rejected;
}

static spar_status add_pairs(dpo_export *x, const spar__answered *a, spar_error *err)
{
    const dpo_item *kept = a->item < x->n ? &x->item[a->item] : NULL;
    spar_item *item = NULL;
    spar_status status = kept && kept->bytes ? spar__item_read(kept->bytes, kept->length, &item, NULL) : SPAR_OK;
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    status = spar_answer_feedback(a->placed, a->m, x->feedback, err);
    bool whole = item != NULL;
    for (size_t j = 0; j < a->m && item && !status; j++)
        for (size_t k = j + 1; k < a->m; k++)
            whole = add_pair(x, a, item, j, k) && whole;
    x->removed += !whole;
    spar_item_free(item);
    return status;
}

static spar_status add_answer(void *context, const spar__answered *a, spar_error *err)
{
    dpo_export *x = context;
    spar_answer_kind kind = spar_answer_kind_of(a->placed);
    spar_status status = SPAR_OK;
    x->comments += a->screen && a->entry->text;
    if (a->item == SPAR_NO_ITEM)
        x->bare++;
    else if (kind == SPAR_ANSWER_SKIP)
        x->skips++;
    else if (kind == SPAR_ANSWER_BAD)
        x->bad++;
    else if (kind == SPAR_ANSWER_TIE)
        x->ties++;
    else
        status = add_pairs(x, a, err);
    return status ? status : spar__export_put(x->export, &x->out, err);
}

/* Outputs that came later than an answer are read as well: all items first. */
static spar_status take_item(void *context, const spar__history_entry *entry, spar_error *err)
{
    if (spar_event_kind_of(entry->event) != SPAR_EVENT_ITEM)
        return SPAR_OK;
    return keep_item(context, entry) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__export_step(((dpo_export *)context)->export, entry->sequence, err);
}

static void add_notes(dpo_export *x, const spar__answers *answers)
{
    spar__export *export = x->export;
    spar__export_note(export, x->bare, "answer without an item", "answers without an item");
    spar__export_note(export, x->ties, "tie", "ties");
    spar__export_note(export, x->bad, "'bad'", "'bad'");
    spar__export_note(export, x->skips, "skip", "skips");
    spar__export_note(export, x->removed, "answer about an item or an output that was removed",
                      "answers about items or outputs that were removed");
    spar__export_note(export, x->comments, "comment", "comments");
    spar__export_note(export, answers->undone, "answer that was undone", "answers that were undone");
    spar__export_note(export, answers->lost, "answer to a screen that cannot be read",
                      "answers to screens that cannot be read");
}

spar_status spar__export_dpo(spar__export *export, spar_error *err)
{
    dpo_export x = {.export = export};
    spar__answers answers = {.event = take_event, .answer = add_answer, .context = &x};
    spar_status status = spar_feedback_new(2, &x.feedback) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(export->history, take_item, &x, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    add_notes(&x, &answers);
    for (size_t i = 0; i < x.n; i++)
        spar__free(x.item[i].bytes);
    spar__free(x.item);
    spar_feedback_free(x.feedback);
    spar__buf_free(&x.out);
    return spar__export_end(export, status, err);
}
