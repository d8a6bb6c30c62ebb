/* import_files.c - answers from a file into an experiment, once only: rows as export wrote them, votes in the forms of
 * `spar decide`, and the log of another experiment.
 *
 * A file is read up to three times: first all of it is checked and the names of options are collected, then rows that
 * were imported before are compared, then the rows are added. So a file with a fault changes nothing. The key of a row
 * is that of its own id, else a hash of what it says and of how many rows before it say the same: the same file again
 * changes nothing, and a longer one adds what is new. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/hash.h"
#include "live/exchange/exchange.h"
#include "live/exchange/rows.h"
#include "live/live.h"
#include "live/text_limits.h"
#include "text/csv.h"
#include "text/escape.h"

#include <inttypes.h>
#include <string.h>

static void import_id_key(const char *id, unsigned char key[SPAR_HASH_SIZE])
{
    spar__buf text = {0};
    spar__buf_add(&text, "id", 3); /* with its zero byte: no row starts like that */
    spar__buf_adds(&text, id);
    spar_import_key(text.text, text.length, key);
    spar__buf_free(&text);
}

/* Keys of rows: of an id, and of what a row says; seen counts rows that say the same. */
static spar_status import_row_key(spar__key_table *seen, const spar__buf *row, unsigned char key[SPAR_HASH_SIZE])
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
static spar_status count_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    spar_error why = {0};
    spar_status status = SPAR_OK;
    if (row->m < 2 || row->m > SPAR__ROW_SLOTS)
        status = spar__fail(&why, SPAR_INVALID, "%zu option%s shown, expected 2 to %d", row->m,
                            row->m == 1 ? " is" : "s are", (int)SPAR__ROW_SLOTS);
    if (!status && row->voter && *row->voter)
        status = spar__text_check(&spar__voter_limits, row->voter, &why);
    if (!status && row->source && *row->source)
        status = spar__text_check(&spar__source_limits, row->source, &why);
    if (!status)
        status = spar_answer_check(row->answer, row->m, &why);
    if (status)
        return spar__fail(err, status, "%s:%zu: %s; nothing was imported", run->reader->path, row->line, why.text);
    run->job->rows++;
    if (run->job->rows % 1024 == 0 && run->job->progress && !run->job->progress(run->job->context, 0, 0))
        return spar__fail(err, SPAR_INTERRUPTED, "%s: interrupted: nothing was imported", run->reader->path);
    return SPAR_OK;
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

static spar_status find_options(import_run *run, size_t *out, spar_error *err)
{
    enum { MOST_LISTED = 8 };
    size_t unknown = 0;
    spar__buf list = {0};                                                        /* 'A, B, C and 4 more' */
    spar_status status = spar_experiment_check_texts(run->job->experiment, err); /* else one seems to be missing */
    if (status)
        return status;
    run->arm = spar__alloc(run->names.n, sizeof *run->arm);
    if (!run->arm)
        return spar__fail_memory(err);
    for (size_t i = 0; i < run->names.n; i++) {
        const char *name = spar__names_at(&run->names, i);
        run->arm[i] = spar_experiment_find(run->job->experiment, name);
        if (run->arm[i] == SPAR_NO_ARM && unknown++ < MOST_LISTED)
            spar__buf_printf(&list, "%s'%.60s'", unknown > 1 ? ", " : "", name);
    }
    *out = unknown;
    if (unknown > MOST_LISTED)
        spar__buf_printf(&list, " and %zu more", unknown - MOST_LISTED);
    if (unknown && !run->job->add_options)
        status =
            list.failed
                ? spar__fail_memory(err)
                : spar__fail(err, SPAR_UNKNOWN, "%s: %s %s not in %s; nothing was imported; --add-options adds %s: %s",
                             run->reader->path, unknown == 1 ? "an option" : "options", unknown == 1 ? "is" : "are",
                             spar_experiment_place(run->job->experiment), unknown == 1 ? "it" : "them", list.text);
    spar__buf_free(&list);
    return status;
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

/* The answers of the experiment itself: an export of it that comes back is known. */
static spar_status note_own(void *context, const spar_event *event, const unsigned char hash[SPAR_HASH_SIZE],
                            spar_error *err)
{
    import_run *run = context;
    uint64_t word[2], said;
    if (spar_event_kind_of(event) == SPAR_EVENT_IMPORTED) {
        spar__hash_words(spar_event_key(event), SPAR_HASH_SIZE, word); /* people choose keys */
        if (spar__key_table_reserve(&run->imports, 1) ||
            hash_said(run, spar_event_round(event), spar_event_answer(event), &said))
            return spar__fail_memory(err);
        run->imports.entry[spar__key_get(&run->imports, word[0], word[1])].count = said;
    } else if (spar_event_kind_of(event) == SPAR_EVENT_ANSWER) {
        if (spar__key_table_reserve(&run->own, 1))
            return spar__fail_memory(err);
        (void)spar__key_get(&run->own, spar__get_u64(hash), spar__get_u64(hash + 8));
    }
    return SPAR_OK;
}

/* A row that was imported before must say the same again. */
static spar_status compare_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    uint64_t word[2], said = 0;
    spar__hash_words(row->key, SPAR_HASH_SIZE, word);
    size_t at = spar__key_find(&run->imports, word[0], word[1]);
    if (at == SPAR__NO_KEY)
        return SPAR_OK;
    if (!spar__reserve(&run->shown, &run->room, row->m, 0, sizeof *run->shown))
        return spar__fail_memory(err);
    bool known = true; /* all options */
    for (size_t i = 0; i < row->m; i++) {
        run->shown[i] = run->arm[row->shown[i]];
        known = known && run->shown[i] != SPAR_NO_ARM;
    }
    if (known && (spar_round_set(run->round, row->m, run->shown) || hash_said(run, run->round, row->answer, &said)))
        return spar__fail_memory(err);
    if (known && said == run->imports.entry[at].count)
        return SPAR_OK;
    return spar__fail(err, SPAR_CONFLICT,
                      "%s:%zu: a row of this id was imported before and said something else; nothing was imported",
                      run->reader->path, row->line);
}

