/* export_arena.c - a row a duel: model_a, model_b, winner, judge. An answer about more than two options is as many rows
 * as it states pairs. */
#include "live/export.h"

#include "live/rows.h"
#include "text/csv.h"

#include <inttypes.h>

typedef struct arena_export {
    spar__export *export;
    spar__labels labels;
    spar_feedback *feedback;
    spar__buf out;
    uint64_t points, skips, bad, comments; /* what cannot be said */
    uint64_t split, pairs;                 /* answers about more than two options, and their rows */
} arena_export;

static void add_row(arena_export *x, const spar__answered *a, size_t j, size_t k, const char *winner)
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

static spar_status add_pairs(arena_export *x, const spar__answered *a, spar_error *err)
{
    static const char *const winner[] = {NULL, "model_b", "tie", "model_a"};
    spar_status status = spar_answer_feedback(a->placed, a->m, x->feedback, err);
    for (size_t j = 0; j < a->m && !status; j++)
        for (size_t k = j + 1; k < a->m; k++) {
            spar_outcome outcome = spar_feedback_get(x->feedback, j, k);
            if (outcome != SPAR_MISSING)
                add_row(x, a, j, k, winner[outcome]);
        }
    x->split += a->m > 2;
    return status;
}

static spar_status add_answer(void *context, const spar__answered *a, spar_error *err)
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
        add_row(x, a, 0, 1, "tie (bothbad)");
    else
        status = add_pairs(x, a, err);
    return status ? status : spar__export_put(x->export, &x->out, err);
}

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    arena_export *x = context;
    spar_status status = spar__export_step(x->export, entry->sequence, err);
    return status ? status : spar__labels_event(&x->labels, entry, err);
}

static void add_notes(arena_export *x, const spar__answers *answers)
{
    spar__export *export = x->export;
    if (x->split)
        spar__buf_printf(&export->notes,
                         "%" PRIu64 " %s about more than two options: %" PRIu64
                         " rows, one for each pair that was stated; imported again they are as many answers\n",
                         x->split, x->split == 1 ? "answer is" : "answers are", x->pairs);
    spar__export_note(export, x->skips, "skip", "skips");
    spar__export_note(export, x->bad, "'bad' about more than two options", "'bad' about more than two options");
    spar__export_note(export, x->comments, "comment", "comments");
    spar__export_note(export, x->points, "answer about points of a space", "answers about points of a space");
    spar__export_note(export, answers->undone, "answer that was undone", "answers that were undone");
    spar__export_note(export, answers->lost, "answer to a screen that cannot be read",
                      "answers to screens that cannot be read");
}

spar_status spar__export_arena(spar__export *export, spar_error *err)
{
    arena_export x = {.export = export, .labels.names = export->names};
    spar__answers answers = {.event = take_event, .answer = add_answer, .context = &x};
    spar__buf_adds(&x.out, "model_a,model_b,winner,judge\n");
    spar_status status = spar_feedback_new(2, &x.feedback) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = spar__labels_voters(&x.labels, export->history, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status) /* the header, where there are no rows */
        status = spar__export_put(export, &x.out, err);
    add_notes(&x, &answers);
    spar_feedback_free(x.feedback);
    spar__labels_free(&x.labels);
    spar__buf_free(&x.out);
    return spar__export_end(export, status, err);
}
