/* files.c - what is written besides the page: all numbers for other programs (results.csv, curves.csv, results.json
 * with the claims), report.md, the figures, and the text for a terminal. */
#include "paper/paper.h"
#include "spar_version.h"
#include "text/csv.h"
#include "text/json.h"

#include <math.h>
#include <string.h>

/* What there is of a cell: statistics of its regret, which also its curves have, and means of other things. */
enum { STATISTICS = 8, COLUMNS = 11 };
static const char *const column[COLUMNS] = {
    "mean", "sd", "se", "median", "q05", "q25", "q75", "q95", "mean_per_slot_x_m", "set_size", "best_share"};

static void copy_statistics(const spar__summary *sum, double out[STATISTICS])
{
    const double value[STATISTICS] = {sum->mean, sum->sd, sum->se, sum->median, sum->q05, sum->q25, sum->q75, sum->q95};
    memcpy(out, value, sizeof value);
}

/* Failures are kept in `failed`. Custom runs have regret alone: the rest is NaN. */
static void summarize_cell(const spar__cell *cell, double out[COLUMNS], bool *failed)
{
    const double *const other[] = {cell->per_slot, cell->set_size, cell->best_share};
    spar__summary sum;
    *failed |= spar__cell_summary(cell, cell->regret, &sum) != SPAR_OK;
    copy_statistics(&sum, out);
    for (size_t i = 0; i < COLUMNS - STATISTICS; i++) {
        *failed |= spar__cell_summary(cell, other[i], &sum) != SPAR_OK;
        out[STATISTICS + i] = cell->spec.custom ? NAN : sum.mean;
    }
}

static void csv_head(spar__csv_writer *csv, const char *const *first, size_t n, size_t n_columns)
{
    for (size_t i = 0; i < n; i++)
        spar__csv_text(csv, first[i]);
    for (size_t i = 0; i < n_columns; i++)
        spar__csv_text(csv, column[i]);
    spar__csv_end_row(csv);
}

static void csv_tail(spar__csv_writer *csv, const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        spar__csv_number(csv, value[i]);
    spar__csv_end_row(csv);
}

static void csv_cell(spar__csv_writer *csv, const spar__paper_setting *setting, const spar__cell *cell)
{
    double value[COLUMNS];
    summarize_cell(cell, value, &csv->out->failed);
    spar__csv_text(csv, setting->name);
    spar__csv_text(csv, setting->title);
    spar__csv_text(csv, setting->shown);
    spar__csv_text(csv, setting->feedback ? setting->feedback : "");
    spar__csv_integer(csv, (int64_t)setting->m);
    spar__csv_integer(csv, (int64_t)setting->rounds);
    spar__csv_integer(csv, (int64_t)setting->runs);
    spar__csv_text(csv, cell->spec.label);
    spar__csv_text(csv, cell->spec.policy);
    csv_tail(csv, value, COLUMNS);
}

static void csv_curve(spar__csv_writer *csv, const spar__paper_setting *setting, const spar__cell *cell)
{
    for (size_t c = 0; c < cell->n_checkpoints; c++) {
        spar__summary sum;
        double value[STATISTICS];
        csv->out->failed |= spar__cell_curve(cell, c, &sum) != SPAR_OK;
        copy_statistics(&sum, value);
        spar__csv_text(csv, setting->name);
        spar__csv_text(csv, cell->spec.label);
        spar__csv_integer(csv, (int64_t)cell->checkpoint[c]);
        csv_tail(csv, value, STATISTICS);
    }
}

static void csv_cells(const spar__paper *paper, spar__csv_writer *csv,
                      void (*write)(spar__csv_writer *, const spar__paper_setting *, const spar__cell *))
{
    for (size_t s = 0; s < paper->n_settings; s++)
        for (size_t i = 0; i < paper->setting[s]->n_policies; i++)
            if (paper->setting[s]->cell[i].done)
                write(csv, paper->setting[s], &paper->setting[s]->cell[i]);
}

void spar__paper_csv(const spar__paper *paper, spar__buf *out)
{
    static const char *const first[] = {"setting", "title", "env",   "feedback", "m",
                                        "rounds",  "runs",  "label", "policy"};
    spar__csv_writer csv = {.out = out};
    csv_head(&csv, first, sizeof first / sizeof *first, COLUMNS);
    csv_cells(paper, &csv, csv_cell);
}

