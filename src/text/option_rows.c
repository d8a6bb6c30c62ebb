/* Options in each form of file. */
#include "text/option_rows.h"

#include "base/file.h"
#include "text/csv.h"
#include "text/json_rows.h"
#include "text/lines.h"
#include "text/option_maker.h"
#include "text/yaml.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A row that is one text. */
static spar_status add_text(spar__option_maker *m, const char *text, size_t line)
{
    spar_status status = spar__option_maker_row(m, line);
    return status ? status : spar__option_maker_cell(m, "id", text);
}

static spar_status refuse_yaml(const spar__yaml_value *value, spar_error *err)
{
    return spar__yaml_fail(value, err,
                           "expected a list of options: '- Assam', or '- id: assam' and below it 'title: Assam'");
}

static spar_status take_yaml(void *context, const spar__yaml_value *value, spar_error *err)
{
    spar__option_maker *m = context;
    if (value->depth == 0 || value->in[0].key)
        return refuse_yaml(value, err);
    if (!value->text)
        return value->depth == 1 ? SPAR_OK : spar__yaml_fail(value, err, "expected text, not an empty list or map");
    if (value->depth == 1)
        return add_text(m, value->text, value->line);
    if (value->depth > 2 || !value->in[1].key)
        return spar__yaml_fail(value, err,
                               "expected text or a number, as in '- id: assam' and below it 'title: Assam'");
    spar_status status = value->in[1].index == 0 ? spar__option_maker_row(m, value->line) : SPAR_OK;
    return status ? status : spar__option_maker_cell(m, value->in[1].key, value->text);
}

static spar_status parse_yaml(spar__option_maker *m, const char *text, size_t length)
{
    return spar__yaml_parse(m->path, text, length, take_yaml, m, m->err);
}

typedef struct json_options {
    spar__option_maker *maker;
    spar__json_rows rows;
    bool begun; /* the row that is being read */
} json_options;

static spar_status begin_row(json_options *in)
{
    spar_status status = in->begun ? SPAR_OK : spar__option_maker_row(in->maker, in->rows.line);
    in->begun = true;
    return status;
}

static spar_status take_member(void *context, const char *key, const char *value, spar_error *err)
{
    (void)err;
    json_options *in = context;
    spar_status status = begin_row(in);
    return status ? status : spar__option_maker_cell(in->maker, key, value ? value : "");
}

static spar_status parse_json(spar__option_maker *m, const char *text, size_t length)
{
    static const char *const key[] = {"id", "title", "body", "image"};
    json_options in = {.maker = m, .rows = spar__json_rows_of(text, length, m->path, SPAR__OPTION_PARTS, key)};
    bool more = true;
    spar_status status = SPAR_OK;
    in.rows.plain = true;
    in.rows.take = take_member;
    in.rows.context = &in;
    while (!status && more) {
        in.begun = false;
        status = spar__json_rows_next(&in.rows, &more, m->err);
        if (!status && more)
            status = begin_row(&in);
        for (size_t i = 0; i < SPAR__OPTION_PARTS && more && !status; i++)
            if (spar__json_rows_value(&in.rows, i))
                status = spar__option_maker_cell(m, key[i], spar__json_rows_value(&in.rows, i));
    }
    spar__json_rows_close(&in.rows);
    return status;
}

static spar_status read_header(spar__option_maker *m, const spar__csv_reader *csv, spar__names *columns)
{
    bool named = false;
    for (size_t i = 0; i < csv->fields; i++) {
        const char *name = spar__csv_field(csv, i);
        size_t number;
        if (spar__names_get(columns, name, strlen(name), &number))
            return spar__fail_memory(m->err);
        if (number < i || !*name)
            return spar__fail(m->err, SPAR_PARSE, "%s:%zu: %s '%.80s'; expected a name for each column", m->path,
                              csv->line, *name ? "two columns are called" : "there is a column", name);
        named |= strcmp(name, "id") == 0 || strcmp(name, "title") == 0;
    }
    return named
               ? SPAR_OK
               : spar__fail(m->err, SPAR_PARSE, "%s:%zu: expected a header with 'id' or 'title', as in 'id,title,body'",
                            m->path, csv->line);
}

static spar_status add_csv_row(spar__option_maker *m, const spar__csv_reader *csv, const spar__names *columns)
{
    spar_status status = spar__option_maker_row(m, csv->line);
    if (!status && csv->fields != columns->n)
        status = spar__fail(m->err, SPAR_PARSE, "%s:%zu: %zu fields, expected %zu", m->path, csv->line, csv->fields,
                            columns->n);
    for (size_t i = 0; i < csv->fields && !status; i++)
        status = spar__option_maker_cell(m, spar__names_at(columns, i), spar__csv_field(csv, i));
    return status;
}

static spar_status parse_csv(spar__option_maker *m, const char *text, size_t length)
{
    spar__csv_reader csv = {.name = m->path, .at = text, .left = length};
    spar__names columns = {0};
    bool more = true;
    spar_status status = spar__csv_next(&csv, &more, m->err);
    if (!status && more)
        status = read_header(m, &csv, &columns);
    while (!status && more) {
        status = spar__csv_next(&csv, &more, m->err);
        if (!status && more)
            status = add_csv_row(m, &csv, &columns);
    }
    spar__csv_close(&csv);
    spar__names_free(&columns);
    return status;
}

