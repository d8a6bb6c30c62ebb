#include "base/alloc.h"
#include "live/exchange/exchange.h"
#include "live/exchange/rows.h"
#include "live/items/items.h"
#include "text/base64.h"
#include "text/csv.h"
#include "text/json.h"
#include "text/utc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

spar_status spar__export_put(spar__export *export, spar__buf *out, spar_error *err)
{
    if (out->failed)
        return spar__fail_memory(err);
    if (!out->length)
        return SPAR_OK;
    size_t written = fwrite(out->text, 1, out->length, export->stream);
    bool whole = written == out->length;
    spar__buf_clear(out);
    return whole ? SPAR_OK : spar__fail(err, SPAR_IO, "the export cannot be written");
}

spar_status spar__export_step(spar__export *export, uint64_t sequence, spar_error *err)
{
    if (sequence % 256 == 0 && export->progress && !export->progress(export->context, sequence, 0))
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted: the export is not complete");
    return SPAR_OK;
}

static void export_note(spar__export *export, uint64_t count, const char *one, const char *many)
{
    if (count)
        spar__buf_printf(&export->notes, "%" PRIu64 " %s %s not in this format\n", count, count == 1 ? one : many,
                         count == 1 ? "is" : "are");
}

/* Notes that so many of this are not in the format; nothing for 0. At the end: could all be noted? */
static spar_status export_end(const spar__export *export, spar_status status, spar_error *err)
{
    return !status && export->notes.failed ? spar__fail_memory(err) : status;
}

/* A row an answer, with names instead of numbers. Nothing of the answers is lost but those that were
 * undone. */

typedef struct csv_export {
    spar__export *export;
    spar__labels labels;
    spar__setting_rows settings;
    spar__json_tree tree;
    spar__buf out, cell;
    uint64_t points, others;
} csv_export;

/* Empty for 0. */
static void add_count(spar__csv_writer *csv, uint64_t value)
{
    char digits[24] = "";
    if (value)
        (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    spar__csv_text(csv, digits);
}

static void add_cell(csv_export *x, spar__csv_writer *csv)
{
    spar__csv_text(csv, x->cell.text ? x->cell.text : "");
    x->out.failed = x->out.failed || x->cell.failed;
    spar__buf_clear(&x->cell);
    spar__buf_add(&x->cell, "", 0);
}

static spar_status export_csv_add_row(csv_export *x, const spar__answered *answered, spar_error *err)
{
    char made[SPAR__LABEL_SIZE], time[SPAR__UTC_SIZE];
    const spar_event *event = answered->entry->event;
    spar__csv_writer csv = {.out = &x->out};
    spar__row_source source;
    spar__hex_add(&x->cell, answered->id, SPAR_HASH_SIZE);
    add_cell(x, &csv);
    x->others += !spar__row_source_of(answered, &x->labels, &x->tree, made, &source);
    add_count(&csv, source.screen);
    spar__utc_print(time, spar_event_time(event));
    spar__csv_text(&csv, time);
    const char *item = source.item;
    char voter[SPAR__LABEL_SIZE];
    spar__csv_text(&csv, spar__label_voter(&x->labels, spar_event_voter(event), voter));
    spar__row_shown(answered, &x->labels, &x->cell);
    add_cell(x, &csv);
    spar__csv_text(&csv, spar_answer_kind_name(spar_answer_kind_of(answered->placed)));
    spar__row_answer(answered, &x->labels, &x->cell);
    add_cell(x, &csv);
    add_count(&csv, source.taken);
    add_count(&csv, source.flags);
    spar__csv_text(&csv, item ? item : "");
    spar__csv_text(&csv, source.comment ? source.comment : "");
    spar__csv_end_row(&csv);
    x->export->rows++;
    return spar__export_put(x->export, &x->out, err);
}

static spar_status export_csv_add_answer(void *context, const spar__answered *answered, spar_error *err)
{
    csv_export *x = context;
    spar__answered named;
    if (!answered->point)
        return export_csv_add_row(x, answered, err);
    if (spar__setting_rows_answer(&x->settings, answered, &named))
        return export_csv_add_row(x, &named, err);
    x->points++; /* of a space without axes that people read */
    return SPAR_OK;
}

static spar_status export_csv_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    csv_export *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    if (!status)
        status = spar__labels_event(&x->labels, entry, err);
    return status ? status : spar__setting_rows_event(&x->settings, entry->event, &x->labels, err);
}