void spar__paper_curves_csv(const spar__paper *paper, spar__buf *out)
{
    static const char *const first[] = {"setting", "label", "t"};
    spar__csv_writer csv = {.out = out};
    csv_head(&csv, first, sizeof first / sizeof *first, STATISTICS);
    csv_cells(paper, &csv, csv_curve);
}

static void json_cell(spar__json *json, const spar__cell *cell)
{
    double value[COLUMNS];
    summarize_cell(cell, value, &json->out->failed);
    spar__json_begin_object(json);
    spar__json_add_string(json, "label", cell->spec.label);
    spar__json_add_string(json, "policy", cell->spec.policy);
    for (size_t i = 0; i < COLUMNS; i++)
        spar__json_add_number(json, column[i], value[i]);
    spar__json_add_string(json, "note", cell->note);
    spar__json_end_object(json);
}

static void json_setting(spar__json *json, const spar__paper_setting *setting)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "setting", setting->name);
    spar__json_add_string(json, "title", setting->title);
    spar__json_add_string(json, "env", setting->shown);
    spar__json_add_string(json, "feedback", setting->feedback);
    spar__json_add_unsigned(json, "m", setting->m);
    spar__json_add_unsigned(json, "rounds", setting->rounds);
    spar__json_add_unsigned(json, "runs", setting->runs);
    spar__json_key(json, "policies");
    spar__json_begin_array(json);
    for (size_t i = 0; i < setting->n_policies; i++)
        if (setting->cell[i].done)
            json_cell(json, &setting->cell[i]);
    spar__json_end_array(json);
    spar__json_end_object(json);
}

void spar__paper_json(const spar__paper *paper, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_add_boolean(&json, "quick", paper->options.quick);
    spar__json_add_unsigned(&json, "seed", paper->options.seed);
    size_t count[SPAR__VERDICTS];
    spar__paper_totals(paper, count);
    spar__json_key(&json, "totals");
    spar__json_begin_object(&json);
    for (spar__verdict v = 0; v < SPAR__VERDICTS; v++)
        spar__json_add_unsigned(&json, spar__verdict_text(v), count[v]);
    spar__json_end_object(&json);
    spar__json_key(&json, "claims");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < paper->n_claims; i++)
        if (paper->finding[i].verdict != SPAR__NOT_JUDGED) {
            const spar__claim *claim = paper->claim[i];
            const spar__finding *finding = &paper->finding[i];
            spar__json_begin_object(&json);
            spar__json_add_string(&json, "claim", claim->name);
            spar__json_add_string(&json, "title", claim->title);
            spar__json_add_string(&json, "says", claim->says);
            spar__json_add_string(&json, "test", claim->test);
            spar__json_add_string(&json, "verdict", spar__verdict_text(finding->verdict));
            spar__json_add_string(&json, "on", finding->on);
            spar__json_add_string(&json, "numbers", finding->numbers.text);
            spar__json_end_object(&json);
        }
    spar__json_end_array(&json);
    spar__json_key(&json, "settings");
    spar__json_begin_array(&json);
    for (size_t s = 0; s < paper->n_settings; s++)
        json_setting(&json, paper->setting[s]);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}

enum { WIDTH = 100, INDENT = 4 };

/* Words in lines of at most `width` characters. */
static void wrap(const char *text, size_t width, spar__buf *out)
{
    size_t at = 0;
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (at == 0 || at + 1 + word > width) {
            spar__buf_printf(out, "%s%*s", at ? "\n" : "", INDENT, "");
            at = INDENT;
        } else {
            spar__buf_adds(out, " ");
            at++;
        }
        spar__buf_add(out, text, word);
        at += word;
        text += word + strspn(text + word, " \n");
    }
    spar__buf_adds(out, "\n");
}

static void finding_text(const spar__finding *finding, spar__buf *out)
{
    spar__buf_adds(out, spar__verdict_text(finding->verdict));
    if (finding->on)
        spar__buf_printf(out, " (%s)", finding->on);
}

