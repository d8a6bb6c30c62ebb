#include "plot/frame.h"

#include "base/buf.h"
#include "plot/svg.h"

#include <math.h>
#include <string.h>

static const double MARGIN = 14; /* around everything */

static double paragraph_height(const spar__font *font, double width, const char *text)
{
    return spar__svg_has(text)
               ? (double)spar__svg_paragraph(NULL, 0, 0, font, width, text) * spar__svg_line_height(font)
               : 0;
}

double spar__captions_height(const spar__captions *captions)
{
    double room = captions->width - 2 * MARGIN;
    double height = paragraph_height(&spar__font_title, room, captions->title) +
                    paragraph_height(&spar__font_subtitle, room, captions->subtitle);
    return height > 0 ? height + 8 : 0;
}

static double tick_width(const spar__tick *tick)
{
    spar__font small = spar__font_tick;
    small.size *= 0.75;
    return spar__svg_text_width(&spar__font_tick, tick->label) + spar__svg_text_width(&small, tick->power);
}

static double widest_tick(const spar__axis *axis)
{
    double widest = 0;
    for (size_t i = 0; i < axis->n; i++)
        if (axis->tick[i].major)
            widest = fmax(widest, tick_width(&axis->tick[i]));
    return widest;
}

static size_t ticks_in(double length, double each)
{
    return (size_t)fmin(fmax(length / each, 2), 9);
}

/* Removes labels that would touch the one before; true if there were any. */
static bool unlabel_touching(spar__axis *axis)
{
    double end = -HUGE_VAL;
    bool touch = false;
    for (size_t i = 0; i < axis->n; i++) {
        if (!axis->tick[i].major)
            continue;
        double middle = spar__axis_at(axis, axis->tick[i].value), half = tick_width(&axis->tick[i]) / 2;
        if (middle - half < end + 10) {
            axis->tick[i].major = false;
            touch = true;
        } else {
            end = middle + half;
        }
    }
    return touch;
}

/* Fewer ticks until their labels do not touch. */
static void fit_x(spar__axis *axis, spar__range range, bool log, double length)
{
    axis->from = 0;
    axis->to = length;
    for (size_t wanted = ticks_in(length, log ? 45 : 70); wanted >= 2; wanted--) {
        spar__axis_fit(axis, range, log, false, wanted);
        if (!unlabel_touching(axis))
            return;
    }
}

/* How far the last label extends beyond the axis. */
static double last_overhang(const spar__axis *axis)
{
    double over = 0;
    for (size_t i = 0; i < axis->n; i++)
        if (axis->tick[i].major)
            over = fmax(over, spar__axis_at(axis, axis->tick[i].value) + tick_width(&axis->tick[i]) / 2 - axis->to);
    return over;
}

void spar__plot_frame_fit(spar__plot_frame *frame, spar__box outer, double head, const spar__captions *captions,
                          spar__range x, bool log_x, spar__range y, bool log_y)
{
    frame->bare_x = frame->bare_y = frame->sparse = frame->covered = false;
    double above = MARGIN + head;
    double below = 22 + (spar__svg_has(captions->x_label) ? 20 : 0) + MARGIN - 6;
    spar__box *plot = &frame->plot;
    frame->outer = outer;
    plot->y = outer.y + above;
    plot->height = fmax(outer.height - above - below, 20);
    spar__axis_fit(&frame->y, y, log_y, true, ticks_in(plot->height, log_y ? 28 : 42));
    frame->y.from = plot->height;
    frame->y.to = 0;
    double before = MARGIN + (spar__svg_has(captions->y_label) ? 20 : 0) + widest_tick(&frame->y) + 8;
    plot->x = outer.x + before;
    double after = MARGIN + 10;
    for (int i = 0; i < 2; i++) { /* the last label may need more */
        plot->width = fmax(outer.width - before - after, 20);
        fit_x(&frame->x, x, log_x, plot->width);
        after = fmax(after, last_overhang(&frame->x) + 10);
    }
}

void spar__plot_frame_set(spar__plot_frame *frame, spar__box plot, spar__range x, bool log_x, spar__range y, bool log_y)
{
    *frame = (spar__plot_frame){.outer = plot, .plot = plot};
    fit_x(&frame->x, x, log_x, plot.width);
    spar__axis_crop(&frame->x, x);
    spar__axis_fit(&frame->y, y, log_y, false, ticks_in(plot.height, log_y ? 28 : 42));
    spar__axis_crop(&frame->y, y);
    frame->y.from = plot.height;
    frame->y.to = 0;
}

void spar__plot_frame_mark_x(spar__plot_frame *frame, size_t n, const double *value)
{
    spar__axis_mark(&frame->x, n, value);
    (void)unlabel_touching(&frame->x);
}

static void take_ticks(spar__axis *axis, const spar__axis *from)
{
    axis->n = from->n;
    memcpy(axis->tick, from->tick, from->n * sizeof *from->tick);
}

void spar__plot_frame_take_ticks(spar__plot_frame *frame, const spar__axis *x, const spar__axis *y)
{
    double last = HUGE_VAL;
    if (x) {
        take_ticks(&frame->x, x);
        (void)unlabel_touching(&frame->x);
    }
    if (y)
        take_ticks(&frame->y, y);
    for (size_t i = 0; y && i < frame->y.n; i++) { /* upwards */
        spar__tick *tick = &frame->y.tick[i];
        double at = spar__axis_at(&frame->y, tick->value);
        tick->major = tick->major && last - at >= spar__svg_line_height(&spar__font_tick);
        last = tick->major ? at : last;
    }
}

double spar__plot_frame_y_width(const spar__plot_frame *frame)
{
    return widest_tick(&frame->y);
}

