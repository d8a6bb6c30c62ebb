/* html_figures.c - each figure with what the paper says of it. */
#include "paper/html.h"

#include "plot/svg.h"

static spar_status add_figure(const spar__paper *paper, const spar__paper_figure *figure, spar__buf *out,
                              spar_error *err)
{
    bool drawn;
    spar__buf_adds(out, "<section id=\"figure-");
    spar__svg_escape(out, figure->name);
    spar__buf_adds(out, "\">\n<div class=\"keep\">\n");
    spar__html_text(out, "h3", "", figure->title);
    spar__buf_adds(out, "\n<p>The paper: ");
    spar__svg_escape(out, figure->says);
    spar__buf_adds(out, "</p>\n<figure>\n");
    spar_status status = spar__html_drawing(paper, figure->draw, out, &drawn, err);
    if (!status && !drawn)
        spar__buf_adds(out, "<p class=\"note\">Its scenes were not played.</p>\n");
    spar__buf_adds(out, "</figure>\n</div>\n");
    if (!status && figure->scene)
        status = spar__html_tables(paper, figure->scene, out, err);
    spar__buf_adds(out, "</section>\n");
    return status;
}

spar_status spar__html_figures(const spar__paper *paper, spar__buf *out, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (paper->n_figures > 0)
        spar__buf_adds(out, "<h2 id=\"figures\">Figures</h2>\n");
    for (size_t i = 0; !status && i < paper->n_figures; i++)
        status = add_figure(paper, paper->figure[i], out, err);
    return status;
}
