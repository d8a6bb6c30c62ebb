/* numbers.c - all numbers for other programs: results.csv, curves.csv, and results.json with the claims. */
#include "paper/report/report.h"
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

static void json_claim(spar__json *json, const spar__claim *claim, const spar__finding *finding)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "claim", claim->name);
    spar__json_add_string(json, "title", claim->title);
    spar__json_add_string(json, "says", claim->says);
    spar__json_add_string(json, "test", claim->test);
    spar__json_add_string(json, "verdict", spar__verdict_text(finding->verdict));
    spar__json_add_string(json, "on", finding->on);
    spar__json_add_string(json, "numbers", finding->numbers.text);
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
        if (paper->finding[i].verdict != SPAR__NOT_JUDGED)
            json_claim(&json, paper->claim[i], &paper->finding[i]);
    spar__json_end_array(&json);
    spar__json_key(&json, "settings");
    spar__json_begin_array(&json);
    for (size_t s = 0; s < paper->n_settings; s++)
        json_setting(&json, paper->setting[s]);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
