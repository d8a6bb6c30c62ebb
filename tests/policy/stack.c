#include "policy/setup.h"

static void test_resolves(void)
{
    static const struct {
        const char *spec, *policy, *bandit, *belief;
    } cases[] = {
        {"self_sparring", "self_sparring", "thompson", "beta"},
        {"self_sparring()", "self_sparring", "thompson", "beta"},
        {"self_sparring/thompson", "self_sparring", "thompson", "beta"},
        {"self_sparring(eta=3.5)/thompson/beta(a=2,b=3)", "self_sparring", "thompson", "beta"},
        {"self_sparring/exp3", "self_sparring", "exp3", NULL},
        {"sparring/thompson", "sparring", "thompson", "beta"},
        {"sparring/ucb1(alpha=1)", "sparring", "ucb1", NULL},
        {"multi_sbm/exp3", "multi_sbm", "exp3", NULL},
        {"doubler(reset=0)/ucb1", "doubler", "ucb1", NULL},
        {"plain/ucb1", "plain", "ucb1", NULL},
        {"ucb1", "plain", "ucb1", NULL},
        {"thompson", "plain", "thompson", "beta"},
        {"thompson/beta(b=2)", "plain", "thompson", "beta"},
        {"exp3", "plain", "exp3", NULL},
        {"random", "random", NULL, NULL},
        {"ind_self_sparring", "self_sparring", "thompson", "beta"},
        {"multi_sparring", "sparring", "ucb1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar__stack s;
        spar_error err = {0};
        bool good = spar__stack_resolve(cases[i].spec, &s, &err) == SPAR_OK;
        const spar__mab_class *mab = good ? s.mab.cls : NULL;
        const spar__posterior_class *posterior = good ? s.mab.posterior : NULL;
        good = good && strcmp(s.policy->entry.name, cases[i].policy) == 0;
        good = good && (mab != NULL) == (cases[i].bandit != NULL) && (posterior != NULL) == (cases[i].belief != NULL);
        good = good && (!mab || strcmp(mab->entry.name, cases[i].bandit) == 0);
        good = good && (!posterior || strcmp(posterior->entry.name, cases[i].belief) == 0);
        ok(good, "%s resolves", cases[i].spec);
        spar__stack_free(&s);
    }
}

static void test_parameters(void)
{
    spar__stack s;
    ok(spar__stack_resolve("ind_self_sparring(a=2,eta=3,b=0.5,distinct=1)", &s, NULL) == SPAR_OK, "an alias");
    ok(spar__number(&s.values, "eta") == 3 && spar__number(&s.values, "distinct") == 1,
       "its policy takes what it knows");
    ok(spar__number(&s.mab.posterior_values, "a") == 2 && spar__number(&s.mab.posterior_values, "b") == 0.5,
       "its belief takes the rest");
    spar__stack_free(&s);
    ok(spar__stack_resolve("multi_sparring(alpha=0.5,reward=each)", &s, NULL) == SPAR_OK, "another");
    ok(spar__number(&s.mab.values, "alpha") == 0.5 && spar__choice(&s.values, "reward") == 1, "its bandit too");
    spar__stack_free(&s);
    ok(spar__stack_resolve("self_sparring/thompson/beta", &s, NULL) == SPAR_OK, "defaults");
    ok(spar__number(&s.values, "eta") == 1 && spar__choice(&s.values, "self_duels") == 0 &&
           spar__number(&s.values, "distinct") == 0 && spar__number(&s.mab.posterior_values, "a") == 1 &&
           spar__number(&s.mab.posterior_values, "b") == 1,
       "are those of the definitions");
    spar__stack_free(&s);
    ok(spar__stack_resolve("ucb1", &s, NULL) == SPAR_OK && spar__number(&s.mab.values, "alpha") == 2, "alpha is 2");
    spar__stack_free(&s);
}

/* Every alias stands for a path that resolves, and for no name of its own. */
static void test_aliases(void)
{
    for (size_t i = 0; i < spar__n_policy_aliases; i++) {
        const spar_entry *alias = &spar__policy_aliases[i];
        spar__stack a, b;
        bool good = spar__stack_resolve(alias->name, &a, NULL) == SPAR_OK;
        good &= spar__stack_resolve(alias->brief, &b, NULL) == SPAR_OK;
        ok(good && a.policy == b.policy && a.mab.cls == b.mab.cls && a.mab.posterior == b.mab.posterior, "%s is %s",
           alias->name, alias->brief);
        ok(!spar__policy_find(alias->name) && !spar__mab_find(alias->name), "%s is a name of its own", alias->name);
        spar__stack_free(&a);
        spar__stack_free(&b);
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *spec;
        size_t n, m;
        spar_status status;
        const char *text;
    } cases[] = {
        {"self_sparing", 3, 2, SPAR_UNKNOWN, "unknown policy 'self_sparing'; did you mean 'self_sparring'?"},
        {"ind_self_spar", 3, 2, SPAR_UNKNOWN, "unknown policy 'ind_self_spar'; did you mean 'ind_self_sparring'?"},
        {"thomson", 3, 1, SPAR_UNKNOWN, "unknown policy 'thomson'; did you mean 'thompson'?"},
        {"xyzzyxyzzy", 3, 2, SPAR_UNKNOWN, "unknown policy 'xyzzyxyzzy'"},
        {"beta", 3, 2, SPAR_UNKNOWN, "unknown policy 'beta'"},
        {"sparring/ucb", 3, 2, SPAR_UNKNOWN, "unknown bandit 'ucb'; did you mean 'ucb1'?"},
        {"self_sparring/thompson/betta", 3, 2, SPAR_UNKNOWN, "unknown belief 'betta'; did you mean 'beta'?"},
        {"self_sparring(etta=1)", 3, 2, SPAR_UNKNOWN, "self_sparring: unknown parameter 'etta'; did you mean 'eta'?"},
        {"self_sparring(gradient=1)", 3, 2, SPAR_UNKNOWN,
         "self_sparring: unknown parameter 'gradient'; known: eta, self_duels, clones, distinct"},
        {"random(eta=1)", 3, 2, SPAR_UNKNOWN, "random: unknown parameter 'eta'; there are none"},
        {"ind_self_sparring(etta=1)", 3, 2, SPAR_UNKNOWN,
         "ind_self_sparring: unknown parameter 'etta'; did you mean 'eta'?"},
        {"multi_sparring(temperature=1)", 3, 2, SPAR_UNKNOWN,
         "multi_sparring: unknown parameter 'temperature'; known: reward, alpha"},
        {"ind_self_sparring(eta=0)", 3, 2, SPAR_INVALID, "self_sparring: eta=0 is out of range, expected 1e-06 to 100"},
        {"sparring/ucb1(alpha=-1)", 3, 2, SPAR_INVALID, "ucb1: alpha=-1 is out of range, expected 0 to 1000"},
        {"self_sparring/thompson/beta(a=0)", 3, 2, SPAR_INVALID, "beta: a=0 is out of range, expected 0.001 to 1e+06"},
        {"self_sparring(distinct=0.5)", 3, 2, SPAR_INVALID, "self_sparring: distinct=0.5 is not a whole number"},
        {"self_sparring(eta=fast)", 3, 2, SPAR_INVALID, "self_sparring: eta=fast is not a number"},
        {"self_sparring(self_duels=no)", 3, 2, SPAR_INVALID, "self_sparring: self_duels=no is not one of count|ignore"},
        {"ind_self_sparring(eta=1,eta=2)", 3, 2, SPAR_INVALID, "self_sparring: eta is given twice"},
        {"self_sparring", 3, 0, SPAR_INVALID,
         "self_sparring: m = 0, but it compares arms and needs at least 2 a round"},
        {"self_sparring", 3, 1, SPAR_INVALID,
         "self_sparring: m = 1, but it compares arms and needs at least 2 a round"},
        {"random", 3, 1, SPAR_INVALID, "random: m = 1, but it compares arms and needs at least 2 a round"},
        {"ucb1", 3, 0, SPAR_INVALID, "ucb1: m = 0, expected at least 1 arm a round"},
        {"ucb1", 3, 2, SPAR_UNSUPPORTED, "ucb1: m = 2, but plain shows one arm a round"},
        {"multi_sbm/ucb1", 3, 3, SPAR_UNSUPPORTED, "multi_sbm/ucb1: m = 3, but multi_sbm shows two arms a round"},
        {"doubler/ucb1", 3, 4, SPAR_UNSUPPORTED, "doubler/ucb1: m = 4, but doubler shows two arms a round"},
        {"self_sparring", 3, 4097, SPAR_INVALID, "self_sparring: m = 4097, expected at most 4096 arms a round"},
        {"sparring/ucb1/beta", 3, 2, SPAR_UNSUPPORTED,
         "ucb1 keeps its own counts and takes no belief, but was given 'beta'"},
        {"exp3/beta", 3, 1, SPAR_UNSUPPORTED, "exp3 keeps its own counts and takes no belief, but was given 'beta'"},
        {"sparring/thompson/pair_gp", 3, 2, SPAR_UNSUPPORTED,
         "sparring/thompson/pair_gp: the belief pair_gp learns from whole rounds, which arm met which, but sparring "
         "hands "
         "it single rewards; use self_sparring/thompson/pair_gp"},
        {"thompson/pair_gp", 3, 1, SPAR_UNSUPPORTED,
         "plain/thompson/pair_gp: the belief pair_gp learns from whole rounds, which arm met which, but plain hands it "
         "single rewards; use self_sparring/thompson/pair_gp"},
        {"thompson/beta/beta", 3, 1, SPAR_PARSE, "nothing may follow the belief beta, but 'beta' does"},
        {"ind_self_sparring/beta", 3, 2, SPAR_PARSE,
         "ind_self_sparring already stands for self_sparring/thompson/beta; nothing may follow it"},
        {"sparring", 3, 2, SPAR_PARSE, "sparring needs a bandit, for example sparring/ucb1"},
        {"multi_sbm", 3, 2, SPAR_PARSE, "multi_sbm needs a bandit, for example multi_sbm/ucb1"},
        {"plain", 3, 1, SPAR_PARSE, "plain needs a bandit, for example plain/ucb1"},
        {"random/ucb1", 3, 2, SPAR_UNSUPPORTED, "random is not made of bandits, but was given 'ucb1'"},
        {"multi_sbm/ucb1", 10001, 2, SPAR_UNSUPPORTED,
         "multi_sbm/ucb1: keeps a bandit for every arm: too much memory with 10001 arms"},
        {"sparring/ucb1", 30000, 4096, SPAR_UNSUPPORTED,
         "sparring/ucb1: keeps a bandit for every slot: too much memory with 30000 arms and that many slots"},
        {"rucb", 10001, 2, SPAR_UNSUPPORTED, "rucb: keeps counts of all pairs: too much memory with 10001 arms"},
        {"mdb", 20000, 2, SPAR_UNSUPPORTED, "mdb: keeps counts of all pairs: too much memory with 20000 arms"},
        {"self_sparring", 0, 2, SPAR_INVALID, "self_sparring: there are no arms to choose from"},
        {"", 3, 2, SPAR_PARSE, ": expected a name at position 1"},
        {"self_sparring/", 3, 2, SPAR_PARSE, "self_sparring/: expected a name at position 15"},
        {"self_sparring(eta=1", 3, 2, SPAR_PARSE, "self_sparring(eta=1: expected ',' or ')' at position 20"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar_status status;
        const char *text = refusal(cases[i].spec, cases[i].n, cases[i].m, &status);
        same_text(text, cases[i].text, "'%s', %zu arms, m = %zu", cases[i].spec, cases[i].n, cases[i].m);
        ok(status == cases[i].status, "'%s': %s", cases[i].spec, spar_status_text(cases[i].status));
    }
    const char *text = refusal("sparring/beta", 3, 2, NULL);
    ok(strncmp(text, "unknown bandit 'beta'; known: ", 30) == 0, "a belief is no bandit: %s", text);
    text = refusal("thompson/ucb1", 3, 1, NULL);
    ok(strncmp(text, "unknown belief 'ucb1'; known: ", 30) == 0, "a bandit is no belief: %s", text);
    same_text(refusal("self_sparring", 3, 4096, NULL), "", "4096 slots are allowed");
}

static void test_space(void)
{
    double lo[2] = {0, 0}, hi[2] = {1, 1};
    spar_arms *box = NULL, *gone = NULL;
    spar_policy *policy = NULL;
    spar_error err = {0};
    spar_rng birth;
    spar_rng_seed(&birth, 1, 1, 1);
    if (spar_arms_new_box(2, lo, hi, &box) || spar_arms_new(1, 0, NULL, NULL, &gone) || spar_arms_retire(gone, 0))
        abort();
    ok(spar_policy_new("self_sparring", box, 2, 0, &birth, &policy, &err) == SPAR_UNSUPPORTED && !policy, "a box");
    same_text(err.text, "self_sparring: needs a finite set of arms, not a continuous space", "needs a belief for it");
    ok(spar_policy_new("random", box, 2, 0, &birth, &policy, &err) == SPAR_UNSUPPORTED && !policy, "random too");
    ok(spar_policy_new("random", gone, 2, 0, &birth, &policy, &err) == SPAR_INVALID && !policy, "all arms retired");
    same_text(err.text, "random: there are no arms to choose from", "is no arm at all");
    spar_arms_free(box);
    spar_arms_free(gone);
}

int main(void)
{
    test_resolves();
    test_parameters();
    test_aliases();
    test_refusals();
    test_space();
    return done();
}
