/* intervals.c - options with a point and an interval each, on an axis from 0 to 100 %: a list of them as a figure of
 * its own, and one alone as a strip within a page; and columns of counts for a page. */
#include "plot/plot.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 900, MARGIN = 16, ROW = 26, GAP = 18, WIDEST_LABEL = 340, LONGEST_TEXT = 120 };

static const char faint_color[] = "#8A8A8A";

/* Where things stand on the page. */
typedef struct interval_layout {
    double head;        /* the baseline of the first line below the titles */
    double detail_x;    /* the details start here */
    double left, right; /* 0 and 100 % */
    double top, bottom; /* of the rows */
    double height;
} interval_layout;

/* A text that is too wide, cut with an ellipsis. */
static const char *fitting(const spar__font *font, double width, const char *text, char out[LONGEST_TEXT])
{
    if (snprintf(out, LONGEST_TEXT, "%s", text) < LONGEST_TEXT && spar__svg_text_width(font, text) <= width)
        return text;
    for (size_t keep = LONGEST_TEXT - 4; keep > 0; keep--) {
        if (((unsigned char)out[keep] & 0xC0) == 0x80) /* inside a character */
            continue;
        out[keep] = '\0';
        if (spar__svg_text_width(font, out) + font->size <= width)
            return strcat(out, "\xE2\x80\xA6");
    }
    return "";
}

static double widest(const spar__interval_figure *f, bool detail)
{
    double width = 0;
    for (size_t i = 0; i < f->n; i++) {
        const char *text = detail ? f->row[i].detail : f->row[i].label;
        if (spar__svg_has(text))
            width = fmax(width, spar__svg_text_width(detail ? &spar__font_tick : &spar__font_label, text));
    }
    return fmin(width, WIDEST_LABEL);
}

static double paragraph_height(const spar__font *font, const char *text)
{
    size_t lines = spar__svg_has(text) ? spar__svg_paragraph(NULL, 0, 0, font, WIDTH - 2 * MARGIN, text) : 0;
    return (double)lines * spar__svg_line_height(font);
}

static double x_of(const interval_layout *at, double share)
{
    return at->left + share * (at->right - at->left);
}

static void draw_axis(spar__buf *out, const spar__interval_figure *f, const interval_layout *at)
{
    for (int percent = 0; percent <= 100; percent += 25) {
        char label[8];
        double x = x_of(at, percent / 100.0);
        spar__svg_line(out, x, at->top, x, at->bottom,
                       percent == 50 ? " stroke=\"#444\" stroke-width=\"1.2\" stroke-dasharray=\"5 3\""
                                     : " stroke=\"#E2E2E2\"");
        (void)snprintf(label, sizeof label, "%d %%", percent);
        spar__svg_text(out, x, at->bottom + 16, &spar__font_tick, SPAR__MIDDLE, label);
    }
    if (spar__svg_has(f->x_label))
        spar__svg_text(out, (at->left + at->right) / 2, at->bottom + 35, &spar__font_label, SPAR__MIDDLE, f->x_label);
}

static void draw_interval(spar__buf *out, const spar__interval_row *row, const interval_layout *at, double y)
{
    char line[80], dot[80];
    const char *color = row->faint ? faint_color : spar__palette(0).color;
    (void)snprintf(line, sizeof line, " stroke=\"%s\" stroke-width=\"%s\" stroke-linecap=\"round\"", color,
                   row->faint ? "2.5" : "3.5");
    spar__svg_line(out, x_of(at, row->low), y, x_of(at, row->high), y, line);
    (void)snprintf(dot, sizeof dot, " fill=\"%s\" stroke=\"#fff\" stroke-width=\"1.5\"", color);
    if (!isnan(row->value))
        spar__svg_circle(out, x_of(at, row->value), y, 5, dot);
}

static void draw_row(spar__buf *out, const spar__interval_row *row, const interval_layout *at, double y)
{
    const spar__font grey = {spar__font_label.size, false, "#666"};
    char text[LONGEST_TEXT];
    spar__buf_adds(out, "<g><title>"); /* what the pointer over a row is told, also without a script */
    spar__svg_escape(out, row->label);
    if (!row->instead && !isnan(row->value))
        spar__buf_printf(out, ": %.1f %%, from %.1f to %.1f %%", 100 * row->value, 100 * row->low, 100 * row->high);
    spar__buf_adds(out, "</title>\n");
    spar__svg_rect(out, MARGIN, y - ROW / 2.0, at->right - MARGIN, ROW, " fill=\"none\" pointer-events=\"all\"");
    spar__svg_text(out, MARGIN, y + 4, row->faint ? &grey : &spar__font_label, SPAR__START,
                   fitting(&spar__font_label, WIDEST_LABEL, row->label, text));
    if (spar__svg_has(row->detail))
        spar__svg_text(out, at->detail_x, y + 4, &spar__font_subtitle, SPAR__START, row->detail);
    if (row->instead)
        spar__svg_text(out, x_of(at, 0.5) + 8, y + 4, &spar__font_subtitle, SPAR__START, row->instead);
    else
        draw_interval(out, row, at, y);
    spar__buf_adds(out, "</g>\n");
}

