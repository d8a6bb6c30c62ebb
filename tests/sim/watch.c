#include "sim/sim.h"

#include "base/alloc.h"
#include "sim/lab.h"
#include "tap.h"

#include <string.h>

typedef struct stand {
    spar_env *env;
    spar_world *world;
    spar_round *round;
    spar_feedback *feedback;
} stand;

static stand stand_open(const char *spec, size_t m)
{
    stand s = {0};
    if (spar_env_new(spec, &s.env, NULL) || spar_world_new(s.env, 1, 1, &s.world, NULL) ||
        spar_round_new(m, &s.round) || spar_feedback_new(m, &s.feedback))
        exit(1);
    return s;
}

static void stand_close(stand *s)
{
    spar_feedback_free(s->feedback);
    spar_round_free(s->round);
    spar_world_free(s->world);
    spar_env_free(s->env);
}

/* In round t arm a beats arm b. */
static spar_status won(stand *s, spar__watch *watch, uint64_t t, size_t a, size_t b)
{
    s->round->m = 2;
    s->round->arm[0] = a;
    s->round->arm[1] = b;
    (void)spar_feedback_reset(s->feedback, 2);
    (void)spar_feedback_winner(s->feedback, 0);
    return spar__watch_answer(watch, t, s->round, s->feedback);
}

static void check_rules(void)
{
    spar__stop_rule rule = {0};
    spar_error err = {0};
    ok(!spar__stop_rule_parse("best", &rule, &err) && rule.delta == 0.05 && !rule.near && !rule.end, "best");
    ok(!spar__stop_rule_parse("best(delta=0.01,end=1)", &rule, &err) && rule.delta == 0.01 && rule.end,
       "its parameters");
    ok(!spar__stop_rule_parse("practical(eps=0.3)", &rule, &err) && rule.near && rule.eps == 0.3, "practical");
    ok(spar__stop_rule_parse("bset", &rule, &err) && strstr(err.text, "did you mean 'best'"), "%s", err.text);
    ok(spar__stop_rule_parse("best(delta=0)", &rule, &err) && strstr(err.text, "delta"), "%s", err.text);
    ok(spar__stop_rule_parse("best(eps=1)", &rule, &err) && strstr(err.text, "eps"), "%s", err.text);
}

/* All answers go one way: the decision comes when E reaches 2 / delta, and is right or wrong by the world. */
static void check_decision(void)
{
    stand s = stand_open("utility(set=steps,k=2)", 2);
    size_t best = spar_world_best(s.world, 1);
    for (size_t first = 0; first < 2; first++) {
        spar__stop_rule rule = {.delta = 0.05, .eps = 0.2, .end = true};
        spar__watch watch;
        spar__evidence alone;
        (void)spar__evidence_init(&alone, 2, 0.05, 0.05, 0.2);
        (void)spar__watch_init(&watch, s.world, &rule, false, false);
        uint64_t t = 0;
        for (bool decided = false; t < 100 && !decided; decided = spar__evidence_best(&alone) == first) {
            bool open = !watch.decided && !spar__watch_ended(&watch);
            if (!open)
                break;
            (void)won(&s, &watch, ++t, first, 1 - first);
            (void)spar__evidence_answer(&alone, 2, s.round->arm, s.feedback->outcome, false);
        }
        ok(watch.decided == t && watch.option == first && t > 5 && t < 30, "decided with the evidence, at %llu",
           (unsigned long long)t);
        ok(spar__watch_ended(&watch) && spar__watch_right(&watch) == (first == best), "and right if it is");
        spar__watch_fini(&watch);
        spar__evidence_fini(&alone);
    }
    stand_close(&s);
}

/* Is a decision for the arm of this utility right? */
static bool is_right(const char *spec, double utility, bool near, double eps)
{
    stand s = stand_open(spec, 2);
    size_t arm = 0;
    while (s.world->utility[arm] != utility)
        arm++;
    spar__stop_rule rule = {.near = near, .delta = 0.05, .eps = eps};
    spar__watch watch;
    (void)spar__watch_init(&watch, s.world, &rule, false, false);
    watch.option = arm;
    bool right = spar__watch_right(&watch);
    spar__watch_fini(&watch);
    stand_close(&s);
    return right;
}

static void check_truth(void)
{
    ok(is_right("utility(set=one,k=4)", 0, false, 0.2), "the best is the best");
    ok(!is_right("utility(set=one,k=4)", -0.5, false, 0.2), "another is not");
    ok(!is_right("utility(set=two,k=4)", 0, false, 0.2), "of two equal best none is");
    ok(!is_right("utility(set=equal,k=4)", 0, false, 0.2), "nor where all are equal");
    ok(is_right("utility(set=two,k=4)", 0, true, 0.2), "but each of them is practically");
    ok(is_right("utility(set=steps,k=4,gap=0.3)", -0.3, true, 0.3), "and one that is eps away");
    ok(!is_right("utility(set=steps,k=4,gap=0.3)", -0.3, true, 0.29), "not one that is farther");
}