static spar_status add_row(void *context, const spar__import_row *row, spar_error *err)
{
    import_run *run = context;
    spar__import_job *job = run->job;
    spar_error why = {0};
    if (++run->done % 256 == 0 && job->progress && !job->progress(job->context, run->done, job->rows))
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted");
    if (spar__key_find(&run->own, spar__get_u64(row->key), spar__get_u64(row->key + 8)) != SPAR__NO_KEY) {
        run->twice++;
        return SPAR_OK;
    }
    if (!spar__reserve(&run->shown, &run->room, row->m, 0, sizeof *run->shown))
        return spar__fail_memory(err);
    for (size_t i = 0; i < row->m; i++)
        run->shown[i] = run->arm[row->shown[i]];
    spar_status status = spar_import_add(run->import, row->key, row->m, run->shown, row->answer, row->voter, row->time,
                                         row->source, &why);
    if (status == SPAR_CONFLICT) /* about a row of the batch before this one, which the sentence counts */
        return spar__fail(err, status, "%s: %s", run->reader->path, why.text);
    return status ? spar__fail(err, status, "%s:%zu: %s", run->reader->path, row->line, why.text) : SPAR_OK;
}

spar_status spar__import_run(spar__import_job *job, const spar__import_reader *reader, spar_error *err)
{
    import_run run = {.job = job, .reader = reader};
    size_t unknown = 0;
    job->rows = job->added = job->known = job->options = 0;
    spar_status status = reader->each(reader->context, &run.names, count_row, &run, err);
    if (!status)
        status = find_options(&run, &unknown, err);
    if (!status && (spar_event_new(&run.event) || spar_round_new(4, &run.round)))
        status = spar__fail_memory(err);
    if (!status)
        status = spar_experiment_each(job->experiment, 1, note_own, &run, err);
    if (!status && run.imports.n)
        status = reader->each(reader->context, &run.names, compare_row, &run, err);
    if (!status && unknown) {
        /* All of them are checked before the first is added. */
        size_t n = spar_experiment_options(run.job->experiment);
        status = n + unknown <= SPAR__MOST_OPTIONS
                     ? SPAR_OK
                     : spar__fail(err, SPAR_UNSUPPORTED,
                                  "%s: with these there are %zu options, at most %d are allowed; nothing was "
                                  "imported",
                                  run.reader->path, n + unknown, SPAR__MOST_OPTIONS);
        for (size_t i = 0; i < run.names.n && !status; i++)
            status = run.arm[i] == SPAR_NO_ARM ? add_option(&run, i, false, err) : SPAR_OK;
        for (size_t i = 0; i < run.names.n && !status; i++)
            if (run.arm[i] == SPAR_NO_ARM) {
                status = add_option(&run, i, true, err);
                run.job->options += !status;
            }
    }
    if (!status)
        status = spar_import_new(job->experiment, &run.import, err);
    if (run.import)
        status = reader->each(reader->context, &run.names, add_row, &run, err);
    /* An interrupted import keeps what was added before; after an error the rows that are not written yet are left. */
    if (run.import && (!status || status == SPAR_INTERRUPTED)) {
        spar_error why = {0};
        spar_status end = spar_import_finish(run.import, &job->added, &job->known, &why);
        job->known += run.twice;
        if (end)
            status = spar__fail(err, end, "%s: %s", reader->path, why.text);
        else if (status)
            status = spar__fail(
                err, status, "%s: interrupted: %" PRIu64 " of %" PRIu64 " rows were imported; the same command goes on",
                reader->path, job->added + job->known, job->rows);
    }
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

/* --- the answers in the log of another experiment: the same rows, with the same keys, as its csv has --- */

typedef struct answers_read {
    spar__names *names;
    spar__import_row_fn fn;
    void *context;
    spar__labels labels;
    spar__json_tree tree;
    spar__buf source;
    size_t *shown, room;
} answers_read;

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
    if (r->source.failed || !spar__reserve(&r->shown, &r->room, a->m, 0, sizeof *r->shown))
        return spar__fail_memory(err);
    for (size_t i = 0; i < a->m; i++) {
        const char *name = spar__label_option(&r->labels, a->arm[i], voter);
        if (spar__names_get(r->names, name, strlen(name), &r->shown[i]))
            return spar__fail_memory(err);
    }
    spar__import_row row = {.m = a->m, .shown = r->shown, .answer = a->placed, .line = a->entry->line};
    memcpy(row.key, a->id, sizeof row.key);
    row.voter = spar__label_voter(&r->labels, spar_event_voter(a->entry->event), voter);
    row.time = spar_event_time(a->entry->event);
    row.source = r->source.length ? r->source.text : NULL;
    return r->fn(r->context, &row, err);
}

