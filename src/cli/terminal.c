/* terminal.c - text for terminals: lines broken to fit, tables in aligned columns. */
#include "cli/terminal.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t spar__output_width(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 10 ? size.ws_col : 80;
}

/* Marks that stand on the character before them have no width; East Asian characters and pictures have two cells. */
size_t spar__cells_of(uint32_t code)
{
    static const struct {
        uint32_t from, to;
        size_t cells;
    } range[] = {{0x300, 0x36F, 0},   {0x1AB0, 0x1AFF, 0},   {0x20D0, 0x20FF, 0},  {0x200B, 0x200D, 0},
                 {0xFE00, 0xFE0F, 0}, {0x1100, 0x115F, 2},   {0x2E80, 0x303E, 2},  {0x3041, 0xA4CF, 2},
                 {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},  {0xFF00, 0xFF60, 2},
                 {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}};
    for (size_t i = 0; code >= 0x300 && i < sizeof range / sizeof *range; i++)
        if (code >= range[i].from && code <= range[i].to)
            return range[i].cells;
    return 1;
}

/* Cells of a part of a line; what styles it takes none. */
static size_t part_cells(const char *text, size_t length)
{
    size_t cells = 0;
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t code;
        size = spar__utf8_next(text + at, length - at, &code);
        if (code == '\033')
            size = strcspn(text + at, "m") + 1;
        else
            cells += spar__cells_of(code);
    }
    return cells;
}

size_t spar__text_cells(const char *text)
{
    return part_cells(text, strlen(text));
}

/* --- text in lines that fit --- */

typedef struct line_wrap {
    size_t width, indent, left; /* left: lines that may still be begun */
    size_t used;                /* cells of the line that is written */
    bool blank, full;           /* a blank is due before the next word; nothing more is written */
    spar__buf *out;
} line_wrap;

/* " ..." in place of what does not fit any more. */
static void cut_off(line_wrap *w)
{
    spar__buf *out = w->out;
    while (w->used + 4 > w->width && w->used > w->indent && out->length) {
        size_t size = 1;
        while (size < out->length && ((unsigned char)out->text[out->length - size] & 0xC0) == 0x80)
            size++;
        uint32_t code;
        out->length -= size;
        (void)spar__utf8_next(out->text + out->length, size, &code);
        out->text[out->length] = '\0';
        size_t cells = spar__cells_of(code);
        w->used -= cells < w->used ? cells : w->used;
    }
    spar__buf_adds(out, " ...");
    w->full = true;
}

static void new_line(line_wrap *w)
{
    if (w->left == 0) {
        cut_off(w);
        return;
    }
    w->left--;
    spar__buf_printf(w->out, "\n%*s", (int)w->indent, "");
    w->used = w->indent;
    w->blank = false;
}

/* It may be longer than a line. */
static void add_word(line_wrap *w, const char *word)
{
    size_t cells = spar__text_cells(word), blank = w->blank;
    if (w->used + blank + cells > w->width && w->used > w->indent)
        new_line(w);
    else if (blank) {
        spar__buf_adds(w->out, " ");
        w->used++;
    }
    for (size_t left = strlen(word), size; left > 0 && !w->full; word += size, left -= size) {
        uint32_t code;
        size = spar__utf8_next(word, left, &code);
        cells = spar__cells_of(code);
        if (w->used + cells > w->width && w->used > w->indent)
            new_line(w);
        if (!w->full) {
            spar__buf_add(w->out, word, size);
            w->used += cells;
        }
    }
    w->blank = true;
}

static void add_words(line_wrap *w, const char *text, size_t length)
{
    char word[512];
    for (size_t at = 0; at < length && !w->full;) {
        size_t n = 0;
        while (at + n < length && text[at + n] != ' ' && text[at + n] != '\t' && n < 100)
            n++;
        while (n > 0 && at + n < length && ((unsigned char)text[at + n] & 0xC0) == 0x80) /* inside a character */
            n++;
        if (n) {
            (void)spar__printable(word, sizeof word, text + at, n);
            add_word(w, word);
        }
        at += n ? n : 1;
    }
}

void spar__wrap(const char *text, size_t width, size_t indent, size_t used, size_t lines, spar__buf *out)
{
    if (!width) {
        spar__buf_add_printable(out, text);
        return;
    }
    line_wrap w = {.width = width > indent + 8 ? width : indent + 8, .indent = indent, .used = used, .out = out};
    w.left = lines ? lines - 1 : 0;
    for (size_t length = strlen(text); length && !w.full;) {
        const char *stop = memchr(text, '\n', length);
        size_t n = stop ? (size_t)(stop - text) : length;
        /* What a line begins with is kept: code is read by it. A tab is four blanks. */
        size_t blanks = 0, at = 0, most = (w.width - w.indent) / 2;
        for (; at < n && (text[at] == ' ' || text[at] == '\t'); at++)
            blanks += text[at] == ' ' ? 1 : 4;
        blanks = at == n ? 0 : blanks < most ? blanks : most;
        spar__buf_printf(out, "%*s", (int)blanks, "");
        w.used += blanks;
        add_words(&w, text, n);
        text += n + (stop != NULL);
        length -= n + (stop != NULL);
        if (stop && length && !w.full)
            new_line(&w);
    }
}