static spar_status parse_lines(spar__option_maker *m, const char *text, size_t length)
{
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    spar__buf word = {0};
    spar_status status = SPAR_OK;
    lines.comment = 0; /* inside a line a '#' is text */
    while (!status && spar__line_next(&lines, &line)) {
        if (line.text[0] == '#')
            continue;
        if (memchr(line.text, 0, line.length)) {
            status = spar__fail(m->err, SPAR_PARSE, "%s:%zu: holds a zero byte", m->path, lines.number);
            break;
        }
        spar__buf_clear(&word);
        spar__buf_add(&word, line.text, line.length);
        status = word.failed ? spar__fail_memory(m->err) : add_text(m, word.text, lines.number);
    }
    spar__buf_free(&word);
    return status;
}

/* The header of a table: several fields, one of which is called id or title. */
static bool looks_like_csv(spar__piece line)
{
    spar__piece field;
    bool named = false;
    size_t fields = 0;
    for (; spar__piece_field(&line, true, &field); fields++)
        named |= (field.length == 2 && memcmp(field.text, "id", 2) == 0) ||
                 (field.length == 5 && memcmp(field.text, "title", 5) == 0);
    return named && fields > 1;
}

static bool ends(const char *path, const char *with)
{
    size_t length = strlen(path), n = strlen(with);
    return length > n && strcasecmp(path + length - n, with) == 0;
}

spar__option_form spar__option_form_of(const char *path, const char *text, size_t length)
{
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    if (ends(path, ".yaml") || ends(path, ".yml"))
        return SPAR__OPTIONS_YAML;
    if (ends(path, ".json") || ends(path, ".jsonl") || ends(path, ".ndjson"))
        return SPAR__OPTIONS_JSON;
    if (ends(path, ".csv"))
        return SPAR__OPTIONS_CSV;
    if (ends(path, ".txt") || !spar__line_next(&lines, &line))
        return SPAR__OPTIONS_LINES;
    if (line.text[0] == '[' || line.text[0] == '{')
        return SPAR__OPTIONS_JSON;
    if (line.length > 1 && line.text[0] == '-' && line.text[1] == ' ')
        return SPAR__OPTIONS_YAML;
    return looks_like_csv(line) ? SPAR__OPTIONS_CSV : SPAR__OPTIONS_LINES;
}

/* An image is looked for beside the file that names it. */
static spar_status place_image(spar__option_maker *m, size_t cell)
{
    const char *slash = strrchr(m->path, '/'), *image = m->text.text + m->cell[cell].start;
    spar__buf path = {0};
    if (m->cell[cell].column != SPAR__OPTION_IMAGE || image[0] == '/' || !slash)
        return SPAR_OK;
    spar__buf_add(&path, m->path, (size_t)(slash - m->path) + 1);
    spar__buf_adds(&path, image);
    m->cell[cell].start = m->text.length;
    if (!path.failed)
        spar__buf_add(&m->text, path.text, path.length + 1);
    spar_status status = path.failed || m->text.failed ? spar__fail_memory(m->err) : SPAR_OK;
    spar__buf_free(&path);
    return status;
}

spar_status spar__option_rows_parse(spar__option_form form, const char *text, size_t length, const char *path,
                                    spar__option_rows *out, spar_error *err)
{
    static spar_status (*const parse[])(spar__option_maker *, const char *, size_t) = {parse_yaml, parse_json,
                                                                                       parse_csv, parse_lines};
    spar__option_maker maker = {.path = path, .err = err};
    spar_status status = SPAR_OK;
    if (length > SPAR__OPTION_BYTES)
        status = spar__fail(err, SPAR_PARSE, "%s: larger than %d bytes", path, SPAR__OPTION_BYTES);
    if (!status)
        status = parse[form](&maker, text, length);
    for (size_t i = 0; i < maker.cells && !status; i++)
        status = place_image(&maker, i);
    if (!status && !maker.rows)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no options in it", path);
    return spar__option_maker_finish(&maker, status, out);
}

static spar_status load_folder(const char *path, spar__option_rows *out, spar_error *err)
{
    spar__option_maker maker = {.path = path, .err = err};
    spar_status status = spar__option_folder(&maker);
    if (!status && !maker.rows)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no images in it", path);
    return spar__option_maker_finish(&maker, status, out);
}

spar_status spar__option_rows_load(const char *path, spar__option_rows *out, spar_error *err)
{
    struct stat about;
    spar__buf text = {0};
    *out = (spar__option_rows){0};
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return load_folder(path, out, err);
    spar_status status = spar__file_read(path, SPAR__OPTION_BYTES, &text, err);
    spar__buf_add(&text, "", 0); /* never NULL */
    if (!status && text.failed)
        status = spar__fail_memory(err);
    const char *shown = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!status)
        status = spar__option_rows_parse(spar__option_form_of(path, text.text, text.length), text.text, text.length,
                                         shown, out, err);
    spar__buf_free(&text);
    return status;
}