static spar_status take_label(void *context, const spar__history_entry *entry, spar_error *err)
{
    return spar__labels_event(&((answers_read *)context)->labels, entry, err);
}

static spar_status answers_each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                                spar_error *err)
{
    const spar__import_log *log = context;
    answers_read r = {.names = names, .fn = fn, .context = fn_context, .labels.names = true};
    spar__answers answers = {.event = take_label, .answer = take_answer, .context = &r};
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
    return (spar__import_reader){log->path, answers_each, log};
}

/* --- rows as export wrote them, or as people write them ---
 *
 * 'shown', 'kind' and 'answer' must be there, the other columns may be missing. An id of 64 hexadecimal digits is the
 * key itself. */

enum { ID, SCREEN, TIME, VOTER, SHOWN, KIND, ANSWER, TAKEN, FLAGS, ITEM, COMMENT, COLUMNS };
static const char *const COLUMN[COLUMNS] = {"id",     "screen", "time",  "voter", "shown",  "kind",
                                            "answer", "taken",  "flags", "item",  "comment"};

typedef struct csv_read {
    const spar__import_text *file;
    spar__csv_reader csv;
    size_t at[COLUMNS]; /* SIZE_MAX: there is none */
    size_t fields;
    spar__names *names;
    spar_answer *answer;
    size_t *shown;
    spar__buf row, source;
    spar__key_table seen, ids; /* of ids the count is the hash of what the row says */
} csv_read;

static const char *cell(const csv_read *r, int column)
{
    const char *text = r->at[column] == SIZE_MAX ? NULL : spar__csv_field(&r->csv, r->at[column]);
    return text ? text : "";
}

static spar_status read_count(const csv_read *r, int column, uint64_t most, uint64_t *out, spar_error *err)
{
    const char *text = cell(r, column);
    *out = 0;
    if (!*text || (spar__parse_u64(text, out) && *out <= most))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is '%.40s', expected a whole number or nothing", COLUMN[column], text);
}

