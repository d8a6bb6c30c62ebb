/* html.c - the report: one page that needs nothing but itself. The same numbers give the same bytes: it
 * tells nothing of dates, times and places. */
#include "paper/html.h"

#include "base/number.h"
#include "plot/svg.h"
#include "spar_version.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const TITLE = "Multi-dueling Bandits with Dependent Arms";

void spar__html_text(spar__buf *out, const char *tag, const char *attributes, const char *text)
{
    spar__buf_printf(out, "<%s%s>", tag, attributes);
    if (text)
        spar__svg_escape(out, text);
    spar__buf_printf(out, "</%s>", tag);
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

spar_status spar__html_drawing(const spar__paper *paper,
                               spar_status (*draw)(const spar__paper *paper, spar__buf *svg, spar_error *err),
                               spar__buf *out, bool *drawn, spar_error *err)
{
    spar__buf svg = {0};
    spar_status status = draw(paper, &svg, err);
    if (svg.failed || status == SPAR_NOMEM)
        status = spar__fail_memory(err);
    *drawn = !status && svg.length > 0;
    if (*drawn)
        add_drawing(&svg, out);
    spar__buf_free(&svg);
    return status;
}

static void add_fact(spar__buf *out, const char *name, const char *tag, const char *text)
{
    spar__html_text(out, "dt", "", name);
    spar__buf_adds(out, "<dd>");
    spar__html_text(out, tag, "", text);
    spar__buf_adds(out, "</dd>\n");
}

static void add_head(const spar__paper *paper, const char *command, spar__buf *out)
{
    spar__buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<meta name=\"color-scheme\" content=\"light dark\">\n");
    spar__buf_printf(out, "<title>%s: figures and claims</title>\n", TITLE);
    spar__html_style(out);
    spar__buf_adds(out, "</head>\n<body>\n<header>\n");
    spar__html_text(out, "h1", "", TITLE);
    spar__buf_adds(out, "\n<p class=\"lead\">Every figure of the paper by Sui, Zhuang, Burdick and Yue (2017) played "
                        "again, and every claim judged by its numbers.</p>\n<dl class=\"facts\">\n");
    add_fact(out, "command", "code", command);
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, paper->wish.seed);
    add_fact(out, "seed", "span", seed);
    add_fact(out, "version", "span", "spar " SPAR_VERSION);
    add_fact(out, "extent", "span",
             paper->wish.quick ? "quick: fewer runs than the paper, so the numbers are rough"
                               : "full: as many runs and rounds as the paper");
    if (paper->wish.figure)
        add_fact(out, "only", "span", paper->wish.figure);
    if (paper->wish.swap_from && paper->wish.swap_to) {
        spar__buf_adds(out, "<dt>swapped</dt><dd>");
        spar__html_text(out, "code", "", paper->wish.swap_to);
        spar__buf_adds(out, " plays wherever ");
        spar__html_text(out, "code", "", paper->wish.swap_from);
        spar__buf_adds(out, " is named</dd>\n");
    }
    spar__buf_adds(out, "</dl>\n</header>\n<main>\n");
}

static void add_contents(const spar__paper *paper, spar__buf *out)
{
    if (paper->n_figures < 2)
        return;
    spar__buf_adds(out, "<nav aria-label=\"Figures\">\n<ol class=\"toc\">\n");
    for (size_t i = 0; i < paper->n_figures; i++) {
        spar__buf_adds(out, "<li><a href=\"#figure-");
        spar__svg_escape(out, paper->figure[i]->name);
        spar__buf_adds(out, "\">");
        spar__svg_escape(out, paper->figure[i]->title);
        spar__buf_adds(out, "</a></li>\n");
    }
    spar__buf_adds(out, "</ol>\n</nav>\n");
}

spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err)
{
    add_head(paper, command, out);
    add_contents(paper, out);
    spar_status status = spar__html_claims(paper, out, err);
    if (!status)
        status = spar__html_figures(paper, out, err);
    if (status)
        return status;
    spar__buf_adds(out,
                   "</main>\n<footer>\n<p>Regret is summed over all slots of a round, as in the paper. Runs of one "
                   "scene share worlds and luck between policies. The same command gives the same page.</p>\n"
                   "</footer>\n</body>\n</html>\n");
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}
