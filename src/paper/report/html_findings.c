/* html_findings.c - the first screen: what was found, in five sentences made of the results, beside the main figure. */
#include "paper/report/html.h"

#include <string.h>

enum { SENTENCES = 5 };

/* The claims that the paper is about, in the order of their sentences; others follow where these were not judged. */
static const char *const chosen[] = {"beats-multi", "advantage", "competitive", "beats-kernel-multi"};
enum { CHOSEN = sizeof chosen / sizeof *chosen };

static const char main_figure[] = "multi";

static bool has_brief(const spar__paper *paper, size_t i)
{
    return paper->finding[i].brief.length && paper->finding[i].verdict != SPAR__NOT_JUDGED;
}

static size_t find_claim(const spar__paper *paper, const char *name)
{
    size_t i = 0;
    while (i < paper->n_claims && strcmp(paper->claim[i]->name, name) != 0)
        i++;
    return i;
}

static bool is_chosen(const char *name)
{
    for (size_t i = 0; i < CHOSEN; i++)
        if (strcmp(chosen[i], name) == 0)
            return true;
    return false;
}

static void add_sentence(const spar__paper *paper, size_t i, spar__buf *out)
{
    const spar__finding *finding = &paper->finding[i];
    spar__buf_adds(out, "<li>");
    spar__html_plain(finding->brief.text, finding->brief.length, out);
    spar__html_add(out, " <a href=\"#claim-%s\">Claim</a>: ", paper->claim[i]->name);
    spar__html_verdict(finding->verdict, finding->on, "span", out);
    spar__buf_adds(out, "</li>\n");
}

/* "We find that of 25 claims 18 hold, 3 hold in part ...", and which do not. */
static void add_last(const spar__paper *paper, spar__buf *out)
{
    spar__buf totals = {0};
    size_t failed = 0;
    spar__paper_totals_text(paper, &totals);
    const char *verdicts = totals.failed ? NULL : strchr(totals.text, ':');
    if (verdicts) {
        spar__buf_printf(out, "<li>We find that of the paper's %zu claims%s", paper->n_claims, verdicts + 1);
        for (size_t i = 0; i < paper->n_claims; i++)
            if (paper->finding[i].verdict == SPAR__DOES_NOT_HOLD)
                spar__html_add(out, "%s<a href=\"#claim-%s\">%s</a>",
                               failed++ ? "; " : ". Not so: ", paper->claim[i]->name, paper->claim[i]->title);
        spar__buf_adds(out, ".</li>\n");
    }
    out->failed |= totals.failed;
    spar__buf_free(&totals);
}

static void add_sentences(const spar__paper *paper, spar__buf *out)
{
    size_t said = 0;
    spar__buf_adds(out, "<ol class=\"findings\">\n");
    for (size_t k = 0; k < CHOSEN; k++) {
        size_t i = find_claim(paper, chosen[k]);
        if (i < paper->n_claims && has_brief(paper, i)) {
            add_sentence(paper, i, out);
            said++;
        }
    }
    for (size_t i = 0; i < paper->n_claims && said + 1 < SENTENCES; i++)
        if (has_brief(paper, i) && !is_chosen(paper->claim[i]->name)) {
            add_sentence(paper, i, out);
            said++;
        }
    add_last(paper, out);
    spar__buf_adds(out, "</ol>\n");
}

/* The figure of the first screen: the paper's main one, or the first there is. */
static const spar__paper_figure *choose_figure(const spar__paper *paper)
{
    for (size_t i = 0; i < paper->n_figures; i++)
        if (strcmp(paper->figure[i]->name, main_figure) == 0)
            return paper->figure[i];
    return paper->n_figures ? paper->figure[0] : NULL;
}

static spar_status add_main_figure(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    const spar__paper_figure *figure = choose_figure(paper);
    if (!figure)
        return SPAR_OK;
    spar__drawing drawing = {.name = figure->title};
    spar__buf caption = {0}, home = {0};
    spar__html_add(&caption, "%s; its settings and its data are <a href=\"#figure-%s\">below</a>.", figure->title,
                   figure->name);
    spar__html_add(&home, "figure-%s", figure->name);
    spar_status status = figure->draw(figure->data, paper, &drawing, err);
    if (!status && (caption.failed || home.failed || drawing.svg.failed))
        status = spar__fail_memory(err);
    if (!status && drawing.svg.length)
        spar__sheet_add_plot(out, &(spar__sheet_plot){&drawing, caption.text, home.text});
    spar__drawing_free(&drawing);
    spar__buf_free(&caption);
    spar__buf_free(&home);
    return status;
}

spar_status spar__html_findings(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    if (paper->n_claims == 0)
        return SPAR_OK;
    spar__buf_adds(out, "<section id=\"findings\" class=\"first wide\">\n<h2>What we find</h2>\n");
    add_sentences(paper, out);
    spar_status status = add_main_figure(paper, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}