static void check_refusals(void)
{
    static const char *const specs[] = {"rewards(mu=0.1:0.2)", "function(name=branin,box=1)", "utility"};
    static const char *const words[] = {"rewards", "continuous", NULL};
    for (size_t i = 0; i < 3; i++) {
        stand s = stand_open(specs[i], 2);
        const char *why = spar__watch_refuses(s.world);
        ok(words[i] ? why && strstr(why, words[i]) != NULL : !why, "%s %s", specs[i], why ? why : "is fine");
        stand_close(&s);
    }
}

/* The simulation: statistics, any number of threads, and a run that ends or goes on. */
static void check_simulation(void)
{
    static const char *const policies[] = {"random", "self_sparring(distinct=1)/thompson/beta"};
    spar_plan plan = standard();
    plan.env = "utility(set=steps,k=4,gap=1)";
    plan.feedback = "winner(rule=voter)";
    plan.policies = policies;
    plan.n_policies = 2;
    plan.m = 2;
    plan.rounds = 2000;
    plan.runs = 20;
    spar_results *bare = simulate(&plan);
    plan.stop = "best";
    plan.identify = true;
    spar_results *watched = simulate(&plan);
    plan.threads = 3;
    spar_results *again = simulate(&plan);
    plan.stop = "best(end=1)";
    spar_results *ended = simulate(&plan);
    bool same = true, alike = true, end = true, level = true;
    for (size_t i = 0; i < 40; i++) {
        const spar__run_numbers *b = &bare->run[i], *w = &watched->run[i], *a = &again->run[i], *e = &ended->run[i];
        same &= b->regret == w->regret && !b->decided && b->played == 2000 && w->played == 2000;
        alike &= w->decided == a->decided && w->right == a->right && w->flips == a->flips &&
                 memcmp(w->flip, a->flip, w->flips * sizeof *w->flip) == 0;
        end &= e->decided == w->decided && e->played == (w->decided ? w->decided : 2000) && e->regret <= w->regret;
        level &= e->curve[ended->n_checkpoints - 1] == e->regret;
    }
    ok(same, "looking changes no regret");
    ok(alike, "any number of threads decides the same");
    ok(end && level, "end=1: the run ends with the decision, and its curve stays level");
    double decided = spar_results_decided(watched, 1, SPAR_STAT_N),
           median = spar_results_decided(watched, 1, SPAR_STAT_MEDIAN);
    ok(decided >= 18 && median > 20 && median < 500, "%g of 20 decide, half of them by %g", decided, median);
    ok(spar_results_run(watched, 1, 0, SPAR_RUN_RIGHT) == 1 && spar_results_run(watched, 1, 0, SPAR_RUN_DECIDED) > 10 &&
           isnan(spar_results_run(bare, 1, 0, SPAR_RUN_DECIDED)),
       "the numbers of a run");
    near(spar_results_decided_by(watched, 1, 2000), decided / 20, 1e-15, "share decided by the end");
    ok(spar_results_decided_by(watched, 1, 3) == 0 && isnan(spar_results_decided_by(watched, 2, 3)), "and early");
    double t = spar_results_identified(watched, 0);
    ok(t > 5 && t < 1000 && spar_results_named_right(watched, 0, (uint64_t)t) >= 0.95 &&
           spar_results_named_right(watched, 0, (uint64_t)t - 1) < 0.95,
       "identified from %g on", t);
    spar_results_free(bare);
    spar_results_free(watched);
    spar_results_free(again);
    spar_results_free(ended);
}

static void check_refused_plans(void)
{
    static const char *const thompson[] = {"thompson/beta"};
    spar_plan plan = standard();
    spar_results *results;
    spar_error err = {0};
    plan.stop = "worst";
    ok(spar_simulate(&plan, &results, &err) && strstr(err.text, "stopping rule 'worst'"), "%s", err.text);
    plan.stop = "best";
    plan.env = "rewards(mu=0.2:0.8)";
    plan.policies = thompson;
    plan.n_policies = plan.m = 1;
    ok(spar_simulate(&plan, &results, &err) == SPAR_UNSUPPORTED && strstr(err.text, "gives rewards"), "%s", err.text);
    plan.stop = NULL;
    plan.identify = true;
    ok(spar_simulate(&plan, &results, &err) == SPAR_UNSUPPORTED && strstr(err.text, "identify"), "%s", err.text);
}

static void check_memory(void)
{
    size_t k = 1, refused = 0;
    for (bool whole = false; !whole; k++) {
        spar_plan plan = standard();
        plan.rounds = 40;
        plan.runs = 1;
        plan.stop = "best";
        plan.identify = true;
        spar_results *results = NULL;
        spar__alloc_fail_at(k);
        spar_status status = spar_simulate(&plan, &results, NULL);
        whole = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        refused += status == SPAR_NOMEM;
        spar_results_free(results);
    }
    ok(refused == k - 2, "each of %zu allocations may fail", k - 2);
}

int main(void)
{
    check_rules();
    check_decision();
    check_truth();
    check_refusals();
    check_simulation();
    check_refused_plans();
    check_memory();
    return done();
}
