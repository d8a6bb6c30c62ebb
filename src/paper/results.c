/* results.c - all numbers as tables for other programs: results.csv and curves.csv, and results.json with the claims.
 */
#include "paper/paper.h"

#include "base/error.h"
#include "spar_version.h"
#include "text/csv.h"
#include "text/json.h"

#include <math.h>

/* The statistics that both have, by name. */
static const char *const statistic[] = {"mean", "sd", "se", "median", "q05", "q25", "q75", "q95"};
enum { STATISTICS = sizeof statistic / sizeof *statistic };

static void values_of(const spar_summary *sum, double out[STATISTICS])
{
    const double value[STATISTICS] = {sum->mean, sum->sd, sum->se, sum->median, sum->q05, sum->q25, sum->q75, sum->q95};
    for (size_t i = 0; i < STATISTICS; i++)
        out[i] = value[i];
}

/* The mean over runs, NaN of a feat, which measures regret alone. */
static double mean_of(const spar__scene *scene, const spar__cell *cell, const double *per_run, spar__buf *out)
{
    spar_summary sum;
    if (scene->feat)
        return NAN;
    out->failed |= spar__cell_summary(cell, per_run, &sum) != SPAR_OK;
    return sum.mean;
}

static void csv_cell(spar__csv_writer *csv, const spar__scene *scene, const spar__cell *cell)
{
    spar_summary sum;
    double value[STATISTICS];
    csv->out->failed |= spar__cell_summary(cell, cell->regret, &sum) != SPAR_OK;
    values_of(&sum, value);
    spar__csv_text(csv, scene->name);
    spar__csv_text(csv, scene->title);
    spar__csv_text(csv, scene->shown);
    spar__csv_text(csv, scene->feedback ? scene->feedback : "");
    spar__csv_integer(csv, (int64_t)scene->m);
    spar__csv_integer(csv, (int64_t)scene->rounds);
    spar__csv_integer(csv, (int64_t)scene->runs);
    spar__csv_text(csv, cell->label);
    spar__csv_text(csv, cell->policy);
    for (size_t i = 0; i < STATISTICS; i++)
        spar__csv_number(csv, value[i]);
    spar__csv_number(csv, mean_of(scene, cell, cell->per_slot, csv->out));
    spar__csv_number(csv, mean_of(scene, cell, cell->set_size, csv->out));
    spar__csv_number(csv, mean_of(scene, cell, cell->best_share, csv->out));
    spar__csv_end_row(csv);
}

void spar__paper_csv(const spar__paper *paper, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    static const char *const head[] = {"scene", "title", "env", "feedback", "m", "rounds", "runs", "label", "policy"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        spar__csv_text(&csv, head[i]);
    for (size_t i = 0; i < STATISTICS; i++)
        spar__csv_text(&csv, statistic[i]);
    spar__csv_text(&csv, "mean_per_slot_x_m");
    spar__csv_text(&csv, "set_size");
    spar__csv_text(&csv, "best_share");
    spar__csv_end_row(&csv);
    for (size_t s = 0; s < paper->n_scenes; s++)
        for (size_t i = 0; i < paper->scene[s]->n_cells; i++)
            if (paper->scene[s]->cell[i].done)
                csv_cell(&csv, paper->scene[s], &paper->scene[s]->cell[i]);
}

static void csv_curve(spar__csv_writer *csv, const spar__scene *scene, const spar__cell *cell)
{
    for (size_t c = 0; c < cell->n_checkpoints; c++) {
        spar_summary sum;
        double value[STATISTICS];
        csv->out->failed |= spar__cell_curve(cell, c, &sum) != SPAR_OK;
        values_of(&sum, value);
        spar__csv_text(csv, scene->name);
        spar__csv_text(csv, cell->label);
        spar__csv_integer(csv, (int64_t)cell->checkpoint[c]);
        for (size_t i = 0; i < STATISTICS; i++)
            spar__csv_number(csv, value[i]);
        spar__csv_end_row(csv);
    }
}

void spar__paper_curves_csv(const spar__paper *paper, spar__buf *out)
{
    spar__csv_writer csv = {.out = out};
    spar__csv_text(&csv, "scene");
    spar__csv_text(&csv, "label");
    spar__csv_text(&csv, "t");
    for (size_t i = 0; i < STATISTICS; i++)
        spar__csv_text(&csv, statistic[i]);
    spar__csv_end_row(&csv);
    for (size_t s = 0; s < paper->n_scenes; s++)
        for (size_t i = 0; i < paper->scene[s]->n_cells; i++)
            if (paper->scene[s]->cell[i].done)
                csv_curve(&csv, paper->scene[s], &paper->scene[s]->cell[i]);
}

static void json_summary(spar__json *json, const spar_summary *sum)
{
    double value[STATISTICS];
    values_of(sum, value);
    for (size_t i = 0; i < STATISTICS; i++)
        spar__json_add_number(json, statistic[i], value[i]);
}

static void json_cell(spar__json *json, const spar__scene *scene, const spar__cell *cell)
{
    spar_summary sum;
    json->out->failed |= spar__cell_summary(cell, cell->regret, &sum) != SPAR_OK;
    spar__json_begin_object(json);
    spar__json_add_string(json, "label", cell->label);
    spar__json_add_string(json, "policy", cell->policy);
    json_summary(json, &sum);
    spar__json_add_number(json, "mean_per_slot_x_m", mean_of(scene, cell, cell->per_slot, json->out));
    spar__json_add_number(json, "set_size", mean_of(scene, cell, cell->set_size, json->out));
    spar__json_add_number(json, "best_share", mean_of(scene, cell, cell->best_share, json->out));
    spar__json_add_string(json, "note", cell->note);
    spar__json_end_object(json);
}

static void json_scene(spar__json *json, const spar__scene *scene)
{
    spar__json_begin_object(json);
    spar__json_add_string(json, "scene", scene->name);
    spar__json_add_string(json, "title", scene->title);
    spar__json_add_string(json, "env", scene->shown);
    spar__json_add_string(json, "feedback", scene->feedback);
    spar__json_add_unsigned(json, "m", scene->m);
    spar__json_add_unsigned(json, "rounds", scene->rounds);
    spar__json_add_unsigned(json, "runs", scene->runs);
    spar__json_key(json, "policies");
    spar__json_begin_array(json);
    for (size_t i = 0; i < scene->n_cells; i++)
        if (scene->cell[i].done)
            json_cell(json, scene, &scene->cell[i]);
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
    spar__json_add_string(json, "numbers", finding->numbers.text);
    spar__json_end_object(json);
}

void spar__paper_json(const spar__paper *paper, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "version", SPAR_VERSION);
    spar__json_add_boolean(&json, "quick", paper->wish.quick);
    spar__json_add_unsigned(&json, "seed", paper->wish.seed);
    spar__json_key(&json, "claims");
    spar__json_begin_array(&json);
    for (size_t i = 0; i < paper->n_claims; i++)
        if (paper->finding[i].verdict != SPAR__NOT_JUDGED)
            json_claim(&json, paper->claim[i], &paper->finding[i]);
    spar__json_end_array(&json);
    spar__json_key(&json, "scenes");
    spar__json_begin_array(&json);
    for (size_t s = 0; s < paper->n_scenes; s++)
        json_scene(&json, paper->scene[s]);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
    spar__buf_adds(out, "\n");
}
