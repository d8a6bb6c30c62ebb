/* stack.c - from a spec such as "self_sparring(eta=1)/thompson/beta" to classes and values, refusing stacks that make
 * no sense. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "policy/policy.h"

#include <string.h>

enum {
    MOST_SLOTS = 4096,     /* feedback is quadratic in the number of slots */
    MOST_CELLS = 100000000 /* bandits x arms, or pairs: about 2 GB, and every thread has its own */
};

static const char a_policy[] = "policy", a_bandit[] = "bandit", a_belief[] = "belief";

#define SPAR_ALIAS(name, path, paper)
#define SPAR_POLICY(folder, name) extern const spar__policy_class spar__policy_##name;
#include "policy/policies.def"
#undef SPAR_POLICY

const spar__policy_class *const spar__policy_classes[] = {
#define SPAR_POLICY(folder, name) &spar__policy_##name,
#include "policy/policies.def"
#undef SPAR_POLICY
};
#undef SPAR_ALIAS
const size_t spar__n_policy_classes = sizeof spar__policy_classes / sizeof *spar__policy_classes;

const spar_entry spar__policy_aliases[] = {
#define SPAR_POLICY(folder, name)
#define SPAR_ALIAS(name, path, paper) {#name, path, paper, NULL},
#include "policy/policies.def"
#undef SPAR_ALIAS
#undef SPAR_POLICY
};
const size_t spar__n_policy_aliases = sizeof spar__policy_aliases / sizeof *spar__policy_aliases;

const spar__policy_class *spar__policy_find(const char *name)
{
    for (size_t i = 0; i < spar__n_policy_classes; i++)
        if (strcmp(spar__policy_classes[i]->entry.name, name) == 0)
            return spar__policy_classes[i];
    return NULL;
}

/* No policy, bandit or belief has this name; a bandit may stand in the place of a policy. */
static spar_status unknown(const char *what, const char *name, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; what == a_policy && i < spar__n_policy_classes; i++)
        spar__nearest_offer(&nearest, spar__policy_classes[i]->entry.name);
    for (size_t i = 0; what == a_policy && i < spar__n_policy_aliases; i++)
        spar__nearest_offer(&nearest, spar__policy_aliases[i].name);
    for (size_t i = 0; what != a_belief && i < spar__n_mab_classes; i++)
        spar__nearest_offer(&nearest, spar__mab_classes[i]->entry.name);
    for (size_t i = 0; what == a_belief && i < spar__n_posterior_classes; i++)
        spar__nearest_offer(&nearest, spar__posterior_classes[i]->entry.name);
    return spar__fail_unknown(err, NULL, what, &nearest);
}

/* The parameters that a stage of a path understands, whatever the stage is. */
static const spar_entry *stage_entry(const char *name)
{
    const spar__policy_class *policy = spar__policy_find(name);
    const spar__mab_class *mab = spar__mab_find(name);
    const spar__posterior_class *posterior = spar__posterior_find(name);
    return policy ? &policy->entry : mab ? &mab->entry : posterior ? &posterior->entry : NULL;
}

/* Where a policy may stand, an alias may; it is the last stage that is written, and becomes the stages of its path.
 * What it is given goes to the first of them that knows the name. */
static spar_status expand_alias(spar__spec *spec, spar_error *err)
{
    const spar__policy_class *outer;
    const spar_entry *alias = NULL;
    size_t at = 0;
    while (at < spec->n && (outer = spar__policy_find(spec->stage[at].name)) && outer->players == SPAR__PLAYERS_POLICY)
        at++;
    for (size_t i = 0; at < spec->n && i < spar__n_policy_aliases; i++)
        if (strcmp(spar__policy_aliases[i].name, spec->stage[at].name) == 0)
            alias = &spar__policy_aliases[i];
    if (!alias)
        return SPAR_OK;
    if (at + 1 < spec->n)
        return spar__fail(err, SPAR_PARSE, "%s already stands for %s; nothing may follow it", alias->name,
                          alias->brief);
    spar__spec path;
    spar_status status = spar__spec_parse(alias->brief, &path, err);
    for (size_t k = 0; !status && k < spec->stage[at].n_args; k++) {
        const spar__arg *arg = &spec->stage[at].arg[k];
        spar__nearest nearest = spar__nearest_to(arg->name);
        size_t i = 0;
        for (; i < path.n && !spar__param_find(stage_entry(path.stage[i].name), arg->name); i++)
            for (const spar_param *p = stage_entry(path.stage[i].name)->params; p && p->name; p++)
                spar__nearest_offer(&nearest, p->name);
        if (i == path.n)
            status = spar__fail_unknown(err, alias->name, "parameter", &nearest);
        else if (spar__stage_add(&path.stage[i], arg->name, arg->value))
            status = spar__fail_memory(err);
    }
    if (!status && spar__spec_replace_last(spec, &path))
        status = spar__fail_memory(err);
    spar__spec_free(&path);
    return status;
}

