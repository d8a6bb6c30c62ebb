/* utility - every arm has a utility; preferences follow from two utilities through a link.
 *
 * The sets of the paper: a best arm of 0.8, then, for k arms,
 *
 *     1good  k-1 of 0.2            arith  k-1 values from 0.7 to 0.2 in equal steps
 *     2good  0.7, k-2 of 0.2       geom   k-1 values from 0.7 to 0.2 in equal ratios
 *     6good  5 of 0.7, k-6 of 0.2
 *
 * and uniform: k utilities uniform on (0,1), fresh in every run. Sets to decide in, on the scale of log-odds, whose
 * link is logit unless another is named, with g = gap:
 *
 *     steps  0, -g, -2g, ...       two    0, 0, -g, -g, ...: two equal best
 *     one    0, -g, -g, ...        equal  all 0
 *
 * and normal: k utilities of mean 0 and standard deviation sd, fresh in every run. */
#include "base/alloc.h"
#include "env/env.h"
#include "num/elementary.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

enum { ONE_GOOD, TWO_GOOD, SIX_GOOD, ARITH, GEOM, UNIFORM, STEPS, ONE, TWO, EQUAL, NORMAL };
enum { FEATURES_NONE, FEATURES_UTILITY };

typedef struct utility {
    size_t n;
    size_t set;
    double gap, sd;
    double *value;   /* n utilities of its own instead of a set, or NULL */
    double *feature; /* n, one for each arm, or NULL */
    bool utility_is_feature;
    spar__link link;
    double ties;
} utility;

static const spar_param params[] = {
    {"set", SPAR_PARAM_CHOICE, "1good", 0, 0, "1good|2good|6good|arith|geom|uniform|steps|one|two|equal|normal",
     "the utilities"},
    {"link", SPAR_PARAM_CHOICE, "linear", 0, 0, SPAR__LINK_CHOICES,
     "how two utilities become a preference; for steps, one, two, equal and normal logit unless given"},
    {"gap", SPAR_PARAM_NUMBER, "0.5", 0, 1e6, NULL, "steps, one, two: from one utility to the next"},
    {"sd", SPAR_PARAM_NUMBER, "1", 0, 1e6, NULL, "normal: the standard deviation of the utilities"},
    {"k", SPAR_PARAM_INTEGER, "16", 1, 1e7, NULL, "number of arms of the set"},
    {"values", SPAR_PARAM_NUMBERS, NULL, -1e6, 1e6, NULL, "own utilities instead of a set"},
    {"ties", SPAR_PARAM_NUMBER, "0", 0, 1e6, NULL, "Davidson's nu: how often answers are ties"},
    {"x", SPAR_PARAM_NUMBERS, NULL, -1e100, 1e100, NULL, "one feature for each arm, in the order of the utilities"},
    {"features", SPAR_PARAM_CHOICE, "none", 0, 0, "none|utility", "utility: an arm's feature is its utility"},
    {0},
};

/* Step i of `steps` from 0.7 to 0.2, both ends exact. */
static double descend(size_t set, size_t i, size_t steps)
{
    if (i == 0 || i == steps)
        return i == 0 ? 0.7 : 0.2;
    double part = (double)i / (double)steps;
    return set == ARITH ? 0.7 - 0.5 * part : 0.7 * spar__exp(part * spar__log(0.2 / 0.7));
}

static double set_value(const utility *self, size_t i)
{
    size_t set = self->set, n = self->n;
    if (i == 0 || set == EQUAL)
        return set < STEPS ? 0.8 : 0;
    switch (set) {
    case STEPS:
        return -self->gap * (double)i;
    case ONE:
        return -self->gap;
    case TWO:
        return i < 2 ? 0 : -self->gap;
    case TWO_GOOD:
        return i < 2 ? 0.7 : 0.2;
    case SIX_GOOD:
        return i < 6 ? 0.7 : 0.2;
    case ARITH:
    case GEOM:
        return descend(set, i - 1, n - 2);
    default:
        return 0.2;
    }
}

/* Refuses parameters that the set does not have, and utilities that the link cannot take: those of steps, one, two,
 * equal lie between the last and 0, those of normal anywhere. */
