/* option_rows.c - options from files and folders. Every reader gives cells to one maker, which turns columns into
 * features at the end; one pass over the text, and one over the cells for each feature. */
#include "text/option_rows.h"

#include "base/alloc.h"
#include "base/file.h"
#include "text/csv.h"
#include "text/json_read.h"
#include "text/names.h"
#include "text/yaml.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool begins(const char *bytes, size_t length, const char *with, size_t n)
{
    return length >= n && memcmp(bytes, with, n) == 0;
}

/* Behind the next `close`; the end if there is none. */
static const char *behind(const char *at, const char *end, const char *close)
{
    size_t n = strlen(close);
    for (; (size_t)(end - at) >= n; at++)
        if (memcmp(at, close, n) == 0)
            return at + n;
    return end;
}

const char *spar__image_type(const char *bytes, size_t length)
{
    if (begins(bytes, length, "\x89PNG\r\n\x1A\n", 8))
        return "image/png";
    if (begins(bytes, length, "\xFF\xD8\xFF", 3))
        return "image/jpeg";
    if (begins(bytes, length, "GIF87a", 6) || begins(bytes, length, "GIF89a", 6))
        return "image/gif";
    if (begins(bytes, length, "RIFF", 4) && length >= 12 && memcmp(bytes + 8, "WEBP", 4) == 0)
        return "image/webp";
    /* XML whose first element is svg: spaces, the declaration, comments and a document type may come before it. */
    const char *at = bytes + (begins(bytes, length, "\xEF\xBB\xBF", 3) ? 3 : 0), *end = bytes + length;
    while (at < end) {
        size_t left = (size_t)(end - at);
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            at++;
        else if (begins(at, left, "<?", 2))
            at = behind(at, end, "?>");
        else if (begins(at, left, "<!--", 4))
            at = behind(at, end, "-->");
        else if (begins(at, left, "<!DOCTYPE", 9))
            at = behind(at, end, ">");
        else
            return left > 4 && memcmp(at, "<svg", 4) == 0 && at[4] && strchr(" \t\r\n>/", at[4]) ? "image/svg+xml"
                                                                                                 : NULL;
    }
    return NULL;
}

/* For the readers of option files: cells one by one, then rows. */

enum { ID, TITLE, BODY, IMAGE, PARTS };

typedef struct option_cell {
    size_t column; /* a part as above, or PARTS + a number in features */
    size_t start;  /* in text */
} option_cell;

typedef struct option_start {
    size_t cell, line; /* the first cell of a row, and where it stands */
} option_start;

typedef struct option_maker { /* all zero but path and err: empty */
    const char *path;
    spar_error *err;
    spar__names features; /* the names of other columns */
    option_cell *cell;
    size_t cells, cell_room;
    option_start *row;
    size_t rows, row_room;
    spar__buf text;
} option_maker;

static const double CATEGORY = 0.70710678118654752440; /* sqrt(1/2): two of them are at distance 1 */

static spar_status refuse(const option_maker *m, size_t line, const char *what, const char *name)
{
    char place[32] = "";
    if (line)
        (void)snprintf(place, sizeof place, ":%zu", line);
    return spar__fail(m->err, SPAR_PARSE, "%s%s: %s '%.80s'", m->path, place, what, name);
}

/* A new row, then its cells. A key twice in a row is refused; a value that is empty is as none. */
static spar_status option_maker_row(option_maker *m, size_t line)
{
    if (m->rows == SPAR__OPTION_ROWS)
        return spar__fail(m->err, SPAR_PARSE, "%s:%zu: more than %d options", m->path, line, SPAR__OPTION_ROWS);
    if (!spar__reserve(&m->row, &m->row_room, m->rows + 1, 16, sizeof *m->row))
        return spar__fail_memory(m->err);
    m->row[m->rows++] = (option_start){m->cells, line};
    return SPAR_OK;
}