/* Stage `at` of the spec, or one made of the standard name when the spec ends before it. */
static const spar__stage *stage_or(const spar__spec *spec, size_t at, const char *standard, spar__stage *made)
{
    if (at < spec->n)
        return &spec->stage[at];
    *made = (spar__stage){(char *)(uintptr_t)standard, NULL, 0};
    return standard ? made : NULL;
}

static spar_status check_differences(const spar__policy_class *policy, const spar__mab_recipe *recipe, spar_error *err)
{
    const spar__posterior_class *belief = recipe->posterior;
    if (!policy->differences || (belief && belief->gaps))
        return SPAR_OK;
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s needs a belief that knows how sure the difference of two arms is; %s does not, use "
                      "%s/thompson/pl",
                      policy->entry.name, belief ? belief->entry.name : recipe->cls->entry.name, policy->entry.name);
}

static spar_status resolve_posterior(const spar__spec *spec, size_t at, spar__stack *out, spar_error *err)
{
    spar__mab_recipe *recipe = &out->mab;
    const char *mab = recipe->cls->entry.name;
    if (!recipe->cls->wants_posterior) {
        if (at < spec->n)
            return spar__fail(err, SPAR_UNSUPPORTED,
                              "%s keeps its own counts and takes no belief, but was given '%.80s'", mab,
                              spec->stage[at].name);
        return check_differences(out->policy, recipe, err);
    }
    spar__stage made;
    const spar__stage *stage = stage_or(spec, at, recipe->cls->standard_posterior, &made);
    if (!stage)
        return spar__fail(err, SPAR_PARSE, "%s needs a belief, for example %s/beta", mab, mab);
    recipe->posterior = spar__posterior_find(stage->name);
    if (!recipe->posterior)
        return unknown(a_belief, stage->name, err);
    spar_status status = spar__values_bind(&recipe->posterior->entry, stage, &recipe->posterior_values, err);
    if (!status && at + 1 < spec->n)
        return spar__fail(err, SPAR_PARSE, "nothing may follow the belief %s, but '%.80s' does", stage->name,
                          spec->stage[at + 1].name);
    if (!status)
        status = check_differences(out->policy, recipe, err);
    if (status)
        return status;
    /* A belief that observes whole rounds needs a policy and a bandit that hand them on. */
    const spar__policy_class *policy = out->policy;
    const char *belief = recipe->posterior->entry.name;
    if (!recipe->posterior->observe_round || (policy->rounds && recipe->cls->learn_round))
        return SPAR_OK;
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s/%s/%s: the belief %s learns from whole rounds, which arm met which, but %s hands it single "
                      "rewards; use self_sparring/thompson/%s",
                      policy->entry.name, recipe->cls->entry.name, belief, belief,
                      policy->rounds ? recipe->cls->entry.name : policy->entry.name, belief);
}

