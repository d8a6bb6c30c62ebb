#include "sim/watch.h"

#include "base/spec.h"

static const spar_param best_params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "a false decision is made with at most this probability"},
    {"end", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: a run ends with its decision; 0: it plays all its rounds"},
    {0},
};
static const spar_param practical_params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "a false decision is made with at most this probability"},
    {"eps", SPAR_PARAM_NUMBER, "0.2", 1e-6, 20, NULL, "what is practically the same, in log-odds"},
    {"end", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: a run ends with its decision; 0: it plays all its rounds"},
    {0},
};
static const spar_entry rules[] = {
    {"best", "one arm is shown to beat every other", NULL, best_params},
    {"practical", "one arm is shown to lose to none by more than eps", NULL, practical_params},
};

static const spar_entry *rule_entry(size_t i)
{
    return i < sizeof rules / sizeof *rules ? &rules[i] : NULL;
}

spar_status spar__stop_rule_parse(const char *spec, spar__stop_rule *out, spar_error *err)
{
    size_t index;
    spar__values values;
    spar_status status = spar__bind_one(spec, "stopping rule", rule_entry, &index, &values, err);
    if (status)
        return status;
    *out = (spar__stop_rule){.near = index == 1,
                             .delta = spar__number(&values, "delta"),
                             .eps = index == 1 ? spar__number(&values, "eps") : 0.2,
                             .end = spar__integer(&values, "end")};
    spar__values_free(&values);
    return SPAR_OK;
}

const char *spar__watch_refuses(const spar_world *world)
{
    if (world->plain)
        return "gives rewards and compares no arms";
    if (world->utility_at)
        return "is continuous and has no list of arms to decide between";
    if (world->every)
        return "changes with time and has no arm that is best throughout";
    if (world->phase->best == SPAR_NO_ARM)
        return "has no arm that beats all others";
    return NULL;
}

spar_status spar__watch_init(spar__watch *watch, const spar_world *world, const spar__stop_rule *rule, bool identify,
                             bool strongest)
{
    *watch = (spar__watch){.world = world, .rule = rule, .identify = identify};
    spar_status status = SPAR_OK;
    if (rule)
        status = spar__evidence_init(&watch->evidence, world->n, rule->delta, rule->delta, rule->eps);
    if (!status && identify)
        status = spar__readout_init(&watch->readout, world->n, strongest);
    return status;
}

void spar__watch_fini(spar__watch *watch)
{
    spar__evidence_fini(&watch->evidence);
    spar__readout_fini(&watch->readout);
}

/* Only an arm of this round can have become the best by its answer. */
static bool may_decide(const spar__watch *watch, const spar_round *round)
{
    const spar__evidence *ev = &watch->evidence;
    for (size_t j = 0; j < round->m; j++) {
        const spar__option_evidence *o = &ev->option[round->arm[j]];
        if ((watch->rule->near ? o->near : o->over) + 1 >= ev->live)
            return true;
    }
    return false;
}

static void decide(spar__watch *watch, uint64_t t)
{
    const spar__evidence *ev = &watch->evidence;
    size_t option = watch->rule->near ? spar__evidence_practical(ev) : spar__evidence_best(ev);
    if (option == SPAR__NO_OPTION)
        return;
    watch->decided = t;
    watch->option = option;
}

spar_status spar__watch_answer(spar__watch *watch, uint64_t t, const spar_round *round, const spar_feedback *feedback)
{
    /* The pairs of one mixed list of rankers come from the clicks of one person. */
    bool independent = feedback->kind == SPAR_FEEDBACK_PAIRS && !watch->world->lists;
    spar_status status = SPAR_OK;
    if (watch->rule && !watch->decided) {
        status = spar__evidence_answer(&watch->evidence, round->m, round->arm, feedback->outcome, independent);
        if (!status && may_decide(watch, round))
            decide(watch, t);
    }
    if (!status && watch->identify)
        status = spar__readout_answer(&watch->readout, watch->world, t, round, feedback, independent);
    return status;
}

bool spar__watch_right(const spar__watch *watch)
{
    const spar_world *world = watch->world;
    double rounding = 1e-12;
    for (size_t j = 0; j < world->n; j++) {
        double p = spar__phase_prefer(world, world->phase, watch->option, j);
        if (j != watch->option && (watch->rule->near ? p < watch->evidence.p_near - rounding : p <= 0.5))
            return false;
    }
    return true;
}
