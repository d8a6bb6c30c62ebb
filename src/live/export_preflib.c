/* export_preflib.c - orders of all live options with how often each was given (preflib.org, the format of 2022). An
 * order in such a file says that those who are not in it come last; so only answers to screens that showed all options
 * can be said. */
#include "live/export.h"

#include "base/alloc.h"
#include "live/rows.h"

#include <inttypes.h>
#include <stdlib.h>

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

static spar_status add_answer(void *context, const spar__answered *a, spar_error *err)
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

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
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

static void add_notes(preflib_export *x, const spar__answers *answers)
{
    spar__export_note(x->export, x->some, "answer about some of the live options only",
                      "answers about some of the live options only");
    spar__export_note(x->export, x->pairs, "answer in pairs", "answers in pairs");
    spar__export_note(x->export, x->skips, "skip", "skips");
    spar__export_note(x->export, x->bad, "'bad'", "'bad'");
    spar__export_note(x->export, x->comments, "comment", "comments");
    spar__export_note(x->export, answers->undone, "answer that was undone", "answers that were undone");
    spar__export_note(x->export, answers->lost, "answer to a screen that cannot be read",
                      "answers to screens that cannot be read");
}

spar_status spar__export_preflib(spar__export *export, spar_error *err)
{
    preflib_export x = {.export = export};
    spar__answers answers = {.event = take_event, .answer = add_answer, .context = &x};
    spar_status status = spar__history_each(export->history, take_label, &x, err);
    if (!status && number_options(&x))
        status = spar__fail_memory(err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status)
        status = write_orders(&x, err);
    add_notes(&x, &answers);
    spar__labels_free(&x.labels);
    spar__names_free(&x.orders);
    spar__free(x.number);
    spar__free(x.count);
    spar__buf_free(&x.order);
    return spar__export_end(export, status, err);
}
