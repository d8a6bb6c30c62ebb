/* measure.c - what the runs of a cell say. */
#include "paper/paper.h"

#include "base/alloc.h"
#include "sim/stats.h"

/* Of value[0], value[step], ...: one per run. */
static spar_status summarize(const spar__cell *cell, const double *value, size_t step, spar_summary *out)
{
    *out = (spar_summary){0};
    double *copy = spar__alloc(cell->runs, sizeof *copy);
    if (!copy)
        return SPAR_NOMEM;
    for (size_t r = 0; r < cell->runs; r++)
        copy[r] = value[r * step];
    spar__summarize(copy, cell->runs, out);
    spar__free(copy);
    return SPAR_OK;
}

spar_status spar__cell_summary(const spar__cell *cell, const double *per_run, spar_summary *out)
{
    return summarize(cell, per_run, 1, out);
}

spar_status spar__cell_curve(const spar__cell *cell, size_t checkpoint, spar_summary *out)
{
    return summarize(cell, cell->curve + checkpoint, cell->n_checkpoints, out);
}

void spar__cell_compare(const spar__cell *cell, const double *a, const double *b, spar_difference *out)
{
    spar__compare(a, b, cell->runs, out);
}
