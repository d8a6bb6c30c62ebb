/* dts - double Thompson sampling: both arms are drawn from Beta beliefs about pairs, within confidence bounds.
 *
 * Wu, Liu, Double Thompson Sampling for Dueling Bandits, NIPS 2016 (algorithm D-TS).
 *
 *     U_ij, L_ij = W_ij / N_ij +- sqrt(alpha log t / N_ij),   U_ii = L_ii = 1/2,   an unplayed pair has U = 2, L = 0
 *     C = argmax_i #{j: U_ij > 1/2}
 *     theta_ij ~ Beta(W_ij + 1, W_ji + 1) for i < j, theta_ji = 1 - theta_ij
 *     a = argmax over C of #{j: theta_ij > 1/2}
 *     fresh theta_ia ~ Beta(W_ia + 1, W_ai + 1), theta_aa = 1/2;   second = argmax of theta_ia over {i: L_ia <= 1/2}
 *
 * A win adds eta to W. Only pairs that the two maxima look at are drawn: those with an arm of C when C has several
 * arms, and those whose lower bound allows. Cost O(K^2) comparisons and O(K |C|) Betas. */
#include "policy/pairs.h"

#include "base/alloc.h"
#include "base/scratch.h"
#include "num/elementary.h"
#include "posterior/argmax.h"
#include "sampler/sampler.h"

typedef struct dts {
    spar_policy base;
    double alpha, eta;
    spar__pairs pairs;
    double *behind; /* n x n, spar__pairs_behind: U_ij > 1/2 iff alpha log t > this; infinite on the diagonal */
} dts;

static void measure(dts *self, size_t i, size_t j)
{
    self->behind[i * self->pairs.n + j] = i == j ? INFINITY : spar__pairs_behind(&self->pairs, i, j);
}

static void measure_all(dts *self)
{
    for (size_t i = 0; i < self->pairs.n; i++)
        for (size_t j = 0; j < self->pairs.n; j++)
            measure(self, i, j);
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    dts *self = (dts *)base;
    size_t n = base->arms->n;
    self->alpha = spar__number(values, "alpha");
    self->eta = spar__number(values, "eta");
    spar_status status = spar__pairs_init(&self->pairs, n, err);
    if (status)
        return status;
    self->behind = spar__alloc(n, n * sizeof *self->behind);
    if (!self->behind)
        return spar__fail_memory(err);
    measure_all(self);
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    dts *self = (dts *)base;
    spar__pairs_fini(&self->pairs);
    spar__free(self->behind);
}

/* Marks the arms with most upper bounds above 1/2; returns how many there are. */
static size_t find_candidates(const dts *self, double x, double *in_c)
{
    size_t n = self->pairs.n, count = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double above = 0;
        for (size_t j = 0; j < n; j++)
            above += x > self->behind[i * n + j] ? 1 : 0;
        in_c[i] = above;
        most = fmax(most, above);
    }
    for (size_t i = 0; i < n; i++) {
        in_c[i] = in_c[i] == most;
        count += in_c[i] > 0;
    }
    return count;
}

/* A batch of pairs whose Betas are drawn together. */
typedef struct draws {
    size_t count, *i, *j;
    double *a, *b, *theta;
} draws;

static bool draws_take(spar_scratch *scratch, size_t room, draws *out)
{
    *out = (draws){.i = spar__scratch_take(scratch, room, sizeof *out->i),
                   .j = spar__scratch_take(scratch, room, sizeof *out->j),
                   .a = spar__scratch_take(scratch, room, sizeof *out->a),
                   .b = spar__scratch_take(scratch, room, sizeof *out->b),
                   .theta = spar__scratch_take(scratch, room, sizeof *out->theta)};
    return out->i && out->j && out->a && out->b && out->theta;
}

static void draws_add(draws *d, const spar__pairs *pairs, size_t i, size_t j)
{
    d->i[d->count] = i;
    d->j[d->count] = j;
    d->a[d->count] = spar__pairs_won(pairs, i, j) + 1;
    d->b[d->count] = spar__pairs_won(pairs, j, i) + 1;
    d->count++;
}