void spar__plot_intervals(const spar__interval_figure *f, spar__buf *svg)
{
    interval_layout at;
    at.head = MARGIN + spar__font_title.size;
    at.top = at.head + paragraph_height(&spar__font_title, f->title) +
             paragraph_height(&spar__font_subtitle, f->subtitle) + GAP;
    at.detail_x = MARGIN + widest(f, false) + GAP;
    at.left = at.detail_x + widest(f, true) + GAP;
    at.right = WIDTH - MARGIN - 14;
    at.bottom = at.top + ROW * (double)f->n;
    at.height = at.bottom + 62 + paragraph_height(&spar__font_note, f->note) + MARGIN;
    double y = at.head, width = WIDTH - 2 * MARGIN;
    spar__svg_begin(svg, WIDTH, at.height, f->title, f->subtitle);
    if (spar__svg_has(f->title))
        (void)spar__svg_paragraph(svg, MARGIN, y, &spar__font_title, width, f->title);
    y += paragraph_height(&spar__font_title, f->title);
    if (spar__svg_has(f->subtitle))
        (void)spar__svg_paragraph(svg, MARGIN, y, &spar__font_subtitle, width, f->subtitle);
    draw_axis(svg, f, &at);
    for (size_t i = 0; i < f->n; i++)
        draw_row(svg, &f->row[i], &at, at.top + ROW * ((double)i + 0.5));
    /* A sample of each colour, below the axis. */
    const char *const key[] = {f->strong, f->faint};
    double x = at.left;
    for (size_t i = 0; i < 2; i++) {
        interval_layout small = {.left = x, .right = x + 30};
        if (!spar__svg_has(key[i]))
            continue;
        draw_interval(svg, &(spar__interval_row){.value = 0.5, .high = 1, .faint = i == 1}, &small, at.bottom + 54);
        spar__svg_text(svg, x + 40, at.bottom + 58, &spar__font_tick, SPAR__START, key[i]);
        x += 40 + spar__svg_text_width(&spar__font_tick, key[i]) + 30;
    }
    if (spar__svg_has(f->note))
        (void)spar__svg_paragraph(svg, MARGIN, at.bottom + 62 + spar__font_note.size + 4, &spar__font_note, width,
                                  f->note);
    spar__svg_end(svg);
}

/* --- parts of a page --- */

enum { STRIP = 20, COLUMNS = 96 }; /* heights */

static void begin(spar__buf *out, const char *class, int height, const char *name)
{
    spar__buf_printf(out, "<svg class=\"%s\" role=\"img\" width=\"100%%\" height=\"%d\"><title>", class, height);
    spar__svg_escape(out, name);
    spar__buf_adds(out, "</title>");
}

/* A share of the width, within it. */
static void add_share(spar__buf *out, const char *attribute, double share)
{
    spar__buf_printf(out, " %s=\"", attribute);
    spar__svg_number(out, 100 * fmin(fmax(share, 0), 1));
    spar__buf_adds(out, "%\"");
}

static void add_line(spar__buf *out, const char *class, double x1, double x2, double y1, double y2)
{
    spar__buf_printf(out, "<line class=\"%s\"", class);
    add_share(out, "x1", x1);
    add_share(out, "x2", x2);
    spar__svg_attribute(out, "y1", y1);
    spar__svg_attribute(out, "y2", y2);
    spar__buf_adds(out, "/>");
}

void spar__plot_strip(const spar__strip *strip, spar__buf *out)
{
    begin(out, strip->faint ? "strip faint" : "strip", STRIP, strip->name);
    add_line(out, "axis", 0, 0, 0, STRIP);
    add_line(out, "axis", 1, 1, 0, STRIP);
    add_line(out, "half", 0.5, 0.5, 0, STRIP);
    add_line(out, "reach", strip->low, strip->high, STRIP / 2, STRIP / 2);
    if (!isnan(strip->value)) {
        spar__buf_adds(out, "<circle class=\"dot\"");
        add_share(out, "cx", strip->value);
        spar__buf_printf(out, " cy=\"%d\" r=\"5\"/>", STRIP / 2);
    }
    spar__buf_adds(out, "</svg>");
}

void spar__plot_columns(const char *name, size_t n, const uint64_t *count, spar__buf *out)
{
    uint64_t most = 1;
    for (size_t i = 0; i < n; i++)
        most = count[i] > most ? count[i] : most;
    begin(out, "columns", COLUMNS, name);
    for (size_t i = 0; i < n; i++) {
        double height = (COLUMNS - 2) * (double)count[i] / (double)most;
        if (!count[i])
            continue;
        spar__buf_adds(out, "<rect class=\"column\"");
        add_share(out, "x", ((double)i + 0.1) / (double)n);
        add_share(out, "width", 0.8 / (double)n);
        spar__svg_attribute(out, "y", COLUMNS - 1 - height);
        spar__svg_attribute(out, "height", height);
        spar__buf_adds(out, "/>");
    }
    add_line(out, "axis", 0, 1, COLUMNS - 0.5, COLUMNS - 0.5);
    spar__buf_adds(out, "</svg>");
}
