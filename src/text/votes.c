/* votes.c - votes from files: rows of CSV or JSON, lines of orders, and PrefLib. One pass over the text. */
#include "text/votes.h"

#include "base/alloc.h"
#include "text/csv.h"
#include "text/json_read.h"

#include <stdio.h>
#include <string.h>

void spar__votes_free(spar__votes *votes)
{
    spar__names_free(&votes->options);
    spar__names_free(&votes->voters);
    spar__names_free(&votes->items);
    spar__names_free(&votes->ids);
    spar__free(votes->vote);
    spar__free(votes->slot);
    *votes = (spar__votes){0};
}

spar_status spar__votes_begin(spar__votes *votes, spar__vote_kind kind, size_t line)
{
    if (!spar__reserve(&votes->vote, &votes->room, votes->n + 1, 64, sizeof *votes->vote))
        return SPAR_NOMEM;
    votes->vote[votes->n++] = (spar__vote){.first = votes->slots, .kind = kind, .times = 1, .line = line};
    return SPAR_OK;
}

spar_status spar__votes_add(spar__votes *votes, size_t option, size_t place)
{
    if (!spar__reserve(&votes->slot, &votes->slot_room, votes->slots + 1, 128, sizeof *votes->slot))
        return SPAR_NOMEM;
    votes->slot[votes->slots++] = (spar__vote_slot){(uint32_t)option, (uint32_t)place};
    votes->vote[votes->n - 1].m++;
    return SPAR_OK;
}

static bool has(spar__piece line, char c)
{
    return memchr(line.text, c, line.length) != NULL;
}

/* Is the line a row of win counts: numbers, but for a name in the first field? */
static bool is_count_row(spar__piece line)
{
    bool commas = has(line, ',');
    spar__piece field;
    size_t fields = 0, numbers = 0;
    for (; spar__piece_field(&line, commas, &field); fields++) {
        bool number = field.length > 0;
        for (size_t i = 0; i < field.length; i++)
            number &= field.text[i] && strchr("0123456789.+-eE", field.text[i]);
        if (fields > 0 && !number)
            return false;
        numbers += number;
    }
    return numbers > 0;
}

static bool is_word(spar__piece field, const char *word)
{
    return field.length == strlen(word) && memcmp(field.text, word, field.length) == 0;
}

/* Is it the header of an arena? Then its rows are no counts, also where options have numbers for names. */
static bool is_arena_head(spar__piece line)
{
    bool a = false, b = false;
    spar__piece field;
    while (spar__piece_field(&line, true, &field)) {
        a |= is_word(field, "model_a");
        b |= is_word(field, "model_b");
    }
    return a && b;
}

spar__votes_form spar__votes_guess(const char *text, size_t length, size_t *number)
{
    static const char *const head[] = {
        "# FILE NAME:", "# TITLE:", "# DATA TYPE:", "# NUMBER ALTERNATIVES:", "# ALTERNATIVE NAME "};
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    *number = 0;
    for (lines.comment = 0; spar__line_next(&lines, &line);) {
        for (size_t i = 0; i < sizeof head / sizeof *head; i++)
            if (line.length >= strlen(head[i]) && memcmp(line.text, head[i], strlen(head[i])) == 0)
                return SPAR__VOTES_PREFLIB;
        if (line.text[0] == '#')
            continue;
        *number = lines.number;
        lines.comment = '#';
        if (line.text[0] == '{' || line.text[0] == '[')
            return SPAR__VOTES_JSON;
        if (has(line, '>') || (has(line, '=') && !has(line, ',')))
            return SPAR__VOTES_LINES;
        spar__line_reader rest = lines;
        spar__piece second;
        if (is_arena_head(line))
            return SPAR__VOTES_CSV;
        bool row = is_count_row(line) || (spar__line_next(&rest, &second) && is_count_row(second));
        return row ? SPAR__VOTES_COUNTS : has(line, ',') ? SPAR__VOTES_CSV : SPAR__VOTES_UNKNOWN;
    }
    return SPAR__VOTES_EMPTY;
}

/* Votes as lines: 'A > B', 'A = B', 'A > B = C'. */

typedef struct vote_line {
    const char *path;
    size_t number;
    spar__piece text;
} vote_line;

static spar_status refuse_line(const vote_line *line, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.*s' %s; expected options with > or = between them, as in 'A > B'",
                      line->path, line->number, spar__piece_shown(line->text), line->text.text, what);
}

