/* Votes as rows with two sides and a winner, from CSV or JSON. */
#include "text/csv.h"
#include "text/json_rows.h"
#include "text/votes.h"

#include <string.h>

enum { A, B, WINNER, VOTER, ITEM, ID, COLUMNS };

typedef struct row_reader {
    const char *path;
    const char *column[COLUMNS]; /* NULL: there is none */
    bool needed[COLUMNS];
    spar__votes *votes;
    spar_error *err;
} row_reader;

/* What one row holds. NULL: empty or not there. */
typedef struct vote_row {
    size_t line;
    const char *cell[COLUMNS];
} vote_row;

static row_reader reader_of(const char *path, const spar__votes_columns *columns, spar__votes *out, spar_error *err)
{
    static const char *const standard[COLUMNS] = {"model_a", "model_b", "winner", "judge", NULL, "id"};
    spar__votes_columns given = columns ? *columns : (spar__votes_columns){0};
    const char *const name[COLUMNS] = {given.a, given.b, given.winner, given.voter, given.item, given.id};
    row_reader r = {.path = path, .votes = out, .err = err};
    *out = (spar__votes){0};
    for (size_t i = 0; i < COLUMNS; i++) {
        bool none = name[i] && !*name[i] && i > WINNER;
        r.column[i] = none ? NULL : name[i] ? name[i] : standard[i];
        r.needed[i] = r.column[i] && (name[i] || i <= WINNER);
    }
    return r;
}

static bool is_one_of(const char *text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* Is it this side, by the name of the option or of the side? */
static bool is_side(const row_reader *r, const vote_row *row, size_t side, const char *name)
{
    const char *winner = row->cell[WINNER];
    return strcmp(winner, row->cell[side]) == 0 || strcmp(winner, r->column[side]) == 0 || strcmp(winner, name) == 0;
}

static spar_status refuse_winner(const row_reader *r, const vote_row *row, const char *what)
{
    return spar__fail(
        r->err, SPAR_PARSE,
        "%s:%zu: the winner is '%.60s', %s; expected %s, %s, tie, tie (bothbad), or the name of one of the "
        "two, as in '%s,%s,%s'",
        r->path, row->line, row->cell[WINNER], what, r->column[A], r->column[B], row->cell[A], row->cell[B],
        r->column[A]);
}

static spar_status read_winner(const row_reader *r, const vote_row *row, spar__vote_kind *kind, size_t place[2])
{
    static const char *const bad[] = {"tie (bothbad)", "bothbad", "both_bad"}, *const skip[] = {"skip", "skipped"};
    const char *winner = row->cell[WINNER];
    *kind = SPAR__VOTE_ORDER;
    place[0] = place[1] = 0;
    if (!winner || is_one_of(winner, skip, 2))
        *kind = SPAR__VOTE_SKIP;
    else if (is_one_of(winner, bad, 3))
        *kind = SPAR__VOTE_BAD;
    else if (strcmp(winner, "tie") != 0) {
        bool a = is_side(r, row, A, "model_a"), b = is_side(r, row, B, "model_b");
        if (a == b)
            return refuse_winner(r, row, a ? "which is both sides" : "which is neither side");
        place[a ? 1 : 0] = 1;
    }
    return SPAR_OK;
}

static spar_status get_name(const row_reader *r, spar__names *names, const char *text, size_t *number)
{
    return spar__names_get(names, text, strlen(text), number) ? spar__fail_memory(r->err) : SPAR_OK;
}

/* 1 + the number of a voter, item or id, 0 for none. */
static spar_status get_who(const row_reader *r, spar__names *names, const char *text, uint32_t *number)
{
    size_t found = 0;
    spar_status status = text ? get_name(r, names, text, &found) : SPAR_OK;
    *number = text && !status ? (uint32_t)(found + 1) : 0;
    return status;
}

static spar_status add_row(const row_reader *r, const vote_row *row)
{
    spar__votes *votes = r->votes;
    spar__vote_kind kind;
    size_t place[2], option[2];
    for (size_t i = A; i <= B; i++)
        if (!row->cell[i])
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: '%s' is empty, expected the name of an option", r->path,
                              row->line, r->column[i]);
    spar_status status = read_winner(r, row, &kind, place);
    for (size_t i = 0; i < 2 && !status; i++)
        status = get_name(r, &votes->options, row->cell[A + i], &option[i]);
    if (!status && spar__votes_begin(votes, kind, row->line))
        status = spar__fail_memory(r->err);
    if (status)
        return status;
    spar__vote *vote = &votes->vote[votes->n - 1];
    status = get_who(r, &votes->voters, row->cell[VOTER], &vote->voter);
    if (!status)
        status = get_who(r, &votes->items, row->cell[ITEM], &vote->item);
    if (!status)
        status = get_who(r, &votes->ids, row->cell[ID], &vote->id);
    for (size_t i = 0; i < 2 && !status; i++)
        if (spar__votes_add(votes, option[i], place[i]))
            status = spar__fail_memory(r->err);
    return status;
}

