#include "types/feedback.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

enum { FEW = 4 }; /* slots; there is always room for as many */

static spar_status reserve(spar_feedback *f, size_t m)
{
    if (m <= f->capacity)
        return SPAR_OK;
    m = m < FEW ? FEW : m;
    unsigned char *outcome = m < (size_t)1 << 31 ? spar__alloc(m * m, 1) : NULL;
    double *reward = spar__alloc(m, sizeof *reward);
    bool *rewarded = spar__alloc(m, sizeof *rewarded);
    if (!outcome || !reward || !rewarded) {
        spar__free(outcome);
        spar__free(reward);
        spar__free(rewarded);
        return SPAR_NOMEM;
    }
    spar__free(f->outcome);
    spar__free(f->reward);
    spar__free(f->rewarded);
    f->outcome = outcome;
    f->reward = reward;
    f->rewarded = rewarded;
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
    if (!f)
        return SPAR_INVALID;
    if (j >= f->m || k >= f->m || j == k || (unsigned)outcome > SPAR_WIN)
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
    if (!f)
        return SPAR_INVALID;
    if (slot >= f->m)
        return SPAR_INVALID;
    clear(f, SPAR_FEEDBACK_WINNER);
    for (size_t k = 0; k < f->m; k++)
        if (k != slot)
            set_pair(f, slot, k, SPAR_WIN);
    return SPAR_OK;
}

spar_status spar_feedback_best_worst(spar_feedback *f, size_t best, size_t worst)
{
    if (!f)
        return SPAR_INVALID;
    if (best >= f->m || worst >= f->m || best == worst)
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

/* Different slots in range, at levels that do not fall. */
static bool is_ranking(size_t m, size_t n, const size_t *slot, const size_t *level)
{
    for (size_t a = 0; a < n; a++) {
        if (slot[a] >= m || (level && a && level[a] < level[a - 1]))
            return false;
        for (size_t b = 0; b < a; b++)
            if (slot[b] == slot[a])
                return false;
    }
    return true;
}

spar_status spar_feedback_ranking(spar_feedback *f, size_t n, const size_t *slot, const size_t *level)
{
    if (!f || (n && !slot))
        return SPAR_INVALID;
    if (!is_ranking(f->m, n, slot, level))
        return SPAR_INVALID;
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
    if (!f)
        return SPAR_INVALID;
    if (slot >= f->m || !(reward >= 0 && reward <= 1))
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
