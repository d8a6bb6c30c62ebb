/* svg.h - what plots are made of: colours, SVG elements with short numbers independent of the locale, marks. */
#ifndef SPAR_PLOT_SVG_H
#define SPAR_PLOT_SVG_H

#include "base/buf.h"

#include <stddef.h>

/* The style of the i-th series: colours that colour-blind readers can distinguish, then other dashes.
 *
 * Every colour has a contrast of 3:1 with its page and is apart from the others also under deuteranopia; the test of
 * this file computes both. */

typedef struct spar__style {
    const char *color; /* on white: "#0171b2" */
    const char *dark;  /* on a dark page */
    const char *dash;  /* for stroke-dasharray; "" = solid */
} spar__style;

enum { SPAR__COLORS = 10, SPAR__DASHES = 4, SPAR__MANY_SERIES = 5 };

#define SPAR__PAGE_LIGHT "#ffffff"
#define SPAR__PAGE_DARK "#1b1e23"

/* Any i; after SPAR__COLORS * SPAR__DASHES they repeat. */
spar__style spar__palette(size_t i);

/* The style of series i in a figure of n: from SPAR__MANY_SERIES on colour alone is not enough, and every colour has a
 * dash of its own, other than that of the colours nearest to it. */
spar__style spar__palette_among(size_t i, size_t n);

/* A colour for a number, from dark to light in equal perceived steps, also in grey print. */

enum { SPAR__RAMP_SIZE = 8 };

/* "#rrggbb" for a share from 0 to 1; outside of that the colour of the end, for NaN a light grey. */
void spar__ramp(double share, char color[SPAR__RAMP_SIZE]);

/* The SVG elements of the plots, with short numbers independent of the locale, and escaped text. */

typedef struct spar__font {
    double size;
    bool bold;
    const char *color;
} spar__font;

/* The fonts of every plot. */
extern const spar__font spar__font_title, spar__font_subtitle, spar__font_head, spar__font_label, spar__font_tick,
    spar__font_note;

/* Is there any text? */
static inline bool spar__svg_has(const char *text)
{
    return text && *text;
}

typedef enum spar__anchor { SPAR__START, SPAR__MIDDLE, SPAR__END } spar__anchor;

/* On white. Those who cannot see it are told its name, and what it shows in words; each may be NULL. */
void spar__svg_begin(spar__buf *out, double width, double height, const char *name, const char *words);
void spar__svg_end(spar__buf *out);
void spar__svg_end_group(spar__buf *out);

void spar__svg_number(spar__buf *out, double value);     /* at most two decimals */
void spar__svg_pair(spar__buf *out, double a, double b); /* two numbers with a blank between */
void spar__svg_escape(spar__buf *out, const char *text); /* any bytes, for content or an attribute */
void spar__svg_value(spar__buf *out, double value);      /* about four digits, for readers; a dash for none */
void spar__svg_escape_part(spar__buf *out, const char *text, size_t length);
void spar__svg_attribute(spar__buf *out, const char *name, double value);

/* attributes is text like " stroke=\"#ccc\"", or "". */
void spar__svg_line(spar__buf *out, double x1, double y1, double x2, double y2, const char *attributes);
void spar__svg_rect(spar__buf *out, double x, double y, double width, double height, const char *attributes);
void spar__svg_circle(spar__buf *out, double x, double y, double radius, const char *attributes);

/* Text with y at its baseline, and with an exponent raised after it when power is not empty: "10", "-9". */
void spar__svg_text(spar__buf *out, double x, double y, const spar__font *font, spar__anchor anchor, const char *text);
void spar__svg_text_power(spar__buf *out, double x, double y, const spar__font *font, spar__anchor anchor,
                          const char *text, const char *power);
void spar__svg_text_turned(spar__buf *out, double x, double y, const spar__font *font, const char *text); /* reads up */

/* The width of text, from the widths of the font's characters. */
double spar__svg_text_width(const spar__font *font, const char *text);

/* Text broken at blanks into lines of at most width; y is the baseline of the first, lines are font->size * 1.35 apart.
 * Returns the number of lines; with out NULL it only counts. */
size_t spar__svg_paragraph(spar__buf *out, double x, double y, const spar__font *font, double width, const char *text);

double spar__svg_line_height(const spar__font *font);

/* Marks for duels: won is dark, lost is hollow, the area is their number. They are visible on any colour and
 * in grey print. */

typedef enum spar__mark {
    SPAR__MARK_LINE, /* in a legend only: the sample of a line */
    SPAR__MARK_WON,
    SPAR__MARK_LOST,
    SPAR__MARK_WON_HALF,  /* the left half of a disc */
    SPAR__MARK_LOST_HALF, /* the right one */
    SPAR__MARK_FRAME      /* a square around something */
} spar__mark;

void spar__mark_draw(spar__buf *out, spar__mark mark, double x, double y, double radius);

/* The radius for a count, when that of `most` (> 0) is `largest`; 0 for 0, otherwise at least `smallest`. */
double spar__mark_radius(double count, double most, double smallest, double largest);

#endif
