/* html_figures.c - each figure with what it shows and the claim that this decides; below it its settings. */
#include "paper/report/html.h"

#include <string.h>

/* One figure of the page, of the paper or of a claim. */
struct page_figure {
    const char *name, *title, *says;
    spar__paper_draw *draw;
    const void *data;
    const char *otherwise; /* where there is nothing to draw */
};

static void add_found(const char *text, size_t length, spar__buf *out)
{
    if (!length)
        return;
    spar__buf_adds(out, "<p class=\"found\">");
    spar__html_plain(text, length, out);
    spar__buf_adds(out, "</p>\n");
}

static void add_claim_link(const spar__paper *paper, size_t i, spar__buf *out)
{
    if (!spar__html_is_listed(paper, i))
        return;
    spar__html_add(out, "<p class=\"of\">Claim: <a href=\"#claim-%s\">%s</a> ", paper->claim[i]->name,
                   paper->claim[i]->title);
    spar__html_verdict(paper->finding[i].verdict, paper->finding[i].on, "span", out);
    spar__buf_adds(out, "</p>\n");
}

/* What a figure of the paper shows: its own sentence, or those of the claims that name it. */
static spar_status add_findings(const spar__paper *paper, const spar__paper_figure *figure, spar__buf *out,
                                spar_error *err)
{
    spar__buf found = {0};
    spar_status status = figure->find ? figure->find(figure->data, paper, &found) : SPAR_OK;
    if (status || found.failed)
        status = spar__fail_memory(err);
    else
        add_found(found.text, found.length, out);
    for (size_t i = 0; i < paper->n_claims; i++) {
        const char *of = paper->claim[i]->figure;
        bool named = of && strcmp(of, figure->name) == 0;
        if (!figure->find && named)
            add_found(paper->finding[i].brief.text, paper->finding[i].brief.length, out);
        if (named || (figure->claim && strcmp(figure->claim, paper->claim[i]->name) == 0))
            add_claim_link(paper, i, out);
    }
    spar__buf_free(&found);
    return status;
}

static spar_status add_plot(const spar__paper *paper, const struct page_figure *figure, spar__buf *out, spar_error *err)
{
    spar__drawing drawing = {.name = figure->title};
    spar__buf caption = {0};
    spar__html_add(&caption, "The paper: %s", figure->says);
    spar_status status = figure->draw(figure->data, paper, &drawing, err);
    if (caption.failed || drawing.svg.failed || drawing.tables.failed || status == SPAR_NOMEM)
        status = spar__fail_memory(err);
    if (!status && drawing.svg.length)
        spar__sheet_add_plot(out, &(spar__sheet_plot){&drawing, caption.text, NULL});
    else if (!status)
        spar__html_add(out, "<p class=\"note\">%s</p>\n", figure->otherwise);
    spar__drawing_free(&drawing);
    spar__buf_free(&caption);
    return status;
}

static spar_status add_figure(const spar__paper *paper, size_t i, spar__buf *out, spar_error *err)
{
    const spar__paper_figure *figure = paper->figure[i];
    const struct page_figure on_page = {figure->name, figure->title, figure->says,
                                        figure->draw, figure->data,  "Its settings were not run."};
    spar__html_add(out, "<section id=\"figure-%s\">\n<div class=\"keep\">\n<h3>", figure->name);
    spar__buf_printf(out, "%zu. ", i + 1);
    spar__html_add(out, "%s</h3>\n", figure->title);
    spar_status status = add_findings(paper, figure, out, err);
    if (!status)
        status = add_plot(paper, &on_page, out, err);
    spar__buf_adds(out, "</div>\n");
    if (!status && figure->settings)
        status = spar__html_tables(paper, figure->settings, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

spar_status spar__html_figures(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (paper->n_figures > 0)
        spar__buf_adds(out, "<h2 id=\"figures\">The figures of the paper</h2>\n");
    for (size_t i = 0; !status && i < paper->n_figures; i++)
        status = add_figure(paper, i, out, err);
    return status;
}

static spar_status add_claim_figure(const spar__paper *paper, size_t i, spar__buf *out, spar_error *err)
{
    const spar__claim *claim = paper->claim[i];
    const spar__finding *finding = &paper->finding[i];
    const struct page_figure on_page = {claim->name, claim->title, claim->says,
                                        claim->draw, claim->data,  "There is nothing to draw."};
    spar__html_add(out, "<section class=\"keep\" id=\"figure-%s\">\n<h3>%s</h3>\n", claim->name, claim->title);
    add_found(finding->brief.text, finding->brief.length, out);
    add_claim_link(paper, i, out);
    spar_status status = add_plot(paper, &on_page, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

spar_status spar__html_more_figures(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    size_t drawn = 0;
    for (size_t i = 0; !status && i < paper->n_claims; i++) {
        if (!spar__html_is_drawn(paper, i))
            continue;
        if (!drawn++)
            spar__buf_adds(out, "<h2 id=\"more\">More figures, made for claims</h2>\n");
        status = add_claim_figure(paper, i, out, err);
    }
    return status;
}
