#include <spar/feedback.h>

#include "base/alloc.h"

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
    *out = NULL;
    spar_feedback *f = spar__alloc(1, sizeof *f);
    if (!f || reserve(f, capacity ? capacity : 1)) {
        spar_feedback_free(f);
        return SPAR_NOMEM;
    }
    f->m = capacity;
    *out = f;
    return SPAR_OK;
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
    size_t m = from->m;
    if (reserve(to, m))
        return SPAR_NOMEM;
    to->m = m;
    memmove(to->outcome, from->outcome, m * m);
    memmove(to->reward, from->reward, m * sizeof *to->reward);
    memmove(to->rewarded, from->rewarded, m * sizeof *to->rewarded);
    return SPAR_OK;
}

spar_status spar_feedback_reset(spar_feedback *f, size_t m)
{
    if (reserve(f, m))
        return SPAR_NOMEM;
    f->m = m;
    if (m <= FEW && f->capacity >= FEW) { /* a size that the compiler knows is much faster */
        memset(f->outcome, SPAR_MISSING, FEW * FEW);
        memset(f->rewarded, 0, FEW * sizeof *f->rewarded);
    } else {
        memset(f->outcome, SPAR_MISSING, m * m);
        memset(f->rewarded, 0, m * sizeof *f->rewarded);
    }
    return SPAR_OK;
}

spar_status spar_feedback_set(spar_feedback *f, size_t j, size_t k, spar_outcome outcome)
{
    static const unsigned char opposite[] = {SPAR_MISSING, SPAR_WIN, SPAR_TIE, SPAR_LOSS};
    if (j >= f->m || k >= f->m || j == k || (unsigned)outcome > SPAR_WIN)
        return SPAR_INVALID;
    f->outcome[j * f->m + k] = (unsigned char)outcome;
    f->outcome[k * f->m + j] = opposite[outcome];
    return SPAR_OK;
}

spar_outcome spar_feedback_get(const spar_feedback *f, size_t j, size_t k)
{
    return j < f->m && k < f->m ? (spar_outcome)f->outcome[j * f->m + k] : SPAR_MISSING;
}

spar_status spar_feedback_reward(spar_feedback *f, size_t slot, double reward)
{
    if (slot >= f->m || !(reward >= 0 && reward <= 1))
        return SPAR_INVALID;
    f->reward[slot] = reward;
    f->rewarded[slot] = true;
    return SPAR_OK;
}

bool spar_feedback_empty(const spar_feedback *f)
{
    for (size_t i = 0; i < f->m * f->m; i++)
        if (f->outcome[i] != SPAR_MISSING)
            return false;
    for (size_t j = 0; j < f->m; j++)
        if (f->rewarded[j])
            return false;
    return true;
}