static spar_status option_maker_cell(option_maker *m, const char *key, const char *value)
{
    static const char *const part[PARTS] = {"id", "title", "body", "image"};
    size_t line = m->row[m->rows - 1].line, column = 0;
    while (column < PARTS && strcmp(part[column], key) != 0)
        column++;
    if (column == PARTS) {
        if (!*key || strlen(key) > 200)
            return refuse(m, line, "expected the name of a column, not", key);
        if (spar__names_get(&m->features, key, strlen(key), &column))
            return spar__fail_memory(m->err);
        column += PARTS;
        if (m->features.n > SPAR__OPTION_FEATURES)
            return refuse(m, line, "too many features; expected id, title, body, image and a few features, not", key);
    }
    if (!*value)
        return SPAR_OK;
    for (size_t i = m->row[m->rows - 1].cell; i < m->cells; i++)
        if (m->cell[i].column == column)
            return refuse(m, line, "the option has two values of", key);
    if (!spar__reserve(&m->cell, &m->cell_room, m->cells + 1, 16, sizeof *m->cell))
        return spar__fail_memory(m->err);
    m->cell[m->cells++] = (option_cell){column, m->text.length};
    spar__buf_add(&m->text, value, strlen(value) + 1);
    return m->text.failed ? spar__fail_memory(m->err) : SPAR_OK;
}

/* A row that is one text. */
static spar_status add_text(option_maker *m, const char *text, size_t line)
{
    spar_status status = option_maker_row(m, line);
    return status ? status : option_maker_cell(m, "id", text);
}

/* The text of a row in a column, NULL if it has none. */
static const char *cell_at(const option_maker *m, size_t row, size_t column)
{
    size_t end = row + 1 < m->rows ? m->row[row + 1].cell : m->cells;
    for (size_t i = m->row[row].cell; i < end; i++)
        if (m->cell[i].column == column)
            return m->text.text + m->cell[i].start;
    return NULL;
}

/* The numbers of feature `column` behind those that are there: its own, or a place for each category. */
static spar_status add_feature(const option_maker *m, size_t column, spar__option_rows *out)
{
    const char *name = spar__names_at(&m->features, column - PARTS);
    bool numbers = true;
    spar__names category = {0};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < m->rows && !status; i++) {
        const char *text = cell_at(m, i, column);
        double value;
        size_t number, line = m->row[i].line;
        numbers = numbers && text && spar__parse_double(text, &value);
        if (!text)
            status = refuse(m, line, "expected a number or a text, as the other options have, for the feature", name);
        else if (category.n <= SPAR__OPTION_CATEGORIES && spar__names_get(&category, text, strlen(text), &number))
            status = spar__fail_memory(m->err);
        else if (!numbers && category.n > SPAR__OPTION_CATEGORIES)
            status = refuse(m, line, "more than 64 different texts; expected id, title, body, image or a feature, not",
                            name);
    }
    size_t dim = out->dim + (numbers ? 1 : category.n);
    double *x = status || dim > SPAR__OPTION_FEATURES ? NULL : spar__alloc(m->rows, dim * sizeof *x);
    if (!status && dim > SPAR__OPTION_FEATURES)
        status =
            spar__fail(m->err, SPAR_PARSE, "%s: the features are more than %d numbers", m->path, SPAR__OPTION_FEATURES);
    else if (!status && !x)
        status = spar__fail_memory(m->err);
    for (size_t i = 0; i < m->rows && !status; i++) {
        const char *text = cell_at(m, i, column);
        size_t number = 0;
        for (size_t k = 0; k < out->dim; k++)
            x[i * dim + k] = out->x[i * out->dim + k];
        if (numbers)
            (void)spar__parse_double(text, &x[i * dim + out->dim]);
        else if (!spar__names_get(&category, text, strlen(text), &number))
            x[i * dim + out->dim + number] = CATEGORY;
    }
    spar__names_free(&category);
    if (status)
        return status;
    spar__free(out->x);
    out->x = x;
    out->dim = dim;
    return SPAR_OK;
}

void spar__option_rows_free(spar__option_rows *rows)
{
    spar__free(rows->row);
    spar__free(rows->x);
    spar__buf_free(&rows->text);
    *rows = (spar__option_rows){0};
}

/* Moves everything to *out, unless status is a failure already; empties the maker. Returns the status. */
static spar_status option_maker_finish(option_maker *m, spar_status status, spar__option_rows *out)
{
    *out = (spar__option_rows){0};
    spar__names ids = {0}; /* every row has an id, and no other row has it */
    if (!status && !(out->row = spar__alloc(m->rows, sizeof *out->row)))
        status = spar__fail_memory(m->err);
    for (size_t i = 0; i < m->rows && !status; i++) {
        spar__option_row row = {.line = m->row[i].line,
                                .id = cell_at(m, i, ID),
                                .title = cell_at(m, i, TITLE),
                                .body = cell_at(m, i, BODY),
                                .image = cell_at(m, i, IMAGE)};
        row.id = row.id ? row.id : row.title;
        size_t number;
        if (!row.id)
            status = spar__fail(m->err, SPAR_PARSE, "%s:%zu: this option has no id; expected 'id' or 'title'", m->path,
                                row.line);
        else if (spar__names_get(&ids, row.id, strlen(row.id), &number))
            status = spar__fail_memory(m->err);
        else if (number < i)
            status = refuse(m, row.line, "there are two options with the id", row.id);
        out->row[out->n++] = row;
    }
    spar__names_free(&ids);
    for (size_t i = 0; i < m->features.n && !status; i++)
        status = add_feature(m, PARTS + i, out);
    out->text = m->text;
    spar__names_free(&m->features);
    spar__free(m->cell);
    spar__free(m->row);
    if (status)
        spar__option_rows_free(out);
    return status;
}

