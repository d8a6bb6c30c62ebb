/* top - the first k places of a ranking; the slots that are not among them come behind, in no order.
 *
 * The ranking is that of Plackett and Luce, or a recorded ballot, as in ranking.c. */
#include "env/env.h"

#include <math.h>

typedef struct top_places {
    size_t k;
} top_places;

static spar_status init(void *self, const spar__values *values, const spar_env *env, spar_error *err)
{
    (void)env;
    (void)err;
    ((top_places *)self)->k = (size_t)spar__number(values, "k");
    return SPAR_OK;
}

/* How many slots are before this one. */
static size_t ahead(size_t m, const double *key, size_t slot)
{
    size_t count = 0;
    for (size_t k = 0; k < m; k++)
        count += key[k] > key[slot];
    return count;
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    const top_places *top = self;
    double *key = feedback->reward; /* free for use: no slot is rewarded */
    size_t m = round->m;
    (world->ballots ? spar__tastes : spar__plackett_luce)(world, t, round, key);
    feedback->kind = SPAR_FEEDBACK_RANKING;
    for (size_t j = 0; j < m; j++) {
        if (ahead(m, key, j) >= top->k || isinf(key[j]))
            continue;
        for (size_t k = 0; k < m; k++)
            if (key[j] > key[k])
                spar__feedback_put(feedback, j, k, SPAR_WIN);
            else if (j != k && key[j] == key[k])
                spar__feedback_put(feedback, j, k, SPAR_TIE);
    }
    return SPAR_OK;
}

static const spar_param params[] = {
    {"k", SPAR_PARAM_INTEGER, "2", 1, 1000, NULL, "places that are told"},
    {0},
};

const spar__feedback_class spar__feedback_top = {
    .entry = {"top", "the first k places of a ranking; the others are behind them, in no order", NULL, params},
    .needs_tastes = true,
    .size = sizeof(top_places),
    .init = init,
    .answer = answer,
};