static spar_status make_key(csv_read *r, unsigned char key[SPAR_HASH_SIZE], spar_error *err)
{
    const char *id = cell(r, ID);
    spar__buf_clear(&r->row);
    spar__buf_add(&r->row, "row", 4);
    for (int c = ID + 1; c < COLUMNS; c++) { /* what the row says, but for its id */
        spar__buf_adds(&r->row, cell(r, c));
        spar__buf_add(&r->row, "", 1);
    }
    if (r->row.failed)
        return spar__fail_memory(err);
    if (!*id)
        return import_row_key(&r->seen, &r->row, key) ? spar__fail_memory(err) : SPAR_OK;
    if (!spar__hex_read(id, key, SPAR_HASH_SIZE))
        import_id_key(id, key);
    /* Two rows of one id must say the same. */
    uint64_t half[2], said = spar__hash_of(r->row.text, r->row.length);
    memcpy(half, key, sizeof half);
    if (spar__key_table_reserve(&r->ids, 1))
        return spar__fail_memory(err);
    size_t known = r->ids.n, at = spar__key_get(&r->ids, half[0], half[1]);
    if (at == known)
        r->ids.entry[at].count = said;
    return r->ids.entry[at].count == said
               ? SPAR_OK
               : spar__fail(err, SPAR_PARSE, "a row before has the same id '%.64s', but says something else",
                            cell(r, ID));
}

static spar_status read_row(csv_read *r, spar__import_row *row, spar_error *err)
{
    spar__row_source source = {0};
    uint64_t taken = 0, flags = 0;
    if (r->csv.fields != r->fields)
        return spar__fail(err, SPAR_PARSE, "the row has %zu fields, expected %zu as in the header", r->csv.fields,
                          r->fields);
    const char *time = cell(r, TIME);
    *row = (spar__import_row){.shown = r->shown, .answer = r->answer, .voter = cell(r, VOTER), .line = r->csv.line};
    spar_status status = spar__row_read_shown(cell(r, SHOWN), r->names, r->shown, &row->m, err);
    if (!status && row->m < 2)
        status = spar__fail(err, SPAR_PARSE, "'shown' has %zu option%s, expected at least two, as in 'A,B'", row->m,
                            spar__plural(row->m));
    for (size_t i = 0; i < row->m && !status; i++)
        for (size_t k = 0; k < i && row->m <= 64 && !status; k++) /* more: an experiment refuses it, if it must */
            if (r->shown[i] == r->shown[k])
                status =
                    spar__fail(err, SPAR_PARSE, "'shown' has '%.80s' twice", spar__names_at(r->names, r->shown[i]));
    if (!status)
        status = spar__row_read_answer(cell(r, KIND), cell(r, ANSWER), r->names, r->shown, row->m, r->answer, err);
    if (!status && *time && !spar__utc_parse(time, &row->time))
        status = spar__fail(err, SPAR_PARSE, "'time' is '%.40s', expected one as in 2026-11-16T04:39:03.123456Z", time);
    if (!status)
        status = read_count(r, SCREEN, UINT64_MAX, &source.screen, err);
    if (!status)
        status = read_count(r, TAKEN, UINT32_MAX, &taken, err);
    if (!status)
        status = read_count(r, FLAGS, UINT32_MAX, &flags, err);
    if (status)
        return status;
    source.taken = (uint32_t)taken;
    source.flags = (uint32_t)flags;
    source.item = *cell(r, ITEM) ? cell(r, ITEM) : NULL;
    source.comment = *cell(r, COMMENT) ? cell(r, COMMENT) : NULL;
    spar__buf_clear(&r->source);
    spar__source_print(&source, &r->source);
    if (r->source.failed)
        return spar__fail_memory(err);
    row->source = r->source.length ? r->source.text : NULL;
    return make_key(r, row->key, err);
}

static spar_status csv_each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                            spar_error *err)
{
    const spar__import_text *file = context;
    csv_read r = {.file = file, .names = names, .csv = {.name = file->path, .at = file->text, .left = file->length}};
    r.shown = spar__alloc(SPAR__ROW_SLOTS, sizeof *r.shown);
    spar_status status = r.shown && !spar_answer_new(&r.answer) ? SPAR_OK : spar__fail_memory(err);
    if (!status) {
        bool more = false;
        status = spar__csv_next(&r.csv, &more, err);
        r.fields = r.csv.fields;
        for (int c = 0; c < COLUMNS && !status && more; c++) {
            r.at[c] = SIZE_MAX;
            for (size_t i = 0; i < r.fields; i++)
                if (strcmp(spar__csv_field(&r.csv, i), COLUMN[c]) == 0)
                    r.at[c] = i;
            if (r.at[c] == SIZE_MAX && (c == SHOWN || c == KIND || c == ANSWER))
                status = spar__fail(err, SPAR_PARSE, "%s:%zu: no column '%s' in the header, expected one as in '%s'",
                                    file->path, r.csv.line, COLUMN[c], SPAR__ROW_HEADER);
        }
        while (!status && more && !(status = spar__csv_next(&r.csv, &more, err)) && more) {
            spar__import_row row;
            spar_error why = {0};
            status = read_row(&r, &row, &why);
            status = status ? spar__fail(err, status, "%s:%zu: %s", r.file->path, r.csv.line, why.text)
                            : fn(fn_context, &row, err);
        }
    }
    spar__csv_close(&r.csv);
    spar__key_table_fini(&r.seen);
    spar__key_table_fini(&r.ids);
    spar__buf_free(&r.row);
    spar__buf_free(&r.source);
    spar_answer_free(r.answer);
    spar__free(r.shown);
    return status;
}

