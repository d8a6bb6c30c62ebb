/* confusable - all pairs, but a pair of arms at feature distance d is confused with probability 1 - exp(-d / scale):
 * its answer is unseen, or a fair coin. The coin is the luck of the duel read at 1/2 in place of P. */
#include "env/env.h"
#include "num/elementary.h"

#include <math.h>

enum { MODE_MISSING, MODE_COIN };

typedef struct confusable {
    double scale;
    size_t mode;
} confusable;

static const spar_param params[] = {
    {"scale", SPAR_PARAM_NUMBER, "1", 1e-300, 1e300, NULL,
     "feature distance at which 63 % of the answers are confused"},
    {"mode", SPAR_PARAM_CHOICE, "missing", 0, 0, "missing|coin", "what becomes of a confused answer"},
    {0},
};

static spar_status init(void *self, const spar__values *values, const spar_env *env, spar_error *err)
{
    (void)env;
    (void)err;
    confusable *c = self;
    c->scale = spar__number(values, "scale");
    c->mode = spar__choice(values, "mode");
    return SPAR_OK;
}

static double distance(const spar_arms *arms, size_t a, size_t b)
{
    const double *x = arms->x + a * arms->dim, *y = arms->x + b * arms->dim;
    double sum = 0;
    for (size_t d = 0; d < arms->dim; d++)
        sum += (x[d] - y[d]) * (x[d] - y[d]);
    return sqrt(sum);
}

static spar_status answer(const void *self, const spar_world *world, uint64_t t, const spar_round *round,
                          spar_feedback *feedback)
{
    const confusable *c = self;
    spar__pair_luck coins;
    spar__play_pairs(world, t, round, feedback);
    spar__pair_luck_draw(&coins, world, t, SPAR__LUCK_COINS, round->m);
    for (size_t k = 1; k < round->m; k++)
        for (size_t j = 0; j < k; j++) {
            double confused = -spar__expm1(-distance(world->arms, round->arm[j], round->arm[k]) / c->scale);
            uint32_t index = spar__pair_index(j, k);
            if (spar__pair_luck_at(&coins, index) >= confused)
                continue;
            spar_outcome a = SPAR_MISSING;
            if (c->mode == MODE_COIN)
                a = spar__luck_uniform(world->luck, t, SPAR__LUCK_PAIRS, index) < 0.5 ? SPAR_WIN : SPAR_LOSS;
            spar__feedback_put(feedback, j, k, a);
        }
    return SPAR_OK;
}

const spar__feedback_class spar__feedback_confusable = {
    .entry = {"confusable", "all pairs, confused the more the farther apart two arms are", NULL, params},
    .needs_features = true,
    .size = sizeof(confusable),
    .init = init,
    .answer = answer,
};
