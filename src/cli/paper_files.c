#include "cli/paper.h"

#include "cli/outdir.h"

typedef spar_status drawing(const spar__paper *paper, spar__buf *svg, spar_error *err);

static spar_status write_figure(const spar__paper *paper, drawing *draw, const char *name, const char *dir,
                                spar_error *err)
{
    spar__buf svg = {0};
    spar_status status = draw(paper, &svg, err);
    if (!status && svg.failed)
        status = spar__fail_memory(err);
    if (!status && svg.length)
        status = spar__outdir_print(dir, name, &svg, err);
    spar__buf_free(&svg);
    return status;
}

static spar_status write_text(const spar__buf *text, const char *name, const char *dir, spar_error *err)
{
    return text->failed ? spar__fail_memory(err) : spar__outdir_write(dir, name, text, err);
}

static spar_status write_numbers(const spar__paper *paper, const char *dir, spar_error *err)
{
    spar__buf csv = {0}, curves = {0}, json = {0};
    spar__paper_csv(paper, &csv);
    spar__paper_curves_csv(paper, &curves);
    spar__paper_json(paper, &json);
    spar_status status = write_text(&csv, "results.csv", dir, err);
    if (!status)
        status = write_text(&curves, "curves.csv", dir, err);
    if (!status)
        status = write_text(&json, "results.json", dir, err);
    spar__buf_free(&csv);
    spar__buf_free(&curves);
    spar__buf_free(&json);
    return status;
}

spar_status spar__paper_files(const spar__paper *paper, const char *command, const char *dir, spar_error *err)
{
    spar_status status = write_numbers(paper, dir, err);
    for (size_t i = 0; !status && i < paper->n_figures; i++)
        status = write_figure(paper, paper->figure[i]->draw, paper->figure[i]->name, dir, err);
    for (size_t i = 0; !status && i < paper->n_claims; i++)
        if (paper->claim[i]->draw && paper->finding[i].verdict != SPAR__NOT_JUDGED)
            status = write_figure(paper, paper->claim[i]->draw, paper->claim[i]->name, dir, err);
    spar__buf html = {0}, claims = {0};
    if (!status)
        status = spar__paper_html(paper, command, &html, err);
    if (!status)
        status = write_text(&html, "index.html", dir, err);
    spar__paper_markdown(paper, command, &claims);
    if (!status)
        status = write_text(&claims, "report.md", dir, err);
    spar__buf_free(&html);
    spar__buf_free(&claims);
    return status;
}
