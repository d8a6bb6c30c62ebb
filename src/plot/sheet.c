#include "plot/sheet.h"

#include "base/buf.h"
#include "plot/palette.h"
#include "plot/sheet_data.h"
#include "plot/svg.h"

#include <stdarg.h>
#include <string.h>

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

/* Drawings are made for a white page; on dark screens their colours are replaced, so that files and pages have the same
 * drawing. */
static void add_dark(spar__buf *out)
{
    static const char *const colors[][2] = {
        {"#fff", SPAR__PAGE_DARK}, {"#111", "#f0f1f3"},    {"#1a1a1a", "#eceef0"}, {"#222", "#e2e4e8"},
        {"#333", "#c9cdd3"},       {"#444", "#8d949d"},    {"#555", "#aeb4bc"},    {"#666", "#a2a8b1"},
        {"#dcdcdc", "#363b43"},    {"#E2E2E2", "#363b43"}, {"#f2f2f2", "#25292f"},
    };
    spar__buf_adds(out, "@media screen and (prefers-color-scheme:dark){\n"
                        ":root{--page:#14161a;--text:#e4e6ea;--soft:#adb3bc;--rule:#363b43;--card:" SPAR__PAGE_DARK
                        ";--stripe:#20242a;--link:#7db8f0;--good:#5fcf95;--part:#e5b454;--bad:#ff8a80;"
                        "--none:#adb3bc}\n");
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        replace_color(out, colors[i][0], colors[i][1]);
    for (size_t i = 0; i < SPAR__COLORS; i++)
        replace_color(out, spar__palette(i).color, spar__palette(i).dark);
    spar__buf_adds(out, "}\n");
}

void spar__sheet_begin(spar__buf *out, const char *title)
{
    spar__buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n");
    spar__html_add(out, "<title>%s</title>\n<style>\n", title);
    add_lines(out, spar__sheet_css);
    add_dark(out);
    spar__buf_adds(out, "</style>\n</head>\n<body>\n");
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
