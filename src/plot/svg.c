/* svg.c - what every plot is made of: the palette of series, the ramp of a heat map, and SVG elements with short
 * numbers independent of the locale and escaped text, whose width is known from the font's own table. The same calls
 * give the same bytes everywhere. */
#include "plot/svg.h"

#include "base/buf.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- colours --- */

/* Found by a search that starts with those of Okabe and Ito and moves them as little as possible. */
static const char *const colors[SPAR__COLORS][2] = {
    {"#0171b2", "#46aaea"}, {"#be4f03", "#fe8732"}, {"#179f67", "#3acb90"}, {"#c978ad", "#f7b6ce"},
    {"#3797cf", "#8cd0ff"}, {"#bd8621", "#f9bf3f"}, {"#000000", "#f3f2f3"}, {"#892255", "#cc4880"},
    {"#6f7a8f", "#979bae"}, {"#45379b", "#8576f2"},
};

static const char *const dashes[SPAR__DASHES] = {"", "7 3", "2 2.5", "9 3 2 3"};

/* The dash of each colour where there are many. */
static const unsigned char own_dash[SPAR__COLORS] = {0, 1, 2, 3, 1, 3, 0, 2, 3, 3};

spar__style spar__palette(size_t i)
{
    const char *const *color = colors[i % SPAR__COLORS];
    return (spar__style){color[0], color[1], dashes[i / SPAR__COLORS % SPAR__DASHES]};
}

spar__style spar__palette_among(size_t i, size_t n)
{
    spar__style style = spar__palette(i);
    if (n >= SPAR__MANY_SERIES)
        style.dash = dashes[(own_dash[i % SPAR__COLORS] + i / SPAR__COLORS) % SPAR__DASHES];
    return style;
}

/* A path through Oklab from lightness 0.25 to 0.94 while the hue turns from violet (298 degrees) over teal to yellow
 * (102 degrees), with as much chroma as sRGB allows; cut into 16 pieces of equal length. */
static const uint32_t ramp[] = {
    0x2c0256, 0x2b1667, 0x272a71, 0x203c7a, 0x174d81, 0x105e87, 0x106e8c, 0x1c7e90, 0x2c8e93,
    0x409d95, 0x55ac96, 0x6cbb95, 0x86c892, 0xa1d48c, 0xbfdf85, 0xdee87d, 0xfeef75,
};

static unsigned channel(uint32_t from, uint32_t to, int shift, double part)
{
    double a = (double)(from >> shift & 0xff), b = (double)(to >> shift & 0xff);
    return (unsigned)floor(a + (b - a) * part + 0.5);
}

void spar__ramp(double share, char color[SPAR__RAMP_SIZE])
{
    if (isnan(share)) {
        (void)snprintf(color, SPAR__RAMP_SIZE, "#e4e4e4");
        return;
    }
    const int pieces = (int)(sizeof ramp / sizeof *ramp) - 1;
    double place = fmin(fmax(share, 0), 1) * pieces;
    int i = (int)fmin(floor(place), pieces - 1);
    uint32_t from = ramp[i], to = ramp[i + 1];
    (void)snprintf(color, SPAR__RAMP_SIZE, "#%02x%02x%02x", channel(from, to, 16, place - i) & 0xff,
                   channel(from, to, 8, place - i) & 0xff, channel(from, to, 0, place - i) & 0xff);
}

/* --- numbers and text --- */

const spar__font spar__font_title = {15, true, "#111"};
const spar__font spar__font_subtitle = {11.5, false, "#555"};
const spar__font spar__font_head = {12, true, "#222"};
const spar__font spar__font_label = {12, false, "#222"};
const spar__font spar__font_tick = {11, false, "#333"};
const spar__font spar__font_note = {10, false, "#666"};

void spar__svg_number(spar__buf *out, double value)
{
    char text[SPAR__NUMBER_SIZE];
    size_t length = spar__number_print_fixed(text, value, 2);
    spar__buf_add(out, text, length);
}

void spar__svg_pair(spar__buf *out, double a, double b)
{
    spar__svg_number(out, a);
    spar__buf_adds(out, " ");
    spar__svg_number(out, b);
}

void spar__svg_attribute(spar__buf *out, const char *name, double value)
{
    spar__buf_printf(out, " %s=\"", name);
    spar__svg_number(out, value);
    spar__buf_adds(out, "\"");
}

void spar__svg_value(spar__buf *out, double value)
{
    double size = fabs(value);
    int places = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
    char text[SPAR__NUMBER_SIZE];
    if (!isfinite(value))
        spar__buf_adds(out, "\xE2\x80\x93");
    else if (size >= 1e9 || (size > 0 && size < 0.001)) /* rare: all digits */
        spar__buf_add(out, text, spar__number_print(text, value));
    else
        spar__buf_add(out, text, spar__number_print_fixed(text, value, places));
}

