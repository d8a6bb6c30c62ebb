#include "env/env.h"
#include "env/lab.h"

static void check_refusals(void)
{
    static const char *const cases[][3] = {
        {"utility", "rankin", "unknown kind of feedback 'rankin'; did you mean 'ranking'?"},
        {"utility", "all_pairs(p=1)", "all_pairs: unknown parameter 'p'; there are none"},
        {"utility", "missing(p=1.5)", "missing: p=1.5 is out of range, expected 0 to 1"},
        {"utility", "winner(rule=best)", "winner: rule=best is not one of most_wins|pair|luce|voter"},
        {"utility", "confusable",
         "confusable: needs arms with features, and this utility has none (utility has with x= or features=utility)"},
        {"utility", "confusable(scale=0)", "confusable: scale=0 is out of range, expected 1e-300 to 1e+300"},
        {"rewards(mu=1)", "missing", "missing: slots of rewards have rewards and are not compared"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        same_text(lab_refusal(cases[c][0], cases[c][1]), cases[c][2], "%s with %s is refused", cases[c][0],
                  cases[c][1]);
    const char *text = lab_refusal("utility", "xyzzy");
    ok(strncmp(text, "unknown kind of feedback 'xyzzy'; known: all_pairs, ", 52) == 0, "all kinds are listed: %s",
       text);
}

/* A user in a world it was not made for says so instead of reading what is not there. */
static void check_strangers(void)
{
    lab plain = lab_open("rewards(mu=0.5:0.1)", NULL), bare = lab_open("utility(k=2)", "all_pairs"),
        rich = lab_open("utility(k=2,features=utility)", "confusable");
    size_t arms[2] = {0, 1};
    spar_user *user = plain.user;
    plain.user = bare.user;
    ok(lab_ask(&plain, 1, 2, arms) == SPAR_UNSUPPORTED, "a comparing user in a plain world");
    plain.user = user;
    user = bare.user;
    bare.user = plain.user;
    ok(lab_ask(&bare, 1, 2, arms) == SPAR_UNSUPPORTED, "a plain user in a comparing world");
    bare.user = rich.user;
    ok(lab_ask(&bare, 1, 2, arms) == SPAR_UNSUPPORTED, "a user who needs features in a world without");
    bare.user = user;
    lab_close(&plain);
    lab_close(&bare);
    lab_close(&rich);
}

static void check_classes(void)
{
    ok(spar__n_feedback_classes >= 6 && spar__n_env_classes >= 3, "classes are registered");
    for (size_t i = 0; i < spar__n_feedback_classes; i++) {
        const spar__feedback_class *cls = spar__feedback_classes[i];
        ok(cls->entry.name && cls->entry.brief && cls->answer && cls->size <= SPAR__FEEDBACK_SELF,
           "feedback %s is complete", cls->entry.name);
        if (!cls->needs_lists) /* utility has none */
            lab_starve("utility(set=arith,features=utility,ties=0.1)", cls->entry.name);
    }
    for (size_t i = 0; i < spar__n_env_classes; i++) {
        const spar__env_class *cls = spar__env_classes[i];
        ok(cls->entry.name && cls->entry.brief && cls->init && cls->fini && cls->start, "environment %s is complete",
           cls->entry.name);
    }
}

/* All kinds that utility has: what a round of m slots says depends on seed, run, round and slots only. */
static void check_pure(void)
{
    for (size_t i = 0; i < spar__n_feedback_classes; i++) {
        const char *name = spar__feedback_classes[i]->entry.name;
        if (spar__feedback_classes[i]->needs_lists)
            continue;
        lab a = lab_open("utility(set=arith,features=utility,ties=0.3)", name),
            b = lab_open("utility(set=arith,features=utility,ties=0.3)", name);
        size_t arms[5] = {3, 1, 4, 1, 5}, other[7] = {9, 2, 6, 5, 3, 5, 8};
        bool same = true;
        for (uint64_t t = 1; t <= 300; t++) {
            (void)lab_ask(&a, t, 5, arms);
            (void)lab_ask(&b, 1000 - t, 7, other);
            (void)lab_ask(&b, t, 5, arms);
            same = same && memcmp(a.feedback->outcome, b.feedback->outcome, 25) == 0;
        }
        ok(same, "%s: answers do not depend on what else was asked", name);
        lab_close(&a);
        lab_close(&b);
    }
}

static void check_limits(void)
{
    lab l = lab_open("utility(k=2)", "pair");
    size_t many = ((size_t)1 << 16) + 1, *arms = spar__alloc(many, sizeof *arms);
    ok(arms && lab_ask(&l, 1, many, arms) == SPAR_INVALID, "more slots than pairs can be numbered are refused");
    spar__free(arms);
    lab_close(&l);
    spar_user_free(NULL);
    spar_world_free(NULL);
    spar_env_free(NULL);
}

int main(void)
{
    check_refusals();
    check_strangers();
    check_classes();
    check_pure();
    check_limits();
    return done();
}
