#include "live/import_rows.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "live/prose.h"
#include "live/rows.h"

#include <inttypes.h>
#include <string.h>

void spar__import_id_key(const char *id, unsigned char key[SPAR_HASH_SIZE])
{
    spar__buf text = {0};
    spar__buf_add(&text, "id", 3); /* with its zero byte: no row starts like that */
    spar__buf_adds(&text, id);
    spar_import_key(text.text, text.length, key);
    spar__buf_free(&text);
}

spar_status spar__import_row_key(spar__key_table *seen, const spar__buf *row, unsigned char key[SPAR_HASH_SIZE])
{
    unsigned char both[SPAR_HASH_SIZE + 8];
    spar_import_key(row->text, row->length, both);
    if (row->failed || spar__key_table_reserve(seen, 1))
        return SPAR_NOMEM;
    size_t at = spar__key_get(seen, spar__get_u64(both), spar__get_u64(both + 8));
    spar__put_u64(both + SPAR_HASH_SIZE, seen->entry[at].count++);
    spar_import_key(both, sizeof both, key);
    return SPAR_OK;
}

typedef struct import_run {
    spar__import_job *job;
    const spar__import_reader *reader;
    spar__names names;
    size_t *arm; /* of each name */
    size_t *shown, room;
    spar_import *import;
    spar__key_table own;     /* ids of the experiment's own answers */
    spar__key_table imports; /* keys of those that were imported; the count is a hash of what they say */
    spar_event *event;       /* working memory, */
    spar_round *round;       /* as this */
    uint64_t done, twice;
} import_run;

/* Whatever an experiment refuses in a row, known before anything is written. */
static spar_status check_row(const spar__import_row *row, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (row->m < 2 || row->m > SPAR__ROW_SLOTS)
        return spar__fail(err, SPAR_INVALID, "%zu option%s shown, expected 2 to %d", row->m,
                          row->m == 1 ? " is" : "s are", (int)SPAR__ROW_SLOTS);
    if (row->voter && *row->voter)
        status = spar__prose_check(&spar__prose_voter, row->voter, err);
    if (!status && row->source && *row->source)
        status = spar__prose_check(&spar__prose_source, row->source, err);
    return status ? status : spar_answer_check(row->answer, row->m, err);
}

static spar_status count_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    spar_error why = {0};
    spar_status status = check_row(row, &why);
    if (status)
        return spar__fail(err, status, "%s:%zu: %s; nothing was imported", run->reader->path, row->line, why.text);
    run->job->rows++;
    if (run->job->rows % 1024 == 0 && run->job->progress && !run->job->progress(run->job->context, 0, 0))
        return spar__fail(err, SPAR_INTERRUPTED, "%s: interrupted: nothing was imported", run->reader->path);
    return SPAR_OK;
}

/* 'A, B, C and 4 more'. */
static void list_names(const import_run *run, spar__buf *out)
{
    size_t listed = 0, n = 0;
    for (size_t i = 0; i < run->names.n; i++)
        if (run->arm[i] == SPAR_NO_ARM && ++n && listed < 8) {
            spar__buf_printf(out, "%s'%.60s'", listed++ ? ", " : "", spar__names_at(&run->names, i));
        }
    if (n > listed)
        spar__buf_printf(out, " and %zu more", n - listed);
}

static spar_status refuse_options(const import_run *run, size_t unknown, spar_error *err)
{
    spar__buf list = {0};
    list_names(run, &list);
    if (list.failed)
        return spar__fail_memory(err);
    spar_status status =
        spar__fail(err, SPAR_UNKNOWN, "%s: %s %s not in %s; nothing was imported; --add-options adds %s: %s",
                   run->reader->path, unknown == 1 ? "an option" : "options", unknown == 1 ? "is" : "are",
                   spar_experiment_place(run->job->experiment), unknown == 1 ? "it" : "them", list.text);
    spar__buf_free(&list);
    return status;
}

static spar_status add_option(import_run *run, size_t i, bool really, spar_error *err)
{
    spar_option *option = NULL;
    spar_status status = spar_option_new(spar__names_at(&run->names, i), &option, err);
    if (!status && really)
        status = spar_experiment_add(run->job->experiment, option, &run->arm[i], err);
    spar_option_free(option);
    return status;
}

