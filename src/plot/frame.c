/* frame.c - an axis with its ticks at round numbers; the frame of a plot made of two of them, with titles and labels;
 * and the legend. Laid out from the widths of texts, then drawn. */
#include "plot/frame.h"

#include "base/buf.h"
#include "num/elementary.h"
#include "plot/svg.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- axes --- */

static const double LARGEST = 1e300; /* so that differences and steps stay finite */

void spar__range_add(spar__range *range, double value)
{
    if (!isfinite(value))
        return;
    value = fmin(fmax(value, -LARGEST), LARGEST);
    range->lo = fmin(range->lo, value);
    range->hi = fmax(range->hi, value);
}

/* By spar__log, so that plots have the same bytes everywhere. Callers allow for rounding. */
static double decimal_log(double value)
{
    return spar__log(value) / 2.302585092994045684;
}

/* count * 10^exponent, rounded once where the power is exact. */
static double decimal(double count, int exponent)
{
    double power = 1;
    for (int i = abs(exponent); i > 0; i--)
        power *= 10;
    return exponent < 0 ? count / power : count * power;
}

/* The k with 10^k <= value < 10^(k+1). */
static int exponent_of(double value)
{
    int k = (int)floor(decimal_log(value));
    if (decimal(1, k + 1) <= value)
        return k + 1;
    return decimal(1, k) > value ? k - 1 : k;
}

