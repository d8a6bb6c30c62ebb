/* html.c - the report as one page that needs no other files. */
#include "paper/report/html.h"

#include "base/number.h"
#include "plot/svg.h"
#include "spar_version.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TITLE "Multi-dueling Bandits with Dependent Arms"

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

/* A drawing may shrink to four fifths of its size before it scrolls, and grow by a tenth. */
static void add_drawing(const spar__buf *svg, spar__buf *out)
{
    const char *width = strstr(svg->text, " width=\""), *rest = strstr(svg->text, "<svg");
    double natural = width ? spar__scan_double(width + strlen(" width=\""), &width) : 0;
    spar__buf_adds(out, "<div class=\"scroll\" tabindex=\"0\">");
    if (rest && natural > 0) {
        spar__buf_adds(out, "<svg style=\"min-width:");
        spar__svg_number(out, 0.8 * natural);
        spar__buf_adds(out, "px;max-width:");
        spar__svg_number(out, 1.1 * natural);
        spar__buf_adds(out, "px\"");
        spar__buf_adds(out, rest + strlen("<svg"));
    }
    spar__buf_adds(out, "</div>\n");
}

spar_status spar__html_drawing(const spar__paper *paper, spar__paper_draw *draw, const void *data,
                               const char *otherwise, spar__buf *out, spar_error *err)
{
    spar__buf svg = {0};
    spar_status status = draw(data, paper, &svg, err);
    if (svg.failed || status == SPAR_NOMEM)
        status = spar__fail_memory(err);
    if (!status && svg.length > 0)
        add_drawing(&svg, out);
    else if (!status)
        spar__html_add(out, "<p class=\"note\">%s</p>\n", otherwise);
    spar__buf_free(&svg);
    return status;
}

static void add_facts(const spar__paper *paper, const char *command, spar__buf *out)
{
    const spar__paper_options *options = &paper->options;
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    spar__html_add(out,
                   "<dl class=\"facts\">\n<dt>command</dt><dd><code>%s</code></dd>\n<dt>seed</dt><dd>%s</dd>\n"
                   "<dt>version</dt><dd>spar " SPAR_VERSION "</dd>\n<dt>extent</dt><dd>%s</dd>\n",
                   command, seed,
                   options->quick ? "quick: fewer runs than the paper, so the numbers are rough"
                                  : "full: as many runs and rounds as the paper");
    if (options->figure)
        spar__html_add(out, "<dt>only</dt><dd>%s</dd>\n", options->figure);
    if (options->swap_from && options->swap_to)
        spar__html_add(out, "<dt>swapped</dt><dd><code>%s</code> in place of <code>%s</code></dd>\n", options->swap_to,
                       options->swap_from);
    spar__buf_adds(out, "</dl>\n");
}

static void add_head(const spar__paper *paper, const char *command, spar__buf *out)
{
    spar__buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n"
                        "<title>" TITLE ": figures and claims</title>\n");
    spar__html_style(out);
    spar__buf_adds(out, "</head>\n<body>\n<header>\n<h1>" TITLE "</h1>\n<p class=\"lead\">Every experiment of the "
                        "paper by Sui, Zhuang, Burdick and Yue (2017) repeated, every figure drawn again, and every "
                        "claim judged by the numbers.</p>\n");
    add_facts(paper, command, out);
    spar__buf_adds(out, "</header>\n<main>\n");
}

static void add_contents(const spar__paper *paper, spar__buf *out)
{
    if (paper->n_figures < 2)
        return;
    spar__buf_adds(out, "<nav aria-label=\"Figures\">\n<ol class=\"toc\">\n");
    for (size_t i = 0; i < paper->n_figures; i++)
        spar__html_add(out, "<li><a href=\"#figure-%s\">%s</a></li>\n", paper->figure[i]->name,
                       paper->figure[i]->title);
    spar__buf_adds(out, "</ol>\n</nav>\n");
}

static spar_status add_figure(const spar__paper *paper, const spar__paper_figure *figure, spar__buf *out,
                              spar_error *err)
{
    spar__html_add(out,
                   "<section id=\"figure-%s\">\n<div class=\"keep\">\n<h3>%s</h3>\n<p>The paper: %s</p>\n<figure>\n",
                   figure->name, figure->title, figure->says);
    spar_status status = spar__html_drawing(paper, figure->draw, figure->data, "Its settings were not run.", out, err);
    spar__buf_adds(out, "</figure>\n</div>\n");
    if (!status && figure->settings)
        status = spar__html_tables(paper, figure->settings, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err)
{
    add_head(paper, command, out);
    add_contents(paper, out);
    spar_status status = spar__html_claims(paper, out, err);
    if (paper->n_figures > 0)
        spar__buf_adds(out, "<h2 id=\"figures\">Figures</h2>\n");
    for (size_t i = 0; !status && i < paper->n_figures; i++)
        status = add_figure(paper, paper->figure[i], out, err);
    if (status)
        return status;
    spar__buf_adds(out,
                   "</main>\n<footer>\n<p>Regret is summed over all slots of a round, as in the paper. In one setting, "
                   "runs with the same number have the same world and the same random numbers for all policies. The "
                   "same command gives the same page.</p>\n</footer>\n</body>\n</html>\n");
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}
