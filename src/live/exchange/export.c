/* export.c - the answers of an experiment as a file: csv (a row an answer), arena (a row a duel), preflib (orders), dpo
 * (a row a preferred output). doc/exchange.md describes the formats; jsonl.c has the one that loses nothing.
 *
 * Each format takes the answers of the log in their order, those that were undone left out, and counts what it cannot
 * say; the counts become sentences. The log is read twice, for preflib and dpo once more before. */
#include "base/alloc.h"
#include "base/clock.h"
#include "live/exchange/exchange.h"
#include "live/exchange/rows.h"
#include "live/items/items.h"
#include "text/csv.h"
#include "text/escape.h"

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

/* What a format may be unable to say. */
typedef enum note_kind {
    NOTE_UNDONE,
    NOTE_LOST,
    NOTE_POINT,
    NOTE_SOURCE,
    NOTE_SKIP,
    NOTE_BAD,
    NOTE_MANY_BAD,
    NOTE_COMMENT,
    NOTE_BARE,
    NOTE_TIE,
    NOTE_REMOVED,
    NOTE_SOME,
    NOTE_PAIRS,
    NOTE_KINDS
} note_kind;

/* Of one, and of many. */
static const char *const NOTE[NOTE_KINDS][2] = {
    [NOTE_UNDONE] = {"answer that was undone", "answers that were undone"},
    [NOTE_LOST] = {"answer to a screen that cannot be read", "answers to screens that cannot be read"},
    [NOTE_POINT] = {"answer about points of a space", "answers about points of a space"},
    [NOTE_SOURCE] = {"text of an imported answer", "texts of imported answers"},
    [NOTE_SKIP] = {"skip", "skips"},
    [NOTE_BAD] = {"'bad'", "'bad'"},
    [NOTE_MANY_BAD] = {"'bad' about more than two options", "'bad' about more than two options"},
    [NOTE_COMMENT] = {"comment", "comments"},
    [NOTE_BARE] = {"answer without an item", "answers without an item"},
    [NOTE_TIE] = {"tie", "ties"},
    [NOTE_REMOVED] = {"answer about an item or an output that was removed",
                      "answers about items or outputs that were removed"},
    [NOTE_SOME] = {"answer about some of the live options only", "answers about some of the live options only"},
    [NOTE_PAIRS] = {"answer in pairs", "answers in pairs"}};

/* The record of an item in its last version that has a text. */
typedef struct kept_item {
    unsigned char *bytes; /* NULL: removed */
    size_t length;
} kept_item;

typedef struct order_count {
    size_t order; /* number in orders */
    uint64_t times;
} order_count;

typedef struct export_run {
    spar__export *export;
    spar__labels labels;
    spar_feedback *feedback;
    spar__buf out, cell;
    uint64_t count[NOTE_KINDS];
    /* csv: */
    spar__setting_rows settings;
    spar__json_tree tree;
    /* arena: */
    uint64_t split, pairs; /* answers about more than two options, and their rows */
    /* dpo: */
    kept_item *item;
    size_t n_items, items_room;
    /* preflib: */
    size_t *number; /* of each option among the live ones, from 1; 0: retired */
    size_t live;
    spar__names orders; /* as text */
    order_count *order;
    size_t orders_room;
    bool ties, incomplete;
    uint64_t voters;
} export_run;

typedef struct export_format {
    const char *header;     /* NULL: none */
    bool voters;            /* their names are needed */
    spar__history_fn first; /* gets all events before the answers; NULL: not needed */
    spar__history_fn event; /* gets them as they come */
    spar_status (*answer)(void *context, const spar__answered *answered, spar_error *err);
    spar_status (*last)(export_run *x, spar_error *err); /* after the answers; NULL: nothing is left */
    size_t n_notes;
    note_kind note[8]; /* in this order */
} export_format;

