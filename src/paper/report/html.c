/* html.c - the report as one page that needs no other files: what was found, the figures, the claims, the settings. */
#include "paper/report/html.h"

#include "spar_version.h"

#include <inttypes.h>
#include <stdio.h>

#define TITLE "Multi-dueling Bandits with Dependent Arms"

static void add_facts(const spar__paper *paper, const char *command, spar__buf *out)
{
    const spar__paper_options *options = &paper->options;
    char seed[32];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    spar__html_add(
        out,
        "<section id=\"about\">\n<h2>About this report</h2>\n<dl class=\"facts\">\n<dt>command</dt><dd><code>"
        "%s</code></dd>\n<dt>seed</dt><dd>%s</dd>\n<dt>version</dt><dd>spar " SPAR_VERSION
        "</dd>\n<dt>extent</dt><dd>%s</dd>\n",
        command, seed,
        options->quick ? "quick: fewer runs than the paper, so the numbers are rough"
                       : "full: as many runs and rounds as the paper");
    if (options->figure)
        spar__html_add(out, "<dt>only</dt><dd>%s</dd>\n", options->figure);
    if (options->swap_from && options->swap_to)
        spar__html_add(out, "<dt>swapped</dt><dd><code>%s</code> in place of <code>%s</code></dd>\n", options->swap_to,
                       options->swap_from);
    spar__buf_adds(out,
                   "</dl>\n<p>Regret is summed over all slots of a round, as in the paper. In one setting, runs with "
                   "the same number have the same world and the same random numbers for all policies. Files beside "
                   "this page: all final regrets in <code>results.csv</code>, all curves in <code>curves.csv</code>, "
                   "every figure as SVG, PNG and PDF. The same command gives the same page.</p>\n</section>\n");
}

static void add_head(const spar__paper *paper, spar__buf *out)
{
    spar__sheet_begin(out, TITLE ": figures and claims");
    spar__html_add(
        out,
        "<header class=\"wide\">\n<h1>" TITLE "</h1>\n<p class=\"lead\">Every experiment of the paper by Sui, Zhuang, "
        "Burdick and Yue (2017) repeated, every figure drawn again, and every claim judged by the "
        "numbers.%s</p>\n</header>\n<main>\n",
        paper->options.quick ? " This is the quick form: fewer runs than the paper, so the numbers are rough." : "");
}

static void add_item(spar__buf *out, const char *name, const char *title)
{
    spar__html_add(out, "<li><a href=\"#figure-%s\">%s</a></li>\n", name, title);
}

/* Every heading of the page; figures have the numbers that they have there. */
static void add_contents(const spar__paper *paper, spar__buf *out)
{
    size_t drawn = 0, listed = 0;
    spar__buf_adds(out, "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul class=\"toc\">\n");
    if (paper->n_figures) {
        spar__buf_adds(out, "<li><a href=\"#figures\">The figures of the paper</a>\n<ol>\n");
        for (size_t i = 0; i < paper->n_figures; i++)
            add_item(out, paper->figure[i]->name, paper->figure[i]->title);
        spar__buf_adds(out, "</ol></li>\n");
    }
    for (size_t i = 0; i < paper->n_claims; i++) {
        listed += spar__html_is_listed(paper, i);
        if (!spar__html_is_drawn(paper, i))
            continue;
        if (!drawn++)
            spar__buf_adds(out, "<li><a href=\"#more\">More figures, made for claims</a>\n<ul>\n");
        add_item(out, paper->claim[i]->name, paper->claim[i]->title);
    }
    spar__buf_adds(out, drawn ? "</ul></li>\n" : "");
    if (listed)
        spar__buf_printf(out, "<li><a href=\"#claims\">The %zu claims and their tests</a></li>\n", listed);
    spar__buf_adds(out, "<li><a href=\"#sets\">The utility sets and links</a></li>\n"
                        "<li><a href=\"#about\">About this report</a></li>\n</ul>\n</nav>\n");
}

spar_status spar__paper_html(const spar__paper *paper, const char *command, spar__buf *out, spar_error *err)
{
    add_head(paper, out);
    spar_status status = spar__html_findings(paper, out, err);
    add_contents(paper, out);
    if (!status)
        status = spar__html_figures(paper, out, err);
    if (!status)
        status = spar__html_more_figures(paper, out, err);
    spar__html_claims(paper, out);
    if (!status)
        status = spar__html_sets(out, err);
    if (status)
        return status;
    add_facts(paper, command, out);
    spar__buf_adds(out, "</main>\n");
    spar__sheet_end(out);
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}