static spar_status resolve_mab(const spar__spec *spec, size_t at, spar__stack *out, spar_error *err)
{
    const spar__policy_class *policy = out->policy;
    if (policy->players == SPAR__PLAYERS_NONE) {
        if (at < spec->n)
            return spar__fail(err, SPAR_UNSUPPORTED, "%s is not made of bandits, but was given '%.80s'",
                              policy->entry.name, spec->stage[at].name);
        return SPAR_OK;
    }
    spar__stage made;
    const spar__stage *stage = stage_or(spec, at, policy->standard_mab, &made);
    if (!stage)
        return spar__fail(err, SPAR_PARSE, "%s needs a bandit, for example %s/ucb1", policy->entry.name,
                          policy->entry.name);
    out->mab.cls = spar__mab_find(stage->name);
    if (!out->mab.cls)
        return unknown(a_bandit, stage->name, err);
    if (policy->randomised && !out->mab.cls->randomised)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s/%s makes no sense: %s is deterministic, so its m picks are m copies of one arm and "
                          "nothing is compared; use sparring/%s",
                          policy->entry.name, stage->name, stage->name, stage->name);
    spar_status status = spar__values_bind(&out->mab.cls->entry, stage, &out->mab.values, err);
    return status ? status : resolve_posterior(spec, at + 1, out, err);
}

/* The policy whose path begins at this stage. */
static spar_status resolve_from(const spar__spec *spec, size_t at, spar__stack *out, spar_error *err)
{
    /* A bandit standing first is a bandit on its own: thompson/beta is plain/thompson/beta. */
    const char *name = spec->stage[at].name;
    bool bare = !spar__policy_find(name) && spar__mab_find(name);
    out->policy = spar__policy_find(bare ? "plain" : name);
    if (!out->policy)
        return unknown(a_policy, name, err);
    spar_status status = spar__values_bind(&out->policy->entry, bare ? NULL : &spec->stage[at], &out->values, err);
    if (status)
        return status;
    size_t next = bare ? at : at + 1;
    if (out->policy->players != SPAR__PLAYERS_POLICY)
        return resolve_mab(spec, next, out, err);
    /* The rest of the path is a policy of its own. */
    if (next >= spec->n)
        return spar__fail(err, SPAR_PARSE, "%s needs a policy, for example %s/self_sparring(distinct=1)", name, name);
    out->inner = spar__alloc(1, sizeof *out->inner);
    if (!out->inner)
        return spar__fail_memory(err);
    status = resolve_from(spec, next, out->inner, err);
    if (!status && out->inner->policy->plain)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s needs a policy that compares arms; %s is a bandit on its own",
                          name, spec->stage[next].name);
    return status;
}

spar_status spar__stack_resolve(const char *text, spar__stack *out, spar_error *err)
{
    *out = (spar__stack){0};
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (status)
        return status;
    status = expand_alias(&spec, err);
    if (!status)
        status = resolve_from(&spec, 0, out, err);
    spar__spec_free(&spec);
    if (status)
        spar__stack_free(out);
    return status;
}

void spar__stack_free(spar__stack *stack)
{
    if (stack->inner)
        spar__stack_free(stack->inner);
    spar__free(stack->inner);
    spar__values_free(&stack->values);
    spar__values_free(&stack->mab.values);
    spar__values_free(&stack->mab.posterior_values);
    *stack = (spar__stack){0};
}

spar_status spar__stack_check(const spar__stack *stack, const char *spec, const spar_arms *arms, size_t m,
                              uint64_t horizon, spar_error *err)
{
    const spar__policy_class *policy = stack->policy;
    bool box = spar__arms_continuous(arms);
    if (box &&
        !(policy->box && stack->mab.cls && stack->mab.cls->box && stack->mab.posterior && stack->mab.posterior->box))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs a finite set of arms, not a continuous space", spec);
    if (!box && arms->live == 0)
        return spar__fail(err, SPAR_INVALID, "%s: there are no arms to choose from", spec);
    if (m < policy->min_m && policy->min_m == 2)
        return spar__fail(err, SPAR_INVALID, "%s: m = %zu, but it compares arms and needs at least 2 a round", spec, m);
    if (m < 1)
        return spar__fail(err, SPAR_INVALID, "%s: m = 0, expected at least 1 arm a round", spec);
    if (m > MOST_SLOTS)
        return spar__fail(err, SPAR_INVALID, "%s: m = %zu, expected at most %d arms a round", spec, m, MOST_SLOTS);
    if (policy->max_m && m > policy->max_m)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: m = %zu, but %s shows %s a round", spec, m, policy->entry.name,
                          policy->max_m == 1 ? "one arm" : "two arms");
    if (policy->needs_horizon && horizon == 0)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: needs to know the number of rounds (horizon), but it is unknown",
                          spec);
    bool per_arm = policy->players == SPAR__PLAYERS_PER_ARM, per_slot = policy->players == SPAR__PLAYERS_M;
    if ((per_arm || per_slot || policy->pairs) && arms->n > 0 && arms->n > MOST_CELLS / (per_slot ? m : arms->n))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: keeps %s: too much memory with %zu arms%s", spec,
                          per_arm    ? "a bandit for every arm"
                          : per_slot ? "a bandit for every slot"
                                     : "counts of all pairs",
                          arms->n, per_slot ? " and that many slots" : "");
    return stack->inner ? spar__stack_check(stack->inner, spec, arms, m, horizon, err) : SPAR_OK;
}