/* All of them are checked before the first is added. */
static spar_status add_options(import_run *run, size_t unknown, spar_error *err)
{
    size_t n = spar_experiment_options(run->job->experiment);
    spar_status status = n + unknown <= SPAR__MOST_OPTIONS
                             ? SPAR_OK
                             : spar__fail(err, SPAR_UNSUPPORTED,
                                          "%s: with these there are %zu options, at most %d are allowed; nothing was "
                                          "imported",
                                          run->reader->path, n + unknown, SPAR__MOST_OPTIONS);
    for (size_t i = 0; i < run->names.n && !status; i++)
        status = run->arm[i] == SPAR_NO_ARM ? add_option(run, i, false, err) : SPAR_OK;
    for (size_t i = 0; i < run->names.n && !status; i++)
        if (run->arm[i] == SPAR_NO_ARM) {
            status = add_option(run, i, true, err);
            run->job->options += !status;
        }
    return status;
}

static spar_status find_options(import_run *run, size_t *out, spar_error *err)
{
    size_t unknown = 0;
    spar_status status = spar_experiment_check_texts(run->job->experiment, err); /* else one seems to be missing */
    if (status)
        return status;
    run->arm = spar__alloc(run->names.n, sizeof *run->arm);
    if (!run->arm)
        return spar__fail_memory(err);
    for (size_t i = 0; i < run->names.n; i++) {
        run->arm[i] = spar_experiment_find(run->job->experiment, spar__names_at(&run->names, i));
        unknown += run->arm[i] == SPAR_NO_ARM;
    }
    *out = unknown;
    return unknown && !run->job->add_options ? refuse_options(run, unknown, err) : SPAR_OK;
}

/* A hash of the options that were shown and the answer. */
static spar_status hash_said(import_run *run, const spar_round *round, const spar_answer *answer, uint64_t *out)
{
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (spar_event_set_imported(run->event, NULL, round, answer))
        return SPAR_NOMEM;
    spar_event_set_stamp(run->event, 1, 0); /* any */
    if (spar_event_encode(run->event, &bytes, &length))
        return SPAR_NOMEM;
    *out = spar__hash_of(bytes, length);
    spar_bytes_free(bytes);
    return SPAR_OK;
}

/* People choose keys, so they are looked up by a part of their SHA-256. */
static void words_of(const unsigned char *key, uint64_t word[2])
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_import_key(key, SPAR_HASH_SIZE, hash);
    word[0] = spar__get_u64(hash);
    word[1] = spar__get_u64(hash + 8);
}

static spar_status note_import(import_run *run, const spar_event *event)
{
    uint64_t word[2], said;
    words_of(spar_event_key(event), word);
    if (spar__key_table_reserve(&run->imports, 1) ||
        hash_said(run, spar_event_round(event), spar_event_answer(event), &said))
        return SPAR_NOMEM;
    run->imports.entry[spar__key_get(&run->imports, word[0], word[1])].count = said;
    return SPAR_OK;
}

/* The answers of the experiment itself: an export of it that comes back is known. */
static spar_status note_own(void *context, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                            spar_error *err)
{
    import_run *run = context;
    if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED)
        return note_import(run, event) ? spar__fail_memory(err) : SPAR_OK;
    if (spar_event_kind_of(event) != SPAR_EVENT_ANSWER)
        return SPAR_OK;
    if (spar__key_table_reserve(&run->own, 1))
        return spar__fail_memory(err);
    (void)spar__key_get(&run->own, spar__get_u64(hash), spar__get_u64(hash + 8));
    return SPAR_OK;
}

static bool is_own(const import_run *run, const spar__import_row *row)
{
    return spar__key_find(&run->own, spar__get_u64(row->key), spar__get_u64(row->key + 8)) != SPAR__NO_KEY;
}

static spar_status reserve_shown(import_run *run, size_t m)
{
    size_t *shown = spar__grow(run->shown, &run->room, m, 0, sizeof *shown);
    if (!shown)
        return SPAR_NOMEM;
    run->shown = shown;
    return SPAR_OK;
}

static spar_status show(import_run *run, const spar__import_row *row, spar_error *err)
{
    if (reserve_shown(run, row->m))
        return spar__fail_memory(err);
    for (size_t i = 0; i < row->m; i++)
        run->shown[i] = run->arm[row->shown[i]];
    return SPAR_OK;
}

