#include "policy/policy.h"

#include "base/alloc.h"
#include "policy/setup.h"

static void written(const char *policy, const char *name, double value, const char *wanted)
{
    spar__knob knob;
    spar_error err = {0};
    spar__buf text = {0};
    if (!ok(spar__knob_new(policy, name, &knob, &err) == SPAR_OK, "%s has %s", policy, name)) {
        printf("# %s\n", err.text);
        return;
    }
    spar__knob_write(&knob, value, &text);
    same_text(text.text, wanted, "%s at a value", name);
    spar__stack stack;
    ok(spar__stack_resolve(text.text, &stack, &err) == SPAR_OK, "%s resolves", text.text);
    const spar__values *all[] = {&stack.values, &stack.mab.values, &stack.mab.posterior_values};
    bool found = false;
    for (size_t i = 0; i < 3 && !found; i++)
        if (all[i]->entry && spar__param_find(all[i]->entry, name)) {
            found = true;
            ok(spar__number(all[i], name) == value && knob.param == spar__param_find(all[i]->entry, name),
               "and the value arrives where the registry has it");
        }
    ok(found, "at a stage that knows it");
    spar__stack_free(&stack);
    spar__buf_free(&text);
    spar__knob_free(&knob);
}

static void refused(const char *policy, const char *name, spar_status wanted, const char *words)
{
    spar__knob knob;
    spar_error err = {0};
    spar_status status = spar__knob_new(policy, name, &knob, &err);
    if (!ok(status == wanted && strstr(err.text, words) && !knob.spec.stage, "refused: %s of %s", name, policy))
        printf("# %d: %s\n", (int)status, err.text);
}

static void test_memory(void)
{
    size_t k = 1;
    for (;; k++) {
        spar__knob knob;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__knob_new("ind_self_sparring(distinct=1)", "eta", &knob, &err);
        spar__alloc_fail_at(0);
        spar__knob_free(&knob);
        if (status != SPAR_NOMEM)
            break;
    }
    ok(k > 10, "each of %zu allocations may fail", k - 1);
}

int main(void)
{
    written("self_sparring", "eta", 2.5, "self_sparring(eta=2.5)");
    written("self_sparring()/thompson", "eta", 2.5, "self_sparring(eta=2.5)/thompson");
    written("self_sparring(distinct=1)/thompson/beta(a=2)", "eta", 1e-3,
            "self_sparring(distinct=1,eta=0.001)/thompson/beta(a=2)");
    written("self_sparring", "a", 2, "self_sparring/thompson/beta(a=2)");
    written("self_sparring/thompson/beta(b=3)", "a", 2, "self_sparring/thompson/beta(b=3,a=2)");
    written("ind_self_sparring", "eta", 3.5, "ind_self_sparring(eta=3.5)");
    written("ind_self_sparring(b=2)", "a", 0.5, "ind_self_sparring(b=2,a=0.5)");
    written("multi_sparring", "alpha", 0.5, "multi_sparring(alpha=0.5)");
    written("sparring(reward=each)/ucb1", "alpha", 0.5, "sparring(reward=each)/ucb1(alpha=0.5)");
    written("ucb1", "alpha", 0.5, "ucb1(alpha=0.5)");
    written("plain/ucb1", "alpha", 0.5, "plain/ucb1(alpha=0.5)");
    written("thompson", "b", 4, "thompson/beta(b=4)");
    refused("ind_self_sparring(eta=1)", "eta", SPAR_INVALID, "given already");
    refused("self_sparring/thompson/beta(a=1)", "a", SPAR_INVALID, "given already");
    refused("ind_self_sparring", "eat", SPAR_UNKNOWN, "'eta'");
    refused("sparring/ucb1", "alhpa", SPAR_UNKNOWN, "'alpha'");
    refused("random", "eta", SPAR_UNKNOWN, "random: unknown parameter 'eta'");
    refused("ind_self_spraring", "eta", SPAR_UNKNOWN, "ind_self_sparring");
    refused("self_sparring/ucb1", "alpha", SPAR_UNSUPPORTED, "ucb1");
    refused("self_sparring(", "eta", SPAR_PARSE, "self_sparring(");
    test_memory();
    return done();
}
