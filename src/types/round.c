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
    if (round->dim && capacity > round->x_room / round->dim) {
        double *x = capacity > SIZE_MAX / round->dim
                        ? NULL
                        : spar__realloc(round->x, round->x_room, capacity * round->dim, sizeof *x);
        if (!x)
            return SPAR_NOMEM;
        round->x = x;
        round->x_room = capacity * round->dim;
    }
    round->capacity = capacity;
    return SPAR_OK;
}

spar_status spar_round_set_dim(spar_round *round, size_t dim)
{
    if (dim && round->capacity > round->x_room / dim) {
        double *x = round->capacity > SIZE_MAX / dim ? NULL : spar__alloc(round->capacity * dim, sizeof *x);
        if (!x)
            return SPAR_NOMEM;
        spar__free(round->x);
        round->x = x;
        round->x_room = round->capacity * dim;
    }
    round->dim = dim;
    return SPAR_OK;
}

spar_status spar_round_copy(const spar_round *from, spar_round *to)
{
    if (to == from)
        return SPAR_OK;
    if (spar_round_reserve(to, from->m) || spar_round_set_dim(to, from->dim))
        return SPAR_NOMEM;
    to->m = from->m;
    memcpy(to->arm, from->arm, from->m * sizeof *to->arm);
    memcpy(to->prob, from->prob, from->m * sizeof *to->prob);
    memcpy(to->memo, from->memo, sizeof to->memo);
    if (from->dim)
        memcpy(to->x, from->x, from->m * from->dim * sizeof *to->x);
    return SPAR_OK;
}

void spar_round_free(spar_round *round)
{
    if (!round)
        return;
    spar__free(round->arm);
    spar__free(round->prob);
    spar__free(round->x);
    spar__free(round);
}
