#include "sim/cell.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "sim/stats.h"
#include "spar_version.h"

#include <inttypes.h>

/* To be raised when the same key gives other numbers than before: older cells are then computed again. */
enum { EDITION = 1 };

void spar__cell_key(const spar__cell_spec *spec, spar__buf *out)
{
    spar__buf_printf(out, "spar %s edition %d; env %s; feedback %s; policy %s; m %zu; rounds %" PRIu64, SPAR_VERSION,
                     EDITION, spec->env_key ? spec->env_key : spec->env, spec->feedback ? spec->feedback : "-",
                     spec->policy, spec->m, spec->rounds);
    spar__buf_printf(out, "; horizon %" PRIu64 "; seed %" PRIu64 "; runs %" PRIu64 " from %" PRIu64, spec->horizon,
                     spec->seed, spec->runs, spec->first_run);
    if (spec->custom)
        spar__buf_printf(out, "; custom %s", spec->custom_name);
    if (spec->probe)
        spar__buf_printf(out, "; probe %s", spec->probe->name);
    for (size_t i = 0; i < spec->n_marks; i++)
        spar__buf_printf(out, " %" PRIu64, spec->mark[i]);
    if (spec->more)
        spar__buf_adds(out, spec->more);
}

spar_status spar__cell_init(spar__cell *cell, const spar__cell_spec *spec)
{
    spar__buf key = {0};
    cell->spec = *spec;
    spar__cell_key(spec, &key);
    cell->key = key.text;
    return key.failed ? SPAR_NOMEM : SPAR_OK;
}

static void free_numbers(spar__cell *cell)
{
    spar__free(cell->checkpoint);
    spar__free(cell->numbers);
    spar__free(cell->note);
    *cell = (spar__cell){.spec = cell->spec, .key = cell->key};
}

void spar__cell_fini(spar__cell *cell)
{
    free_numbers(cell);
    spar__free(cell->key);
}

static size_t count_numbers(const spar__cell *cell)
{
    return cell->runs * (cell->n_checkpoints + 5 + cell->n_marks * cell->width);
}

spar_status spar__cell_reset(spar__cell *cell)
{
    const spar__cell_spec *spec = &cell->spec;
    free_numbers(cell);
    cell->runs = (size_t)spec->runs;
    cell->n_marks = spec->probe ? spec->n_marks : 0;
    cell->width = spec->probe ? spec->probe->width : 0;
    cell->n_checkpoints = spar__checkpoints(spec->rounds, NULL);
    cell->checkpoint = spar__alloc(cell->n_checkpoints, sizeof *cell->checkpoint);
    cell->numbers = spar__alloc(count_numbers(cell), sizeof *cell->numbers);
    if (!cell->checkpoint || !cell->numbers)
        return SPAR_NOMEM;
    (void)spar__checkpoints(spec->rounds, cell->checkpoint);
    cell->curve = cell->numbers;
    double **const per_run[] = {&cell->regret,     &cell->per_slot, &cell->best_share,
                                &cell->best_pulls, &cell->set_size, &cell->probe};
    double *at = cell->curve + cell->runs * cell->n_checkpoints;
    for (size_t i = 0; i < sizeof per_run / sizeof *per_run; i++, at += cell->runs)
        *per_run[i] = at;
    return SPAR_OK;
}

/* Of value[0], value[step], ...: one per run. */
static spar_status summarize(const spar__cell *cell, const double *value, size_t step, spar__summary *out)
{
    *out = (spar__summary){0};
    double *copy = spar__alloc(cell->runs, sizeof *copy);
    if (!copy)
        return SPAR_NOMEM;
    for (size_t r = 0; r < cell->runs; r++)
        copy[r] = value[r * step];
    spar__summarize(copy, cell->runs, out);
    spar__free(copy);
    return SPAR_OK;
}

spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar__summary *out)
{
    return summarize(cell, per_run, 1, out);
}

spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar__summary *out)
{
    return summarize(cell, cell->curve + checkpoint, cell->n_checkpoints, out);
}

void spar__cell_archive(spar__cell *cell, spar__archive *ar)
{
    spar__archive_f64s(ar, cell->numbers, count_numbers(cell));
    spar__archive_f64(ar->cache ? ar->cache : ar, &cell->seconds);
    spar__archive_text(ar, &cell->note);
    if (ar->loading)
        cell->done = !ar->failed && !ar->left;
}
