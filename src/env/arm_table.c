/* arm_table.c - arms with features and utilities from a file of comma-separated values, for function(file=): the format
 * is in data.h. Read in one pass into numbers, where a text is the index of its category, and then spread out. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "env/data.h"
#include "text/csv.h"

#include <math.h>
#include <string.h>

static const size_t LARGEST_FILE = (size_t)1 << 30;
static const double LARGEST_NUMBER = 1e100; /* differences and squares stay finite */
static const double CATEGORY = 0.70710678118654752440;

typedef enum column_kind { UNKNOWN, NUMBER, TEXT, NAME } column_kind;

typedef struct column {
    char *name;
    column_kind kind;
    bool is_utility;
    double low, high; /* NUMBER */
    char **category;  /* TEXT: in the order of their first appearance */
    size_t categories, capacity;
} column;

/* Cells are kept as numbers: a text is the index of its category. Names are kept apart. */
typedef struct table_reader {
    spar__csv_reader csv;
    spar_error *err;
    const char *utility;
    column *column;
    size_t columns;
    size_t first_line; /* of the first row, which says what the columns hold */
    double *cell;      /* rows x columns */
    char **names;
    size_t rows, capacity;
    bool named;
} table_reader;

/* Field i without the white space around it. */
static char *field(const table_reader *r, size_t i)
{
    char *text = r->csv.text.text + r->csv.start[i], *end = text + strlen(text);
    text += strspn(text, " \t");
    while (end > text && strchr(" \t", end[-1]))
        *--end = '\0';
    return text;
}

static spar_status read_header(table_reader *r)
{
    bool found = false;
    r->columns = r->csv.fields;
    r->column = spar__alloc(r->columns, sizeof *r->column);
    if (!r->column)
        return spar__fail_memory(r->err);
    if (r->columns > SPAR__TABLE_MOST_FEATURES + 2)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %zu columns, expected at most %d", r->csv.name, r->csv.line,
                          r->columns, SPAR__TABLE_MOST_FEATURES + 2);
    for (size_t i = 0; i < r->columns; i++) {
        const char *name = field(r, i);
        if (!*name)
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: column %zu has no name", r->csv.name, r->csv.line, i + 1);
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->column[k].name, name) == 0) {
                return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %s '%.80s'", r->csv.name, r->csv.line,
                                  "two columns have the name", name);
            }
        column *c = &r->column[i];
        c->name = spar__strdup(name);
        if (!c->name)
            return spar__fail_memory(r->err);
        c->is_utility = strcmp(name, r->utility) == 0;
        found = found || c->is_utility;
        if (!c->is_utility && strcmp(name, "name") == 0) {
            c->kind = NAME;
            r->named = true;
        }
    }
    if (!found)
        return spar__fail(r->err, SPAR_PARSE,
                          "%s:%zu: there is no column '%.80s'; utility= says which holds the utility", r->csv.name,
                          r->csv.line, r->utility);
    return SPAR_OK;
}

/* NaN, infinities and numbers beyond a double (1e999) are not categories. */
static bool means_number(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    text += *text == '-' || *text == '+';
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t i = 0;
        while (words[w][i] && (text[i] | 32) == words[w][i])
            i++;
        if (!words[w][i] && !text[i])
            return true;
    }
    return *text >= '0' && *text <= '9' && !text[strspn(text, "0123456789.eE+-")] && strpbrk(text, "eE");
}

