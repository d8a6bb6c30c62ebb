#include "paper/report/report.h"

struct receiver {
    spar__report_file *take;
    void *context;
};

static spar_status hand_over(const struct receiver *to, const char *name, bool is_figure, const spar__buf *content,
                             spar_error *err)
{
    if (content->failed)
        return spar__fail_memory(err);
    return content->length ? to->take(to->context, name, is_figure, content, err) : SPAR_OK;
}

static spar_status report_figure(const spar__paper *paper, spar__paper_draw *draw, const void *data, const char *name,
                                 const char *title, const struct receiver *to, spar_error *err)
{
    spar__drawing drawing = {.name = title};
    spar_status status = draw(data, paper, &drawing, err);
    if (!status)
        status = hand_over(to, name, true, &drawing.svg, err);
    spar__drawing_free(&drawing);
    return status;
}

static spar_status report_numbers(const spar__paper *paper, const struct receiver *to, spar_error *err)
{
    static const struct {
        const char *name;
        void (*write)(const spar__paper *paper, spar__buf *out);
    } tables[] = {
        {"results.csv", spar__paper_csv}, {"curves.csv", spar__paper_curves_csv}, {"results.json", spar__paper_json}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++) {
        spar__buf text = {0};
        tables[i].write(paper, &text);
        status = hand_over(to, tables[i].name, false, &text, err);
        spar__buf_free(&text);
    }
    return status;
}

spar_status spar__paper_report(const spar__paper *paper, const char *command, spar__report_file *take, void *context,
                               spar_error *err)
{
    const struct receiver to = {take, context};
    spar_status status = report_numbers(paper, &to, err);
    for (size_t i = 0; !status && i < paper->n_figures; i++) {
        const spar__paper_figure *figure = paper->figure[i];
        status = report_figure(paper, figure->draw, figure->data, figure->name, figure->title, &to, err);
    }
    for (size_t i = 0; !status && i < paper->n_claims; i++) {
        const spar__claim *claim = paper->claim[i];
        if (claim->draw && paper->finding[i].verdict != SPAR__NOT_JUDGED)
            status = report_figure(paper, claim->draw, claim->data, claim->name, claim->title, &to, err);
    }
    spar__buf html = {0}, markdown = {0};
    if (!status)
        status = spar__paper_html(paper, command, &html, err);
    if (!status)
        status = hand_over(&to, "index.html", false, &html, err);
    spar__paper_markdown(paper, command, &markdown);
    if (!status)
        status = hand_over(&to, "report.md", false, &markdown, err);
    spar__buf_free(&html);
    spar__buf_free(&markdown);
    return status;
}