static spar_status parse_line(spar__votes *votes, const vote_line *line, spar_error *err)
{
    const char *at = line->text.text, *end = at + line->text.length, *stop;
    size_t place = 0, option;
    if (!has(line->text, '>') && !has(line->text, '='))
        return refuse_line(line, "has neither > nor =", err);
    if (spar__votes_begin(votes, SPAR__VOTE_ORDER, line->number))
        return spar__fail_memory(err);
    const spar__vote *vote = &votes->vote[votes->n - 1];
    for (;; at = stop + 1) {
        for (stop = at; stop < end && *stop != '>' && *stop != '=';)
            stop++;
        spar__piece name = spar__piece_trim(at, stop);
        if (name.length == 0)
            return refuse_line(line, "has no name beside a > or =", err);
        if (has(name, '\0'))
            return refuse_line(line, "holds a zero byte", err);
        if (vote->m == SPAR__VOTE_SLOTS)
            return spar__fail(err, SPAR_PARSE, "%s:%zu: more than %d options in one vote", line->path, line->number,
                              SPAR__VOTE_SLOTS);
        if (spar__names_get(&votes->options, name.text, name.length, &option))
            return spar__fail_memory(err);
        for (size_t i = 0; i < vote->m; i++)
            if (votes->slot[vote->first + i].option == option)
                return refuse_line(line, "has an option twice", err);
        if (spar__votes_add(votes, option, place))
            return spar__fail_memory(err);
        if (stop == end)
            return SPAR_OK;
        place += *stop == '>';
    }
}

spar_status spar__votes_parse_lines(const char *text, size_t length, const char *path, spar__votes *out,
                                    spar_error *err)
{
    *out = (spar__votes){0};
    spar__line_reader lines = spar__lines_of(text, length);
    lines.comment = 0; /* names may hold a # */
    vote_line line = {.path = path};
    while (spar__line_next(&lines, &line.text)) {
        if (line.text.text[0] == '#')
            continue;
        line.number = lines.number;
        spar_status status = parse_line(out, &line, err);
        if (status) {
            spar__votes_free(out);
            return status;
        }
    }
    return SPAR_OK;
}

/* Votes as rows with two sides and a winner, from CSV or JSON. */

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
        if (a == b) {
            const char *what = a ? "which is both sides" : "which is neither side";
            return spar__fail(
                r->err, SPAR_PARSE,
                "%s:%zu: the winner is '%.60s', %s; expected %s, %s, tie, tie (bothbad), or the name of one of the "
                "two, as in '%s,%s,%s'",
                r->path, row->line, row->cell[WINNER], what, r->column[A], r->column[B], row->cell[A], row->cell[B],
                r->column[A]);
        }
        place[a ? 1 : 0] = 1;
    }
    return SPAR_OK;
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
    if (status)
        return status;
    for (size_t i = 0; i < 2; i++)
        if (spar__names_get(&votes->options, row->cell[A + i], strlen(row->cell[A + i]), &option[i]))
            return spar__fail_memory(r->err);
    if (spar__votes_begin(votes, kind, row->line))
        return spar__fail_memory(r->err);
    spar__vote *vote = &votes->vote[votes->n - 1];
    spar__names *const names[] = {&votes->voters, &votes->items, &votes->ids};
    uint32_t *const number[] = {&vote->voter, &vote->item, &vote->id};
    for (size_t i = 0; i < 3; i++) {
        const char *text = row->cell[VOTER + i];
        size_t found;
        if (text && spar__names_get(names[i], text, strlen(text), &found))
            return spar__fail_memory(r->err);
        *number[i] = text ? (uint32_t)(found + 1) : 0;
    }
    for (size_t i = 0; i < 2; i++)
        if (spar__votes_add(votes, option[i], place[i]))
            return spar__fail_memory(r->err);
    return SPAR_OK;
}

static spar_status find_columns(row_reader *r, const spar__csv_reader *csv, size_t at[COLUMNS])
{
    for (size_t c = 0; c < COLUMNS; c++) {
        at[c] = csv->fields;
        for (size_t i = 0; i < csv->fields && r->column[c]; i++)
            if (strcmp(spar__csv_field(csv, i), r->column[c]) == 0)
                at[c] = i;
        if (at[c] == csv->fields && r->needed[c]) {
            char found[160] = ""; /* the names of the columns in the header */
            for (size_t i = 0; i < csv->fields && strlen(found) + strlen(spar__csv_field(csv, i)) + 3 < sizeof found;
                 i++) {
                strcat(found, i ? "," : "");
                strcat(found, spar__csv_field(csv, i));
            }
            return spar__fail(r->err, SPAR_PARSE,
                              "%s:%zu: no column '%s' in the header '%s'; expected one as in '%s,%s,%s'", r->path,
                              csv->line, r->column[c], found, r->column[A], r->column[B], r->column[WINNER]);
        }
        if (at[c] == csv->fields)
            at[c] = SIZE_MAX;
    }
    return SPAR_OK;
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
    while (!status && more && !(status = spar__csv_next(&csv, &more, err)) && more) {
        vote_row row = {.line = csv.line};
        for (size_t c = 0; c < COLUMNS; c++) {
            const char *cell = spar__csv_field(&csv, at[c]);
            row.cell[c] = cell && *cell ? cell : NULL;
        }
        status = csv.fields == fields
                     ? add_row(&r, &row)
                     : spar__fail(err, SPAR_PARSE, "%s:%zu: the row has %zu fields, expected %zu as in the header",
                                  path, csv.line, csv.fields, fields);
    }
    spar__csv_close(&csv);
    if (status)
        spar__votes_free(out);
    return status;
}