spar_status spar__export_csv(spar__export *export, spar_error *err)
{
    csv_export x = {.export = export, .labels.names = export->names};
    spar__answers answers = {.event = export_csv_take_event, .answer = export_csv_add_answer, .context = &x};
    spar__buf_adds(&x.out, SPAR__ROW_HEADER "\n");
    spar_status status = spar__labels_voters(&x.labels, export->history, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status) /* the header, where there are no answers */
        status = spar__export_put(export, &x.out, err);
    export_note(export, answers.undone, "answer that was undone", "answers that were undone");
    export_note(export, answers.lost, "answer to a screen that cannot be read",
                "answers to screens that cannot be read");
    export_note(export, x.points, "answer about points of a space", "answers about points of a space");
    export_note(export, x.others, "text of an imported answer", "texts of imported answers");
    spar__labels_free(&x.labels);
    spar__setting_rows_free(&x.settings);
    spar__json_tree_free(&x.tree);
    spar__buf_free(&x.out);
    spar__buf_free(&x.cell);
    return export_end(export, status, err);
}

/* A row a duel: model_a, model_b, winner, judge. An answer about more than two options is as many rows
 * as it states pairs. */

typedef struct arena_export {
    spar__export *export;
    spar__labels labels;
    spar_feedback *feedback;
    spar__buf out;
    uint64_t points, skips, bad, comments; /* what cannot be said */
    uint64_t split, pairs;                 /* answers about more than two options, and their rows */
} arena_export;

static void export_arena_add_row(arena_export *x, const spar__answered *a, size_t j, size_t k, const char *winner)
{
    char made[SPAR__LABEL_SIZE];
    spar__csv_writer csv = {.out = &x->out};
    spar__csv_text(&csv, spar__label_option(&x->labels, a->arm[j], made));
    spar__csv_text(&csv, spar__label_option(&x->labels, a->arm[k], made));
    spar__csv_text(&csv, winner);
    spar__csv_text(&csv, spar__label_voter(&x->labels, spar_event_voter(a->entry->event), made));
    spar__csv_end_row(&csv);
    x->export->rows++;
    x->pairs += a->m > 2;
}

static spar_status export_arena_add_pairs(arena_export *x, const spar__answered *a, spar_error *err)
{
    static const char *const winner[] = {NULL, "model_b", "tie", "model_a"};
    spar_status status = spar_answer_feedback(a->placed, a->m, x->feedback, err);
    for (size_t j = 0; j < a->m && !status; j++)
        for (size_t k = j + 1; k < a->m; k++) {
            spar_outcome outcome = spar_feedback_get(x->feedback, j, k);
            if (outcome != SPAR_MISSING)
                export_arena_add_row(x, a, j, k, winner[outcome]);
        }
    x->split += a->m > 2;
    return status;
}

static spar_status export_arena_add_answer(void *context, const spar__answered *a, spar_error *err)
{
    arena_export *x = context;
    spar_answer_kind kind = spar_answer_kind_of(a->placed);
    spar_status status = SPAR_OK;
    x->comments += a->screen && a->entry->text;
    if (a->point)
        x->points++;
    else if (kind == SPAR_ANSWER_SKIP)
        x->skips++;
    else if (kind == SPAR_ANSWER_BAD && a->m > 2)
        x->bad++;
    else if (kind == SPAR_ANSWER_BAD)
        export_arena_add_row(x, a, 0, 1, "tie (bothbad)");
    else
        status = export_arena_add_pairs(x, a, err);
    return status ? status : spar__export_put(x->export, &x->out, err);
}