/* Where a line goes on: behind its first gap, if that leaves room, else two blanks in. */
static size_t hang_of(const char *line, size_t length, size_t width)
{
    size_t first = 0, at;
    while (first < length && line[first] == ' ')
        first++;
    for (at = first; at + 1 < length && !(line[at] == ' ' && line[at + 1] == ' '); at++)
        ;
    if (at + 1 >= length)
        return first ? first + 2 : 0;
    while (at < length && line[at] == ' ')
        at++;
    size_t column = part_cells(line, at);
    return column + 24 <= width && column <= width / 2 ? column : first ? first + 2 : 0;
}

/* The end of a word that may be cut: "(se|matern32|...)" behind the last bar that fits into the room. */
static size_t cut_choices(const char *line, size_t at, size_t end, size_t room)
{
    if (part_cells(line + at, end - at) <= room)
        return end;
    for (size_t cut = at + room; cut > at; cut--)
        if (line[cut - 1] == '|')
            return cut;
    return end;
}

/* Adds a line in parts that end before blanks; of a command before its options. */
static void fit_line(const char *line, size_t length, size_t width, spar__buf *out)
{
    bool command = length > 7 && strncmp(line, "  spar ", 7) == 0;
    size_t hang = hang_of(line, length, width), room = width - (command ? 2 : 0), used = 0, at = 0;
    while (at < length) {
        size_t gap = strspn(line + at, " "), end = at + gap;
        if (end >= length) /* blanks at the end */
            break;
        do
            end += 1 + strcspn(line + end + 1, " \n");
        while (command && end < length && strncmp(line + end, " -", 2) != 0);
        end = end < length ? end : length;
        if (!command)
            end = cut_choices(line, at, end, room - hang);
        size_t cells = part_cells(line + at, end - at);
        if (used > hang && used + cells > room) {
            spar__buf_printf(out, "%s\n%*s", command ? " \\" : "", (int)hang, "");
            used = hang;
            at += gap;
            cells -= gap;
        }
        spar__buf_add(out, line + at, end - at);
        used += cells;
        at = end;
    }
}

void spar__fit(spar__buf *out, size_t start, size_t width)
{
    if (!width || out->failed || start >= out->length)
        return;
    spar__buf text = {0};
    spar__buf_add(&text, out->text + start, out->length - start);
    out->failed |= text.failed;
    out->length = start;
    for (const char *line = text.text; line && *line;) {
        size_t length = strcspn(line, "\n");
        if (part_cells(line, length) > width)
            fit_line(line, length, width, out);
        else
            spar__buf_add(out, line, length);
        spar__buf_adds(out, line[length] ? "\n" : "");
        line += length + (line[length] == '\n');
    }
    spar__buf_free(&text);
}

/* --- tables --- */

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

/* Of a line; a column of width 0 is left out. */
static size_t line_width(const spar__text_table *table, const size_t *width)
{
    size_t sum = 0;
    for (size_t i = 0; i < table->columns; i++)
        sum += width[i] ? width[i] + (i ? 2 : 0) : 0;
    return sum;
}

/* Of each column the widest cell, in lines that fit; *dropped columns are left out. NULL: out of memory. */
static size_t *column_widths(const spar__text_table *table, size_t *dropped)
{
    size_t *width = spar__alloc(table->columns, sizeof *width);
    for (size_t i = 0; width && i < table->cells; i++) {
        size_t w = width_of(table->cell[i]), *widest = &width[i % table->columns];
        *widest = w > *widest ? w : *widest;
    }
    *dropped = 0;
    if (!width || !table->width)
        return width;
    for (; *dropped < table->n_drop && line_width(table, width) > table->width; ++*dropped)
        width[table->drop[*dropped]] = 0;
    size_t line = line_width(table, width), over = line > table->width ? line - table->width : 0;
    width[0] -= over + SHORTEST < width[0] ? over : width[0] > SHORTEST ? width[0] - SHORTEST : 0;
    return width;
}

/* The end of a text that does not fit is replaced by "..". */
static void print_cell(const spar__text_table *table, size_t index, size_t width, spar__buf *out)
{
    const char *text = table->cell[index];
    size_t column = index % table->columns, own = width_of(text), blanks = width > own ? width - own : 0, end = 0;
    bool left = column < table->left;
    spar__buf_printf(out, "%s%*s", column ? "  " : "", left ? 0 : (int)blanks, "");
    for (size_t n = 0; own > width && text[end]; end++) {
        n += ((unsigned char)text[end] & 0xC0) != 0x80;
        if (n > width - 2)
            break;
    }
    spar__buf_add(out, text, own > width ? end : strlen(text));
    spar__buf_adds(out, own > width ? ".." : "");
    if (left && column + 1 < table->columns)
        spar__buf_printf(out, "%*s", (int)blanks, "");
}

void spar__text_table_print(const spar__text_table *table, bool styled, spar__buf *out)
{
    size_t dropped = 0, *width = table->failed ? NULL : column_widths(table, &dropped);
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
