/* sheet.c - pages with figures: the data of each figure as HTML tables, for those who cannot see it, who want its
 * numbers, and for the script of the page, which reads them to show values under the pointer; figure and tables
 * together as a drawing; and the page around them, with one style, light and dark, for screens and paper. */
#include "base/alloc.h"
#include "base/buf.h"
#include "plot/line_plot.h"
#include "plot/plot.h"
#include "plot/svg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- tables --- */

static void begin(spar__buf *html, const char *heading, const char *attributes)
{
    spar__sheet_begin_box(html, heading, "");
    spar__buf_printf(html, "\n<table class=\"data\"%s><caption>", attributes);
    spar__svg_escape(html, heading);
    spar__buf_adds(html, "</caption>\n<thead><tr>");
}

static void add_head(spar__buf *html, const char *text)
{
    spar__buf_adds(html, "<th scope=\"col\">");
    spar__svg_escape(html, text);
    spar__buf_adds(html, "</th>");
}

/* A column that is not in the units of y: its values are told, but not marked in the picture. */
static void add_other(spar__buf *html, const char *text)
{
    spar__buf_printf(html, "<th scope=\"col\" data-other=\"1\">%s</th>", text);
}

static void end(spar__buf *html)
{
    spar__buf_adds(html, "</tbody></table>");
    spar__sheet_end_box(html);
}

static int ascending(const void *a, const void *b)
{
    double one, other;
    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

/* All values of x that are drawn, ascending, each once. */
static spar_status collect(const spar__figure *fig, double **out, size_t *n)
{
    size_t all = 0;
    for (size_t s = 0; s < fig->n_series; s++)
        all += fig->series[s].n;
    double *x = spar__alloc(all + 1, sizeof *x);
    if (!x)
        return SPAR_NOMEM;
    *n = 0;
    for (size_t s = 0; s < fig->n_series; s++)
        for (size_t i = 0; i < fig->series[s].n; i++)
            if (spar__curve_visible(&fig->series[s], fig->log_x, i))
                x[(*n)++] = fig->series[s].x[i];
    qsort(x, *n, sizeof *x, ascending);
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (i == 0 || x[i] != x[kept - 1])
            x[kept++] = x[i];
    *n = kept;
    *out = x;
    return SPAR_OK;
}

spar_status spar__table_lines(const spar__figure *fig, const char *heading, spar__buf *html)
{
    double *x = NULL;
    size_t n = 0;
    if (collect(fig, &x, &n))
        return SPAR_NOMEM;
    begin(html, heading, "");
    add_head(html, spar__svg_has(fig->x_label) ? fig->x_label : "x");
    for (size_t s = 0; s < fig->n_series; s++) {
        const char *label = fig->series[s].label;
        add_head(html, spar__svg_has(label) ? label : spar__svg_has(fig->y_label) ? fig->y_label : "value");
    }
    spar__buf_adds(html, "</tr></thead>\n<tbody>\n");
    size_t rows = n < SPAR__TABLE_ROWS ? n : SPAR__TABLE_ROWS;
    for (size_t k = 0; k < rows; k++) {
        double at = x[rows > 1 ? (k * (n - 1) + (rows - 1) / 2) / (rows - 1) : 0];
        spar__buf_adds(html, "<tr><th scope=\"row\">");
        spar__svg_value(html, at);
        spar__buf_adds(html, "</th>");
        for (size_t s = 0; s < fig->n_series; s++) {
            const spar__series *series = &fig->series[s];
            size_t i = 0;
            while (i < series->n && !(series->x[i] == at && spar__curve_visible(series, fig->log_x, i)))
                i++;
            spar__buf_adds(html, "<td>");
            if (i < series->n)
                spar__svg_value(html, series->y[i]);
            if (i < series->n && spar__curve_band_visible(series, fig->log_x, i)) {
                spar__buf_adds(html, " <small>[");
                spar__svg_value(html, series->lo[i]);
                spar__buf_adds(html, ", ");
                spar__svg_value(html, series->hi[i]);
                spar__buf_adds(html, "]</small>");
            }
            spar__buf_adds(html, "</td>");
        }
        spar__buf_adds(html, "</tr>\n");
    }
    end(html);
    spar__free(x);
    return html->failed ? SPAR_NOMEM : SPAR_OK;
}

/* "linear / arith: cumulative regret": from the title, or the place where there is none. */
static spar_status add_panel(const spar__figure *fig, const char *place, const char *y_label, spar__buf *html)
{
    spar__buf heading = {0};
    bool title = fig->title && strspn(fig->title, " ") < strlen(fig->title);
    const char *what = title ? fig->title : spar__svg_has(fig->subtitle) ? fig->subtitle : place;
    spar__buf_printf(&heading, "%s%s%s%s%s", what, title && spar__svg_has(fig->subtitle) ? ", " : "",
                     title && spar__svg_has(fig->subtitle) ? fig->subtitle : "", *what ? ": " : "",
                     spar__svg_has(y_label) ? y_label : "values");
    spar_status status = heading.failed ? SPAR_NOMEM : spar__table_lines(fig, heading.text, html);
    spar__buf_free(&heading);
    return status;
}

spar_status spar__table_panels(const spar__figure *figs, size_t n, spar__buf *html)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++) {
        bool own = spar__svg_has(figs[i].y_label);
        status = add_panel(&figs[i], "", own ? figs[i].y_label : figs[0].y_label, html);
    }
    return status;
}