/* A folder of images: an option each, named after its file. */

enum { HEAD = 4096 }; /* bytes in which an image must show what it is */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static spar_status check_image(const char *path, spar_error *err)
{
    char head[HEAD];
    FILE *file = fopen(path, "rb");
    if (!file)
        return spar__fail_file(err, path, "open");
    size_t length = fread(head, 1, sizeof head, file);
    spar_status status = ferror(file) ? spar__fail_file(err, path, "read") : SPAR_OK;
    (void)fclose(file);
    if (!status && !spar__image_type(head, length))
        status = spar__fail(err, SPAR_PARSE, "%s: expected an image (PNG, JPEG, GIF, WebP or SVG)", path);
    return status;
}

static spar_status load_folder(const char *path, spar__option_rows *out, spar_error *err)
{
    option_maker m = {.path = path, .err = err};
    char **name = NULL;
    size_t n = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return spar__fail_file(err, path, "read");
    spar_status status = SPAR_OK;
    errno = 0;
    for (struct dirent *entry; !status && (entry = readdir(folder)); errno = 0)
        if (n > SPAR__OPTION_ROWS)
            status = spar__fail(err, SPAR_PARSE, "%s: more than %d files", path, SPAR__OPTION_ROWS);
        else if (entry->d_name[0] != '.') { /* not hidden */
            if (!spar__resize(&name, n, n + 1, sizeof *name) || !(name[n] = spar__strdup(entry->d_name)))
                status = spar__fail_memory(err);
            n += !status;
        }
    if (!status && errno)
        status = spar__fail_file(err, path, "read");
    (void)closedir(folder);
    if (n)
        qsort(name, n, sizeof *name, compare_names);
    for (size_t i = 0; i < n; i++) {
        spar__buf file = {0};
        spar__buf_printf(&file, "%s/%s", path, name[i]);
        if (!status)
            status = file.failed ? spar__fail_memory(err) : check_image(file.text, err);
        char *dot = strrchr(name[i], '.'); /* the id is the name without its ending */
        if (dot && dot > name[i])
            *dot = '\0';
        if (!status)
            status = add_text(&m, name[i], 0);
        if (!status)
            status = option_maker_cell(&m, "image", file.text);
        spar__buf_free(&file);
        spar__free(name[i]);
    }
    spar__free(name);
    if (!status && !m.rows)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no images in it", path);
    return option_maker_finish(&m, status, out);
}

/* Options in each form of file. */

static spar_status take_yaml(void *context, const spar__yaml_value *value, spar_error *err)
{
    option_maker *m = context;
    if (value->depth == 0 || value->in[0].key) {
        return spar__yaml_fail(value, err,
                               "expected a list of options: '- Assam', or '- id: assam' and below it 'title: Assam'");
    }
    if (!value->text)
        return value->depth == 1 ? SPAR_OK : spar__yaml_fail(value, err, "expected text, not an empty list or map");
    if (value->depth == 1)
        return add_text(m, value->text, value->line);
    if (value->depth > 2 || !value->in[1].key)
        return spar__yaml_fail(value, err,
                               "expected text or a number, as in '- id: assam' and below it 'title: Assam'");
    spar_status status = value->in[1].index == 0 ? option_maker_row(m, value->line) : SPAR_OK;
    return status ? status : option_maker_cell(m, value->in[1].key, value->text);
}

