/* belief.c - what a policy thinks of its arms: scores, its belief, the arm or point that it takes for the best. */
#include "policy/policy.h"

#include "posterior/argmax.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

enum { PURPOSE_BEST = 0xbe57 }; /* of the stream that orders equal scores */

static spar_status check_length(const spar_policy *self, size_t n, spar_error *err)
{
    if (n == self->arms->n)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: room for %zu numbers, expected one for each of %zu arms", self->spec, n,
                      self->arms->n);
}

spar_status spar_policy_score(const spar_policy *self, spar_scratch *scratch, size_t n, double *score, spar_error *err)
{
    if (!self || !scratch || (n && !score))
        return spar__fail_null(err);
    spar_status status = check_length(self, n, err);
    if (status)
        return status;
    status = self->cls->score(self, scratch, score);
    return spar__policy_fail(self, status, err);
}

/* The belief that speaks for the policy. */
static const spar__posterior *belief(const spar_policy *self)
{
    if (self->inner)
        return belief(self->inner);
    bool one = self->cls->players == SPAR__PLAYERS_ONE || self->cls->players == SPAR__PLAYERS_M;
    return one ? self->player[0]->posterior : NULL;
}

static spar_status no_belief(const spar_policy *self, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED, "%s: keeps no belief that could say this", self->spec);
}

spar_status spar_policy_belief(const spar_policy *self, spar_scratch *scratch, size_t n, double *mean, double *sd,
                               spar_error *err)
{
    if (!self || !scratch)
        return spar__fail_null(err);
    const spar__posterior *posterior = belief(self);
    if (!posterior)
        return no_belief(self, err);
    spar_status status = check_length(self, n, err);
    if (status)
        return status;
    status = posterior->cls->moments(posterior, scratch, mean, sd);
    return spar__policy_fail(self, status, err);
}

static spar_status check_dim(const spar_policy *self, size_t dim, spar_error *err)
{
    if (dim == self->arms->dim)
        return SPAR_OK;
    return spar__fail(err, SPAR_INVALID, "%s: a point of %zu numbers, expected %zu", self->spec, dim, self->arms->dim);
}

spar_status spar_policy_belief_at(const spar_policy *self, spar_scratch *scratch, size_t dim, const double *x,
                                  double *mean, double *sd, spar_error *err)
{
    if (!self || !scratch || (dim && !x))
        return spar__fail_null(err);
    const spar__posterior *posterior = belief(self);
    if (!posterior || !posterior->cls->moments_at || !self->told)
        return no_belief(self, err);
    spar_status status = check_dim(self, dim, err);
    if (status)
        return status;
    if (!spar_arms_admit(self->arms, x))
        return spar__fail(err, SPAR_INVALID, "%s: the point is not in the space", self->spec);
    status = posterior->cls->moments_at(posterior, scratch, x, mean, sd);
    return spar__policy_fail(self, status, err);
}

static spar_status best_point(const spar_policy *self, spar_scratch *scratch, size_t *arm, double *x, spar_error *err)
{
    const spar__posterior *posterior = belief(self);
    if (!posterior || !posterior->cls->peak)
        return no_belief(self, err);
    spar_rng rng = spar__policy_stream(self, PURPOSE_BEST);
    spar_status status = posterior->cls->peak(posterior, scratch, &rng, x);
    if (status)
        return spar__policy_fail(self, status, err);
    size_t known = spar__arm_at(self->arms, 0, x);
    *arm = known < self->arms->n ? known : SPAR_FRESH;
    return SPAR_OK;
}

static spar_status best_arm(const spar_policy *self, spar_scratch *scratch, size_t *arm, spar_error *err)
{
    size_t n = self->arms->n, mark = spar__scratch_mark(scratch);
    double *score = spar__scratch_take(scratch, n, sizeof *score);
    spar_status status = score ? self->cls->score(self, scratch, score) : SPAR_NOMEM;
    if (!status) {
        spar_rng rng = spar__policy_stream(self, PURPOSE_BEST);
        *arm = spar__argmax_within(&rng, n, score, self->arms->alive, 0);
    }
    spar__scratch_release(scratch, mark);
    return spar__policy_fail(self, status, err);
}

spar_status spar_policy_best(const spar_policy *self, spar_scratch *scratch, size_t *arm, size_t dim, double *x,
                             spar_error *err)
{
    if (!self || !scratch || !arm)
        return spar__fail_null(err);
    *arm = SPAR_NO_ARM;
    spar_status status = x || self->told ? check_dim(self, x ? dim : 0, err) : SPAR_OK;
    if (status)
        return status;
    if (self->told)
        return best_point(self, scratch, arm, x, err);
    status = best_arm(self, scratch, arm, err);
    if (!status && x && dim)
        memcpy(x, self->arms->x + *arm * dim, dim * sizeof *x);
    return status;
}

double spar_policy_accuracy(const spar_policy *self)
{
    if (!self)
        return NAN;
    double worst = 0;
    for (size_t i = 0; i < self->n_players; i++) {
        const spar__posterior *posterior = self->player[i]->posterior;
        if (posterior && posterior->cls->accuracy)
            worst = fmax(worst, posterior->cls->accuracy(posterior));
    }
    return self->inner ? fmax(worst, spar_policy_accuracy(self->inner)) : worst;
}
