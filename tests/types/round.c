#include "types/round.h"

#include "base/alloc.h"
#include "tap.h"

int main(void)
{
    spar_round *round = NULL, *copy = NULL;
    for (size_t k = 1; k <= 3; k++) {
        spar__alloc_fail_at(k);
        ok(spar_round_new(3, &round) == SPAR_NOMEM && !round, "allocation %zu fails cleanly", k);
    }
    spar__alloc_fail_at(0);
    ok(spar_round_new(2, &round) == SPAR_OK && round->m == 0 && round->capacity >= 2, "a round has room");
    round->arm[1] = 9;
    ok(spar__round_reserve(round, 100) == SPAR_OK && round->arm[1] == 9 && round->capacity >= 100, "and grows");
    round->m = 100;
    round->arm[99] = 7;
    round->prob[99] = 0.25;
    round->memo[SPAR__MEMO - 1] = -3;
    ok(spar_round_new(1, &copy) == SPAR_OK && spar_round_copy(round, copy) == SPAR_OK, "a copy grows too");
    ok(copy->m == 100 && copy->arm[1] == 9 && copy->arm[99] == 7 && copy->prob[99] == 0.25 &&
           copy->memo[SPAR__MEMO - 1] == -3,
       "and is the same question");
    ok(spar__round_reserve(round, 1000) == SPAR_OK, "growing one");
    round->m = 1000;
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar_round_copy(round, copy) == SPAR_NOMEM && copy->m == 100 && copy->arm[99] == 7,
           "a copy whose allocation %zu fails stays as it was", k);
    }
    spar__alloc_fail_at(0);
    round->m = 2;
    spar__alloc_fail_at(1);
    ok(spar__round_set_dim(round, 3) == SPAR_NOMEM && round->dim == 0, "no room for points");
    spar__alloc_fail_at(0);
    ok(spar__round_set_dim(round, 3) == SPAR_OK && round->dim == 3, "points in the slots");
    for (size_t i = 0; i < 6; i++)
        round->x[i] = (double)i;
    ok(spar_round_copy(round, copy) == SPAR_OK && copy->dim == 3 && copy->x[5] == 5, "are copied");
    ok(spar__round_reserve(round, 5000) == SPAR_OK && round->x[5] == 5 && (round->x[14999] = 1) == 1, "and grow");
    ok(spar__round_set_dim(round, SIZE_MAX / 4 + 1) == SPAR_NOMEM && round->dim == 3, "there can be too many");
    ok(spar__round_set_dim(round, 0) == SPAR_OK && round->dim == 0, "and they go");
    spar_round_free(copy);
    spar_round_free(round);
    spar_round_free(NULL);
    return done();
}
