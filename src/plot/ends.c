#include "plot/ends.h"

#include "base/alloc.h"
#include "plot/curve.h"
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LEADER = 16, SAMPLE = 22, GAP = 6, EDGE = 8;
static const spar__font font_small = {9.5, false, "#333"};

/* Where a line ends, on the page, and where its label stands. */
typedef struct line_end {
    const spar__legend_entry *entry;
    double x, y, at;
} line_end;

static const spar__font *font_of(const spar__ends *ends)
{
    return ends->samples ? &spar__font_tick : &font_small;
}

static double row_of(const spar__ends *ends)
{
    return ends->samples ? 15 : 10.5;
}

bool spar__ends_fit(const spar__ends *ends, double height)
{
    size_t n = ends->legend->n;
    return n >= SPAR__MANY_SERIES && (double)n * row_of(ends) <= height;
}

double spar__ends_width(const spar__ends *ends)
{
    double widest = 0;
    for (size_t i = 0; i < ends->legend->n; i++)
        widest = fmax(widest, spar__svg_text_width(font_of(ends), ends->legend->entry[i].label));
    return LEADER + (ends->samples ? SAMPLE + GAP : 0) + widest + EDGE;
}

/* The line with this label; its last point that is drawn. */
static void find_end(const spar__figure *fig, const spar__plot_frame *frame, line_end *end)
{
    end->x = frame->plot.x + frame->plot.width;
    end->y = frame->plot.y + frame->plot.height; /* without a point: at the bottom */
    for (size_t s = 0; s < fig->n_series; s++) {
        const spar__series *series = &fig->series[s];
        if (!spar__svg_has(series->label) || strcmp(series->label, end->entry->label) != 0)
            continue;
        for (size_t i = series->n; i-- > 0;)
            if (spar__curve_visible(series, fig->log_x, i)) {
                end->x = frame->plot.x + spar__axis_at(&frame->x, series->x[i]);
                end->y = frame->plot.y + spar__axis_at(&frame->y, series->y[i]);
                return;
            }
    }
}

/* From the top: insertion sort, which keeps the order of those at the same height. */
static void sort(line_end *end, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        line_end moved = end[i];
        size_t at = i;
        for (; at > 0 && end[at - 1].y > moved.y; at--)
            end[at] = end[at - 1];
        end[at] = moved;
    }
}

/* Down as far as those above need, then up from the bottom. */
static void spread(line_end *end, size_t n, double row, double top, double bottom)
{
    double free_from = top;
    for (size_t i = 0; i < n; i++) {
        end[i].at = fmax(end[i].y, free_from);
        free_from = end[i].at + row;
    }
    double free_to = bottom;
    for (size_t i = n; i-- > 0;) {
        end[i].at = fmin(end[i].at, free_to);
        free_to = end[i].at - row;
    }
}

static void draw_one(spar__buf *out, const spar__ends *ends, const line_end *end, double right)
{
    double x = right + LEADER;
    bool far = right - end->x > LEADER; /* it crosses the plot: less of it */
    char attributes[120];
    (void)snprintf(attributes, sizeof attributes, " stroke=\"%s\" stroke-width=\"0.8\" stroke-opacity=\"0.8\"%s",
                   spar__palette(end->entry->style).color, far ? " stroke-dasharray=\"1 4\"" : "");
    spar__buf_printf(out, "<g class=\"key\" data-series=\"%zu\">\n", spar__legend_key(end->entry));
    spar__svg_line(out, end->x, end->y, x - 3, end->at, attributes);
    if (ends->samples) {
        spar__legend_sample(out, end->entry, ends->legend->among, x, end->at, SAMPLE);
        x += SAMPLE + GAP;
    }
    spar__svg_text(out, x, end->at + 0.36 * font_of(ends)->size, font_of(ends), SPAR__START, end->entry->label);
    spar__buf_adds(out, "</g>\n");
}

void spar__ends_draw(spar__buf *out, const spar__ends *ends, const spar__plot_frame *frame, const spar__figure *fig)
{
    size_t n = ends->legend->n;
    line_end *end = spar__alloc(n, sizeof *end);
    if (!end) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        end[i].entry = &ends->legend->entry[i];
        find_end(fig, frame, &end[i]);
    }
    sort(end, n);
    spread(end, n, row_of(ends), frame->plot.y + 4, frame->plot.y + frame->plot.height - 2);
    for (size_t i = 0; i < n; i++)
        draw_one(out, ends, &end[i], frame->plot.x + frame->plot.width);
    spar__free(end);
}