static spar_status fill_set(utility *self, const spar__values *values, spar_error *err)
{
    static const size_t least[] = {[TWO_GOOD] = 2, [SIX_GOOD] = 6, [TWO] = 2, [NORMAL] = 1};
    size_t set = self->set = spar__choice(values, "set");
    const char *name = spar__text(values, "set");
    self->n = spar__integer(values, "k");
    self->gap = spar__number(values, "gap");
    self->sd = spar__number(values, "sd");
    if (set >= STEPS && !spar__given(values, "link"))
        self->link = SPAR__LINK_LOGIT;
    if (self->n < least[set])
        return spar__fail(err, SPAR_INVALID, "utility: set=%s needs at least %zu arms, but k=%zu", name, least[set],
                          self->n);
    if (spar__given(values, "gap") && set != STEPS && set != ONE && set != TWO)
        return spar__fail(err, SPAR_INVALID, "utility: set=%s has no gap=; steps, one and two have", name);
    if (spar__given(values, "sd") && set != NORMAL)
        return spar__fail(err, SPAR_INVALID, "utility: set=%s has no sd=; normal has", name);
    if (set == NORMAL && self->link != SPAR__LINK_LOGIT)
        return spar__fail(err, SPAR_INVALID, "utility: set=normal needs link=logit, which takes any utilities");
    double ends[2] = {0, set < STEPS || set == NORMAL ? 0 : set_value(self, self->n - 1)};
    const char *why = set < STEPS ? NULL : spar__link_refuses(self->link, ends, 2);
    return why ? spar__fail(err, SPAR_INVALID, "utility: set=%s: %s; link=logit takes any", name, why) : SPAR_OK;
}

static spar_status copy_numbers(const spar__value *from, double **to, spar_error *err)
{
    *to = spar__alloc(from->n, sizeof **to);
    if (!*to)
        return spar__fail_memory(err);
    memcpy(*to, from->numbers, from->n * sizeof **to);
    return SPAR_OK;
}

static spar_status fill_values(utility *self, const spar__values *values, spar_error *err)
{
    static const char *const of_sets[] = {"set", "k", "gap", "sd"};
    for (size_t i = 0; i < sizeof of_sets / sizeof *of_sets; i++)
        if (spar__given(values, of_sets[i]))
            return spar__fail(err, SPAR_INVALID, "utility: values= cannot be combined with %s=", of_sets[i]);
    const spar__value *given = spar__value_of(values, "values");
    const char *why = spar__link_refuses(self->link, given->numbers, given->n);
    if (why)
        return spar__fail(err, SPAR_INVALID, "utility: values=%s: %s", given->text, why);
    self->n = given->n;
    return copy_numbers(given, &self->value, err);
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    utility *u = self;
    u->link = (spar__link)spar__choice(values, "link");
    u->ties = spar__number(values, "ties");
    spar_status status = spar__given(values, "values") ? fill_values(u, values, err) : fill_set(u, values, err);
    if (status)
        return status;
    const spar__value *x = spar__value_of(values, "x");
    u->utility_is_feature = spar__choice(values, "features") == FEATURES_UTILITY;
    if (!x->given)
        return SPAR_OK;
    if (u->utility_is_feature)
        return spar__fail(err, SPAR_INVALID, "utility: x= and features=utility exclude each other");
    if (x->n != u->n)
        return spar__fail(err, SPAR_INVALID, "utility: x= has %zu values for %zu arms", x->n, u->n);
    return copy_numbers(x, &u->feature, err);
}

static void fini(void *self)
{
    utility *u = self;
    spar__free(u->value);
    spar__free(u->feature);
}

/* The utilities of a run, as a list to be freed; NULL: out of memory. */
static double *make_values(const utility *self, uint64_t seed, uint64_t run)
{
    spar_rng rng;
    double *out = spar__alloc(self->n, sizeof *out);
    spar_rng_seed(&rng, seed, run, SPAR__PURPOSE_UTILITIES);
    for (size_t i = 0; out && i < self->n; i++)
        if (self->value)
            out[i] = self->value[i];
        else if (self->set == NORMAL)
            out[i] = self->sd * spar__normal(&rng);
        else if (self->set == UNIFORM)
            do
                out[i] = spar_rng_uniform(&rng);
            while (out[i] == 0); /* the natural link has no place for 0 */
        else
            out[i] = set_value(self, i);
    return out;
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    (void)err;
    const utility *u = self;
    size_t *order = NULL;
    double *value = make_values(u, seed, run);
    world->link = u->link;
    world->ties = u->ties;
    spar_status status = value ? spar__world_set_values(world, seed, run, u->n, value, &order) : SPAR_NOMEM;
    if (!status)
        status = spar__world_set_arms(world, order, u->n, 1, u->utility_is_feature ? value : u->feature, NULL);
    if (!status)
        status = spar__world_set_utilities(world);
    spar__free(order);
    spar__free(value);
    return status;
}

static bool has_features(const void *self)
{
    const utility *u = self;
    return u->utility_is_feature || u->feature;
}

const spar__env_class spar__env_utility = {
    .entry = {"utility", "arms with utilities, compared through a link", "Sui, Zhuang, Burdick, Yue 2017", params},
    .has_utilities = true,
    .size = sizeof(utility),
    .init = init,
    .fini = fini,
    .start = start,
    .has_features = has_features,
};
