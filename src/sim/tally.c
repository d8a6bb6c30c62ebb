#include "sim/tally.h"

#include "base/alloc.h"
#include "policy/policy.h"
#include "types/arms.h"

static spar_status fit(spar__tallies *tally, size_t n)
{
    if (n <= tally->n)
        return SPAR_OK;
    spar__arm_tally *arm = spar__realloc(tally->arm, tally->n, n, sizeof *arm);
    if (!arm)
        return SPAR_NOMEM;
    tally->arm = arm;
    tally->n = n;
    return SPAR_OK;
}

/* The arm of a slot; arms->n for a point of a continuous space that was not answered and so became none. */
static size_t arm_of(const spar_arms *arms, const spar_round *round, size_t j)
{
    return round->arm[j] != SPAR_FRESH ? round->arm[j] : spar__arm_at(arms, 0, round->x + j * round->dim);
}

static void count(spar__arm_tally *arm, double reward)
{
    arm->won += reward;
    arm->lost += 1 - reward;
}

spar_status spar__tallies_add(spar__tallies *tally, const spar_arms *arms, const spar_round *round,
                              const spar_feedback *feedback)
{
    if (fit(tally, arms->n))
        return SPAR_NOMEM;
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        size_t at = arm_of(arms, round, j);
        if (at == arms->n)
            continue;
        spar__arm_tally *arm = &tally->arm[at];
        arm->plays++;
        if (feedback->rewarded[j])
            count(arm, feedback->reward[j]);
        for (size_t k = 0; k < m; k++)
            if (k != j && feedback->outcome[j * m + k] != SPAR_MISSING)
                count(arm, spar__reward(feedback->outcome[j * m + k]));
    }
    return SPAR_OK;
}

void spar__tallies_free(spar__tallies *tally)
{
    spar__free(tally->arm);
    *tally = (spar__tallies){0};
}
