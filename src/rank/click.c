/* click.c - models of users who look through a list from the top: a document is examined, clicked with a probability
 * that depends on its grade, and after a click the user may leave. One uniform number decides each place. The tables of
 * the three named models are those of Hofmann, Whiteson, de Rijke 2011; position has laws of its own. */
#include "rank/comparison.h"

#include "base/alloc.h"
#include "base/spec.h"
#include "num/elementary.h"

#include <math.h>

enum { POWER, GEOMETRIC };

static const spar_param position_params[] = {
    {"law", SPAR_PARAM_CHOICE, "power", 0, 0, "power|geometric", "how examination falls: rank^-eta, or gamma^(rank-1)"},
    {"eta", SPAR_PARAM_NUMBER, "1", 0, 10, NULL, "of the power law"},
    {"gamma", SPAR_PARAM_NUMBER, "0.9", 0, 1, NULL, "of the geometric law"},
    {"noise", SPAR_PARAM_NUMBER, "0.1", 0, 1, NULL, "how often an examined document of grade 0 is clicked"},
    {"click", SPAR_PARAM_NUMBERS, NULL, 0, 1, NULL, "P(click | examined) of each grade, in place of noise"},
    {"stop", SPAR_PARAM_NUMBERS, NULL, 0, 1, NULL, "P(leave | clicked) of each grade (default: 0)"},
    {0},
};

static const spar_entry entries[] = {
    {"perfect", "clicks by grade alone, never leaves", "Hofmann, Whiteson, de Rijke 2011", NULL},
    {"navigational", "looks for one good document and leaves", "Hofmann, Whiteson, de Rijke 2011", NULL},
    {"informational", "clicks a lot and seldom leaves", "Hofmann, Whiteson, de Rijke 2011", NULL},
    {"position", "examines the upper places more than the lower ones", NULL, position_params},
};
enum { TABLES = 3, MODELS = sizeof entries / sizeof *entries };

const spar_entry *spar__click_entry(size_t index)
{
    return index < MODELS ? &entries[index] : NULL;
}

/* P(click | grade) and P(stop | click, grade), for 3 and for 5 grades. */
static const double of_three[TABLES][2][3] = {
    {{0, .5, 1}, {0, 0, 0}},
    {{.05, .5, .95}, {.2, .5, .9}},
    {{.4, .7, .9}, {.1, .3, .5}},
};
static const double of_five[TABLES][2][5] = {
    {{0, .2, .4, .8, 1}, {0, 0, 0, 0, 0}},
    {{.05, .3, .5, .7, .95}, {.2, .3, .5, .7, .9}},
    {{.4, .6, .7, .8, .9}, {.1, .2, .3, .4, .5}},
};

static spar_status set_table(spar__click *c, size_t model, spar_error *err)
{
    if (c->grades > 5)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: is for grades 0 to 4, and there is a grade %u; position(click=) takes any",
                          entries[model].name, c->grades - 1);
    for (size_t g = 0; g < c->grades; g++) {
        c->click[g] = c->grades <= 3 ? of_three[model][0][g] : of_five[model][0][g];
        c->stop[g] = c->grades <= 3 ? of_three[model][1][g] : of_five[model][1][g];
    }
    return SPAR_OK;
}

/* Numbers by grade, if they are given: one for each grade, all in [0,1]. */
static spar_status set_numbers(const spar__values *values, const char *name, size_t grades, double *out,
                               spar_error *err)
{
    const spar__value *value = spar__value_of(values, name);
    if (!value->given)
        return SPAR_OK;
    if (value->n < grades)
        return spar__fail(err, SPAR_INVALID, "position: %s has %zu numbers, and there are %zu grades", name, value->n,
                          grades);
    for (size_t g = 0; g < grades; g++) {
        if (!(value->numbers[g] >= 0 && value->numbers[g] <= 1))
            return spar__fail(err, SPAR_INVALID, "position: %s of grade %zu is %g, no probability", name, g,
                              value->numbers[g]);
        out[g] = value->numbers[g];
    }
    return SPAR_OK;
}

static spar_status set_position(spar__click *c, const spar__values *values, spar_error *err)
{
    double eta = spar__number(values, "eta"), gamma = spar__number(values, "gamma"), power = 1;
    double noise = spar__number(values, "noise"), best = (double)((UINT64_C(1) << (c->grades - 1)) - 1);
    bool geometric = spar__choice(values, "law") == GEOMETRIC;
    for (size_t r = 0; r < c->top; r++, power *= gamma)
        c->examine[r] = geometric ? power : spar__pow((double)(r + 1), -eta);
    for (size_t g = 0; g < c->grades; g++)
        c->click[g] = g ? fmin(1, noise + (1 - noise) * (double)((UINT64_C(1) << g) - 1) / best) : noise; /* rounding */
    spar_status status = set_numbers(values, "click", c->grades, c->click, err);
    return status ? status : set_numbers(values, "stop", c->grades, c->stop, err);
}

spar_status spar__click_new(const char *spec, unsigned grades, size_t top, spar__click **out, spar_error *err)
{
    *out = NULL;
    if (!grades || grades > SPAR__GRADES)
        return spar__fail(err, SPAR_UNSUPPORTED, "%u grades: there may be 1 to %d", grades, SPAR__GRADES);
    size_t index;
    spar__values values;
    spar_status status = spar__bind_one(spec, "click model", spar__click_entry, &index, &values, err);
    if (status)
        return status;
    spar__click *c = spar__alloc(1, sizeof *c);
    if (!c || !(c->examine = spar__alloc(top, sizeof *c->examine))) {
        status = spar__fail_memory(err);
        goto fail;
    }
    c->grades = grades;
    c->top = top;
    for (size_t r = 0; r < top; r++)
        c->examine[r] = 1;
    status = index < TABLES ? set_table(c, index, err) : set_position(c, &values, err);
    if (status)
        goto fail;
    spar__values_free(&values);
    *out = c;
    return SPAR_OK;
fail:
    spar__values_free(&values);
    spar__click_free(c);
    return status;
}

void spar__click_free(spar__click *click)
{
    if (!click)
        return;
    spar__free(click->examine);
    spar__free(click);
}

/* One number decides both: below p a click, below p stop a click and the end. */
static bool step(const spar__click *c, size_t place, uint8_t grade, double u, bool *gone)
{
    double p = *gone ? 0 : c->examine[place] * c->click[grade];
    if (u < p * c->stop[grade])
        *gone = true;
    return u < p;
}

void spar__click_simulate(const spar__click *click, size_t n, const uint8_t *grade, const double *u, bool *clicked)
{
    bool gone = false;
    for (size_t place = 0; place < n; place++)
        clicked[place] = step(click, place, grade[place], u[place], &gone);
}

void spar__click_draw(const spar__click *click, size_t n, const uint8_t *grade, spar_rng *rng, bool *clicked)
{
    bool gone = false;
    for (size_t place = 0; place < n; place++)
        clicked[place] = step(click, place, grade[place], spar_rng_uniform(rng), &gone);
}