/* A row that was imported before must say the same again. */
static spar_status compare_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    uint64_t word[2], said = 0;
    words_of(row->key, word);
    size_t at = spar__key_find(&run->imports, word[0], word[1]);
    spar_status status = at == SPAR__NO_KEY ? SPAR_OK : show(run, row, err);
    if (status || at == SPAR__NO_KEY)
        return status;
    bool known = true; /* all options */
    for (size_t i = 0; i < row->m; i++)
        known = known && run->shown[i] != SPAR_NO_ARM;
    if (known && (spar_round_set(run->round, row->m, run->shown) || hash_said(run, run->round, row->answer, &said)))
        return spar__fail_memory(err);
    if (known && said == run->imports.entry[at].count)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT,
                      "%s:%zu: a row of this id was imported before and said something else; nothing was imported",
                      run->reader->path, row->line);
}

static spar_status compare_all(import_run *run, spar_error *err)
{
    if (spar_event_new(&run->event) || spar_round_new(4, &run->round))
        return spar__fail_memory(err);
    spar_status status = spar_experiment_each(run->job->experiment, 1, note_own, run, err);
    return status || !run->imports.n ? status
                                     : run->reader->each(run->reader->context, &run->names, compare_row, run, err);
}

static spar_status step(import_run *run, spar_error *err)
{
    spar__import_job *job = run->job;
    run->done++;
    if (run->done % 256 == 0 && job->progress && !job->progress(job->context, run->done, job->rows))
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted");
    return SPAR_OK;
}

static spar_status add_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    spar_error why = {0};
    spar_status status = step(run, err);
    if (status)
        return status;
    if (is_own(run, row)) {
        run->twice++;
        return SPAR_OK;
    }
    status = show(run, row, err);
    if (status)
        return status;
    status = spar_import_add(run->import, row->key, row->m, run->shown, row->answer, row->voter, row->time, row->source,
                             &why);
    if (status == SPAR_CONFLICT) /* about a row of the batch before this one, which the sentence counts */
        return spar__fail(err, status, "%s: %s", run->reader->path, why.text);
    return status ? spar__fail(err, status, "%s:%zu: %s", run->reader->path, row->line, why.text) : SPAR_OK;
}

/* An interrupted import keeps what was added before; after an error the rows that are not written yet are left. */
static spar_status finish(import_run *run, spar_status status, spar_error *err)
{
    spar_error why = {0};
    if (status && status != SPAR_INTERRUPTED)
        return status;
    spar_status end = spar_import_finish(run->import, &run->job->added, &run->job->known, &why);
    run->job->known += run->twice;
    if (end)
        return spar__fail(err, end, "%s: %s", run->reader->path, why.text);
    return status
               ? spar__fail(err, status,
                            "%s: interrupted: %" PRIu64 " of %" PRIu64 " rows were imported; the same command goes on",
                            run->reader->path, run->job->added + run->job->known, run->job->rows)
               : SPAR_OK;
}

static spar_status add_all(import_run *run, spar_error *err)
{
    spar_status status = spar_import_new(run->job->experiment, &run->import, err);
    if (status)
        return status;
    status = run->reader->each(run->reader->context, &run->names, add_row, run, err);
    return finish(run, status, err);
}

spar_status spar__import_run(spar__import_job *job, const spar__import_reader *reader, spar_error *err)
{
    import_run run = {.job = job, .reader = reader};
    size_t unknown = 0;
    job->rows = job->added = job->known = job->options = 0;
    spar_status status = reader->each(reader->context, &run.names, count_row, &run, err);
    if (!status)
        status = find_options(&run, &unknown, err);
    if (!status)
        status = compare_all(&run, err);
    if (!status && unknown)
        status = add_options(&run, unknown, err);
    if (!status)
        status = add_all(&run, err);
    spar_import_free(run.import);
    spar__names_free(&run.names);
    spar__key_table_fini(&run.own);
    spar__key_table_fini(&run.imports);
    spar_event_free(run.event);
    spar_round_free(run.round);
    spar__free(run.arm);
    spar__free(run.shown);
    return status;
}

void spar__import_json(const spar__import_job *job, spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_add_unsigned(json, "rows", job->rows);
    spar__json_add_unsigned(json, "added", job->added);
    spar__json_add_unsigned(json, "known", job->known);
    spar__json_add_unsigned(json, "options_added", job->options);
    spar__json_end_object(json);
}