/* Writes count * 10^-places with commas between thousands: 1234567 with 2 places is "12,345.67". */
static void print_decimal(char out[32], int64_t count, int places)
{
    char digits[32], *at = out;
    int n = snprintf(digits, sizeof digits, "%0*lld", places + 1, (long long)llabs(count));
    int whole = n - places;
    if (count < 0) {
        memcpy(at, "\xE2\x88\x92", 3); /* a minus sign as wide as plus */
        at += 3;
    }
    for (int i = 0; i < n; i++) {
        if (i == whole)
            *at++ = '.';
        else if (i > 0 && i < whole && (whole - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
}

static void add_tick(spar__axis *axis, double value, bool major)
{
    if (axis->n < SPAR__TICKS)
        axis->tick[axis->n++] = (spar__tick){.value = value, .major = major};
}

/* How the labels of all ticks of an axis are written. */
typedef struct notation {
    int shift; /* labels show value / 10^shift, followed by */
    const char *unit;
    bool power; /* "x10" with shift raised */
} notation;

static notation choose_notation(double largest, int exponent)
{
    int top = largest > 0 ? exponent_of(largest) : 0;
    if (top - exponent > 6 && top < 15 && exponent > -9) /* close together and far from zero: all digits are needed */
        return (notation){0, "", false};
    if (top >= 9 || top < -4)
        return (notation){top, "", true};
    if (top >= 6)
        return (notation){6, "M", false};
    return (notation){0, "", false};
}

static void label_tick(spar__tick *tick, int64_t count, int exponent, notation how)
{
    int places = how.shift - exponent;
    for (; places < 0; places++)
        count *= 10;
    if (count == 0)
        places = 0;
    print_decimal(tick->label, count, places);
    size_t length = strlen(tick->label), room = sizeof tick->label - length;
    if (count != 0)
        (void)snprintf(tick->label + length, room, "%s",
                       how.power ? "\xC3\x97"
                                   "10"
                                 : how.unit);
    if (count != 0 && how.power)
        (void)snprintf(tick->power, sizeof tick->power, "%s%d", how.shift < 0 ? "\xE2\x88\x92" : "", abs(how.shift));
}

static void linear_ticks(spar__axis *axis, bool snap, size_t wanted)
{
    /* A step of 1, 2 or 5 times a power of ten, about span / wanted. */
    double rough = (axis->hi - axis->lo) / (double)wanted;
    int exponent = exponent_of(rough);
    double scaled = rough / decimal(1, exponent);
    int mantissa = scaled < 1.5 ? 1 : scaled < 3.5 ? 2 : scaled < 7.5 ? 5 : 1;
    exponent += scaled >= 7.5;
    int parts = mantissa == 5 ? 5 : 2; /* minor ticks are again at 1 or 5 */
    double step = decimal(mantissa, exponent), minor = step / parts;
    int64_t first = (int64_t)floor(axis->lo / minor + 1e-6), last = (int64_t)ceil(axis->hi / minor - 1e-6);
    if (snap) {
        axis->lo = decimal((double)first * mantissa / parts, exponent);
        axis->hi = decimal((double)last * mantissa / parts, exponent);
    }
    notation how = choose_notation(fmax(fabs(axis->lo), fabs(axis->hi)), exponent);
    double slack = 1e-6 * minor;
    for (int64_t i = first; i <= last; i++) {
        double value = decimal((double)i * mantissa / parts, exponent);
        if (value < axis->lo - slack || value > axis->hi + slack)
            continue;
        add_tick(axis, value, i % parts == 0);
        if (i % parts == 0)
            label_tick(&axis->tick[axis->n - 1], i / parts * mantissa, exponent, how);
    }
}

static void log_label(spar__tick *tick, int digit, int exponent, bool powers)
{
    if (!powers)
        label_tick(tick, digit, exponent, (notation){0, "", false});
    else if (digit == 1) {
        (void)snprintf(tick->label, sizeof tick->label, "10");
        (void)snprintf(tick->power, sizeof tick->power, "%s%d", exponent < 0 ? "\xE2\x88\x92" : "", abs(exponent));
    } else
        label_tick(tick, digit, exponent, (notation){exponent, "", true});
}

static void log_ticks(spar__axis *axis, bool snap, size_t wanted)
{
    int low = exponent_of(axis->lo), high = exponent_of(axis->hi);
    if (snap) { /* to the digits between the decades */
        axis->lo = decimal(floor(axis->lo / decimal(1, low) + 1e-9), low);
        axis->hi = decimal(ceil(axis->hi / decimal(1, high) - 1e-9), high);
    }
    double decades = decimal_log(axis->hi) - decimal_log(axis->lo); /* the quotient may overflow */
    /* Every how many decades there is a label: at least two labels where the range has two decades. */
    double first = ceil(decimal_log(axis->lo) - 1e-9), last = floor(decimal_log(axis->hi) + 1e-9);
    int every = (int)fmax(ceil(decades / (double)wanted), 1);
    while (every > 1 && floor(last / every) - ceil(first / every) < 1)
        every--;
    bool fives = decades * 3 <= (double)wanted + 2; /* room for 1, 2, 5 */
    bool powers = axis->lo < 1e-3 || axis->hi > 1.5e5;
    for (int k = low; k <= high + 1; k++) {
        for (int digit = 1; digit <= (every == 1 ? 9 : 1); digit++) {
            double value = decimal(digit, k);
            if (value < axis->lo * (1 - 1e-9) || value > axis->hi * (1 + 1e-9))
                continue;
            bool major = digit == 1 ? (k % every + every) % every == 0 : fives && (digit == 2 || digit == 5);
            if (!major && every > SPAR__TICKS / 10)
                continue;
            add_tick(axis, value, major);
            if (major)
                log_label(&axis->tick[axis->n - 1], digit, k, powers);
        }
    }
}

/* Makes the range neither empty nor a single value. */
static spar__range widen(spar__range range, bool log)
{
    if (log) {
        if (!(range.hi > 0))
            return (spar__range){0.1, 10};
        double lo = fmax(range.lo > 0 ? range.lo : range.hi / 1000, 1e-290);
        double hi = fmax(range.hi, lo);
        if (hi / lo < 1 + 1e-9)
            return (spar__range){lo / 2, hi * 2};
        return (spar__range){lo, hi};
    }
    if (!(range.lo <= range.hi))
        return (spar__range){0, 1};
    double size = fmax(fabs(range.lo), fabs(range.hi));
    if (size < 1e-290)
        return (spar__range){0, 1};
    if (range.lo > 0 && range.lo < 0.3 * range.hi)
        range.lo = 0;
    if (range.hi < 0 && range.hi > 0.3 * range.lo)
        range.hi = 0;
    if (range.hi - range.lo < 1e-11 * size)
        return (spar__range){range.lo - 0.5 * size, range.hi + 0.5 * size};
    return range;
}

void spar__axis_fit(spar__axis *axis, spar__range range, bool log, bool snap, size_t wanted)
{
    range = widen(range, log);
    axis->log = log;
    axis->lo = range.lo;
    axis->hi = range.hi;
    axis->n = 0;
    if (wanted < 2)
        wanted = 2;
    if (log && range.hi / range.lo > 5)
        log_ticks(axis, snap, wanted);
    else
        linear_ticks(axis, snap && !log, wanted);
}

void spar__axis_crop(spar__axis *axis, spar__range range)
{
    if (!(range.lo < range.hi))
        return;
    double slack = 1e-6 * (range.hi - range.lo);
    size_t kept = 0;
    for (size_t i = 0; i < axis->n; i++)
        if (axis->tick[i].value >= range.lo - slack && axis->tick[i].value <= range.hi + slack)
            axis->tick[kept++] = axis->tick[i];
    axis->n = kept;
    axis->lo = range.lo;
    axis->hi = range.hi;
}

double spar__axis_at(const spar__axis *axis, double value)
{
    double length = axis->to - axis->from, share = 0;
    if (!axis->log)
        share = (value - axis->lo) / (axis->hi - axis->lo);
    else if (value > 0)
        share = (decimal_log(value) - decimal_log(axis->lo)) / (decimal_log(axis->hi) - decimal_log(axis->lo));
    share = fmin(fmax(share, -0.05), 1.05); /* outside is clipped anyway, and renderers fail on enormous numbers */
    return axis->from + share * length;
}

/* --- the frame --- */

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

double spar__plot_frame_y_width(const spar__plot_frame *frame)
{
    double widest = 0;
    for (size_t i = 0; i < frame->y.n; i++)
        if (frame->y.tick[i].major)
            widest = fmax(widest, tick_width(&frame->y.tick[i]));
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
    double before = MARGIN + (spar__svg_has(captions->y_label) ? 20 : 0) + spar__plot_frame_y_width(frame) + 8;
    plot->x = outer.x + before;
    double after = MARGIN + 10;
    for (int i = 0; i < 2; i++) { /* the last label may need more */
        plot->width = fmax(outer.width - before - after, 20);
        fit_x(&frame->x, x, log_x, plot->width);
        const spar__axis *axis = &frame->x;
        for (size_t k = 0; k < axis->n; k++)
            if (axis->tick[k].major)
                after = fmax(after,
                             spar__axis_at(axis, axis->tick[k].value) + tick_width(&axis->tick[k]) / 2 - axis->to + 10);
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
    double slack = 1e-6 * (frame->x.hi - frame->x.lo);
    frame->x.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (value[i] < frame->x.lo - slack || value[i] > frame->x.hi + slack || frame->x.n == SPAR__TICKS)
            continue;
        add_tick(&frame->x, value[i], true);
        spar__tick *tick = &frame->x.tick[frame->x.n - 1];
        bool millions = fabs(value[i]) >= 1e6 && fabs(value[i]) < 1e9;
        if (fabs(value[i]) < 1e6 && value[i] == floor(value[i])) {
            print_decimal(tick->label, (int64_t)value[i], 0);
        } else {
            char text[SPAR__NUMBER_SIZE];
            (void)spar__number_print(text, millions ? value[i] / 1e6 : value[i]);
            (void)snprintf(tick->label, sizeof tick->label, "%.20s%s", text, millions ? "M" : "");
        }
    }
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

#define MAJOR " stroke=\"#dcdcdc\""
#define MINOR " stroke=\"#f2f2f2\""

/* The ticks of x below the plot, or those of y beside it, each with its line across the plot and its label. */
static void draw_ticks(spar__buf *out, const spar__plot_frame *frame, bool of_x)
{
    const spar__axis *axis = of_x ? &frame->x : &frame->y;
    double left = frame->plot.x, right = left + frame->plot.width;
    double top = frame->plot.y, bottom = top + frame->plot.height;
    for (size_t i = 0; i < axis->n; i++) {
        const spar__tick *tick = &axis->tick[i];
        double at = (of_x ? left : top) + spar__axis_at(axis, tick->value), length = tick->major ? 5 : 3;
        if (!tick->major && frame->sparse)
            continue;
        if (!frame->covered)
            spar__svg_line(out, of_x ? at : left, of_x ? top : at, of_x ? at : right, of_x ? bottom : at,
                           tick->major ? MAJOR : MINOR);
        if (!frame->sparse || frame->covered)
            spar__svg_line(out, of_x ? at : left - length, of_x ? bottom : at, of_x ? at : left,
                           of_x ? bottom + length : at, " stroke=\"#444\"");
        if (tick->major && !(of_x ? frame->bare_x : frame->bare_y))
            spar__svg_text_power(out, of_x ? at : left - 8, of_x ? bottom + 18 : at + 4, &spar__font_tick,
                                 of_x ? SPAR__MIDDLE : SPAR__END, tick->label, tick->power);
    }
}

void spar__plot_frame_draw(spar__buf *out, const spar__plot_frame *frame, const spar__captions *captions)
{
    const spar__box *plot = &frame->plot;
    double bottom = plot->y + plot->height;
    double x = frame->outer.x + MARGIN, y = frame->outer.y + MARGIN, room = captions->width - 2 * MARGIN;
    if (spar__svg_has(captions->title)) {
        size_t lines =
            spar__svg_paragraph(out, x, y + spar__font_title.size * 0.8, &spar__font_title, room, captions->title);
        y += (double)lines * spar__svg_line_height(&spar__font_title);
    }
    if (spar__svg_has(captions->subtitle))
        (void)spar__svg_paragraph(out, x, y + spar__font_subtitle.size * 0.8, &spar__font_subtitle, room,
                                  captions->subtitle);
    draw_ticks(out, frame, true);
    draw_ticks(out, frame, false);
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

/* --- the legend --- */

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

void spar__legend_begin_part(spar__buf *out, spar__legend_entry entry)
{
    spar__buf_printf(out, "<g data-series=\"%zu\">\n", spar__legend_key(&entry));
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

void spar__legend_draw(spar__buf *out, const spar__legend *legend, double x, double y)
{
    size_t rows = legend->columns ? (legend->n + legend->columns - 1) / legend->columns : 0;
    for (size_t i = 0; rows && i < legend->n; i++) {
        const spar__legend_entry *entry = &legend->entry[i];
        /* NOLINTNEXTLINE(bugprone-integer-division): the number of the column */
        double left = x + (double)(i / rows) * (legend->column_width + BETWEEN);
        double middle = y + ((double)(i % rows) + 0.5) * ROW;
        spar__buf_printf(out, "<g class=\"key\" data-series=\"%zu\">\n", spar__legend_key(entry));
        if (entry->mark == SPAR__MARK_LINE)
            spar__legend_sample(out, entry, legend->among, left, middle, SAMPLE);
        else
            spar__mark_draw(out, entry->mark, left + SAMPLE / 2, middle, 5.5);
        spar__svg_text(out, left + SAMPLE + GAP, middle + 4, &spar__font_tick, SPAR__START, entry->label);
        spar__buf_adds(out, "</g>\n");
    }
}
