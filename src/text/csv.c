/* csv.c - lines and their fields without copies; comma-separated values, written and read. One pass over the text. */
#include "text/csv.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

spar__piece spar__piece_trim(const char *from, const char *to)
{
    while (from < to && is_space(*from))
        from++;
    while (from < to && is_space(to[-1]))
        to--;
    return (spar__piece){from, (size_t)(to - from)};
}

spar__line_reader spar__lines_of(const char *text, size_t length)
{
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (spar__line_reader){.at = text + mark, .end = text + length, .comment = '#'};
}

bool spar__line_next(spar__line_reader *lines, spar__piece *line)
{
    while (lines->at < lines->end) {
        const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        if (!stop)
            stop = lines->end;
        const char *hash = lines->comment ? memchr(lines->at, lines->comment, (size_t)(stop - lines->at)) : NULL;
        *line = spar__piece_trim(lines->at, hash ? hash : stop);
        lines->at = stop < lines->end ? stop + 1 : stop;
        lines->number++;
        if (line->length)
            return true;
    }
    return false;
}

bool spar__piece_field(spar__piece *line, bool commas, spar__piece *field)
{
    if (!line->text)
        return false;
    const char *end = line->text + line->length, *stop = line->text;
    while (stop < end && !(commas ? *stop == ',' : is_space(*stop)))
        stop++;
    *field = spar__piece_trim(line->text, stop);
    if (stop == end)
        *line = (spar__piece){NULL, 0};
    else
        *line = commas ? (spar__piece){stop + 1, (size_t)(end - stop - 1)} : spar__piece_trim(stop, end);
    return true;
}

int spar__piece_shown(spar__piece piece)
{
    return piece.length > 40 ? 40 : (int)piece.length;
}

static const char MARK[] = "\xEF\xBB\xBF"; /* the byte order mark */

static void begin_field(spar__csv_writer *csv)
{
    if (csv->fields++ > 0)
        spar__buf_adds(csv->out, ",");
}

/* Spreadsheets take text that begins with = + - @ for a formula, some also behind a tab or the end of a line: an
 * apostrophe goes before it, and the reader removes one. Where apostrophes precede such a character in the text itself,
 * one more goes before them. */
static bool is_guarded(const char *text)
{
    text += strspn(text, "'\t\r\n");
    return *text && strchr("=+-@", *text);
}

static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);
    if (length == 0)
        return false;
    bool blank = strchr(" \t", text[0]) || strchr(" \t", text[length - 1]);
    return blank || strpbrk(text, ",\"\r\n") || strncmp(text, MARK, 3) == 0; /* a mark that starts a file is skipped */
}

void spar__csv_text(spar__csv_writer *csv, const char *text)
{
    const char *guard = is_guarded(text) ? "'" : "";
    begin_field(csv);
    if (!needs_quotes(text)) {
        spar__buf_adds(csv->out, guard);
        spar__buf_adds(csv->out, text);
        return;
    }
    spar__buf_adds(csv->out, "\"");
    spar__buf_adds(csv->out, guard);
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        spar__buf_add(csv->out, text, (size_t)(quote - text));
        spar__buf_adds(csv->out, "\"\"");
    }
    spar__buf_adds(csv->out, text);
    spar__buf_adds(csv->out, "\"");
}

void spar__csv_integer(spar__csv_writer *csv, int64_t value)
{
    begin_field(csv);
    spar__buf_printf(csv->out, "%" PRId64, value);
}

void spar__csv_number(spar__csv_writer *csv, double value)
{
    begin_field(csv);
    if (isnan(value))
        return;
    char text[SPAR__NUMBER_SIZE];
    size_t length = spar__number_print(text, value);
    spar__buf_add(csv->out, text, length);
}

void spar__csv_end_row(spar__csv_writer *csv)
{
    /* A row of one empty field would be a blank line, which readers skip. */
    spar__buf *out = csv->out;
    if (csv->fields == 1 && (out->length == 0 || out->text[out->length - 1] == '\n'))
        spar__buf_adds(out, "\"\"");
    spar__buf_adds(out, "\n");
    csv->fields = 0;
}

/* The reader. */

static int peek(const spar__csv_reader *csv)
{
    return csv->left > 0 ? (unsigned char)*csv->at : EOF;
}

static void advance(spar__csv_reader *csv, size_t count)
{
    csv->at += count;
    csv->left -= count;
}