spar__import_reader spar__import_csv(const spar__import_text *text)
{
    return (spar__import_reader){text->path, csv_each, text};
}

bool spar__import_is_csv(const char *text, size_t length)
{
    spar__csv_reader csv = {.name = "", .at = text, .left = length};
    bool more = false, shown = false, kind = false;
    spar_status status = spar__csv_next(&csv, &more, NULL);
    for (size_t i = 0; !status && more && i < csv.fields; i++) {
        shown = shown || strcmp(spar__csv_field(&csv, i), "shown") == 0;
        kind = kind || strcmp(spar__csv_field(&csv, i), "kind") == 0;
    }
    spar__csv_close(&csv);
    return shown && kind;
}

/* --- votes in the forms of `spar decide` (text/votes.h): duels, lines, PrefLib orders --- */

static const uint64_t MOST_ROWS = 100000000; /* of all people in a PrefLib file */

typedef struct votes_read {
    const spar__votes *votes;
    const char *path;
    spar__key_table seen;
    spar__buf row, source;
    spar_answer *answer;
    size_t *shown, *level; /* of one vote */
    uint64_t *said;        /* of votes_each id: a hash of what its row says, */
    size_t *line;          /* and the first line with it */
} votes_read;

/* What the vote says, as bytes: two votes that say the same have the same. */
static void votes_describe(votes_read *r, const spar__vote *vote)
{
    const spar__votes *votes = r->votes;
    unsigned char head[13] = {(unsigned char)vote->kind};
    spar__put_u32(head + 1, vote->m);
    spar__put_u32(head + 5, vote->left_out);
    spar__put_u32(head + 9, (vote->voter ? 1 : 0) | (vote->item ? 2 : 0));
    spar__buf_clear(&r->row);
    spar__buf_add(&r->row, "vote", 5);
    spar__buf_add(&r->row, (const char *)head, sizeof head);
    for (size_t i = 0; i < vote->m; i++) {
        const spar__vote_slot *slot = &votes->slot[vote->first + i];
        unsigned char place[4];
        spar__put_u32(place, slot->place);
        spar__buf_adds(&r->row, spar__names_at(&votes->options, slot->option));
        spar__buf_add(&r->row, "", 1);
        spar__buf_add(&r->row, (const char *)place, sizeof place);
    }
    if (vote->voter)
        spar__buf_adds(&r->row, spar__names_at(&votes->voters, vote->voter - 1));
    spar__buf_add(&r->row, "", 1);
    if (vote->item)
        spar__buf_adds(&r->row, spar__names_at(&votes->items, vote->item - 1));
}

/* Two options, one better: the winner. More: a ranking, of which those that were left out are no part; its options
 * stand in the order of their places. */
static spar_status make_answer(votes_read *r, const spar__vote *vote)
{
    const spar__vote_slot *slot = r->votes->slot + vote->first;
    size_t n = vote->m - vote->left_out, level = 1;
    while (level < vote->m && slot[level].place == slot[0].place)
        level++;
    spar_answer_set_skip(r->answer);
    if (vote->kind == SPAR__VOTE_BAD)
        spar_answer_set_bad(r->answer);
    if (vote->kind != SPAR__VOTE_ORDER)
        return SPAR_OK;
    if (level >= vote->m)
        spar_answer_set_tie(r->answer);
    else if (vote->m == 2)
        spar_answer_set_winner(r->answer, slot[0].place < slot[1].place ? 0 : 1);
    if (level >= vote->m || vote->m == 2)
        return SPAR_OK;
    for (size_t i = 0; i < n; i++) {
        r->shown[i] = i;
        r->level[i] = slot[i].place;
    }
    return spar_answer_set_ranking(r->answer, n, r->shown, r->level, NULL);
}

