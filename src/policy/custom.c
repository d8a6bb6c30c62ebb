/* custom.c - a policy whose rule is the caller's: functions in place of a class. The frame checks what goes in, as for
 * every policy, and here what comes out. */
#include "policy/policy.h"

#include "base/alloc.h"

#include <string.h>

enum { CUSTOM_SLOTS = 4096 }; /* as for all others: feedback is quadratic in them */

typedef struct custom {
    spar_policy base; /* must come first */
    spar_policy_functions functions;
    void *state;
    bool begun;
} custom;

static spar_status said(const custom *self, spar_status status, const spar_error *why, spar_error *err)
{
    return spar__fail(err, status, "%s: %s", self->base.spec,
                      why->status && why->text[0] ? why->text : spar_status_text(status));
}

static spar_status choose(const spar_policy *base, spar_rng *rng, spar_round *out, spar_error *err)
{
    const custom *self = (const custom *)base;
    spar_error why = {0};
    for (size_t j = 0; j < out->m; j++)
        out->arm[j] = SPAR_NO_ARM;
    spar_status status = self->functions.choose(self->state, rng, out->m, out->arm, &why);
    if (status)
        return said(self, status, &why, err);
    for (size_t j = 0; j < out->m; j++)
        if (out->arm[j] >= base->arms->n || !base->arms->alive[out->arm[j]])
            return spar__fail(err, SPAR_INVALID, "%s: slot %zu was given no live arm; there are %zu arms", base->spec,
                              j, base->arms->n);
    return SPAR_OK;
}

static spar_status learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback, spar_error *err)
{
    custom *self = (custom *)base;
    spar_error why = {0};
    spar_status status = self->functions.learn(self->state, round, feedback, &why);
    if (status)
        return said(self, status, &why, err);
    base->learned++;
    return SPAR_OK;
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *score)
{
    (void)scratch;
    const custom *self = (const custom *)base;
    return self->functions.score ? self->functions.score(self->state, base->arms->n, score) : SPAR_UNSUPPORTED;
}

static void fini(spar_policy *base)
{
    custom *self = (custom *)base;
    if (self->begun && self->functions.end)
        self->functions.end(self->state);
}

static const spar__outside outside = {.choose = choose, .learn = learn};

static const spar__policy_class custom_class = {
    .entry = {"custom", "functions of the caller", NULL, NULL},
    .size = sizeof(custom),
    .min_m = 2,
    .fini = fini,
    .score = score,
    .outside = &outside,
};

spar_status spar_policy_new_custom(const char *name, const spar_policy_functions *functions, const spar_arms *arms,
                                   size_t m, uint64_t horizon, spar_rng *rng, spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !name || !functions || !arms || !rng)
        return spar__fail_null(err);
    if (spar__arms_continuous(arms) || arms->live == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs a finite set of arms, at least one", name);
    if (m < 2 || m > CUSTOM_SLOTS)
        return spar__fail(err, SPAR_INVALID, "%s: m = %zu, expected 2 to %d arms a round", name, m, CUSTOM_SLOTS);
    spar_policy_functions known = {0};
    if (functions->size >= offsetof(spar_policy_functions, score))
        memcpy(&known, functions, functions->size < sizeof known ? functions->size : sizeof known);
    if (!known.begin || !known.choose || !known.learn)
        return spar__fail(err, SPAR_INVALID, "%s: a policy needs begin, choose and learn, and its size", name);
    custom *self = spar__alloc(1, sizeof *self);
    if (!self)
        return spar__fail_memory(err);
    spar_policy *base = &self->base;
    *base = (spar_policy){.cls = &custom_class, .m = m, .horizon = horizon, .key = spar_rng_next(rng)};
    self->functions = known;
    base->spec = spar__strdup(name);
    if (!base->spec || spar_arms_dup(arms, &base->arms)) {
        spar_policy_free(base);
        return spar__fail_memory(err);
    }
    spar_error why = {0};
    spar_status status = known.begin(known.context, base->arms, m, horizon, base->key, &self->state, &why);
    if (status) {
        (void)said(self, status, &why, err);
        spar_policy_free(base);
        return status;
    }
    self->begun = true;
    *out = base;
    return SPAR_OK;
}