static spar_status run(const export_format *format, spar__export *export, spar_error *err)
{
    export_run x = {.export = export, .labels.names = export->names};
    spar__answers answers = {.event = format->event, .answer = format->answer, .context = &x};
    if (format->header)
        spar__buf_adds(&x.out, format->header);
    spar_status status = spar_feedback_new(2, &x.feedback) ? spar__fail_memory(err) : SPAR_OK;
    if (!status && format->voters)
        status = spar__labels_voters(&x.labels, export->history, err);
    if (!status && format->first)
        status = spar__history_each(export->history, format->first, &x, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status && format->last)
        status = format->last(&x, err);
    if (!status) /* the header, where there are no rows */
        status = spar__export_put(export, &x.out, err);
    if (x.split)
        spar__buf_printf(&export->notes,
                         "%" PRIu64 " %s about more than two options: %" PRIu64
                         " rows, one for each pair that was stated; imported again they are as many answers\n",
                         x.split, x.split == 1 ? "answer is" : "answers are", x.pairs);
    x.count[NOTE_UNDONE] = answers.undone;
    x.count[NOTE_LOST] = answers.lost;
    for (size_t i = 0; i < format->n_notes; i++) {
        note_kind kind = format->note[i];
        uint64_t n = x.count[kind];
        if (n)
            spar__buf_printf(&export->notes, "%" PRIu64 " %s %s not in this format\n", n, NOTE[kind][n != 1],
                             n == 1 ? "is" : "are");
    }
    for (size_t i = 0; i < x.n_items; i++)
        spar__free(x.item[i].bytes);
    spar__free(x.item);
    spar__free(x.number);
    spar__free(x.order);
    spar__names_free(&x.orders);
    spar__labels_free(&x.labels);
    spar__setting_rows_free(&x.settings);
    spar__json_tree_free(&x.tree);
    spar_feedback_free(x.feedback);
    spar__buf_free(&x.out);
    spar__buf_free(&x.cell);
    return !status && export->notes.failed ? spar__fail_memory(err) : status;
}

static spar_status take_step(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__export_step(((export_run *)context)->export, entry->sequence, err);
}

static spar_status take_labels(void *context, const spar__history_entry *entry, spar_error *err)
{
    export_run *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    return status ? status : spar__labels_event(&x->labels, entry, err);
}

/* --- csv: a row an answer, with names instead of numbers; nothing of the answers is lost but those that were undone
 * --- */