static void draw_titles(spar__buf *out, const spar__plot_frame *frame, const spar__captions *captions)
{
    double x = frame->outer.x + MARGIN, y = frame->outer.y + MARGIN, room = captions->width - 2 * MARGIN;
    if (spar__svg_has(captions->title)) {
        size_t lines =
            spar__svg_paragraph(out, x, y + spar__font_title.size * 0.8, &spar__font_title, room, captions->title);
        y += (double)lines * spar__svg_line_height(&spar__font_title);
    }
    if (spar__svg_has(captions->subtitle))
        (void)spar__svg_paragraph(out, x, y + spar__font_subtitle.size * 0.8, &spar__font_subtitle, room,
                                  captions->subtitle);
}

#define MAJOR " stroke=\"#dcdcdc\""
#define MINOR " stroke=\"#f2f2f2\""

static void draw_x(spar__buf *out, const spar__plot_frame *frame)
{
    double bottom = frame->plot.y + frame->plot.height;
    for (size_t i = 0; i < frame->x.n; i++) {
        const spar__tick *tick = &frame->x.tick[i];
        double x = frame->plot.x + spar__axis_at(&frame->x, tick->value);
        if (!tick->major && frame->sparse)
            continue;
        if (!frame->covered)
            spar__svg_line(out, x, frame->plot.y, x, bottom, tick->major ? MAJOR : MINOR);
        if (!frame->sparse || frame->covered)
            spar__svg_line(out, x, bottom, x, bottom + (tick->major ? 5 : 3), " stroke=\"#444\"");
        if (tick->major && !frame->bare_x)
            spar__svg_text_power(out, x, bottom + 18, &spar__font_tick, SPAR__MIDDLE, tick->label, tick->power);
    }
}

static void draw_y(spar__buf *out, const spar__plot_frame *frame)
{
    double left = frame->plot.x, right = left + frame->plot.width;
    for (size_t i = 0; i < frame->y.n; i++) {
        const spar__tick *tick = &frame->y.tick[i];
        double y = frame->plot.y + spar__axis_at(&frame->y, tick->value);
        if (!tick->major && frame->sparse)
            continue;
        if (!frame->covered)
            spar__svg_line(out, left, y, right, y, tick->major ? MAJOR : MINOR);
        if (!frame->sparse || frame->covered)
            spar__svg_line(out, left - (tick->major ? 5 : 3), y, left, y, " stroke=\"#444\"");
        if (tick->major && !frame->bare_y)
            spar__svg_text_power(out, left - 8, y + 4, &spar__font_tick, SPAR__END, tick->label, tick->power);
    }
}

void spar__plot_frame_draw(spar__buf *out, const spar__plot_frame *frame, const spar__captions *captions)
{
    const spar__box *plot = &frame->plot;
    double bottom = plot->y + plot->height;
    draw_titles(out, frame, captions);
    draw_x(out, frame);
    draw_y(out, frame);
    spar__svg_line(out, plot->x, bottom, plot->x + plot->width, bottom, " stroke=\"#444\"");
    spar__svg_line(out, plot->x, plot->y, plot->x, bottom, " stroke=\"#444\"");
    if (spar__svg_has(captions->x_label))
        spar__svg_text(out, plot->x + plot->width / 2, bottom + 38, &spar__font_label, SPAR__MIDDLE, captions->x_label);
    if (spar__svg_has(captions->y_label))
        spar__svg_text_turned(out, frame->outer.x + MARGIN + 8, plot->y + plot->height / 2, &spar__font_label,
                              captions->y_label);
}

static void add_scale(spar__buf *out, const char *name, const spar__axis *axis)
{
    char lo[SPAR__NUMBER_SIZE], hi[SPAR__NUMBER_SIZE];
    (void)spar__number_print(lo, axis->lo);
    (void)spar__number_print(hi, axis->hi);
    spar__buf_printf(out, " data-%s=\"%s %s %d\"", name, lo, hi, axis->log);
}

void spar__plot_frame_begin_panel(spar__buf *out, const spar__plot_frame *frame, size_t table)
{
    spar__buf_printf(out, "<g data-table=\"%zu\" data-box=\"", table);
    spar__svg_pair(out, frame->plot.x, frame->plot.y);
    spar__buf_adds(out, " ");
    spar__svg_pair(out, frame->plot.width, frame->plot.height);
    spar__buf_adds(out, "\"");
    add_scale(out, "x", &frame->x);
    add_scale(out, "y", &frame->y);
    spar__buf_adds(out, ">\n");
}

void spar__plot_frame_end_panel(spar__buf *out)
{
    spar__buf_adds(out, "</g>\n");
}

void spar__plot_frame_begin_data(spar__buf *out, const spar__plot_frame *frame, double bleed)
{
    /* A nested svg clips without an id, so that several plots can stand in one page. */
    double width = frame->plot.width + 2 * bleed, height = frame->plot.height + 2 * bleed;
    spar__buf_adds(out, "<svg");
    spar__svg_attribute(out, "x", frame->plot.x - bleed);
    spar__svg_attribute(out, "y", frame->plot.y - bleed);
    spar__svg_attribute(out, "width", width);
    spar__svg_attribute(out, "height", height);
    spar__buf_adds(out, " overflow=\"hidden\" viewBox=\"");
    spar__svg_pair(out, -bleed, -bleed);
    spar__buf_adds(out, " ");
    spar__svg_pair(out, width, height);
    spar__buf_adds(out, "\">\n");
}

void spar__plot_frame_end_data(spar__buf *out)
{
    spar__buf_adds(out, "</svg>\n");
}