/* The first cell says what the column holds, and the others are like it. */
static spar_status check_kind(const table_reader *r, column *c, const char *text, bool number)
{
    const char *file = r->csv.name;
    size_t line = r->csv.line;
    if (!*text)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: nothing in column '%.80s'", file, line, c->name);
    if (c->kind == UNKNOWN && !number && (c->is_utility || means_number(text)))
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: '%.40s' in column '%.80s' is not a finite number", file, line,
                          text, c->name);
    if (c->kind == UNKNOWN)
        c->kind = number ? NUMBER : TEXT;
    if (c->kind == NUMBER && !number)
        return spar__fail(r->err, SPAR_PARSE,
                          "%s:%zu: '%.40s' in column '%.80s', which has numbers from line %zu to here", file, line,
                          text, c->name, r->first_line);
    if (c->kind == TEXT && (number || means_number(text)))
        return spar__fail(r->err, SPAR_PARSE,
                          "%s:%zu: the number %.40s in column '%.80s', which has texts from line %zu to here", file,
                          line, text, c->name, r->first_line);
    return SPAR_OK;
}

static spar_status read_cell(table_reader *r, column *c, const char *text, double *cell)
{
    double value = 0;
    bool number = spar__parse_double(text, &value);
    spar_status status = c->kind == NAME && *text ? SPAR_OK : check_kind(r, c, text, number);
    if (status)
        return status;
    if (c->kind == NAME) {
        r->names[r->rows] = spar__strdup(text);
        return r->names[r->rows] ? SPAR_OK : spar__fail_memory(r->err);
    }
    if (c->kind == TEXT) {
        /* Which category of the column the text is, possibly a new one. */
        size_t i = 0;
        while (i < c->categories && strcmp(c->category[i], text) != 0)
            i++;
        *cell = (double)i;
        if (i < c->categories)
            return SPAR_OK;
        if (i == SPAR__TABLE_MOST_FEATURES)
            return spar__fail(r->err, SPAR_PARSE,
                              "%s:%zu: column '%.80s' has more than %d different texts, too many for categories",
                              r->csv.name, r->csv.line, c->name, SPAR__TABLE_MOST_FEATURES);
        char **grown = spar__grow(c->category, &c->capacity, i + 1, 8, sizeof *grown);
        if (!grown)
            return spar__fail_memory(r->err);
        c->category = grown;
        c->category[i] = spar__strdup(text);
        if (!c->category[i])
            return spar__fail_memory(r->err);
        c->categories++;
        return SPAR_OK;
    }
    if (!(fabs(value) <= LARGEST_NUMBER))
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %.40s in column '%.80s' is beyond %g", r->csv.name, r->csv.line,
                          text, c->name, LARGEST_NUMBER);
    c->low = r->rows ? fmin(c->low, value) : value;
    c->high = r->rows ? fmax(c->high, value) : value;
    *cell = value;
    return SPAR_OK;
}

static spar_status read_row(table_reader *r)
{
    if (r->csv.fields != r->columns)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: row has %zu fields, expected %zu", r->csv.name, r->csv.line,
                          r->csv.fields, r->columns);
    if (r->rows == r->capacity) {
        if (r->rows == SPAR__TABLE_MOST_ROWS || r->rows > SPAR__TABLE_MOST_NUMBERS / r->columns)
            return spar__fail(r->err, SPAR_PARSE, "%s:%zu: more than %zu rows of %zu columns", r->csv.name, r->csv.line,
                              r->rows, r->columns);
        size_t capacity = r->capacity ? 2 * r->capacity : 64;
        double *cell = spar__realloc(r->cell, r->capacity, capacity, r->columns * sizeof *cell);
        if (!cell)
            return spar__fail_memory(r->err);
        r->cell = cell;
        char **names = r->named ? spar__realloc(r->names, r->capacity, capacity, sizeof *names) : NULL;
        if (r->named && !names)
            return spar__fail_memory(r->err);
        r->names = names;
        r->capacity = capacity;
    }
    if (!r->rows)
        r->first_line = r->csv.line;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < r->columns; i++)
        status = read_cell(r, &r->column[i], field(r, i), &r->cell[r->rows * r->columns + i]);
    if (status && r->names && r->rows < r->capacity) {
        spar__free(r->names[r->rows]); /* of a row that does not count */
        r->names[r->rows] = NULL;
    }
    r->rows += !status;
    return status;
}