static spar_status export_arena_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    arena_export *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    return status ? status : spar__labels_event(&x->labels, entry, err);
}

static void export_arena_add_notes(arena_export *x, const spar__answers *answers)
{
    spar__export *export = x->export;
    if (x->split)
        spar__buf_printf(&export->notes,
                         "%" PRIu64 " %s about more than two options: %" PRIu64
                         " rows, one for each pair that was stated; imported again they are as many answers\n",
                         x->split, x->split == 1 ? "answer is" : "answers are", x->pairs);
    export_note(export, x->skips, "skip", "skips");
    export_note(export, x->bad, "'bad' about more than two options", "'bad' about more than two options");
    export_note(export, x->comments, "comment", "comments");
    export_note(export, x->points, "answer about points of a space", "answers about points of a space");
    export_note(export, answers->undone, "answer that was undone", "answers that were undone");
    export_note(export, answers->lost, "answer to a screen that cannot be read",
                "answers to screens that cannot be read");
}

spar_status spar__export_arena(spar__export *export, spar_error *err)
{
    arena_export x = {.export = export, .labels.names = export->names};
    spar__answers answers = {.event = export_arena_take_event, .answer = export_arena_add_answer, .context = &x};
    spar__buf_adds(&x.out, "model_a,model_b,winner,judge\n");
    spar_status status = spar_feedback_new(2, &x.feedback) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__labels_voters(&x.labels, export->history, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status) /* the header, where there are no rows */
        status = spar__export_put(export, &x.out, err);
    export_arena_add_notes(&x, &answers);
    spar_feedback_free(x.feedback);
    spar__labels_free(&x.labels);
    spar__buf_free(&x.out);
    return export_end(export, status, err);
}

/* Preferences for training (direct preference optimisation): a JSON line {prompt, chosen, rejected} for
 * each pair of outputs of an item that an answer orders. Ties say nothing here. */

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

static void export_dpo_add_row(dpo_export *x, const char *prompt, const char *chosen, const char *rejected)
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
        export_dpo_add_row(x, spar_item_prompt(item), chosen, rejected);
    return chosen && rejected;
}

static spar_status export_dpo_add_pairs(dpo_export *x, const spar__answered *a, spar_error *err)
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

static spar_status export_dpo_add_answer(void *context, const spar__answered *a, spar_error *err)
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
        status = export_dpo_add_pairs(x, a, err);
    return status ? status : spar__export_put(x->export, &x->out, err);
}

/* Outputs that came later than an answer are read as well: all items first. */
static spar_status take_item(void *context, const spar__history_entry *entry, spar_error *err)
{
    if (spar_event_kind_of(entry->event) != SPAR_EVENT_ITEM)
        return SPAR_OK;
    return keep_item(context, entry) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status export_dpo_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__export_step(((dpo_export *)context)->export, entry->sequence, err);
}

static void export_dpo_add_notes(dpo_export *x, const spar__answers *answers)
{
    spar__export *export = x->export;
    export_note(export, x->bare, "answer without an item", "answers without an item");
    export_note(export, x->ties, "tie", "ties");
    export_note(export, x->bad, "'bad'", "'bad'");
    export_note(export, x->skips, "skip", "skips");
    export_note(export, x->removed, "answer about an item or an output that was removed",
                "answers about items or outputs that were removed");
    export_note(export, x->comments, "comment", "comments");
    export_note(export, answers->undone, "answer that was undone", "answers that were undone");
    export_note(export, answers->lost, "answer to a screen that cannot be read",
                "answers to screens that cannot be read");
}