void spar__svg_escape_part(spar__buf *out, const char *text, size_t left)
{
    for (size_t size; left > 0; text += size, left -= size) {
        uint32_t code;
        size = spar__utf8_next(text, left, &code);
        if (code == '&')
            spar__buf_adds(out, "&amp;");
        else if (code == '<')
            spar__buf_adds(out, "&lt;");
        else if (code == '>')
            spar__buf_adds(out, "&gt;");
        else if (code == '"')
            spar__buf_adds(out, "&quot;");
        else if (code == '\n' || code == '\t')
            spar__buf_adds(out, " ");
        else if (code < 0x20 || code == SPAR__UTF8_BAD || (code & 0xFFFE) == 0xFFFE) /* not allowed in XML */
            spar__buf_adds(out, "\xEF\xBF\xBD");
        else
            spar__buf_add(out, text, size);
    }
}

void spar__svg_escape(spar__buf *out, const char *text)
{
    spar__svg_escape_part(out, text, strlen(text));
}

/* --- elements --- */

static void add_element(spar__buf *out, const char *tag, const char *text)
{
    if (!spar__svg_has(text))
        return;
    spar__buf_printf(out, "<%s>", tag);
    spar__svg_escape(out, text);
    spar__buf_printf(out, "</%s>\n", tag);
}

void spar__svg_begin(spar__buf *out, double width, double height, const char *name, const char *words)
{
    spar__buf_adds(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    if (spar__svg_has(name)) { /* the name does not depend on how a reader treats the title */
        spar__buf_adds(out, " aria-label=\"");
        spar__svg_escape(out, name);
        spar__buf_adds(out, "\"");
    }
    spar__svg_attribute(out, "width", width);
    spar__svg_attribute(out, "height", height);
    spar__buf_adds(out, " viewBox=\"0 0 ");
    spar__svg_pair(out, width, height);
    spar__buf_adds(out, "\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" xml:space=\"preserve\">\n");
    add_element(out, "title", name);
    add_element(out, "desc", words);
    spar__svg_rect(out, 0, 0, width, height, " fill=\"#fff\"");
}

void spar__svg_end(spar__buf *out)
{
    spar__buf_adds(out, "</svg>\n");
}

void spar__svg_end_group(spar__buf *out)
{
    spar__buf_adds(out, "</g>\n");
}

/* An element with numbers as attributes, and others as they are: " stroke=\"#ccc\"". */
static void add_shape(spar__buf *out, const char *tag, size_t n, const char *const name[], const double value[],
                      const char *attributes)
{
    spar__buf_printf(out, "<%s", tag);
    for (size_t i = 0; i < n; i++)
        spar__svg_attribute(out, name[i], value[i]);
    spar__buf_printf(out, "%s/>\n", attributes);
}

void spar__svg_line(spar__buf *out, double x1, double y1, double x2, double y2, const char *attributes)
{
    static const char *const name[] = {"x1", "y1", "x2", "y2"};
    add_shape(out, "line", 4, name, (const double[]){x1, y1, x2, y2}, attributes);
}

void spar__svg_rect(spar__buf *out, double x, double y, double width, double height, const char *attributes)
{
    static const char *const name[] = {"x", "y", "width", "height"};
    add_shape(out, "rect", 4, name, (const double[]){x, y, width, height}, attributes);
}

void spar__svg_circle(spar__buf *out, double x, double y, double radius, const char *attributes)
{
    static const char *const name[] = {"cx", "cy", "r"};
    add_shape(out, "circle", 3, name, (const double[]){x, y, radius}, attributes);
}

static void begin_text(spar__buf *out, double x, double y, const spar__font *font, spar__anchor anchor)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    spar__buf_adds(out, "<text");
    spar__svg_attribute(out, "x", x);
    spar__svg_attribute(out, "y", y);
    spar__svg_attribute(out, "font-size", font->size);
    spar__buf_printf(out, " fill=\"%s\"%s%s", font->color, font->bold ? " font-weight=\"bold\"" : "", anchors[anchor]);
}

void spar__svg_text_power(spar__buf *out, double x, double y, const spar__font *font, spar__anchor anchor,
                          const char *text, const char *power)
{
    begin_text(out, x, y, font, anchor);
    spar__buf_adds(out, ">");
    spar__svg_escape(out, text);
    if (*power) {
        spar__buf_adds(out, "<tspan");
        spar__svg_attribute(out, "dy", -0.4 * font->size);
        spar__svg_attribute(out, "font-size", 0.75 * font->size);
        spar__buf_adds(out, ">");
        spar__svg_escape(out, power);
        spar__buf_adds(out, "</tspan>");
    }
    spar__buf_adds(out, "</text>\n");
}

