/* export_csv.c - a row an answer, with names instead of numbers. Nothing of the answers is lost but those that were
 * undone. */
#include "live/export.h"

#include "live/rows.h"
#include "live/setting_rows.h"
#include "text/escape.h"
#include "text/csv.h"
#include "base/clock.h"

#include <inttypes.h>

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

static spar_status add_row(csv_export *x, const spar__answered *answered, spar_error *err)
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

static spar_status add_answer(void *context, const spar__answered *answered, spar_error *err)
{
    csv_export *x = context;
    spar__answered named;
    if (!answered->point)
        return add_row(x, answered, err);
    if (spar__setting_rows_answer(&x->settings, answered, &named))
        return add_row(x, &named, err);
    x->points++; /* of a space without axes that people read */
    return SPAR_OK;
}

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
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
    spar__answers answers = {.event = take_event, .answer = add_answer, .context = &x};
    spar__buf_adds(&x.out, SPAR__ROW_HEADER "\n");
    spar_status status = spar__labels_voters(&x.labels, export->history, err);
    if (!status)
        status = spar__answers_each(export->history, &answers, err);
    if (!status) /* the header, where there are no answers */
        status = spar__export_put(export, &x.out, err);
    spar__export_note(export, answers.undone, "answer that was undone", "answers that were undone");
    spar__export_note(export, answers.lost, "answer to a screen that cannot be read",
                      "answers to screens that cannot be read");
    spar__export_note(export, x.points, "answer about points of a space", "answers about points of a space");
    spar__export_note(export, x.others, "text of an imported answer", "texts of imported answers");
    spar__labels_free(&x.labels);
    spar__setting_rows_free(&x.settings);
    spar__json_tree_free(&x.tree);
    spar__buf_free(&x.out);
    spar__buf_free(&x.cell);
    return spar__export_end(export, status, err);
}