static size_t width(const column *c)
{
    if (c->is_utility || c->kind == NAME)
        return 0;
    return c->kind == TEXT ? c->categories : 1;
}

static spar_status fill(table_reader *r, bool scale, spar__arm_table *out)
{
    size_t dim = 0, n = r->rows;
    for (size_t i = 0; i < r->columns; i++)
        dim += width(&r->column[i]);
    if (dim > SPAR__TABLE_MOST_FEATURES || n > SPAR__TABLE_MOST_NUMBERS / (dim ? dim : 1))
        return spar__fail(r->err, SPAR_PARSE, "%s: %zu rows of %zu features, categories included, are too many",
                          r->csv.name, n, dim);
    out->n = n;
    out->dim = dim;
    out->x = dim ? spar__alloc(n, dim * sizeof *out->x) : NULL;
    out->utility = spar__alloc(n, sizeof *out->utility);
    if (!out->utility || (dim && !out->x))
        return spar__fail_memory(r->err);
    size_t at = 0;
    for (size_t row = 0; row < n; row++)
        for (size_t i = 0; i < r->columns; i++) {
            const column *c = &r->column[i];
            double cell = r->cell[row * r->columns + i];
            if (c->is_utility)
                out->utility[row] = cell;
            else if (c->kind == TEXT && c->categories > 1)
                out->x[at + (size_t)cell] = CATEGORY;
            else if (c->kind == NUMBER && !scale)
                out->x[at] = cell;
            else if (c->kind == NUMBER && c->high > c->low)
                out->x[at] = (cell - c->low) / (c->high - c->low);
            at += width(c);
        }
    out->names = r->names;
    r->names = NULL;
    return SPAR_OK;
}

spar_status spar__arm_table_parse(const char *text, size_t length, const char *path, const char *utility, bool scale,
                                  spar__arm_table *out, spar_error *err)
{
    *out = (spar__arm_table){0};
    table_reader r = {.csv = {.name = path, .at = text, .left = length}, .err = err, .utility = utility};
    spar__arm_table table = {0};
    bool more;
    spar_status status = spar__csv_next(&r.csv, &more, err);
    if (!status)
        status = more ? read_header(&r) : spar__fail(err, SPAR_PARSE, "%s: is empty", r.csv.name);
    while (!status && !(status = spar__csv_next(&r.csv, &more, err)) && more)
        status = read_row(&r);
    if (!status && r.rows < 2)
        status = spar__fail(err, SPAR_PARSE, "%s:%zu: ends after %zu row%s below the header, expected at least 2",
                            r.csv.name, r.csv.line, r.rows, spar__plural(r.rows));
    if (!status)
        status = fill(&r, scale, &table);
    for (size_t i = 0; r.column && i < r.columns; i++) {
        column *c = &r.column[i];
        for (size_t k = 0; k < c->categories; k++)
            spar__free(c->category[k]);
        spar__free(c->category);
        spar__free(c->name);
    }
    for (size_t i = 0; r.names && i < r.rows; i++)
        spar__free(r.names[i]);
    spar__free(r.names);
    spar__free(r.column);
    spar__free(r.cell);
    spar__csv_close(&r.csv);
    if (status)
        spar__arm_table_free(&table);
    else
        *out = table;
    return status;
}

spar_status spar__arm_table_read(const char *path, const char *utility, bool scale, spar__arm_table *out,
                                 spar_error *err)
{
    *out = (spar__arm_table){0};
    spar__buf text = {0};
    spar_status status = spar__file_read(path, LARGEST_FILE, &text, err);
    if (!status)
        status = spar__arm_table_parse(text.text ? text.text : "", text.length, path, utility, scale, out, err);
    spar__buf_free(&text);
    return status;
}

void spar__arm_table_free(spar__arm_table *table)
{
    for (size_t i = 0; table->names && i < table->n; i++)
        spar__free(table->names[i]);
    spar__free(table->names);
    spar__free(table->utility);
    spar__free(table->x);
    *table = (spar__arm_table){0};
}
