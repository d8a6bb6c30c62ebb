/* feedback.c - what one round said, as a matrix over its slots, and counts of pairs, to which it is added in O(m^2). */
#include "types/feedback.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum { FEW = 4 }; /* slots; there is always room for as many */

static spar_status reserve(spar_feedback *f, size_t m)
{
    if (m <= f->capacity)
        return SPAR_OK;
    m = m < FEW ? FEW : m;
    if (m >= (size_t)1 << 31 || !spar__resize(&f->outcome, f->capacity * f->capacity, m * m, 1) ||
        !spar__resize(&f->reward, f->capacity, m, sizeof *f->reward) ||
        !spar__resize(&f->rewarded, f->capacity, m, sizeof *f->rewarded))
        return SPAR_NOMEM;
    f->capacity = m;
    return SPAR_OK;
}

spar_status spar_feedback_new(size_t capacity, spar_feedback **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_feedback *f = spar__alloc(1, sizeof *f);
    if (!f || reserve(f, capacity ? capacity : 1)) {
        spar_feedback_free(f);
        return SPAR_NOMEM;
    }
    f->m = capacity;
    *out = f;
    return SPAR_OK;
}

spar_status spar_feedback_dup(const spar_feedback *feedback, spar_feedback **out)
{
    if (!SPAR__CLEAR(out) || !feedback)
        return SPAR_INVALID;
    spar_status status = spar_feedback_new(feedback->m, out);
    if (!status)
        (void)spar_feedback_copy(feedback, *out); /* there is room */
    return status;
}

void spar_feedback_free(spar_feedback *f)
{
    if (!f)
        return;
    spar__free(f->outcome);
    spar__free(f->reward);
    spar__free(f->rewarded);
    spar__free(f);
}

spar_status spar_feedback_copy(const spar_feedback *from, spar_feedback *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    size_t m = from->m;
    if (reserve(to, m))
        return SPAR_NOMEM;
    to->m = m;
    to->kind = from->kind;
    memmove(to->outcome, from->outcome, m * m);
    memmove(to->reward, from->reward, m * sizeof *to->reward);
    memmove(to->rewarded, from->rewarded, m * sizeof *to->rewarded);
    return SPAR_OK;
}

spar_status spar_feedback_reset(spar_feedback *f, size_t m)
{
    if (!f)
        return SPAR_INVALID;
    if (reserve(f, m))
        return SPAR_NOMEM;
    f->m = m;
    f->kind = SPAR_FEEDBACK_PAIRS;
    if (m <= FEW && f->capacity >= FEW) { /* a size that the compiler knows is much faster */
        memset(f->outcome, SPAR_MISSING, FEW * FEW);
        memset(f->rewarded, 0, FEW * sizeof *f->rewarded);
    } else {
        memset(f->outcome, SPAR_MISSING, m * m);
        memset(f->rewarded, 0, m * sizeof *f->rewarded);
    }
    return SPAR_OK;
}

/* Both sides of a pair of slots, which is in range. */
static void set_pair(spar_feedback *f, size_t j, size_t k, spar_outcome outcome)
{
    static const unsigned char opposite[] = {SPAR_MISSING, SPAR_WIN, SPAR_TIE, SPAR_LOSS};
    f->outcome[j * f->m + k] = (unsigned char)outcome;
    f->outcome[k * f->m + j] = opposite[outcome];
}

spar_status spar_feedback_set(spar_feedback *f, size_t j, size_t k, spar_outcome outcome)
{
    if (!f || j >= f->m || k >= f->m || j == k || (unsigned)outcome > SPAR_WIN)
        return SPAR_INVALID;
    f->kind = SPAR_FEEDBACK_PAIRS;
    set_pair(f, j, k, outcome);
    return SPAR_OK;
}

/* Everything missing again, of another kind. */
static void clear(spar_feedback *f, spar_feedback_kind kind)
{
    (void)spar_feedback_reset(f, f->m); /* there is room */
    f->kind = kind;
}

spar_status spar_feedback_winner(spar_feedback *f, size_t slot)
{
    if (!f || slot >= f->m)
        return SPAR_INVALID;
    clear(f, SPAR_FEEDBACK_WINNER);
    for (size_t k = 0; k < f->m; k++)
        if (k != slot)
            set_pair(f, slot, k, SPAR_WIN);
    return SPAR_OK;
}

