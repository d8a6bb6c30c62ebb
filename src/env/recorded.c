#include "env/recorded.h"

#include "base/alloc.h"
#include "base/file.h"
#include "env/subset.h"
#include "text/votes.h"

#include <string.h>

static void fill_pair(size_t n, size_t i, size_t j, const double *won, const double *ties, size_t total,
                      const size_t *option, spar__pair_record *out)
{
    size_t a = option ? option[i] : i, b = option ? option[j] : j;
    double w = won[a * total + b], l = won[b * total + a], t = ties[a * total + b], all = w + l + t;
    double p = all > 0 ? (w + t / 2) / all : 0.5;
    out->matrix.p[i * n + j] = p;
    out->matrix.p[j * n + i] = 1 - p;
    out->tie[i * n + j] = out->tie[j * n + i] = all > 0 ? t / all : -1;
}

spar_status spar__pair_record_make(size_t n, const double *won, const double *ties, const spar__names *names,
                                   const size_t *option, spar__pair_record *out)
{
    *out = (spar__pair_record){.matrix = {.n = n}};
    out->matrix.p = spar__alloc(n, n * sizeof *out->matrix.p);
    out->matrix.names = spar__alloc(n, sizeof *out->matrix.names);
    out->tie = spar__alloc(n, n * sizeof *out->tie);
    if (!out->matrix.p || !out->matrix.names || !out->tie)
        return SPAR_NOMEM;
    for (size_t i = 0; i < n; i++) {
        out->matrix.names[i] = spar__strdup(spar__names_at(names, option ? option[i] : i));
        if (!out->matrix.names[i])
            return SPAR_NOMEM;
        out->matrix.p[i * n + i] = 0.5;
        for (size_t j = 0; j < i; j++)
            fill_pair(n, i, j, won, ties, names->n, option, out);
    }
    return SPAR_OK;
}

void spar__pair_record_free(spar__pair_record *record)
{
    spar__matrix_free(&record->matrix);
    spar__free(record->tie);
    spar__free(record->cycle);
    record->tie = NULL;
    record->cycle = NULL;
}

spar_status spar__pair_record_start(const spar__pair_record *record, uint64_t seed, uint64_t run, spar_world *world,
                                    spar_error *err)
{
    size_t n = record->matrix.n;
    size_t *order = world->recorded = spar__alloc(n, sizeof *order);
    if (!order)
        return SPAR_NOMEM;
    spar_status status = spar__subset_start(&record->matrix, 1, n, 0, seed, run, false, NULL, order, world, err);
    if (status)
        return status;
    double *tie = world->phase->tie = spar__alloc(n, n * sizeof *tie);
    for (size_t i = 0; tie && i < n; i++)
        for (size_t j = 0; j < n; j++)
            tie[i * n + j] = record->tie[order[i] * n + order[j]];
    return tie ? SPAR_OK : SPAR_NOMEM;
}

spar_status spar__recorded_read(const char *path, const spar__votes_columns *columns, spar__votes *out,
                                spar__votes_form *form, spar_error *err)
{
    spar__buf file = {0};
    size_t line = 0;
    *out = (spar__votes){0};
    spar_status status = spar__file_read(path, 0, &file, err);
    *form = status ? SPAR__VOTES_EMPTY : spar__votes_guess(file.text, file.length, &line);
    if (status)
        ;
    else if (*form == SPAR__VOTES_PREFLIB)
        status = spar__preflib_parse(file.text, file.length, path, out, err);
    else if (*form == SPAR__VOTES_CSV)
        status = spar__votes_parse_csv(file.text, file.length, path, columns, out, err);
    else if (*form == SPAR__VOTES_JSON)
        status = spar__votes_parse_json(file.text, file.length, path, columns, out, err);
    else if (*form == SPAR__VOTES_LINES)
        status = spar__votes_parse_lines(file.text, file.length, path, out, err);
    else if (*form == SPAR__VOTES_UNKNOWN)
        status = spar__fail(err, SPAR_PARSE, "%.200s:%zu: no votes in a known form, as in 'model_a,model_b,winner'",
                            path, line);
    spar__buf_free(&file);
    return status;
}

const uint32_t *spar__ballot_of(const struct spar__ballots *ballots, spar__luck luck, uint64_t t)
{
    uint64_t people = ballots->upto[ballots->count - 1];
    uint64_t person = (uint64_t)(spar__luck_uniform(luck, t, SPAR__LUCK_TASTE, 0) * (double)people);
    size_t low = 0, high = ballots->count - 1; /* the first ballot that goes up to more than `person` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ballots->upto[middle] > person)
            high = middle;
        else
            low = middle + 1;
    }
    return ballots->place + low * ballots->n;
}
