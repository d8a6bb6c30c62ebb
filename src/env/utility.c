/* utility - every arm has a utility; preferences follow from two utilities through a link.
 *
 * The sets of the paper: a best arm of 0.8, then, for k arms,
 *
 *     1good  k-1 of 0.2            arith  k-1 values from 0.7 to 0.2 in equal steps
 *     2good  0.7, k-2 of 0.2       geom   k-1 values from 0.7 to 0.2 in equal ratios
 *     6good  5 of 0.7, k-6 of 0.2
 *
 * and uniform: k utilities uniform on (0,1), fresh in every run. */
#include "base/alloc.h"
#include "env/env.h"
#include "num/elementary.h"

#include <math.h>
#include <string.h>

enum { ONE_GOOD, TWO_GOOD, SIX_GOOD, ARITH, GEOM, UNIFORM };
enum { FEATURES_NONE, FEATURES_UTILITY };

typedef struct utility {
    size_t n;
    size_t set;
    double *value;   /* n utilities of its own instead of a set, or NULL */
    double *feature; /* n, one for each arm, or NULL */
    bool utility_is_feature;
    spar__link link;
    double ties;
} utility;

static const spar_param params[] = {
    {"set", SPAR_PARAM_CHOICE, "1good", 0, 0, "1good|2good|6good|arith|geom|uniform", "the utilities"},
    {"link", SPAR_PARAM_CHOICE, "linear", 0, 0, SPAR__LINK_CHOICES, "how two utilities become a preference"},
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

static double set_value(size_t set, size_t n, size_t i)
{
    if (i == 0)
        return 0.8;
    switch (set) {
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

static spar_status fill_set(utility *self, const spar__values *values, spar_error *err)
{
    static const size_t least[] = {1, 2, 6, 1, 1, 1};
    size_t set = self->set = spar__choice(values, "set");
    self->n = spar__integer(values, "k");
    if (self->n < least[set])
        return spar__fail(err, SPAR_INVALID, "utility: set=%s needs at least %zu arms, but k=%zu",
                          spar__text(values, "set"), least[set], self->n);
    return SPAR_OK;
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
    if (spar__given(values, "set") || spar__given(values, "k"))
        return spar__fail(err, SPAR_INVALID, "utility: values= cannot be combined with set= or k=");
    const spar__value *given = spar__value_of(values, "values");
    const char *why = spar__link_refuses(self->link, given->numbers, given->n);
    if (why)
        return spar__fail(err, SPAR_INVALID, "utility: values=%s: %s", given->text, why);
    self->n = given->n;
    return copy_numbers(given, &self->value, err);
}

static spar_status fill_features(utility *self, const spar__values *values, spar_error *err)
{
    const spar__value *x = spar__value_of(values, "x");
    self->utility_is_feature = spar__choice(values, "features") == FEATURES_UTILITY;
    if (!x->given)
        return SPAR_OK;
    if (self->utility_is_feature)
        return spar__fail(err, SPAR_INVALID, "utility: x= and features=utility exclude each other");
    if (x->n != self->n)
        return spar__fail(err, SPAR_INVALID, "utility: x= has %zu values for %zu arms", x->n, self->n);
    return copy_numbers(x, &self->feature, err);
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    utility *u = self;
    u->link = (spar__link)spar__choice(values, "link");
    u->ties = spar__number(values, "ties");
    spar_status status = spar__given(values, "values") ? fill_values(u, values, err) : fill_set(u, values, err);
    return status ? status : fill_features(u, values, err);
}

static void fini(void *self)
{
    utility *u = self;
    spar__free(u->value);
    spar__free(u->feature);
}

static void draw_uniform(uint64_t seed, uint64_t run, size_t n, double *out)
{
    spar_rng rng;
    spar_rng_seed(&rng, seed, run, SPAR__PURPOSE_UTILITIES);
    for (size_t i = 0; i < n; i++) /* the natural link has no place for 0 */
        do
            out[i] = spar_rng_uniform(&rng);
        while (out[i] == 0);
}

/* The utilities as a list, where one is needed: not for the sets of the paper, whose values follow from their place. */
static spar_status make_list(const utility *self, uint64_t seed, uint64_t run, double **out)
{
    *out = NULL;
    if (self->value || (self->set != UNIFORM && !self->utility_is_feature))
        return SPAR_OK;
    double *list = *out = spar__alloc(self->n, sizeof *list);
    if (!list)
        return SPAR_NOMEM;
    if (self->set == UNIFORM)
        draw_uniform(seed, run, self->n, list);
    else
        for (size_t i = 0; i < self->n; i++)
            list[i] = set_value(self->set, self->n, i);
    return SPAR_OK;
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    (void)err;
    const utility *u = self;
    size_t n = u->n;
    size_t *order = spar__alloc(n, sizeof *order);
    double *made = NULL;
    world->utility = spar__alloc(n, sizeof *world->utility);
    world->link = u->link;
    world->ties = u->ties;
    spar_status status = order && world->utility ? make_list(u, seed, run, &made) : SPAR_NOMEM;
    if (status)
        goto end;
    const double *value = u->value ? u->value : made;
    spar_rng rng;
    spar__world_labels(&rng, seed, run, n, order);
    for (size_t i = 0; i < n; i++)
        world->utility[i] = value ? value[order[i]] : set_value(u->set, n, order[i]);
    const double *x = u->utility_is_feature ? value : u->feature;
    status = spar__world_set_arms(world, order, n, 1, x, NULL);
    if (!status)
        status = spar__world_set_utilities(world);
end:
    spar__free(order);
    spar__free(made);
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