spar_status spar__votes_parse_json(const char *text, size_t length, const char *path,
                                   const spar__votes_columns *columns, spar__votes *out, spar_error *err)
{
    row_reader r = reader_of(path, columns, out, err);
    spar__json_rows rows = spar__json_rows_of(text, length, path, COLUMNS, r.column);
    bool more = true;
    spar_status status = SPAR_OK;
    while (!status && !(status = spar__json_rows_next(&rows, &more, err)) && more) {
        vote_row row = {.line = rows.line};
        for (size_t c = 0; c < COLUMNS && !status; c++) {
            const char *cell = spar__json_row_text(&rows, rows.found[c]);
            row.cell[c] = cell && *cell ? cell : NULL;
            if (r.needed[c] && !rows.found[c])
                status = spar__fail(
                    err, SPAR_PARSE, "%s:%zu: no member '%s'; expected {\"%s\": \"A\", \"%s\": \"B\", \"%s\": \"%s\"}",
                    path, rows.line, r.column[c], r.column[A], r.column[B], r.column[WINNER], r.column[A]);
        }
        if (!status)
            status = add_row(&r, &row);
    }
    spar__json_rows_close(&rows);
    if (status)
        spar__votes_free(out);
    return status;
}

static const size_t MOST_SLOTS = (size_t)1 << 26; /* in all votes: half a gigabyte */
static const uint64_t MOST_PEOPLE = (uint64_t)1 << 40;

typedef struct preflib_reader {
    const char *path;
    size_t number; /* of the line */
    spar__votes *votes;
    spar_error *err;
    size_t n;              /* alternatives; 0 while unknown */
    bool strict, complete; /* as the type of the data says */
    bool ready;
    spar__piece *name; /* n */
    size_t *seen;      /* n: the vote that last had it, from 1 */
} preflib_reader;

static spar_status refuse(const preflib_reader *r, spar__piece piece, const char *expected)
{
    return spar__fail(r->err, SPAR_PARSE, "%s:%zu: '%.*s', expected %s", r->path, r->number, spar__piece_shown(piece),
                      piece.text, expected);
}

static bool starts(spar__piece *piece, const char *with)
{
    size_t length = strlen(with);
    if (piece->length < length || memcmp(piece->text, with, length) != 0)
        return false;
    *piece = spar__piece_trim(piece->text + length, piece->text + piece->length);
    return true;
}

/* Takes digits off the front; false when there are none, or the number is above `most`. */
static bool take_number(spar__piece *piece, uint64_t most, uint64_t *out)
{
    size_t i = 0;
    for (*out = 0; i < piece->length && piece->text[i] >= '0' && piece->text[i] <= '9'; i++) {
        *out = *out * 10 + (uint64_t)(piece->text[i] - '0');
        if (*out > most)
            return false;
    }
    *piece = spar__piece_trim(piece->text + i, piece->text + piece->length);
    return i > 0;
}

/* '# DATA TYPE: soc', '# NUMBER ALTERNATIVES: 10', '# ALTERNATIVE NAME 1: cat'; other comments say nothing here. */
static spar_status read_head(preflib_reader *r, spar__piece line)
{
    static const char *const known[] = {"soc", "soi", "toc", "toi"};
    uint64_t i;
    if (starts(&line, "# DATA TYPE:")) {
        for (i = 0; i < 4; i++)
            if (is_word(line, known[i])) {
                r->strict = i < 2;
                r->complete = i % 2 == 0;
                return SPAR_OK;
            }
        return refuse(r, line, "the type soc, soi, toc or toi, as in '# DATA TYPE: soc'");
    }
    if (starts(&line, "# NUMBER ALTERNATIVES:")) {
        spar__piece rest = line;
        if (r->n)
            return refuse(r, line, "the number of alternatives once");
        if (!take_number(&rest, SPAR__VOTE_SLOTS, &i) || rest.length || i == 0)
            return refuse(r, line, "1 to 2000 alternatives, as in '# NUMBER ALTERNATIVES: 10'");
        r->n = (size_t)i;
        r->name = spar__alloc(r->n, sizeof *r->name);
        r->seen = spar__alloc(r->n, sizeof *r->seen);
        return r->name && r->seen ? SPAR_OK : spar__fail_memory(r->err);
    }
    if (starts(&line, "# ALTERNATIVE NAME ")) {
        spar__piece rest = line;
        if (!r->n)
            return refuse(r, line, "'# NUMBER ALTERNATIVES: 10' before the names");
        if (!take_number(&rest, r->n, &i) || i == 0 || !starts(&rest, ":") || !rest.length || has(rest, '\0'))
            return refuse(r, line, "the number and name of an alternative, as in '# ALTERNATIVE NAME 1: cat'");
        if (r->name[i - 1].length)
            return refuse(r, line, "one name for each alternative");
        r->name[i - 1] = rest;
    }
    return SPAR_OK;
}