void spar__svg_text(spar__buf *out, double x, double y, const spar__font *font, spar__anchor anchor, const char *text)
{
    spar__svg_text_power(out, x, y, font, anchor, text, "");
}

void spar__svg_text_turned(spar__buf *out, double x, double y, const spar__font *font, const char *text)
{
    begin_text(out, x, y, font, SPAR__MIDDLE);
    spar__buf_adds(out, " transform=\"rotate(-90 ");
    spar__svg_pair(out, x, y);
    spar__buf_adds(out, ")\">");
    spar__svg_escape(out, text);
    spar__buf_adds(out, "</text>\n");
}

/* Advances of DejaVu Sans from blank to tilde, in hundredths of the size. The other fonts of the list are narrower. */
static const unsigned char advance[95] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
};

static double text_width(const spar__font *font, const char *text, size_t left)
{
    double sum = 0;
    for (size_t size; left > 0; text += size, left -= size) {
        uint32_t code;
        size = spar__utf8_next(text, left, &code);
        if (code >= ' ' && code <= '~')
            sum += advance[code - ' '];
        else
            sum += code >= 0x1100 && code != SPAR__UTF8_BAD && !(code >= 0x2000 && code < 0x2E80) ? 105 : 84;
    }
    return sum / 100 * font->size * (font->bold ? 1.13 : 1);
}

double spar__svg_text_width(const spar__font *font, const char *text)
{
    return text_width(font, text, strlen(text));
}

double spar__svg_line_height(const spar__font *font)
{
    return 1.35 * font->size;
}

/* The number of bytes in the first line of text, without the blank where it breaks. */
static size_t fitting(const spar__font *font, double width, const char *text)
{
    size_t fits = 0;
    for (size_t at = 0;; at++) {
        if (text[at] != ' ' && text[at] != '\0')
            continue;
        if (fits > 0 && text_width(font, text, at) > width)
            return fits;
        fits = at;
        if (text[at] == '\0')
            return fits;
    }
}

size_t spar__svg_paragraph(spar__buf *out, double x, double y, const spar__font *font, double width, const char *text)
{
    size_t lines = 0;
    while (*text) {
        size_t length = fitting(font, width, text);
        if (out) {
            begin_text(out, x, y + (double)lines * spar__svg_line_height(font), font, SPAR__START);
            spar__buf_adds(out, ">");
            spar__svg_escape_part(out, text, length);
            spar__buf_adds(out, "</text>\n");
        }
        lines++;
        text += length;
        while (*text == ' ')
            text++;
    }
    return lines;
}

/* --- marks for duels --- */

#define DARK " fill=\"#1a1a1a\" stroke=\"#fff\" stroke-width=\"0.7\""
#define HOLLOW " fill=\"#fff\" stroke=\"#1a1a1a\" stroke-width=\"0.9\""

static void half_disc(spar__buf *out, double x, double y, double radius, bool right, const char *attributes)
{
    spar__buf_adds(out, "<path d=\"M");
    spar__svg_pair(out, x, y - radius);
    spar__buf_adds(out, "A");
    spar__svg_pair(out, radius, radius);
    spar__buf_adds(out, right ? " 0 0 1 " : " 0 0 0 ");
    spar__svg_pair(out, x, y + radius);
    spar__buf_printf(out, "Z\"%s/>\n", attributes);
}

void spar__mark_draw(spar__buf *out, spar__mark mark, double x, double y, double radius)
{
    switch (mark) {
    case SPAR__MARK_LINE:
        break;
    case SPAR__MARK_WON:
        spar__svg_circle(out, x, y, radius, DARK);
        break;
    case SPAR__MARK_LOST:
        spar__svg_circle(out, x, y, radius, HOLLOW);
        break;
    case SPAR__MARK_WON_HALF:
        half_disc(out, x, y, radius, false, DARK);
        break;
    case SPAR__MARK_LOST_HALF:
        half_disc(out, x, y, radius, true, HOLLOW);
        break;
    case SPAR__MARK_FRAME: /* light within dark */
        spar__svg_rect(out, x - radius, y - radius, 2 * radius, 2 * radius,
                       " fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"3\"");
        spar__svg_rect(out, x - radius, y - radius, 2 * radius, 2 * radius,
                       " fill=\"none\" stroke=\"#fff\" stroke-width=\"1.4\"");
        break;
    }
}

double spar__mark_radius(double count, double most, double smallest, double largest)
{
    return count > 0 ? fmax(largest * sqrt(fmin(count / most, 1)), smallest) : 0;
}