void spar__paper_totals_text(const spar__paper *paper, spar__buf *out)
{
    static const struct {
        spar__verdict verdict;
        const char *one, *several;
    } words[] = {
        {SPAR__HOLDS, "holds", "hold"},
        {SPAR__HOLDS_IN_PART, "holds in part", "hold in part"},
        {SPAR__DOES_NOT_HOLD, "does not hold", "do not hold"},
        {SPAR__UNDECIDED, "is undecided (quick form)", "are undecided (quick form)"},
        {SPAR__NOT_JUDGED, "was not judged", "were not judged"},
    };
    size_t count[SPAR__VERDICTS], listed = 0;
    spar__paper_totals(paper, count);
    spar__buf_printf(out, "%zu claim%s", paper->n_claims, paper->n_claims == 1 ? "" : "s");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t n = count[words[k].verdict];
        if (n)
            spar__buf_printf(out, "%s %zu %s", listed++ ? "," : ":", n, n == 1 ? words[k].one : words[k].several);
    }
}

void spar__paper_text(const spar__paper *paper, bool styled, size_t width, spar__buf *out)
{
    for (size_t i = 0; i < paper->n_claims; i++) {
        const spar__claim *claim = paper->claim[i];
        const spar__finding *finding = &paper->finding[i];
        if (finding->verdict == SPAR__NOT_JUDGED)
            continue;
        spar__buf_printf(out, "%s%s%s: ", styled ? "\033[1m" : "", claim->title, styled ? "\033[0m" : "");
        finding_text(finding, out);
        spar__buf_adds(out, "\n");
        if (finding->numbers.text)
            wrap(finding->numbers.text, width ? width : WIDTH, out);
    }
    spar__buf_adds(out, "\n");
    spar__paper_totals_text(paper, out);
    spar__buf_adds(out, "\n");
}

/* A text in a cell of a table: a bar would end the cell. */
static void add_cell(const char *text, spar__buf *out)
{
    for (; *text; text++) {
        if (*text == '|')
            spar__buf_adds(out, "\\");
        spar__buf_add(out, text, 1);
    }
}

static void add_claim(const spar__claim *claim, const spar__finding *finding, spar__buf *out)
{
    spar__buf_printf(out, "\n### %s: ", claim->title);
    finding_text(finding, out);
    spar__buf_adds(out, "\n\n");
    spar__buf_printf(out, "*The paper:* %s\n\n%s\n\n*Test:* %s\n", claim->says,
                     finding->numbers.text ? finding->numbers.text : "", claim->test);
    if (claim->draw)
        spar__buf_printf(out, "\n![%s](%s.svg)\n", claim->title, claim->name);
}

static void paper_markdown(const spar__paper *paper, const char *command, spar__buf *out)
{
    spar__buf_adds(out, "# The paper, reproduced\n\n");
    spar__buf_printf(out,
                     "Every experiment, figure and claim of *Multi-dueling Bandits with Dependent Arms* (Sui, Zhuang, "
                     "Burdick, Yue; UAI 2017). Made by `%s`, version %s; all final regrets are in `results.csv`.\n\n",
                     command, SPAR_VERSION);
    spar__buf_adds(out, "| claim | verdict |\n|---|---|\n");
    for (size_t i = 0; i < paper->n_claims; i++) {
        if (paper->finding[i].verdict == SPAR__NOT_JUDGED)
            continue;
        spar__buf_adds(out, "| ");
        add_cell(paper->claim[i]->title, out);
        spar__buf_adds(out, " | ");
        finding_text(&paper->finding[i], out);
        spar__buf_adds(out, " |\n");
    }
    spar__buf_adds(out, "\n");
    spar__paper_totals_text(paper, out);
    spar__buf_adds(out, ".\n");
    spar__buf_adds(out, "\n## Figures\n");
    for (size_t i = 0; i < paper->n_figures; i++)
        spar__buf_printf(out, "\n### %s\n\n*The paper:* %s\n\n![%s](%s.svg)\n", paper->figure[i]->title,
                         paper->figure[i]->says, paper->figure[i]->title, paper->figure[i]->name);
    spar__buf_adds(out, "\n## Claims\n");
    for (size_t i = 0; i < paper->n_claims; i++)
        if (paper->finding[i].verdict != SPAR__NOT_JUDGED)
            add_claim(paper->claim[i], &paper->finding[i], out);
}

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
    paper_markdown(paper, command, &markdown);
    if (!status)
        status = hand_over(&to, "report.md", false, &markdown, err);
    spar__buf_free(&html);
    spar__buf_free(&markdown);
    return status;
}