/* The names of the columns in the header, for the error. */
static spar_status refuse_header(const row_reader *r, const spar__csv_reader *csv, const char *column)
{
    char found[160] = "";
    for (size_t i = 0; i < csv->fields && strlen(found) + strlen(spar__csv_field(csv, i)) + 3 < sizeof found; i++) {
        strcat(found, i ? "," : "");
        strcat(found, spar__csv_field(csv, i));
    }
    return spar__fail(r->err, SPAR_PARSE, "%s:%zu: no column '%s' in the header '%s'; expected one as in '%s,%s,%s'",
                      r->path, csv->line, column, found, r->column[A], r->column[B], r->column[WINNER]);
}

static spar_status find_columns(row_reader *r, const spar__csv_reader *csv, size_t at[COLUMNS])
{
    for (size_t c = 0; c < COLUMNS; c++) {
        at[c] = csv->fields;
        for (size_t i = 0; i < csv->fields && r->column[c]; i++)
            if (strcmp(spar__csv_field(csv, i), r->column[c]) == 0)
                at[c] = i;
        if (at[c] == csv->fields && r->needed[c])
            return refuse_header(r, csv, r->column[c]);
        if (at[c] == csv->fields)
            at[c] = SIZE_MAX;
    }
    return SPAR_OK;
}

static spar_status add_csv_row(const row_reader *r, const spar__csv_reader *csv, const size_t at[COLUMNS],
                               size_t fields)
{
    if (csv->fields != fields)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: the row has %zu fields, expected %zu as in the header", r->path,
                          csv->line, csv->fields, fields);
    vote_row row = {.line = csv->line};
    for (size_t c = 0; c < COLUMNS; c++) {
        const char *text = spar__csv_field(csv, at[c]);
        row.cell[c] = text && *text ? text : NULL;
    }
    return add_row(r, &row);
}

spar_status spar__votes_parse_csv(const char *text, size_t length, const char *path, const spar__votes_columns *columns,
                                  spar__votes *out, spar_error *err)
{
    row_reader r = reader_of(path, columns, out, err);
    spar__csv_reader csv = {.name = path, .at = text, .left = length, .comment = '#'};
    size_t at[COLUMNS], fields;
    bool more;
    spar_status status = spar__csv_next(&csv, &more, err);
    if (!status && more)
        status = find_columns(&r, &csv, at);
    fields = csv.fields;
    csv.comment = 0; /* an option may be called #1 */
    while (!status && more && !(status = spar__csv_next(&csv, &more, err)) && more)
        status = add_csv_row(&r, &csv, at, fields);
    spar__csv_close(&csv);
    if (status)
        spar__votes_free(out);
    return status;
}

static spar_status add_json_row(const row_reader *r, const spar__json_rows *rows)
{
    vote_row row = {.line = rows->line};
    for (size_t c = 0; c < COLUMNS; c++) {
        if (r->needed[c] && !spar__json_rows_has(rows, c))
            return spar__fail(
                r->err, SPAR_PARSE, "%s:%zu: no member '%s'; expected {\"%s\": \"A\", \"%s\": \"B\", \"%s\": \"%s\"}",
                r->path, rows->line, r->column[c], r->column[A], r->column[B], r->column[WINNER], r->column[A]);
        const char *text = spar__json_rows_value(rows, c);
        row.cell[c] = text && *text ? text : NULL;
    }
    return add_row(r, &row);
}

spar_status spar__votes_parse_json(const char *text, size_t length, const char *path,
                                   const spar__votes_columns *columns, spar__votes *out, spar_error *err)
{
    row_reader r = reader_of(path, columns, out, err);
    spar__json_rows rows = spar__json_rows_of(text, length, path, COLUMNS, r.column);
    bool more = true;
    spar_status status = SPAR_OK;
    while (!status && !(status = spar__json_rows_next(&rows, &more, err)) && more)
        status = add_json_row(&r, &rows);
    spar__json_rows_close(&rows);
    if (status)
        spar__votes_free(out);
    return status;
}