/* Eats a line end, if one is here; the end of the text is one too. */
static bool end_line(spar__csv_reader *csv)
{
    if (csv->left == 0)
        return true;
    size_t size = csv->at[0] == '\n' || (csv->at[0] == '\r' && csv->left == 1) ? 1
                  : csv->at[0] == '\r' && csv->at[1] == '\n'                   ? 2
                                                                               : 0;
    if (size == 0)
        return false;
    advance(csv, size);
    csv->next_line++;
    return true;
}

static spar_status read_quoted(spar__csv_reader *csv, spar_error *err)
{
    size_t opened = csv->next_line;
    advance(csv, 1);
    for (;;) {
        int c = peek(csv);
        if (c == EOF)
            return spar__fail(err, SPAR_PARSE, "%s:%zu: a quoted field is never closed", csv->name, opened);
        if (c == '\0')
            return spar__fail(err, SPAR_PARSE, "%s:%zu: holds a zero byte", csv->name, csv->next_line);
        advance(csv, 1);
        if (c == '"') {
            if (peek(csv) != '"')
                return SPAR_OK;
            advance(csv, 1);
        }
        if (c == '\n')
            csv->next_line++;
        spar__buf_add(&csv->text, &(char){(char)c}, 1);
    }
}

static spar_status read_field(spar__csv_reader *csv, spar_error *err)
{
    if (!spar__reserve(&csv->start, &csv->capacity, csv->fields + 1, 16, sizeof *csv->start))
        return spar__fail_memory(err);
    csv->start[csv->fields] = csv->text.length;
    if (peek(csv) == '"') {
        spar_status status = read_quoted(csv, err);
        if (status)
            return status;
    } else {
        size_t length = 0;
        while (length < csv->left && !memchr(",\"\r\n", csv->at[length], 5)) /* the 5th is the zero byte */
            length++;
        spar__buf_add(&csv->text, csv->at, length);
        advance(csv, length);
        if (peek(csv) == '"')
            return spar__fail(err, SPAR_PARSE, "%s:%zu: a quote inside a field that does not start with one", csv->name,
                              csv->next_line);
        if (peek(csv) == '\0')
            return spar__fail(err, SPAR_PARSE, "%s:%zu: holds a zero byte", csv->name, csv->next_line);
    }
    spar__buf_add(&csv->text, "", 1);
    if (csv->text.failed)
        return spar__fail_memory(err);
    const char *field = csv->text.text + csv->start[csv->fields];
    if (field[0] == '\'' && is_guarded(field))
        csv->start[csv->fields]++;
    csv->fields++;
    return SPAR_OK;
}

spar_status spar__csv_next(spar__csv_reader *csv, bool *more, spar_error *err)
{
    *more = false;
    csv->fields = 0;
    spar__buf_clear(&csv->text);
    if (csv->next_line == 0) {
        csv->next_line = 1;
        if (csv->left >= 3 && memcmp(csv->at, MARK, 3) == 0)
            advance(csv, 3);
    }
    bool blank = true; /* blank lines and comments are skipped */
    while (blank && csv->left > 0) {
        if (csv->comment && *csv->at == csv->comment) {
            const char *end = memchr(csv->at, '\n', csv->left);
            advance(csv, end ? (size_t)(end - csv->at) : csv->left);
        }
        blank = end_line(csv);
    }
    csv->line = csv->next_line;
    if (csv->left == 0)
        return SPAR_OK;
    for (;;) {
        spar_status status = read_field(csv, err);
        if (status) {
            csv->fields = 0;
            return status;
        }
        if (peek(csv) == ',') {
            advance(csv, 1);
            continue;
        }
        *more = end_line(csv);
        if (*more)
            return SPAR_OK;
        size_t field = csv->fields;
        csv->fields = 0;
        return spar__fail(err, SPAR_PARSE, "%s:%zu: expected a comma or the end of the line after field %zu", csv->name,
                          csv->next_line, field);
    }
}

const char *spar__csv_field(const spar__csv_reader *csv, size_t i)
{
    return i < csv->fields ? csv->text.text + csv->start[i] : NULL;
}

void spar__csv_close(spar__csv_reader *csv)
{
    spar__buf_free(&csv->text);
    spar__free(csv->start);
    csv->start = NULL;
    csv->fields = csv->capacity = 0;
}
