#include "plot/legend.h"

#include "plot/palette.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

static const double SAMPLE = 26, GAP = 7, BETWEEN = 22, ROW = 17;

void spar__legend_fit(spar__legend *legend, double room, size_t most_columns)
{
    double widest = 0;
    for (size_t i = 0; i < legend->n; i++)
        widest = fmax(widest, spar__svg_text_width(&spar__font_tick, legend->entry[i].label));
    legend->column_width = SAMPLE + GAP + widest;
    legend->columns = 1;
    while (legend->columns < most_columns && legend->columns < legend->n &&
           (double)(legend->columns + 1) * (legend->column_width + BETWEEN) - BETWEEN <= room)
        legend->columns++;
    size_t rows = (legend->n + legend->columns - 1) / legend->columns;
    if (rows > 0) /* as few columns as these rows need */
        legend->columns = (legend->n + rows - 1) / rows;
    legend->width = legend->n ? (double)legend->columns * (legend->column_width + BETWEEN) - BETWEEN : 0;
    legend->height = (double)rows * ROW;
}

size_t spar__legend_key(const spar__legend_entry *entry)
{
    enum { MARKS = 100 }; /* above all lines of the palette */
    return entry->mark == SPAR__MARK_LINE ? entry->style + 1 : MARKS + (size_t)entry->mark;
}

void spar__legend_sample(spar__buf *out, const spar__legend_entry *entry, size_t among, double x, double y,
                         double length)
{
    spar__style style = spar__palette_among(entry->style, among);
    char attributes[128];
    if (entry->band) {
        (void)snprintf(attributes, sizeof attributes, " fill=\"%s\" fill-opacity=\"0.18\"", style.color);
        spar__svg_rect(out, x, y - 5, length, 10, attributes);
    }
    (void)snprintf(attributes, sizeof attributes, " stroke=\"%s\" stroke-width=\"1.8\"%s%s%s", style.color,
                   *style.dash ? " stroke-dasharray=\"" : "", style.dash, *style.dash ? "\"" : "");
    spar__svg_line(out, x, y, x + length, y, attributes);
}

static void draw_entry(spar__buf *out, const spar__legend_entry *entry, size_t among, double x, double y)
{
    spar__buf_printf(out, "<g class=\"key\" data-series=\"%zu\">\n", spar__legend_key(entry));
    if (entry->mark == SPAR__MARK_LINE)
        spar__legend_sample(out, entry, among, x, y, SAMPLE);
    else
        spar__mark_draw(out, entry->mark, x + SAMPLE / 2, y, 5.5);
    spar__svg_text(out, x + SAMPLE + GAP, y + 4, &spar__font_tick, SPAR__START, entry->label);
    spar__buf_adds(out, "</g>\n");
}

void spar__legend_draw(spar__buf *out, const spar__legend *legend, double x, double y)
{
    size_t rows = legend->columns ? (legend->n + legend->columns - 1) / legend->columns : 0;
    for (size_t i = 0; rows && i < legend->n; i++)
        /* NOLINTNEXTLINE(bugprone-integer-division): the number of the column */
        draw_entry(out, &legend->entry[i], legend->among, x + (double)(i / rows) * (legend->column_width + BETWEEN),
                   y + ((double)(i % rows) + 0.5) * ROW);
}