/* The row of a vote, but for its key. */
static spar_status make_row(votes_read *r, const spar__vote *vote, spar__import_row *row, spar_error *err)
{
    const spar__votes *votes = r->votes;
    const spar__vote_slot *slot = votes->slot + vote->first;
    spar__row_source source = {.item = vote->item ? spar__names_at(&votes->items, vote->item - 1) : NULL};
    if (vote->m < 2)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: the vote is about one option, expected two or more", r->path,
                          vote->line);
    if (vote->m == 2 && slot[0].option == slot[1].option)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is compared with itself, expected two options", r->path,
                          vote->line, spar__names_at(&votes->options, slot[0].option));
    votes_describe(r, vote);
    spar__buf_clear(&r->source);
    spar__source_print(&source, &r->source);
    if (make_answer(r, vote) || r->row.failed || r->source.failed)
        return spar__fail_memory(err);
    for (size_t i = 0; i < vote->m; i++)
        r->shown[i] = slot[i].option;
    *row = (spar__import_row){.m = vote->m, .shown = r->shown, .answer = r->answer, .line = vote->line};
    row->voter = vote->voter ? spar__names_at(&votes->voters, vote->voter - 1) : NULL;
    row->source = r->source.length ? r->source.text : NULL;
    return SPAR_OK;
}

static spar_status read_vote(votes_read *r, const spar__vote *vote, spar__import_row_fn fn, void *context,
                             spar_error *err)
{
    spar__import_row row;
    spar_status status = make_row(r, vote, &row, err);
    if (!status && vote->id) {
        import_id_key(spar__names_at(&r->votes->ids, vote->id - 1), row.key);
        /* Two rows of one id must say the same. */
        uint64_t said = spar__hash_of(r->row.text, r->row.length);
        uint64_t *first = &r->said[vote->id - 1];
        if (!r->line[vote->id - 1]) {
            *first = said;
            r->line[vote->id - 1] = vote->line;
        }
        status =
            *first == said
                ? SPAR_OK
                : spar__fail(err, SPAR_PARSE,
                             "%s:%zu: the row has the id '%.60s' of line %zu, but says something else; expected "
                             "an id of its own for each row; --columns id=NAME names another column, id=- none",
                             r->path, vote->line, spar__names_at(&r->votes->ids, vote->id - 1), r->line[vote->id - 1]);
    }
    for (uint64_t t = 0; t < vote->times && !status; t++) {
        if (!vote->id && import_row_key(&r->seen, &r->row, row.key))
            return spar__fail_memory(err);
        status = fn(context, &row, err);
    }
    return status;
}

static spar_status votes_each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                              spar_error *err)
{
    const spar__import_ballots *ballots = context;
    const spar__votes *votes = ballots->votes;
    votes_read r = {.votes = votes, .path = ballots->path};
    size_t most = 2;
    uint64_t rows = 0;
    for (size_t i = 0; i < votes->n; i++) {
        most = votes->vote[i].m > most ? votes->vote[i].m : most;
        rows += votes->vote[i].times;
        if (rows > MOST_ROWS)
            return spar__fail(err, SPAR_UNSUPPORTED, "%s:%zu: more than 100 million votes", r.path,
                              votes->vote[i].line);
    }
    r.shown = spar__alloc(most, sizeof *r.shown);
    r.level = spar__alloc(most, sizeof *r.level);
    r.said = spar__alloc(votes->ids.n, sizeof *r.said);
    r.line = spar__alloc(votes->ids.n, sizeof *r.line);
    bool good = r.shown && r.level && r.said && r.line && !spar_answer_new(&r.answer);
    for (size_t i = 0, number; good && i < votes->options.n; i++) { /* the same names under the same numbers */
        const char *name = spar__names_at(&votes->options, i);
        good = !spar__names_get(names, name, strlen(name), &number);
    }
    spar_status status = good ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; i < votes->n && !status; i++)
        status = read_vote(&r, &votes->vote[i], fn, fn_context, err);
    spar__key_table_fini(&r.seen);
    spar__buf_free(&r.row);
    spar__buf_free(&r.source);
    spar_answer_free(r.answer);
    spar__free(r.shown);
    spar__free(r.level);
    spar__free(r.said);
    spar__free(r.line);
    return status;
}

spar__import_reader spar__import_votes(const spar__import_ballots *ballots)
{
    return (spar__import_reader){ballots->path, votes_each, ballots};
}