/* value[i] = #{j: theta_ij > 1/2} for the arms of C, -1 for the others. */
static void sample_wins(const dts *self, spar_rng *rng, const double *in_c, draws *d, double *value)
{
    size_t n = self->pairs.n;
    d->count = 0;
    for (size_t i = 0; i < n; i++) {
        value[i] = in_c[i] > 0 ? 0 : -1;
        for (size_t j = i + 1; j < n; j++)
            if (in_c[i] > 0 || in_c[j] > 0)
                draws_add(d, &self->pairs, i, j);
    }
    spar__beta_batch(rng, d->count, d->a, d->b, d->theta);
    for (size_t k = 0; k < d->count; k++) {
        value[d->i[k]] += in_c[d->i[k]] * (d->theta[k] > 0.5);
        value[d->j[k]] += in_c[d->j[k]] * (d->theta[k] < 0.5); /* theta_ji = 1 - theta_ij > 1/2 */
    }
}

/* value[i] = a fresh theta_ia where L_ia <= 1/2, -1 elsewhere. */
static void sample_rivals(const dts *self, double x, spar_rng *rng, size_t a, draws *d, double *value)
{
    size_t n = self->pairs.n;
    d->count = 0;
    for (size_t i = 0; i < n; i++) {
        value[i] = i == a ? 0.5 : -1;
        if (i != a && x >= self->behind[a * n + i])
            draws_add(d, &self->pairs, i, a);
    }
    spar__beta_batch(rng, d->count, d->a, d->b, d->theta);
    for (size_t k = 0; k < d->count; k++)
        value[d->i[k]] = d->theta[k];
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const dts *self = (const dts *)base;
    size_t n = self->pairs.n, mark = spar__scratch_mark(scratch);
    double *in_c = spar__scratch_take(scratch, n, sizeof *in_c);
    double *value = spar__scratch_take(scratch, n, sizeof *value);
    draws d;
    if (!in_c || !value || !draws_take(scratch, n * (n + 1) / 2, &d)) {
        spar__scratch_release(scratch, mark);
        return SPAR_NOMEM;
    }
    double x = self->alpha * spar__log((double)base->learned + 1);
    if (find_candidates(self, x, in_c) > 1)
        sample_wins(self, rng, in_c, &d, value);
    else
        for (size_t i = 0; i < n; i++)
            value[i] = in_c[i];
    out->arm[0] = spar__argmax(rng, n, value);
    sample_rivals(self, x, rng, out->arm[0], &d, value);
    out->arm[1] = spar__argmax(rng, n, value);
    spar__scratch_release(scratch, mark);
    return SPAR_OK;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    dts *self = (dts *)base;
    spar__pairs_learn(&self->pairs, round, feedback, self->eta);
    measure(self, round->arm[0], round->arm[1]);
    measure(self, round->arm[1], round->arm[0]);
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    spar__pairs_score(&((const dts *)base)->pairs, value);
    return SPAR_OK;
}

static void archive(spar_policy *base, spar__archive *ar)
{
    dts *self = (dts *)base;
    spar__pairs_archive(&self->pairs, ar);
    if (ar->loading)
        measure_all(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "0.51", 0, 1000, NULL, "width of the bounds: sqrt(alpha log t / n)"},
    {"eta", SPAR_PARAM_NUMBER, "1", 1e-6, 100, NULL, "learning rate: what a win adds to the winner's count"},
    {0},
};

extern const spar__policy_class spar__policy_dts;
const spar__policy_class spar__policy_dts = {
    .entry = {"dts", "double Thompson sampling from Beta beliefs about pairs", "Wu, Liu, NIPS 2016", params},
    .size = sizeof(dts),
    .players = SPAR__PLAYERS_NONE,
    .min_m = 2,
    .max_m = 2,
    .pairs = true,
    .all_live = true,
    .init = init,
    .fini = fini,
    .choose = choose,
    .learn = learn,
    .score = score,
    .archive = archive,
};
