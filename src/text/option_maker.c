#include "text/option_maker.h"

#include "base/alloc.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

static const double CATEGORY = 0.70710678118654752440; /* sqrt(1/2): two of them are at distance 1 */

static spar_status refuse(const spar__option_maker *m, size_t line, const char *what, const char *name)
{
    char place[32] = "";
    if (line)
        (void)snprintf(place, sizeof place, ":%zu", line);
    return spar__fail(m->err, SPAR_PARSE, "%s%s: %s '%.80s'", m->path, place, what, name);
}

static spar_status reserve(spar__option_maker *m)
{
    spar__option_start *row = spar__grow(m->row, &m->row_room, m->rows + 1, 16, sizeof *row);
    if (!row)
        return spar__fail_memory(m->err);
    m->row = row;
    spar__option_cell *cell = spar__grow(m->cell, &m->cell_room, m->cells + 1, 16, sizeof *cell);
    if (!cell)
        return spar__fail_memory(m->err);
    m->cell = cell;
    return SPAR_OK;
}

spar_status spar__option_maker_row(spar__option_maker *m, size_t line)
{
    if (m->rows == SPAR__OPTION_ROWS)
        return spar__fail(m->err, SPAR_PARSE, "%s:%zu: more than %d options", m->path, line, SPAR__OPTION_ROWS);
    spar_status status = reserve(m);
    if (!status)
        m->row[m->rows++] = (spar__option_start){m->cells, line};
    return status;
}

static spar_status find_column(spar__option_maker *m, const char *key, size_t *column)
{
    static const char *const part[SPAR__OPTION_PARTS] = {"id", "title", "body", "image"};
    size_t line = m->row[m->rows - 1].line;
    for (*column = 0; *column < SPAR__OPTION_PARTS; ++*column)
        if (strcmp(part[*column], key) == 0)
            return SPAR_OK;
    if (!*key || strlen(key) > 200)
        return refuse(m, line, "expected the name of a column, not", key);
    if (spar__names_get(&m->features, key, strlen(key), column))
        return spar__fail_memory(m->err);
    *column += SPAR__OPTION_PARTS;
    return m->features.n <= SPAR__OPTION_FEATURES
               ? SPAR_OK
               : refuse(m, line, "too many features; expected id, title, body, image and a few features, not", key);
}

spar_status spar__option_maker_cell(spar__option_maker *m, const char *key, const char *value)
{
    size_t column;
    spar_status status = find_column(m, key, &column);
    if (status || !*value)
        return status;
    for (size_t i = m->row[m->rows - 1].cell; i < m->cells; i++)
        if (m->cell[i].column == column)
            return refuse(m, m->row[m->rows - 1].line, "the option has two values of", key);
    status = reserve(m);
    if (status)
        return status;
    m->cell[m->cells++] = (spar__option_cell){column, m->text.length};
    spar__buf_add(&m->text, value, strlen(value) + 1);
    return m->text.failed ? spar__fail_memory(m->err) : SPAR_OK;
}

/* The text of a row in a column, NULL if it has none. */
static const char *cell_at(const spar__option_maker *m, size_t row, size_t column)
{
    size_t end = row + 1 < m->rows ? m->row[row + 1].cell : m->cells;
    for (size_t i = m->row[row].cell; i < end; i++)
        if (m->cell[i].column == column)
            return m->text.text + m->cell[i].start;
    return NULL;
}

/* Every row has an id, and no other row has it. */
static spar_status make_rows(const spar__option_maker *m, spar__option_rows *out)
{
    spar__names ids = {0};
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < m->rows && !status; i++) {
        spar__option_row row = {.line = m->row[i].line,
                                .id = cell_at(m, i, SPAR__OPTION_ID),
                                .title = cell_at(m, i, SPAR__OPTION_TITLE),
                                .body = cell_at(m, i, SPAR__OPTION_BODY),
                                .image = cell_at(m, i, SPAR__OPTION_IMAGE)};
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
    return status;
}

/* The values of one feature: numbers, or names[...] of categories. */
typedef struct option_feature {
    bool numbers;
    spar__names category;
} option_feature;

static spar_status look_at(const spar__option_maker *m, size_t column, option_feature *f)
{
    const char *name = spar__names_at(&m->features, column - SPAR__OPTION_PARTS);
    f->numbers = true;
    for (size_t i = 0; i < m->rows; i++) {
        const char *text = cell_at(m, i, column);
        double value;
        size_t number;
        if (!text)
            return refuse(m, m->row[i].line, "expected a number or a text, as the other options have, for the feature",
                          name);
        f->numbers = f->numbers && spar__parse_double(text, &value);
        if (f->category.n <= SPAR__OPTION_CATEGORIES && spar__names_get(&f->category, text, strlen(text), &number))
            return spar__fail_memory(m->err);
        if (!f->numbers && f->category.n > SPAR__OPTION_CATEGORIES)
            return refuse(m, m->row[i].line,
                          "more than 64 different texts; expected id, title, body, image or a feature, not", name);
    }
    return SPAR_OK;
}

/* The numbers of feature `column` behind those that are there. */
static spar_status add_feature(const spar__option_maker *m, size_t column, spar__option_rows *out)
{
    option_feature f = {0};
    spar_status status = look_at(m, column, &f);
    size_t more = f.numbers ? 1 : f.category.n, dim = out->dim + more;
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
        if (f.numbers)
            (void)spar__parse_double(text, &x[i * dim + out->dim]);
        else if (!spar__names_get(&f.category, text, strlen(text), &number))
            x[i * dim + out->dim + number] = CATEGORY;
    }
    spar__names_free(&f.category);
    if (status)
        return status;
    spar__free(out->x);
    out->x = x;
    out->dim = dim;
    return SPAR_OK;
}

spar_status spar__option_maker_finish(spar__option_maker *m, spar_status status, spar__option_rows *out)
{
    *out = (spar__option_rows){0};
    if (!status)
        out->row = spar__alloc(m->rows, sizeof *out->row);
    if (!status)
        status = out->row ? make_rows(m, out) : spar__fail_memory(m->err);
    for (size_t i = 0; i < m->features.n && !status; i++)
        status = add_feature(m, SPAR__OPTION_PARTS + i, out);
    out->text = m->text;
    spar__names_free(&m->features);
    spar__free(m->cell);
    spar__free(m->row);
    *m = (spar__option_maker){.path = m->path, .err = m->err};
    if (status)
        spar__option_rows_free(out);
    return status;
}

void spar__option_rows_free(spar__option_rows *rows)
{
    spar__free(rows->row);
    spar__free(rows->x);
    spar__buf_free(&rows->text);
    *rows = (spar__option_rows){0};
}
