/* import_csv.c - rows as export wrote them (rows.h), or as people write them: 'shown', 'kind' and 'answer' must be
 * there, the other columns may be missing. An id of 64 hexadecimal digits is the key itself. */
#include "live/import_rows.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/buf.h"
#include "live/rows.h"
#include "text/escape.h"
#include "text/csv.h"
#include "base/clock.h"

#include <string.h>

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

static spar_status find_columns(csv_read *r, spar_error *err)
{
    r->fields = r->csv.fields;
    for (int c = 0; c < COLUMNS; c++) {
        r->at[c] = SIZE_MAX;
        for (size_t i = 0; i < r->fields; i++)
            if (strcmp(spar__csv_field(&r->csv, i), COLUMN[c]) == 0)
                r->at[c] = i;
        if (r->at[c] == SIZE_MAX && (c == SHOWN || c == KIND || c == ANSWER))
            return spar__fail(err, SPAR_PARSE, "%s:%zu: no column '%s' in the header, expected one as in '%s'",
                              r->file->path, r->csv.line, COLUMN[c], SPAR__ROW_HEADER);
    }
    return SPAR_OK;
}

static spar_status read_count(const csv_read *r, int column, uint64_t most, uint64_t *out, spar_error *err)
{
    const char *text = cell(r, column);
    *out = 0;
    if (!*text || (spar__parse_u64(text, out) && *out <= most))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'%s' is '%.40s', expected a whole number or nothing", COLUMN[column], text);
}

static spar_status read_time(const csv_read *r, int64_t *out, spar_error *err)
{
    const char *text = cell(r, TIME);
    *out = 0;
    if (!*text || spar__utc_parse(text, out))
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "'time' is '%.40s', expected one as in 2026-11-16T04:39:03.123456Z", text);
}

static spar_status read_source(csv_read *r, spar_error *err)
{
    spar__row_source source = {0};
    uint64_t taken = 0, flags = 0;
    spar_status status = read_count(r, SCREEN, UINT64_MAX, &source.screen, err);
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
    return r->source.failed ? spar__fail_memory(err) : SPAR_OK;
}

/* What the row says, but for its id. */
static void describe(csv_read *r)
{
    spar__buf_clear(&r->row);
    spar__buf_add(&r->row, "row", 4);
    for (int c = ID + 1; c < COLUMNS; c++) {
        spar__buf_adds(&r->row, cell(r, c));
        spar__buf_add(&r->row, "", 1);
    }
}

/* Two rows of one id must say the same. */
static spar_status check_id(csv_read *r, const unsigned char *key, spar_error *err)
{
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

static spar_status make_key(csv_read *r, unsigned char key[SPAR_HASH_SIZE], spar_error *err)
{
    const char *id = cell(r, ID);
    describe(r);
    if (r->row.failed)
        return spar__fail_memory(err);
    if (!*id)
        return spar__import_row_key(&r->seen, &r->row, key) ? spar__fail_memory(err) : SPAR_OK;
    if (!spar__hex_read(id, key, SPAR_HASH_SIZE))
        spar__import_id_key(id, key);
    return check_id(r, key, err);
}

static spar_status check_shown(const csv_read *r, size_t m, spar_error *err)
{
    if (m < 2)
        return spar__fail(err, SPAR_PARSE, "'shown' has %zu option%s, expected at least two, as in 'A,B'", m,
                          spar__plural(m));
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < i && m <= 64; k++) /* more than people see: an experiment refuses it, if it must */
            if (r->shown[i] == r->shown[k])
                return spar__fail(err, SPAR_PARSE, "'shown' has '%.80s' twice", spar__names_at(r->names, r->shown[i]));
    return SPAR_OK;
}

static spar_status read_row(csv_read *r, spar__import_row *row, spar_error *err)
{
    if (r->csv.fields != r->fields)
        return spar__fail(err, SPAR_PARSE, "the row has %zu fields, expected %zu as in the header", r->csv.fields,
                          r->fields);
    *row = (spar__import_row){.shown = r->shown, .answer = r->answer, .voter = cell(r, VOTER), .line = r->csv.line};
    spar_status status = spar__row_read_shown(cell(r, SHOWN), r->names, r->shown, &row->m, err);
    if (!status)
        status = check_shown(r, row->m, err);
    if (!status)
        status = spar__row_read_answer(cell(r, KIND), cell(r, ANSWER), r->names, r->shown, row->m, r->answer, err);
    if (!status)
        status = read_time(r, &row->time, err);
    if (!status)
        status = read_source(r, err);
    row->source = r->source.length ? r->source.text : NULL;
    return status ? status : make_key(r, row->key, err);
}

static spar_status read_rows(csv_read *r, spar__import_row_fn fn, void *context, spar_error *err)
{
    bool more = false;
    spar_status status = spar__csv_next(&r->csv, &more, err);
    if (!status && more)
        status = find_columns(r, err);
    while (!status && more && !(status = spar__csv_next(&r->csv, &more, err)) && more) {
        spar__import_row row;
        spar_error why = {0};
        status = read_row(r, &row, &why);
        status = status ? spar__fail(err, status, "%s:%zu: %s", r->file->path, r->csv.line, why.text)
                        : fn(context, &row, err);
    }
    return status;
}

static spar_status each(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                        spar_error *err)
{
    const spar__import_text *file = context;
    csv_read r = {.file = file, .names = names, .csv = {.name = file->path, .at = file->text, .left = file->length}};
    r.shown = spar__alloc(SPAR__ROW_SLOTS, sizeof *r.shown);
    spar_status status = r.shown && !spar_answer_new(&r.answer) ? SPAR_OK : spar__fail_memory(err);
    if (!status)
        status = read_rows(&r, fn, fn_context, err);
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
    return (spar__import_reader){text->path, each, text};
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
