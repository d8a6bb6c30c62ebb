#include "types/pair_counts.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static spar_status widen(spar_pair_counts *counts, size_t n)
{
    if (n > SIZE_MAX / (4 * sizeof(double)))
        return SPAR_NOMEM;
    size_t stride = n > 2 * counts->stride ? n : 2 * counts->stride;
    stride += -stride % SPAR__PAIR_BLOCK;
    double *won = spar__alloc(stride, stride * sizeof *won);
    if (!won)
        return SPAR_NOMEM;
    for (size_t i = 0; i < counts->n; i++)
        memcpy(won + i * stride, counts->won + i * counts->stride, counts->n * sizeof *won);
    spar__free(counts->won);
    counts->won = won;
    counts->stride = stride;
    return SPAR_OK;
}

spar_status spar__pair_counts_fit(spar_pair_counts *counts, size_t n)
{
    if (n > counts->stride && widen(counts, n))
        return SPAR_NOMEM;
    counts->n = n;
    return SPAR_OK;
}

void spar__pair_counts_fini(spar_pair_counts *counts)
{
    spar__free(counts->won);
    *counts = (spar_pair_counts){0};
}

spar_status spar_pair_counts_new(size_t n, spar_pair_counts **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_pair_counts *counts = spar__alloc(1, sizeof *counts);
    if (!counts || spar__pair_counts_fit(counts, n)) {
        spar_pair_counts_free(counts);
        return SPAR_NOMEM;
    }
    *out = counts;
    return SPAR_OK;
}

void spar_pair_counts_free(spar_pair_counts *counts)
{
    if (counts)
        spar__pair_counts_fini(counts);
    spar__free(counts);
}

spar_status spar_pair_counts_copy(const spar_pair_counts *from, spar_pair_counts *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (to == from)
        return SPAR_OK;
    if (from->n > to->stride && widen(to, from->n))
        return SPAR_NOMEM;
    for (size_t i = 0; i < to->n; i++)
        memset(to->won + i * to->stride, 0, to->n * sizeof *to->won);
    for (size_t i = 0; i < from->n; i++)
        memcpy(to->won + i * to->stride, from->won + i * from->stride, from->n * sizeof *to->won);
    to->n = from->n;
    return SPAR_OK;
}

spar_status spar_pair_counts_dup(const spar_pair_counts *counts, spar_pair_counts **out)
{
    if (!SPAR__CLEAR(out) || !counts)
        return SPAR_INVALID;
    spar_status status = spar_pair_counts_new(counts->n, out);
    if (!status)
        (void)spar_pair_counts_copy(counts, *out); /* there is room */
    return status;
}

size_t spar_pair_counts_count(const spar_pair_counts *counts)
{
    return counts ? counts->n : 0;
}

spar_status spar_pair_counts_grow(spar_pair_counts *counts, size_t n)
{
    if (!counts)
        return SPAR_INVALID;
    return n < counts->n ? SPAR_INVALID : spar__pair_counts_fit(counts, n);
}

static bool weighs(double weight)
{
    return weight > 0 && isfinite(weight);
}

/* Can both counts of a pair take this weight, `times` times? Beyond 2^53 they are no longer exact; a weight that would
 * be lost in rounding is refused, too. */
static bool has_room(const spar_pair_counts *counts, size_t i, size_t j, double weight, double times)
{
    double most = fmax(spar__won(counts, i, j), spar__won(counts, j, i));
    return most + times * weight <= 0x1p53 && most + weight / 2 > most;
}

spar_status spar_pair_counts_add(spar_pair_counts *counts, size_t i, size_t j, spar_outcome outcome, double weight)
{
    if (!counts)
        return SPAR_INVALID;
    if (i >= counts->n || j >= counts->n || outcome < SPAR_MISSING || outcome > SPAR_WIN || !weighs(weight))
        return SPAR_INVALID;
    if (outcome == SPAR_MISSING || i == j)
        return SPAR_OK;
    if (!has_room(counts, i, j, weight, 1))
        return SPAR_UNSUPPORTED;
    double reward = spar__reward((unsigned char)outcome);
    counts->won[i * counts->stride + j] += weight * reward;
    counts->won[j * counts->stride + i] += weight * (1 - reward);
    return SPAR_OK;
}

void spar__pair_counts_learn(spar_pair_counts *counts, const spar_round *round, const spar_feedback *feedback,
                             double weight)
{
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        size_t i = round->arm[j];
        for (size_t k = 0; k < m; k++) {
            unsigned char outcome = feedback->outcome[j * m + k];
            if (outcome != SPAR_MISSING && i != round->arm[k])
                counts->won[i * counts->stride + round->arm[k]] += weight * spar__reward(outcome);
        }
    }
}

spar_status spar_pair_counts_learn(spar_pair_counts *counts, const spar_round *round, const spar_feedback *feedback,
                                   double weight)
{
    if (!counts || !round || !feedback)
        return SPAR_INVALID;
    bool fits = round->m == feedback->m && weighs(weight);
    for (size_t j = 0; fits && j < round->m; j++)
        fits = round->arm[j] < counts->n;
    if (!fits)
        return SPAR_INVALID;
    double times = (double)round->m * (double)round->m;
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (feedback->outcome[j * round->m + k] != SPAR_MISSING &&
                !has_room(counts, round->arm[j], round->arm[k], weight, times))
                return SPAR_UNSUPPORTED;
    spar__pair_counts_learn(counts, round, feedback, weight);
    return SPAR_OK;
}

double spar_pair_counts_won(const spar_pair_counts *counts, size_t i, size_t j)
{
    return counts && i < counts->n && j < counts->n ? spar__won(counts, i, j) : 0;
}

double spar_pair_counts_played(const spar_pair_counts *counts, size_t i, size_t j)
{
    return counts && i < counts->n && j < counts->n ? spar__played(counts, i, j) : 0;
}

void spar__pair_counts_archive(spar_pair_counts *counts, spar__archive *ar)
{
    for (size_t i = 0; i < counts->n; i++) {
        double *row = counts->won + i * counts->stride;
        spar__archive_f64s(ar, row, counts->n);
        for (size_t j = 0; ar->loading && j < counts->n; j++) /* one more is still another number */
            spar__archive_check(ar, j == i ? row[j] == 0 : row[j] >= 0 && row[j] < 0x1p50);
    }
}
