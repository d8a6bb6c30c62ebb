#include "policy/knob.h"

#include "base/error.h"
#include "base/buf.h"
#include "policy/policy.h"

#include <string.h>

/* What a stack is made of, from the first stage on; the frame around a bandit on its own is no stage. */
typedef struct parts {
    const spar__values *values[SPAR__KNOB_STAGES];
    size_t n;
} parts;

static void add_part(parts *p, const spar__values *values)
{
    if (p->n < SPAR__KNOB_STAGES)
        p->values[p->n++] = values;
}

static parts parts_of(const spar__stack *stack, const spar__spec *spec)
{
    parts p = {0};
    bool bare = stack->policy->plain && strcmp(spec->stage[0].name, stack->policy->entry.name) != 0;
    for (; stack; stack = stack->inner) {
        if (!bare)
            add_part(&p, &stack->values);
        if (stack->mab.cls)
            add_part(&p, &stack->mab.values);
        if (stack->mab.posterior)
            add_part(&p, &stack->mab.posterior_values);
    }
    return p;
}

static spar_status find(const char *policy, const char *name, const parts *p, spar__knob *knob, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < p->n; i++) {
        const spar_entry *entry = p->values[i]->entry;
        knob->param = spar__param_find(entry, name);
        knob->stage = i;
        if (knob->param && spar__given(p->values[i], name))
            return spar__fail(err, SPAR_INVALID, "%s: %s is given already; leave it out to have it chosen", policy,
                              name);
        if (knob->param)
            return SPAR_OK;
        for (const spar_param *known = entry->params; known && known->name; known++)
            spar__nearest_offer(&nearest, known->name);
    }
    return spar__fail_unknown(err, policy, "parameter", &nearest);
}

spar_status spar__knob_new(const char *policy, const char *name, spar__knob *out, spar_error *err)
{
    *out = (spar__knob){0};
    spar__stack stack;
    spar_status status = spar__stack_resolve(policy, &stack, err);
    if (status)
        return status;
    status = spar__spec_parse(policy, &out->spec, err);
    if (!status) {
        parts p = parts_of(&stack, &out->spec);
        for (size_t i = 0; i < p.n; i++)
            out->standard[i] = p.values[i]->entry->name;
        status = find(policy, name, &p, out, err);
        /* An alias takes what any stage of its path knows. Its name is no stage's. */
        for (size_t k = 0; !status && k < out->stage && k < out->spec.n; k++)
            if (strcmp(out->spec.stage[k].name, out->standard[k]) != 0)
                out->stage = k;
    }
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