static spar_status parse_json(option_maker *m, const char *text, size_t length)
{
    spar__json_rows rows = spar__json_rows_of(text, length, m->path, 0, NULL);
    const spar__json_tree *tree = &rows.tree;
    bool more = true;
    spar_status status = SPAR_OK;
    rows.plain = rows.flat = true;
    while (!status && !(status = spar__json_rows_next(&rows, &more, m->err)) && more) {
        const spar__json_node *root = spar__json_root(tree), *node = spar__json_first(tree, root);
        if (root->kind == SPAR__JSON_STRING) {
            status = add_text(m, spar__json_text(tree, root), rows.line);
            continue;
        }
        status = option_maker_row(m, rows.line);
        for (; node && !status; node = spar__json_next(tree, node)) {
            const char *value = spar__json_row_text(&rows, node);
            status = option_maker_cell(m, spar__json_key_of(tree, node), value ? value : "");
        }
    }
    spar__json_rows_close(&rows);
    return status;
}

static spar_status read_header(option_maker *m, const spar__csv_reader *csv, spar__names *columns)
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

static spar_status parse_csv(option_maker *m, const char *text, size_t length)
{
    spar__csv_reader csv = {.name = m->path, .at = text, .left = length};
    spar__names columns = {0};
    bool more = true;
    spar_status status = spar__csv_next(&csv, &more, m->err);
    if (!status && more)
        status = read_header(m, &csv, &columns);
    while (!status && more) {
        status = spar__csv_next(&csv, &more, m->err);
        if (!status && more) {
            status = option_maker_row(m, csv.line);
            if (!status && csv.fields != columns.n)
                status = spar__fail(m->err, SPAR_PARSE, "%s:%zu: %zu fields, expected %zu", m->path, csv.line,
                                    csv.fields, columns.n);
            for (size_t i = 0; i < csv.fields && !status; i++)
                status = option_maker_cell(m, spar__names_at(&columns, i), spar__csv_field(&csv, i));
        }
    }
    spar__csv_close(&csv);
    spar__names_free(&columns);
    return status;
}

static spar_status parse_lines(option_maker *m, const char *text, size_t length)
{
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    spar__buf word = {0};
    spar_status status = SPAR_OK;
    lines.comment = 0; /* inside a line a '#' is text */
    while (!status && spar__line_next(&lines, &line)) {
        if (line.text[0] == '#')
            continue;
        spar__buf_clear(&word);
        spar__buf_add(&word, line.text, line.length);
        status = memchr(line.text, 0, line.length)
                     ? spar__fail(m->err, SPAR_PARSE, "%s:%zu: holds a zero byte", m->path, lines.number)
                 : word.failed ? spar__fail_memory(m->err)
                               : add_text(m, word.text, lines.number);
    }
    spar__buf_free(&word);
    return status;
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
    /* The header of a table has several fields, one of which is called id or title. */
    spar__piece field;
    bool named = false;
    size_t fields = 0;
    for (; spar__piece_field(&line, true, &field); fields++)
        named |= (field.length == 2 && memcmp(field.text, "id", 2) == 0) ||
                 (field.length == 5 && memcmp(field.text, "title", 5) == 0);
    return named && fields > 1 ? SPAR__OPTIONS_CSV : SPAR__OPTIONS_LINES;
}

spar_status spar__option_rows_parse(spar__option_form form, const char *text, size_t length, const char *path,
                                    spar__option_rows *out, spar_error *err)
{
    option_maker maker = {.path = path, .err = err};
    spar_status status = length > SPAR__OPTION_BYTES
                             ? spar__fail(err, SPAR_PARSE, "%s: larger than %d bytes", path, SPAR__OPTION_BYTES)
                         : form == SPAR__OPTIONS_YAML ? spar__yaml_parse(path, text, length, take_yaml, &maker, err)
                         : form == SPAR__OPTIONS_JSON ? parse_json(&maker, text, length)
                         : form == SPAR__OPTIONS_CSV  ? parse_csv(&maker, text, length)
                                                      : parse_lines(&maker, text, length);
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < maker.cells && slash && !status; i++) { /* an image is looked for beside the file */
        size_t start = maker.text.length;
        const char *image = maker.text.text + maker.cell[i].start;
        if (maker.cell[i].column != IMAGE || image[0] == '/')
            continue;
        char *name = spar__strdup(image); /* the text may move */
        spar__buf_add(&maker.text, path, (size_t)(slash - path) + 1);
        spar__buf_add(&maker.text, name ? name : "", name ? strlen(name) + 1 : 0);
        status = !name || maker.text.failed ? spar__fail_memory(err) : SPAR_OK;
        maker.cell[i].start = start;
        spar__free(name);
    }
    if (!status && !maker.rows)
        status = spar__fail(err, SPAR_PARSE, "%s: there are no options in it", path);
    return option_maker_finish(&maker, status, out);
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
