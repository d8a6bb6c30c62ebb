/* bopper - preferential Bayesian optimisation: the winner of a draw beside the rival of whom least is known.
 *
 * Gonzalez, Dai, Damianou, Lawrence, Preferential Bayesian Optimization, ICML 2017 (dueling Thompson sampling).
 *
 *     P(x beats x') = sigma(f(x, x')),   f a Gaussian process over ordered pairs (posterior/gp/pair_gp.h)
 *     first  = argmax_x of the mean over live x' of sigma(f(x, x')), for one f drawn from the posterior
 *     second = argmax_x' of the variance of sigma(f(first, x')); within 1e-9 they are equal
 *
 * A duel is one observation of (slot 0's arm, slot 1's arm), a tie half a win and half a loss. The score is the
 * posterior mean of what the first arm maximises. The second slot explores for ever.
 *
 * Cost with p distinct pairs seen, r of them in the basis and q functions for n points: O(p r^2) to learn, O(n^2 q + n
 * r^2) to choose, O(n^2 r^2) to score. 100 rounds over 30 arms on a line take 3 ms, 500 over an 8 x 8 grid 0.3 s. */
#include "policy/policy.h"

#include "num/elementary.h"
#include "posterior/argmax.h"
#include "posterior/gp/pair_gp.h"

#include <string.h>

typedef struct bopper {
    spar_policy base;
    spar__pair_gp gp;
} bopper;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    bopper *self = (bopper *)base;
    if (base->arms->dim == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs arms with features, and these have none", base->spec);
    double length = spar__number(values, "length"), variance = spar__number(values, "variance");
    spar_status status = spar__pair_gp_init(&self->gp, base->arms, length, variance);
    return status ? spar__fail(err, status, "%s: %s", base->spec, spar_status_text(status)) : SPAR_OK;
}

static void fini(spar_policy *base)
{
    spar__pair_gp_free(&((bopper *)base)->gp);
}

static spar_status resize(spar_policy *base, spar_error *err)
{
    spar_status status = spar__pair_gp_resize(&((bopper *)base)->gp);
    return status ? spar__fail(err, status, "%s: %s", base->spec, spar_status_text(status)) : SPAR_OK;
}

/* The number of live arms on each point. */
static void count_live(const bopper *self, double *live)
{
    const spar__points *points = &self->gp.points;
    memset(live, 0, points->n * sizeof *live);
    for (size_t i = 0; i < points->arms; i++)
        live[points->of[i]] += self->base.arms->alive[i] ? 1 : 0;
}

/* value[i] = the soft Copeland score of point i in a draw of the posterior, times the number of live arms. */
static spar_status draw_copeland(const bopper *self, spar_scratch *scratch, spar_rng *rng, const double *live,
                                 double *value)
{
    size_t n = self->gp.points.n;
    double *f = spar__scratch_take(scratch, n, n * sizeof *f);
    spar_status status = f ? spar__pair_gp_draw(&self->gp, scratch, rng, f) : SPAR_NOMEM;
    if (status)
        return status;
    spar__vlogistic(f, f, n * n);
    for (size_t i = 0; i < n; i++) {
        value[i] = 0;
        for (size_t j = 0; j < n; j++)
            value[i] += live[j] * f[i * n + j];
    }
    return SPAR_OK;
}

/* A live arm on a point of largest value; values that differ by no more than `equal` are the same. */
static size_t best_arm(const bopper *self, spar_rng *rng, const double *value, double equal, double *work)
{
    const spar_arms *arms = self->base.arms;
    for (size_t i = 0; i < arms->n; i++)
        work[i] = value[self->gp.points.of[i]];
    return spar__argmax_within(rng, arms->n, work, arms->alive, equal);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const bopper *self = (const bopper *)base;
    size_t n = self->gp.points.n, mark = spar__scratch_mark(scratch);
    double *live = spar__scratch_take(scratch, n, sizeof *live), *value = spar__scratch_take(scratch, n, sizeof *value);
    double *work = spar__scratch_take(scratch, base->arms->n, sizeof *work);
    spar__outlook o;
    spar_status status = live && value && work && spar__pair_gp_outlook(&self->gp, scratch, &o) ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        count_live(self, live);
        status = draw_copeland(self, scratch, rng, live, value);
    }
    if (!status) {
        out->arm[0] = best_arm(self, rng, value, 0, work);
        spar__pair_gp_look(&self->gp, self->gp.points.of[out->arm[0]], &o);
        out->arm[1] = best_arm(self, rng, o.variance, 1e-9, work);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    const bopper *self = (const bopper *)base;
    size_t n = self->gp.points.n, mark = spar__scratch_mark(scratch);
    double *live = spar__scratch_take(scratch, n, sizeof *live), *mean = spar__scratch_take(scratch, n, sizeof *mean);
    spar__outlook o;
    bool room = live && mean && spar__pair_gp_outlook(&self->gp, scratch, &o);
    if (room) {
        count_live(self, live);
        for (size_t i = 0; i < n; i++) {
            spar__pair_gp_look(&self->gp, i, &o);
            mean[i] = 0;
            for (size_t j = 0; j < n; j++)
                mean[i] += live[j] * o.mean[j];
        }
        for (size_t i = 0; i < base->arms->n; i++)
            value[i] = mean[self->gp.points.of[i]] / (double)base->arms->live;
    }
    spar__scratch_release(scratch, mark);
    return room ? SPAR_OK : SPAR_NOMEM;
}

static spar_status reserve(spar_policy *base, const spar_round *round)
{
    (void)round;
    return spar__pair_gp_reserve(&((bopper *)base)->gp);
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    double won = spar__reward(feedback->outcome[1]); /* slot 0 against slot 1 */
    spar__pair_gp_learn(&((bopper *)base)->gp, round->arm[0], round->arm[1], won);
}

static void archive(spar_policy *base, spar__archive *ar)
{
    spar__pair_gp_archive(&((bopper *)base)->gp, ar);
}

static const spar_param params[] = {
    {"length", SPAR_PARAM_NUMBER, "1", 1e-3, 1e3, NULL, "length scale of every feature"},
    {"variance", SPAR_PARAM_NUMBER, "1", 1e-4, 1e4, NULL, "prior variance of f"},
    {0},
};

extern const spar__policy_class spar__policy_bopper;
const spar__policy_class spar__policy_bopper = {
    .entry = {"bopper", "a Gaussian process over pairs: a draw's winner beside its most uncertain rival",
              "Gonzalez, Dai, Damianou, Lawrence, ICML 2017", params},
    .size = sizeof(bopper),
    .players = SPAR__PLAYERS_NONE,
    .min_m = 2,
    .max_m = 2,
    .live_arms = true,
    .pairs = true,
    .init = init,
    .fini = fini,
    .resize = resize,
    .choose = choose,
    .reserve = reserve,
    .learn = learn,
    .score = score,
    .archive = archive,
};
