#include "cli/decide/rows.h"

#include "live/exchange/rows.h"

#include <string.h>

typedef struct rows_fold {
    spar__decide_rows *rows;
    const spar__answers *answers;
    spar_event *event;
    spar_round *round;
    spar__json_tree tree;
} rows_fold;

/* 1 + its number; 0 where there is none. */
static spar_status number_of(spar__names *names, const char *name, size_t *out)
{
    *out = 0;
    if (!name || !*name)
        return SPAR_OK;
    if (spar__names_get(names, name, strlen(name), out))
        return SPAR_NOMEM;
    ++*out;
    return SPAR_OK;
}

static spar_status make_answered(rows_fold *f, const spar__import_row *row, spar__answered *out)
{
    size_t voter, item;
    spar__row_source source = {0};
    if (row->source)
        (void)spar__source_read(&f->tree, row->source, strlen(row->source), &source);
    if (number_of(&f->rows->voters, row->voter, &voter) || number_of(&f->rows->items, source.item, &item) ||
        spar_round_set(f->round, row->m, row->shown) ||
        spar_event_set_imported(f->event, row->key, f->round, row->answer))
        return SPAR_NOMEM;
    spar_event_set_voter(f->event, voter);
    *out = (spar__answered){.id = row->key,
                            .screen = source.screen,
                            .item = item ? (uint32_t)(item - 1) : SPAR_NO_ITEM,
                            .round = f->round,
                            .given = row->answer,
                            .m = row->m,
                            .arm = row->shown,
                            .placed = row->answer};
    return SPAR_OK;
}

static spar_status take_row(void *context, const spar__import_row *row, spar_error *err)
{
    rows_fold *f = context;
    spar__answered answered;
    if (make_answered(f, row, &answered))
        return spar__fail_memory(err);
    spar__history_entry entry = {.event = f->event, .line = row->line};
    answered.entry = &entry;
    spar_error why = {0};
    spar_status status = f->answers->answer(f->answers->context, &answered, &why);
    return status ? spar__fail(err, status, "%s:%zu: %s", f->rows->file.path, row->line, why.text) : SPAR_OK;
}

spar_status spar__decide_rows_each(spar__decide_rows *rows, const spar__answers *answers, spar_error *err)
{
    rows_fold f = {.rows = rows, .answers = answers};
    spar__import_reader reader = spar__import_csv(&rows->file);
    spar_status status = spar_event_new(&f.event) || spar_round_new(4, &f.round) ? spar__fail_memory(err) : SPAR_OK;
    if (!status)
        status = reader.each(reader.context, &rows->options, take_row, &f, err);
    spar_event_free(f.event);
    spar_round_free(f.round);
    spar__json_tree_free(&f.tree);
    return status;
}

static spar_status take_nothing(void *context, const spar__answered *answered, spar_error *err)
{
    (void)context;
    (void)answered;
    (void)err;
    return SPAR_OK;
}

spar_status spar__decide_rows_read(spar__decide_rows *rows, spar_error *err)
{
    return spar__decide_rows_each(rows, &(spar__answers){.answer = take_nothing}, err);
}

void spar__decide_rows_free(spar__decide_rows *rows)
{
    spar__names_free(&rows->options);
    spar__names_free(&rows->voters);
    spar__names_free(&rows->items);
}