static void add_count(spar__csv_writer *csv, uint64_t value)
{
    char digits[24] = ""; /* empty for 0 */
    if (value)
        (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    spar__csv_text(csv, digits);
}

static void add_cell(export_run *x, spar__csv_writer *csv)
{
    spar__csv_text(csv, x->cell.text ? x->cell.text : "");
    x->out.failed = x->out.failed || x->cell.failed;
    spar__buf_clear(&x->cell);
    spar__buf_add(&x->cell, "", 0);
}

static spar_status add_csv_answer(void *context, const spar__answered *answered, spar_error *err)
{
    export_run *x = context;
    char made[SPAR__LABEL_SIZE], voter[SPAR__LABEL_SIZE], time[SPAR__UTC_SIZE];
    const spar_event *event = answered->entry->event;
    spar__csv_writer csv = {.out = &x->out};
    spar__row_source source;
    spar__answered named;
    if (answered->point && !spar__setting_rows_answer(&x->settings, answered, &named)) {
        x->count[NOTE_POINT]++; /* of a space without axes that people read */
        return SPAR_OK;
    }
    answered = answered->point ? &named : answered;
    spar__hex_add(&x->cell, answered->id, SPAR_HASH_SIZE);
    add_cell(x, &csv);
    x->count[NOTE_SOURCE] += !spar__row_source_of(answered, &x->labels, &x->tree, made, &source);
    add_count(&csv, source.screen);
    spar__utc_print(time, spar_event_time(event));
    spar__csv_text(&csv, time);
    spar__csv_text(&csv, spar__label_voter(&x->labels, spar_event_voter(event), voter));
    spar__row_shown(answered, &x->labels, &x->cell);
    add_cell(x, &csv);
    spar__csv_text(&csv, spar_answer_kind_name(spar_answer_kind_of(answered->placed)));
    spar__row_answer(answered, &x->labels, &x->cell);
    add_cell(x, &csv);
    add_count(&csv, source.taken);
    add_count(&csv, source.flags);
    spar__csv_text(&csv, source.item ? source.item : "");
    spar__csv_text(&csv, source.comment ? source.comment : "");
    spar__csv_end_row(&csv);
    x->export->rows++;
    return spar__export_put(x->export, &x->out, err);
}

static spar_status take_settings(void *context, const spar__history_entry *entry, spar_error *err)
{
    export_run *x = context;
    spar_status status = take_labels(x, entry, err);
    return status ? status : spar__setting_rows_event(&x->settings, entry->event, &x->labels, err);
}

spar_status spar__export_csv(spar__export *export, spar_error *err)
{
    static const export_format format = {.header = SPAR__ROW_HEADER "\n",
                                         .voters = true,
                                         .event = take_settings,
                                         .answer = add_csv_answer,
                                         .n_notes = 4,
                                         .note = {NOTE_UNDONE, NOTE_LOST, NOTE_POINT, NOTE_SOURCE}};
    return run(&format, export, err);
}

/* --- arena: a row a duel; an answer about more than two options is as many rows as it states pairs --- */

static void add_duel(export_run *x, const spar__answered *a, size_t j, size_t k, const char *winner)
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

static spar_status add_arena_answer(void *context, const spar__answered *a, spar_error *err)
{
    static const char *const winner[] = {NULL, "model_b", "tie", "model_a"};
    export_run *x = context;
    spar_answer_kind kind = spar_answer_kind_of(a->placed);
    spar_status status = SPAR_OK;
    x->count[NOTE_COMMENT] += a->screen && a->entry->text;
    if (a->point)
        x->count[NOTE_POINT]++;
    else if (kind == SPAR_ANSWER_SKIP)
        x->count[NOTE_SKIP]++;
    else if (kind == SPAR_ANSWER_BAD && a->m > 2)
        x->count[NOTE_MANY_BAD]++;
    else if (kind == SPAR_ANSWER_BAD)
        add_duel(x, a, 0, 1, "tie (bothbad)");
    else {
        status = spar_answer_feedback(a->placed, a->m, x->feedback, err);
        for (size_t j = 0; j < a->m && !status; j++)
            for (size_t k = j + 1; k < a->m; k++) {
                spar_outcome outcome = spar_feedback_get(x->feedback, j, k);
                if (outcome != SPAR_MISSING)
                    add_duel(x, a, j, k, winner[outcome]);
            }
        x->split += a->m > 2;
    }
    return status ? status : spar__export_put(x->export, &x->out, err);
}

spar_status spar__export_arena(spar__export *export, spar_error *err)
{
    static const export_format format = {
        .header = "model_a,model_b,winner,judge\n",
        .voters = true,
        .event = take_labels,
        .answer = add_arena_answer,
        .n_notes = 6,
        .note = {NOTE_SKIP, NOTE_MANY_BAD, NOTE_COMMENT, NOTE_POINT, NOTE_UNDONE, NOTE_LOST}};
    return run(&format, export, err);
}

/* --- dpo: preferences for training (direct preference optimisation), a JSON line {prompt, chosen, rejected} for each
 * pair of outputs of an item that an answer orders. Ties say nothing here. --- */

/* What a later version took away stays away. Outputs that came later than an answer are read as well: all items first.
 */
static spar_status take_item(void *context, const spar__history_entry *entry, spar_error *err)
{
    export_run *x = context;
    const spar__store_text *text = entry->text;
    if (spar_event_kind_of(entry->event) != SPAR_EVENT_ITEM)
        return SPAR_OK;
    size_t index = spar_event_item(entry->event);
    if (!spar__reserve(&x->item, &x->items_room, index + 1, 64, sizeof *x->item))
        return spar__fail_memory(err);
    x->n_items = index >= x->n_items ? index + 1 : x->n_items;
    spar__free(x->item[index].bytes);
    x->item[index] = (kept_item){text ? spar__alloc(text->length + 1, 1) : NULL, text ? text->length : 0};
    if (text && !x->item[index].bytes)
        return spar__fail_memory(err);
    if (text)
        memcpy(x->item[index].bytes, text->bytes, text->length);
    return SPAR_OK;
}

static spar_status add_preferences(export_run *x, const spar__answered *a, spar_error *err)
{
    const kept_item *kept = a->item < x->n_items ? &x->item[a->item] : NULL;
    spar_item *item = NULL;
    spar_status status = kept && kept->bytes ? spar__item_read(kept->bytes, kept->length, &item, NULL) : SPAR_OK;
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    status = spar_answer_feedback(a->placed, a->m, x->feedback, err);
    bool whole = item != NULL; /* all outputs are still there */
    for (size_t j = 0; j < a->m && item && !status; j++)
        for (size_t k = j + 1; k < a->m; k++) {
            spar_outcome outcome = spar_feedback_get(x->feedback, j, k);
            bool wins = outcome == SPAR_WIN;
            const char *chosen = spar__item_body(item, a->arm[wins ? j : k]);
            const char *rejected = spar__item_body(item, a->arm[wins ? k : j]);
            x->count[NOTE_TIE] += outcome == SPAR_TIE;
            if (!wins && outcome != SPAR_LOSS)
                continue;
            whole = whole && chosen && rejected;
            if (!chosen || !rejected)
                continue;
            spar__json json = {.out = &x->out};
            spar__json_begin_object(&json);
            spar__json_add_string(&json, "prompt", spar_item_prompt(item));
            spar__json_add_string(&json, "chosen", chosen);
            spar__json_add_string(&json, "rejected", rejected);
            spar__json_end_object(&json);
            spar__buf_adds(&x->out, "\n");
            x->export->rows++;
        }
    x->count[NOTE_REMOVED] += !whole;
    spar_item_free(item);
    return status;
}

static spar_status add_dpo_answer(void *context, const spar__answered *a, spar_error *err)
{
    export_run *x = context;
    spar_answer_kind kind = spar_answer_kind_of(a->placed);
    spar_status status = SPAR_OK;
    x->count[NOTE_COMMENT] += a->screen && a->entry->text;
    if (a->item == SPAR_NO_ITEM)
        x->count[NOTE_BARE]++;
    else if (kind == SPAR_ANSWER_SKIP)
        x->count[NOTE_SKIP]++;
    else if (kind == SPAR_ANSWER_BAD)
        x->count[NOTE_BAD]++;
    else if (kind == SPAR_ANSWER_TIE)
        x->count[NOTE_TIE]++;
    else
        status = add_preferences(x, a, err);
    return status ? status : spar__export_put(x->export, &x->out, err);
}

spar_status spar__export_dpo(spar__export *export, spar_error *err)
{
    static const export_format format = {
        .first = take_item,
        .event = take_step,
        .answer = add_dpo_answer,
        .n_notes = 8,
        .note = {NOTE_BARE, NOTE_TIE, NOTE_BAD, NOTE_SKIP, NOTE_REMOVED, NOTE_COMMENT, NOTE_UNDONE, NOTE_LOST}};
    return run(&format, export, err);
}

/* --- preflib: orders of all live options with how often each was given (preflib.org, the format of 2022). An order in
 * such a file says that those who are not in it come last; so only answers to screens that showed all options can be
 * said. --- */

static spar_status take_label(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__labels_event(&((export_run *)context)->labels, entry, err);
}

static void add_ranking(export_run *x, const spar__answered *a)
{
    size_t n = spar_answer_count(a->placed);
    for (size_t i = 0, size; i < n; i += size) {
        size = 1;
        while (i + size < n && spar_answer_level(a->placed, i + size) == spar_answer_level(a->placed, i))
            size++;
        spar__buf_printf(&x->cell, "%s%s", i ? "," : "", size > 1 ? "{" : "");
        for (size_t k = 0; k < size; k++)
            spar__buf_printf(&x->cell, "%s%zu", k ? "," : "", x->number[a->arm[spar_answer_slot(a->placed, i + k)]]);
        spar__buf_adds(&x->cell, size > 1 ? "}" : "");
        x->ties = x->ties || size > 1;
    }
    x->incomplete = x->incomplete || n < a->m;
}

/* Which options are live is known once all events were read: before the first answer. */
static spar_status number_options(export_run *x)
{
    if (x->number)
        return SPAR_OK;
    x->number = spar__alloc(x->labels.n, sizeof *x->number);
    for (size_t i = 0; x->number && i < x->labels.n; i++)
        x->number[i] = x->labels.option[i].retired ? 0 : ++x->live;
    return x->number ? SPAR_OK : SPAR_NOMEM;
}

static spar_status add_order(void *context, const spar__answered *a, spar_error *err)
{
    export_run *x = context;
    spar_answer_kind kind = spar_answer_kind_of(a->placed);
    size_t shown = 0, at = 0;
    if (number_options(x))
        return spar__fail_memory(err);
    x->count[NOTE_COMMENT] += a->screen && a->entry->text;
    x->count[NOTE_SKIP] += kind == SPAR_ANSWER_SKIP;
    x->count[NOTE_BAD] += kind == SPAR_ANSWER_BAD;
    x->count[NOTE_PAIRS] += kind == SPAR_ANSWER_PAIRS;
    if (kind == SPAR_ANSWER_SKIP || kind == SPAR_ANSWER_BAD || kind == SPAR_ANSWER_PAIRS)
        return SPAR_OK;
    for (size_t i = 0; i < a->m; i++)
        shown += a->arm[i] < x->labels.n && x->number[a->arm[i]];
    if (a->point || a->m != x->live || shown != x->live) {
        x->count[NOTE_SOME]++;
        return SPAR_OK;
    }
    spar__buf_clear(&x->cell);
    if (kind == SPAR_ANSWER_TIE) {
        for (size_t i = 1; i <= a->m; i++)
            spar__buf_printf(&x->cell, "%s%zu", i > 1 ? "," : "{", i);
        spar__buf_adds(&x->cell, "}");
        x->ties = true;
    } else if (kind == SPAR_ANSWER_RANKING)
        add_ranking(x, a);
    else {
        spar__buf_printf(&x->cell, "%zu", x->number[a->arm[spar_answer_winner(a->placed)]]);
        x->incomplete = true;
    }
    if (x->cell.failed || spar__names_get(&x->orders, x->cell.text, x->cell.length, &at) ||
        !spar__reserve(&x->order, &x->orders_room, at + 1, 64, sizeof *x->order))
        return spar__fail_memory(err);
    x->order[at].order = at;
    x->order[at].times++;
    x->voters++;
    return SPAR_OK;
}

/* Most often given first, then in the order they came. */
static int compare_counts(const void *x, const void *y)
{
    const order_count *a = x, *b = y;
    if (a->times != b->times)
        return a->times > b->times ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static spar_status write_orders(export_run *x, spar_error *err)
{
    const char *type = x->ties ? (x->incomplete ? "toi" : "toc") : x->incomplete ? "soi" : "soc";
    char made[SPAR__LABEL_SIZE];
    spar__buf *out = &x->out;
    if (number_options(x))
        return spar__fail_memory(err);
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
    if (x->orders.n)
        qsort(x->order, x->orders.n, sizeof *x->order, compare_counts);
    for (size_t i = 0; i < x->orders.n; i++)
        spar__buf_printf(out, "%" PRIu64 ": %s\n", x->order[i].times, spar__names_at(&x->orders, x->order[i].order));
    x->export->rows = x->orders.n;
    return SPAR_OK;
}

spar_status spar__export_preflib(spar__export *export, spar_error *err)
{
    static const export_format format = {
        .first = take_label,
        .event = take_step,
        .answer = add_order,
        .last = write_orders,
        .n_notes = 7,
        .note = {NOTE_SOME, NOTE_PAIRS, NOTE_SKIP, NOTE_BAD, NOTE_COMMENT, NOTE_UNDONE, NOTE_LOST}};
    return run(&format, export, err);
}