/* The names become options, in order. */
static spar_status end_head(preflib_reader *r, spar__piece line)
{
    if (!r->n)
        return refuse(r, line, "'# NUMBER ALTERNATIVES: 10' and the names before the votes");
    for (size_t i = 0; i < r->n; i++) {
        char number[24];
        size_t option;
        spar__piece name = r->name[i];
        if (!name.length)
            name = (spar__piece){number, (size_t)snprintf(number, sizeof number, "%zu", i + 1)};
        if (spar__names_get(&r->votes->options, name.text, name.length, &option))
            return spar__fail_memory(r->err);
        if (option != i)
            return refuse(r, name, "alternatives with names of their own, not the same for two");
    }
    r->ready = true;
    return SPAR_OK;
}

static spar_status add_alternative(preflib_reader *r, spar__piece *rest, size_t place)
{
    spar__piece all = *rest;
    uint64_t i;
    if (!take_number(rest, r->n, &i) || i == 0)
        return refuse(r, all, "the number of an alternative, as in '41: 2,{1,3}'");
    if (r->seen[i - 1] == r->votes->n)
        return refuse(r, all, "each alternative once");
    r->seen[i - 1] = r->votes->n;
    return spar__votes_add(r->votes, (size_t)(i - 1), place) ? spar__fail_memory(r->err) : SPAR_OK;
}

static spar_status add_unranked(preflib_reader *r, size_t place)
{
    spar__votes *votes = r->votes;
    spar__vote *vote = &votes->vote[votes->n - 1];
    if (vote->m == r->n)
        return SPAR_OK;
    if (r->complete)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %u of %zu alternatives, expected all in data of this type",
                          r->path, r->number, (unsigned)vote->m, r->n);
    votes->unranked += vote->times;
    vote->left_out = (uint32_t)r->n - vote->m;
    for (size_t i = 0; i < r->n; i++)
        if (r->seen[i] != votes->n && spar__votes_add(votes, i, place))
            return spar__fail_memory(r->err);
    return SPAR_OK;
}

static spar_status read_order(preflib_reader *r, spar__piece line)
{
    spar__piece rest = line;
    uint64_t times;
    if (!take_number(&rest, MOST_PEOPLE, &times) || times == 0 || !starts(&rest, ":"))
        return refuse(r, line, "a number of people, a colon and their order, as in '41: 2,{1,3}'");
    if (r->votes->slots + r->n > MOST_SLOTS)
        return spar__fail(r->err, SPAR_UNSUPPORTED, "%s:%zu: too many orders of %zu alternatives", r->path, r->number,
                          r->n);
    if (spar__votes_begin(r->votes, SPAR__VOTE_ORDER, r->number))
        return spar__fail_memory(r->err);
    r->votes->vote[r->votes->n - 1].times = times;
    for (size_t place = 0;; place++) {
        bool tied = starts(&rest, "{");
        if (tied && r->strict)
            return refuse(r, rest, "no ties in data of this type");
        do {
            spar_status status = add_alternative(r, &rest, place);
            if (status)
                return status;
        } while (tied && starts(&rest, ","));
        if (tied && !starts(&rest, "}"))
            return refuse(r, rest, "a comma or }, as in '41: 2,{1,3}'");
        if (!rest.length)
            return add_unranked(r, place + 1);
        if (!starts(&rest, ","))
            return refuse(r, rest, "a comma, as in '41: 2,{1,3}'");
    }
}

spar_status spar__preflib_parse(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err)
{
    *out = (spar__votes){.unordered = true, .one_each = true};
    preflib_reader r = {.path = path, .votes = out, .err = err};
    spar__line_reader lines = spar__lines_of(text, length);
    lines.comment = 0;
    spar__piece line;
    spar_status status = SPAR_OK;
    while (!status && spar__line_next(&lines, &line)) {
        r.number = lines.number;
        bool head = line.text[0] == '#';
        if (!r.ready)
            status = head ? read_head(&r, line) : end_head(&r, line);
        if (!status && !head)
            status = read_order(&r, line);
    }
    if (!status && !r.ready && r.n)
        status = end_head(&r, (spar__piece){"", 0});
    spar__free(r.name);
    spar__free(r.seen);
    if (status)
        spar__votes_free(out);
    return status;
}
