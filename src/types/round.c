#include <spar/round.h>

#include "base/alloc.h"

#include <string.h>

spar_status spar_round_new(size_t capacity, spar_round **out)
{
    *out = NULL;
    spar_round *round = spar__alloc(1, sizeof *round);
    if (!round || spar_round_reserve(round, capacity ? capacity : 1)) {
        spar_round_free(round);
        return SPAR_NOMEM;
    }
    *out = round;
    return SPAR_OK;
}

spar_status spar_round_reserve(spar_round *round, size_t capacity)
{
    if (capacity <= round->capacity)
        return SPAR_OK;
    size_t *arm = spar__realloc(round->arm, round->capacity, capacity, sizeof *arm);
    if (!arm)
        return SPAR_NOMEM;
    round->arm = arm;
    double *prob = spar__realloc(round->prob, round->capacity, capacity, sizeof *prob);
    if (!prob)
        return SPAR_NOMEM;
    round->prob = prob;
    round->capacity = capacity;
    return SPAR_OK;
}

spar_status spar_round_copy(const spar_round *from, spar_round *to)
{
    if (spar_round_reserve(to, from->m))
        return SPAR_NOMEM;
    to->m = from->m;
    memmove(to->arm, from->arm, from->m * sizeof *to->arm);
    memmove(to->prob, from->prob, from->m * sizeof *to->prob);
    memmove(to->memo, from->memo, sizeof to->memo);
    return SPAR_OK;
}

void spar_round_free(spar_round *round)
{
    if (!round)
        return;
    spar__free(round->arm);
    spar__free(round->prob);
    spar__free(round);
}