spar_status spar__export_dpo(spar__export *export, spar_error *err)
{
    dpo_export x = {.export = export};
    spar__answers answers = {.event = export_dpo_take_event, .answer = export_dpo_add_answer, .context = &x};
    spar_status status = spar_feedback_new(2, &x.feedback) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__history_each(export->history, take_item, &x, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    export_dpo_add_notes(&x, &answers);
    for (size_t i = 0; i < x.n; i++)
        spar__free(x.item[i].bytes);
    spar__free(x.item);
    spar_feedback_free(x.feedback);
    spar__buf_free(&x.out);
    return export_end(export, status, err);
}

/* Orders of all live options with how often each was given (preflib.org, the format of 2022). An
 * order in such a file says that those who are not in it come last; so only answers to screens that showed all options
 * can be said. */

typedef struct order_count {
    size_t order; /* number in orders */
    uint64_t times;
} order_count;

typedef struct preflib_export {
    spar__export *export;
    spar__labels labels;
    size_t *number; /* of each option among the live ones, from 1; 0: retired */
    size_t live;
    spar__names orders; /* as text */
    order_count *count;
    size_t room;
    spar__buf order;
    bool ties, incomplete;
    uint64_t skips, bad, pairs, some, voters, comments;
} preflib_export;

static bool shows_all(const preflib_export *x, const spar__answered *a)
{
    size_t shown = 0;
    for (size_t i = 0; i < a->m; i++)
        shown += a->arm[i] < x->labels.n && x->number[a->arm[i]];
    return !a->point && a->m == x->live && shown == x->live;
}

static void add_number(preflib_export *x, const spar__answered *a, size_t place)
{
    spar__buf_printf(&x->order, "%zu", x->number[a->arm[place]]);
}

static void add_all(preflib_export *x, const spar__answered *a)
{
    spar__buf_adds(&x->order, "{");
    for (size_t i = 1; i <= a->m; i++)
        spar__buf_printf(&x->order, i > 1 ? ",%zu" : "%zu", i);
    spar__buf_adds(&x->order, "}");
    x->ties = true;
}

static size_t level_size(const spar_answer *answer, size_t i)
{
    size_t n = 0;
    while (i + n < spar_answer_count(answer) && spar_answer_level(answer, i + n) == spar_answer_level(answer, i))
        n++;
    return n;
}

static void add_ranking(preflib_export *x, const spar__answered *a)
{
    size_t n = spar_answer_count(a->placed);
    for (size_t i = 0, size; i < n; i += size) {
        size = level_size(a->placed, i);
        spar__buf_adds(&x->order, i ? "," : "");
        spar__buf_adds(&x->order, size > 1 ? "{" : "");
        for (size_t k = 0; k < size; k++) {
            spar__buf_adds(&x->order, k ? "," : "");
            add_number(x, a, spar_answer_slot(a->placed, i + k));
        }
        spar__buf_adds(&x->order, size > 1 ? "}" : "");
        x->ties = x->ties || size > 1;
    }
    x->incomplete = x->incomplete || n < a->m;
}

static spar_status count_order(preflib_export *x)
{
    size_t at = 0;
    if (x->order.failed || spar__names_get(&x->orders, x->order.text, x->order.length, &at))
        return SPAR_NOMEM;
    order_count *count = spar__grow(x->count, &x->room, at + 1, 64, sizeof *count);
    if (!count)
        return SPAR_NOMEM;
    x->count = count;
    x->count[at].order = at;
    x->count[at].times++;
    x->voters++;
    return SPAR_OK;
}

static spar_status export_preflib_add_answer(void *context, const spar__answered *a, spar_error *err)
{
    preflib_export *x = context;
    spar__buf_clear(&x->order);
    x->comments += a->screen && a->entry->text;
    switch (spar_answer_kind_of(a->placed)) {
    case SPAR_ANSWER_SKIP:
        x->skips++;
        return SPAR_OK;
    case SPAR_ANSWER_BAD:
        x->bad++;
        return SPAR_OK;
    case SPAR_ANSWER_PAIRS:
        x->pairs++;
        return SPAR_OK;
    default:
        break;
    }
    if (!shows_all(x, a)) {
        x->some++;
        return SPAR_OK;
    }
    if (spar_answer_kind_of(a->placed) == SPAR_ANSWER_TIE)
        add_all(x, a);
    else if (spar_answer_kind_of(a->placed) == SPAR_ANSWER_RANKING)
        add_ranking(x, a);
    else {
        add_number(x, a, spar_answer_winner(a->placed));
        x->incomplete = true;
    }
    return count_order(x) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status take_label(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__labels_event(&((preflib_export *)context)->labels, entry, err);
}

static spar_status export_preflib_take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__export_step(((preflib_export *)context)->export, entry->sequence, err);
}

static spar_status number_options(preflib_export *x)
{
    x->number = spar__alloc(x->labels.n, sizeof *x->number);
    for (size_t i = 0; x->number && i < x->labels.n; i++)
        x->number[i] = x->labels.option[i].retired ? 0 : ++x->live;
    return x->number ? SPAR_OK : SPAR_NOMEM;
}

/* Most often given first, then in the order they came. */
static int compare_counts(const void *x, const void *y)
{
    const order_count *a = x, *b = y;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void add_head(const preflib_export *x, spar__buf *out)
{
    const char *type = x->ties ? (x->incomplete ? "toi" : "toc") : x->incomplete ? "soi" : "soc";
    char made[SPAR__LABEL_SIZE];
    spar__buf_printf(out, "# FILE NAME: votes.%s\n# TITLE: ", type);
    if (x->labels.question)
        spar__buf_add_printable(out, spar__names_at(&x->labels.texts, x->labels.question - 1));
    spar__buf_printf(out,
                     "\n# DESCRIPTION: \n# DATA TYPE: %s\n# MODIFICATION TYPE: original\n# RELATES TO: \n"
                     "# RELATED FILES: \n# PUBLICATION DATE: \n# MODIFICATION DATE: \n# NUMBER ALTERNATIVES: %zu\n"
                     "# NUMBER VOTERS: %" PRIu64 "\n# NUMBER UNIQUE ORDERS: %zu\n",
                     type, x->live, x->voters, x->orders.n);
    for (size_t i = 0; i < x->labels.n; i++)
        if (x->number[i])
            spar__buf_printf(out, "# ALTERNATIVE NAME %zu: %s\n", x->number[i],
                             spar__label_option(&x->labels, i, made));
}

static spar_status write_orders(preflib_export *x, spar_error *err)
{
    spar__buf out = {0};
    add_head(x, &out);
    if (x->orders.n)
        qsort(x->count, x->orders.n, sizeof *x->count, compare_counts);
    for (size_t i = 0; i < x->orders.n; i++)
        spar__buf_printf(&out, "%" PRIu64 ": %s\n", x->count[i].times, spar__names_at(&x->orders, x->count[i].order));
    x->export->rows = x->orders.n;
    spar_status status = spar__export_put(x->export, &out, err);
    spar__buf_free(&out);
    return status;
}

static void export_preflib_add_notes(preflib_export *x, const spar__answers *answers)
{
    export_note(x->export, x->some, "answer about some of the live options only",
                "answers about some of the live options only");
    export_note(x->export, x->pairs, "answer in pairs", "answers in pairs");
    export_note(x->export, x->skips, "skip", "skips");
    export_note(x->export, x->bad, "'bad'", "'bad'");
    export_note(x->export, x->comments, "comment", "comments");
    export_note(x->export, answers->undone, "answer that was undone", "answers that were undone");
    export_note(x->export, answers->lost, "answer to a screen that cannot be read",
                "answers to screens that cannot be read");
}

spar_status spar__export_preflib(spar__export *export, spar_error *err)
{
    preflib_export x = {.export = export};
    spar__answers answers = {.event = export_preflib_take_event, .answer = export_preflib_add_answer, .context = &x};
    spar_status status = spar__history_each(export->history, take_label, &x, err);
    if (!status && number_options(&x))
        status = spar__fail_memory(err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status)
        status = write_orders(&x, err);
    export_preflib_add_notes(&x, &answers);
    spar__labels_free(&x.labels);
    spar__names_free(&x.orders);
    spar__free(x.number);
    spar__free(x.count);
    spar__buf_free(&x.order);
    return export_end(export, status, err);
}