spar_status spar__table_grid(const spar__grid *grid, spar__buf *html)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < grid->rows * grid->columns; i++) {
        spar__figure panel = grid->panel[i];
        spar__buf place = {0};
        spar__buf_printf(&place, "%s / %s", grid->column[i % grid->columns], grid->row[i / grid->columns]);
        panel.title = panel.subtitle = NULL;
        panel.x_label = grid->x_label;
        status = place.failed ? SPAR_NOMEM : add_panel(&panel, place.text, grid->y_label, html);
        spar__buf_free(&place);
    }
    return status;
}

static void add_number(spar__buf *html, const char *tag, double value)
{
    spar__buf_printf(html, "<%s>", tag);
    spar__svg_value(html, value);
    spar__buf_printf(html, "</%.2s>", tag);
}

void spar__table_beliefs(const spar__beliefs *fig, spar__buf *html)
{
    for (size_t k = 0; k < fig->n; k++) {
        begin(html, fig->belief[k].label, fig->dim == 2 ? " data-dim=\"2\"" : "");
        for (size_t d = 0; d < fig->dim; d++)
            add_head(html, fig->feature[d] ? fig->feature[d] : "feature");
        add_head(html, "belief: mean");
        add_other(html, "belief: sd");
        add_head(html, spar__svg_has(fig->truth) ? fig->truth : "truth");
        add_other(html, "duels won");
        add_other(html, "duels lost");
        spar__buf_adds(html, "</tr></thead>\n<tbody>\n");
        const spar__belief *b = &fig->belief[k];
        for (size_t i = 0; i < b->n; i++) {
            const double values[] = {b->mean[i], b->sd[i], b->truth[i], b->won[i], b->lost[i]};
            spar__buf_adds(html, "<tr>");
            for (size_t d = 0; d < fig->dim; d++)
                add_number(html, "th scope=\"row\"", b->x[fig->dim * i + d]);
            for (size_t v = 0; v < sizeof values / sizeof *values; v++)
                add_number(html, "td", values[v]);
            spar__buf_adds(html, "</tr>\n");
        }
        end(html);
    }
}

void spar__table_intervals(const spar__interval_figure *fig, spar__buf *html)
{
    static const char *const heads[] = {"option", "record", "value", "from", "to"};
    begin(html, spar__svg_has(fig->x_label) ? fig->x_label : fig->title, "");
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        add_head(html, heads[k]);
    spar__buf_adds(html, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < fig->n; i++) {
        const spar__interval_row *row = &fig->row[i];
        spar__buf_adds(html, "<tr><th scope=\"row\">");
        spar__svg_escape(html, row->label);
        spar__buf_adds(html, "</th><td>");
        spar__svg_escape(html, row->instead ? row->instead : row->detail ? row->detail : "");
        spar__buf_adds(html, "</td>");
        add_number(html, "td", row->value);
        add_number(html, "td", row->low);
        add_number(html, "td", row->high);
        spar__buf_adds(html, "</tr>\n");
    }
    end(html);
}

/* --- drawings --- */

spar_status spar__draw_panels(const spar__figure *figs, size_t n, size_t columns, spar__drawing *out)
{
    spar_status status = spar__plot_page(out->name, figs, n, columns, &out->svg);
    return status ? status : spar__table_panels(figs, n, &out->tables);
}

spar_status spar__draw_grid(const spar__grid *grid, spar__drawing *out)
{
    spar__grid named = *grid;
    named.name = out->name ? out->name : grid->name;
    spar_status status = spar__plot_grid(&named, &out->svg);
    return status ? status : spar__table_grid(&named, &out->tables);
}

