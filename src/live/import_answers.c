/* import_answers.c - the answers in the log of another experiment: the same rows, with the same keys, as its csv has.
 */
#include "live/import_rows.h"

#include "base/alloc.h"
#include "live/rows.h"

#include <string.h>

typedef struct answers_read {
    spar__names *names;
    spar__import_row_fn fn;
    void *context;
    spar__labels labels;
    spar__json_tree tree;
    spar__buf source;
    size_t *shown, room;
} answers_read;

static spar_status name_options(answers_read *r, const spar__answered *a)
{
    size_t *shown = spar__grow(r->shown, &r->room, a->m, 0, sizeof *shown);
    if (!shown)
        return SPAR_NOMEM;
    r->shown = shown;
    for (size_t i = 0; i < a->m; i++) {
        char made[SPAR__LABEL_SIZE];
        const char *name = spar__label_option(&r->labels, a->arm[i], made);
        if (spar__names_get(r->names, name, strlen(name), &r->shown[i]))
            return SPAR_NOMEM;
    }
    return SPAR_OK;
}

static spar_status take_answer(void *context, const spar__answered *a, spar_error *err)
{
    answers_read *r = context;
    char made[SPAR__LABEL_SIZE], voter[SPAR__LABEL_SIZE];
    spar__row_source source;
    const spar__store_text *text = a->entry->text;
    if (a->point)
        return spar__fail(err, SPAR_UNSUPPORTED, "the log is about points of a space, expected a list of options");
    spar__buf_clear(&r->source);
    if (spar__row_source_of(a, &r->labels, &r->tree, made, &source))
        spar__source_print(&source, &r->source);
    else /* of another form: as it is */
        spar__buf_add(&r->source, (const char *)text->bytes, text->length);
    if (r->source.failed || name_options(r, a))
        return spar__fail_memory(err);
    spar__import_row row = {.m = a->m, .shown = r->shown, .answer = a->placed, .line = a->entry->line};
    memcpy(row.key, a->id, sizeof row.key);
    row.voter = spar__label_voter(&r->labels, spar_event_voter(a->entry->event), voter);
    row.time = spar_event_time(a->entry->event);
    row.source = r->source.length ? r->source.text : NULL;
    return r->fn(r->context, &row, err);
}

static spar_status take_event(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__labels_event(&((answers_read *)context)->labels, entry, err);
}

static spar_status each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                        spar_error *err)
{
    const spar__import_log *log = context;
    answers_read r = {.names = names, .fn = fn, .context = fn_context, .labels.names = true};
    spar__answers answers = {.event = take_event, .answer = take_answer, .context = &r};
    spar_status status = spar__labels_voters(&r.labels, log->history, err);
    if (!status)
        status = spar__answers_each(log->history, &answers, err);
    spar__labels_free(&r.labels);
    spar__json_tree_free(&r.tree);
    spar__buf_free(&r.source);
    spar__free(r.shown);
    return status;
}

spar__import_reader spar__import_answers(const spar__import_log *log)
{
    return (spar__import_reader){log->path, each, log};
}