spar_status spar_feedback_best_worst(spar_feedback *f, size_t best, size_t worst)
{
    if (!f || best >= f->m || worst >= f->m || best == worst)
        return SPAR_INVALID;
    clear(f, SPAR_FEEDBACK_BEST_WORST);
    for (size_t k = 0; k < f->m; k++) {
        if (k != best)
            set_pair(f, best, k, SPAR_WIN);
        if (k != worst)
            set_pair(f, k, worst, SPAR_WIN);
    }
    return SPAR_OK;
}

spar_status spar_feedback_tie(spar_feedback *f)
{
    if (!f)
        return SPAR_INVALID;
    clear(f, SPAR_FEEDBACK_TIE);
    for (size_t j = 0; j < f->m; j++)
        for (size_t k = 0; k < j; k++)
            set_pair(f, j, k, SPAR_TIE);
    return SPAR_OK;
}

spar_status spar_feedback_ranking(spar_feedback *f, size_t n, const size_t *slot, const size_t *level)
{
    if (!f || (n && !slot))
        return SPAR_INVALID;
    for (size_t a = 0; a < n; a++) { /* different slots in range, at levels that do not fall? */
        if (slot[a] >= f->m || (level && a && level[a] < level[a - 1]))
            return SPAR_INVALID;
        for (size_t b = 0; b < a; b++)
            if (slot[b] == slot[a])
                return SPAR_INVALID;
    }
    clear(f, SPAR_FEEDBACK_RANKING);
    for (size_t a = 0; a < n; a++) {
        for (size_t k = 0; k < f->m; k++) /* the ranked ones among these are set right below, or were before */
            if (k != slot[a] && f->outcome[slot[a] * f->m + k] == SPAR_MISSING)
                set_pair(f, slot[a], k, SPAR_WIN);
        for (size_t b = 0; level && b < a; b++)
            if (level[b] == level[a])
                set_pair(f, slot[b], slot[a], SPAR_TIE);
    }
    return SPAR_OK;
}

size_t spar_feedback_slots(const spar_feedback *f)
{
    return f ? f->m : 0;
}

spar_feedback_kind spar_feedback_kind_of(const spar_feedback *f)
{
    return f ? f->kind : SPAR_FEEDBACK_PAIRS;
}

spar_outcome spar_feedback_get(const spar_feedback *f, size_t j, size_t k)
{
    return f && j < f->m && k < f->m ? (spar_outcome)f->outcome[j * f->m + k] : SPAR_MISSING;
}

spar_status spar_feedback_reward(spar_feedback *f, size_t slot, double reward)
{
    if (!f || slot >= f->m || !(reward >= 0 && reward <= 1))
        return SPAR_INVALID;
    f->reward[slot] = reward;
    f->rewarded[slot] = true;
    return SPAR_OK;
}

bool spar_feedback_empty(const spar_feedback *f)
{
    if (!f)
        return false;
    for (size_t i = 0; i < f->m * f->m; i++)
        if (f->outcome[i] != SPAR_MISSING)
            return false;
    for (size_t j = 0; j < f->m; j++)
        if (f->rewarded[j])
            return false;
    return true;
}

spar_status spar__pair_counts_fit(spar_pair_counts *counts, size_t n)
{
    if (n > counts->stride) {
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
    }
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
    size_t before = to->n;
    if (spar__pair_counts_fit(to, from->n))
        return SPAR_NOMEM;
    for (size_t i = 0; i < before; i++)
        memset(to->won + i * to->stride, 0, before * sizeof *to->won);
    for (size_t i = 0; i < from->n; i++)
        memcpy(to->won + i * to->stride, from->won + i * from->stride, from->n * sizeof *to->won);
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
    return !counts || n < counts->n ? SPAR_INVALID : spar__pair_counts_fit(counts, n);
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
    if (!counts || i >= counts->n || j >= counts->n || outcome < SPAR_MISSING || outcome > SPAR_WIN || !weighs(weight))
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
    if (round->m != feedback->m || !weighs(weight))
        return SPAR_INVALID;
    for (size_t j = 0; j < round->m; j++)
        if (round->arm[j] >= counts->n)
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