spar_status spar__draw_beliefs(const spar__beliefs *fig, spar__drawing *out)
{
    spar__beliefs named = *fig;
    named.name = out->name ? out->name : fig->name;
    spar_status status = spar__plot_beliefs(&named, &out->svg);
    if (!status)
        spar__table_beliefs(&named, &out->tables);
    return status ? status : out->tables.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__draw_intervals(const spar__interval_figure *fig, spar__drawing *out)
{
    spar__plot_intervals(fig, &out->svg);
    spar__table_intervals(fig, &out->tables);
    return out->svg.failed || out->tables.failed ? SPAR_NOMEM : SPAR_OK;
}

void spar__drawing_free(spar__drawing *drawing)
{
    spar__buf_free(&drawing->svg);
    spar__buf_free(&drawing->tables);
}

/* --- pages --- */

/* sheet.css and sheet.js, line by line; each ends with NULL. */
extern const char *const spar__sheet_css[], *const spar__sheet_js[];

void spar__html_add(spar__buf *out, const char *format, ...)
{
    va_list texts;
    va_start(texts, format);
    for (const char *text; (text = strstr(format, "%s")); format = text + 2) {
        spar__buf_add(out, format, (size_t)(text - format));
        spar__svg_escape(out, va_arg(texts, const char *));
    }
    va_end(texts);
    spar__buf_adds(out, format);
}

static void add_lines(spar__buf *out, const char *const *line)
{
    for (; *line; line++)
        spar__buf_printf(out, "%s\n", *line);
}

static void replace_color(spar__buf *out, const char *light, const char *dark)
{
    spar__buf_printf(out, "svg [fill=\"%s\"]{fill:%s}svg [stroke=\"%s\"]{stroke:%s}\n", light, dark, light, dark);
}

void spar__sheet_begin(spar__buf *out, const char *title)
{
    static const char *const colors[][2] = {
        {"#fff", SPAR__PAGE_DARK}, {"#111", "#f0f1f3"},    {"#1a1a1a", "#eceef0"}, {"#222", "#e2e4e8"},
        {"#333", "#c9cdd3"},       {"#444", "#8d949d"},    {"#555", "#aeb4bc"},    {"#666", "#a2a8b1"},
        {"#dcdcdc", "#363b43"},    {"#E2E2E2", "#363b43"}, {"#f2f2f2", "#25292f"},
    };
    spar__buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n");
    spar__html_add(out, "<title>%s</title>\n<style>\n", title);
    add_lines(out, spar__sheet_css);
    /* Drawings are made for a white page; on dark screens their colours are replaced, so that files and pages have the
     * same drawing. */
    spar__buf_adds(out, "@media screen and (prefers-color-scheme:dark){\n"
                        ":root{--page:#14161a;--text:#e4e6ea;--soft:#adb3bc;--rule:#363b43;--card:" SPAR__PAGE_DARK
                        ";--stripe:#20242a;--link:#7db8f0;--good:#5fcf95;--part:#e5b454;--bad:#ff8a80;"
                        "--none:#adb3bc}\n");
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        replace_color(out, colors[i][0], colors[i][1]);
    for (size_t i = 0; i < SPAR__COLORS; i++)
        replace_color(out, spar__palette(i).color, spar__palette(i).dark);
    spar__buf_adds(out, "}\n</style>\n</head>\n<body>\n");
}

void spar__sheet_end(spar__buf *out)
{
    spar__buf_adds(out, "<script>\n");
    add_lines(out, spar__sheet_js);
    spar__buf_adds(out, "</script>\n</body>\n</html>\n");
}

void spar__sheet_begin_box(spar__buf *out, const char *name, const char *look)
{
    spar__html_add(out, "<div class=\"scroll%s\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">", look, name);
}

void spar__sheet_end_box(spar__buf *out)
{
    spar__buf_adds(out, "</div><p class=\"cue\">Wider than the screen: scroll sideways to see all of it.</p>\n");
}

/* A picture may shrink to four fifths of its size before it scrolls, and grow by a tenth. */
static void add_picture(spar__buf *out, const spar__drawing *drawing)
{
    const char *width = strstr(drawing->svg.text, " width=\""), *rest = strstr(drawing->svg.text, "<svg");
    double natural = width ? spar__scan_double(width + strlen(" width=\""), &width) : 0;
    if (!rest || !(natural > 0))
        return;
    spar__sheet_begin_box(out, drawing->name ? drawing->name : "figure", natural > 440 ? "" : " fits");
    spar__buf_adds(out, "<svg style=\"min-width:");
    spar__svg_number(out, 0.8 * natural);
    spar__buf_adds(out, "px;max-width:");
    spar__svg_number(out, 1.1 * natural);
    spar__buf_adds(out, "px\"");
    spar__buf_adds(out, rest + strlen("<svg"));
    spar__sheet_end_box(out);
}

void spar__sheet_add_plot(spar__buf *out, const spar__sheet_plot *plot)
{
    spar__buf_adds(out, "<div class=\"plot\"");
    if (plot->of)
        spar__html_add(out, " data-of=\"%s\"", plot->of);
    spar__buf_adds(out, ">\n<figure>\n");
    if (plot->drawing->svg.text)
        add_picture(out, plot->drawing);
    spar__buf_printf(out, "<figcaption>%s</figcaption>\n</figure>\n", plot->caption);
    if (!plot->of && plot->drawing->tables.length) {
        spar__buf_adds(out, "<details class=\"tables\"><summary>The data of this figure as a table</summary>\n");
        spar__buf_adds(out, plot->drawing->tables.text);
        spar__buf_adds(out, "</details>\n");
    }
    spar__buf_adds(out, "</div>\n");
}

void spar__sheet_of(const spar__drawing *drawing, const char *caption, spar__buf *out)
{
    spar__sheet_begin(out, drawing->name);
    spar__html_add(out, "<main>\n<h1>%s</h1>\n", drawing->name);
    spar__sheet_add_plot(out, &(spar__sheet_plot){drawing, caption, NULL});
    spar__buf_adds(out, "</main>\n");
    spar__sheet_end(out);
}
