#include "cli/table.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST = 12 }; /* of a first column that is cut */

void spar__text_table_add(spar__text_table *table, const char *format, ...)
{
    size_t n = table->cells; /* room doubles whenever n is a power of two */
    char **grown = n & (n - 1) ? table->cell : spar__realloc(table->cell, n, n ? 2 * n : 1, sizeof *grown);
    if (!grown) {
        table->failed = true;
        return;
    }
    table->cell = grown;
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    spar__buf shown = {0};
    spar__buf_add_printable(&shown, text);
    table->failed |= shown.failed;
    table->cell[table->cells++] = shown.text;
}

/* Characters, not bytes: continuation bytes of UTF-8 have no width. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

/* Of each column the widest cell; NULL: out of memory. */
static size_t *column_widths(const spar__text_table *table)
{
    size_t *width = spar__alloc(table->columns, sizeof *width);
    for (size_t i = 0; width && i < table->cells; i++) {
        size_t w = width_of(table->cell[i]), *widest = &width[i % table->columns];
        *widest = w > *widest ? w : *widest;
    }
    return width;
}

/* Of a line; a column of width 0 is left out. */
static size_t line_width(const spar__text_table *table, const size_t *width)
{
    size_t sum = 0;
    for (size_t i = 0; i < table->columns; i++)
        sum += width[i] ? width[i] + (i ? 2 : 0) : 0;
    return sum;
}

/* Makes lines fit; returns how many columns are left out. */
static size_t narrow(const spar__text_table *table, size_t *width)
{
    size_t dropped = 0;
    if (!table->width)
        return 0;
    for (; dropped < table->n_drop && line_width(table, width) > table->width; dropped++)
        width[table->drop[dropped]] = 0;
    size_t line = line_width(table, width), over = line > table->width ? line - table->width : 0;
    width[0] -= over + SHORTEST < width[0] ? over : width[0] > SHORTEST ? width[0] - SHORTEST : 0;
    return dropped;
}

static void add_blanks(size_t n, spar__buf *out)
{
    spar__buf_printf(out, "%*s", (int)n, "");
}

/* The text in so many characters, its end replaced by ".." where it does not fit. */
static void add_cut(const char *text, size_t width, spar__buf *out)
{
    if (width_of(text) <= width) {
        spar__buf_adds(out, text);
        return;
    }
    size_t end = 0;
    for (size_t n = 0; text[end]; end++) {
        n += ((unsigned char)text[end] & 0xC0) != 0x80;
        if (n > width - 2)
            break;
    }
    spar__buf_add(out, text, end);
    spar__buf_adds(out, "..");
}

static void print_cell(const spar__text_table *table, size_t index, size_t width, spar__buf *out)
{
    const char *text = table->cell[index];
    size_t column = index % table->columns, own = width_of(text), blanks = width > own ? width - own : 0;
    if (column)
        spar__buf_adds(out, "  ");
    if (column >= table->left)
        add_blanks(blanks, out);
    add_cut(text, width, out);
    if (column < table->left && column + 1 < table->columns)
        add_blanks(blanks, out);
}

void spar__text_table_print(const spar__text_table *table, bool styled, spar__buf *out)
{
    size_t *width = table->failed ? NULL : column_widths(table);
    size_t dropped = width ? narrow(table, width) : 0;
    out->failed |= !width;
    for (size_t i = 0; width && i < table->cells; i++) {
        size_t column = i % table->columns;
        if (styled && i == 0)
            spar__buf_adds(out, "\033[1m");
        if (width[column])
            print_cell(table, i, width[column], out);
        if (styled && i + 1 == table->columns)
            spar__buf_adds(out, "\033[0m");
        if (column + 1 == table->columns)
            spar__buf_adds(out, "\n");
    }
    if (dropped)
        spar__buf_printf(out, "(%zu more column%s in a wider terminal or with --json)\n", dropped,
                         dropped == 1 ? "" : "s");
    spar__free(width);
}

void spar__text_table_free(spar__text_table *table)
{
    for (size_t i = 0; i < table->cells; i++)
        spar__free(table->cell[i]);
    spar__free(table->cell);
    *table = (spar__text_table){0};
}

int spar__text_table_places(double largest)
{
    return largest >= 10000 ? 0 : largest >= 100 ? 1 : largest >= 1 ? 2 : 4;
}

bool spar__output_styled(void)
{
    const char *plain = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(plain && *plain) && terminal && strcmp(terminal, "dumb") != 0;
}