/* --- Knobs: one parameter of a policy, to be set to one value after the other (spar tune) --- */

spar_status spar__knob_new(const char *policy, const char *name, spar__knob *out, spar_error *err)
{
    *out = (spar__knob){0};
    spar__stack stack;
    spar_status status = spar__stack_resolve(policy, &stack, err);
    if (status)
        return status;
    status = spar__spec_parse(policy, &out->spec, err);
    /* What the stack is made of, from the first stage on; the frame around a bandit on its own is no stage. */
    const spar__values *part[SPAR__KNOB_STAGES + 3];
    size_t n = 0;
    bool bare = !status && stack.policy->plain && strcmp(out->spec.stage[0].name, stack.policy->entry.name) != 0;
    for (const spar__stack *s = &stack; !status && s && n < SPAR__KNOB_STAGES; s = s->inner) {
        if (!bare)
            part[n++] = &s->values;
        if (s->mab.cls)
            part[n++] = &s->mab.values;
        if (s->mab.posterior)
            part[n++] = &s->mab.posterior_values;
    }
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < n && i < SPAR__KNOB_STAGES; i++) {
        const spar_entry *entry = part[i]->entry;
        out->standard[i] = entry->name;
        if (!out->param && (out->param = spar__param_find(entry, name))) {
            out->stage = i;
            if (spar__given(part[i], name))
                status = spar__fail(err, SPAR_INVALID, "%s: %s is given already; leave it out to have it chosen",
                                    policy, name);
        }
        for (const spar_param *known = entry->params; known && known->name; known++)
            spar__nearest_offer(&nearest, known->name);
    }
    if (!status && !out->param)
        status = spar__fail_unknown(err, policy, "parameter", &nearest);
    /* An alias takes what any stage of its path knows. Its name is no stage's. */
    for (size_t k = 0; !status && k < out->stage && k < out->spec.n; k++)
        if (strcmp(out->spec.stage[k].name, out->standard[k]) != 0)
            out->stage = k;
    spar__stack_free(&stack);
    if (status)
        spar__knob_free(out);
    return status;
}

void spar__knob_free(spar__knob *knob)
{
    spar__spec_free(&knob->spec);
    *knob = (spar__knob){0};
}

static void write_arg(const char *name, const char *value, size_t place, spar__buf *out)
{
    const char *quote = strpbrk(value, ",()") ? "\"" : "";
    spar__buf_printf(out, "%s%s=%s%s%s", place ? "," : "(", name, quote, value, quote);
}

void spar__knob_write(const spar__knob *knob, double value, spar__buf *out)
{
    char number[SPAR__NUMBER_SIZE];
    (void)spar__number_print(number, value);
    for (size_t i = 0; i < knob->spec.n || i <= knob->stage; i++) {
        static const spar__stage unwritten = {0};
        const spar__stage *stage = i < knob->spec.n ? &knob->spec.stage[i] : &unwritten;
        spar__buf_printf(out, "%s%s", i ? "/" : "", stage->name ? stage->name : knob->standard[i]);
        for (size_t k = 0; k < stage->n_args; k++)
            write_arg(stage->arg[k].name, stage->arg[k].value, k, out);
        if (i == knob->stage)
            write_arg(knob->param->name, number, stage->n_args, out);
        if (stage->n_args || i == knob->stage)
            spar__buf_adds(out, ")");
    }
}
