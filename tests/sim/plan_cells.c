#include "sim/sweep.h"

#include "base/alloc.h"
#include "sim/sim.h"
#include "tap.h"

#include <math.h>

static const char *const policies[] = {"ind_self_sparring", "rucb", "random"};

static spar_plan plan_of(const char *env, size_t m, size_t n, uint64_t rounds, uint64_t runs)
{
    return (spar_plan){.size = sizeof(spar_plan),
                       .env = env,
                       .policies = policies + (m > 2 ? 2 : 0),
                       .n_policies = m > 2 ? 1 : n,
                       .m = m,
                       .rounds = rounds,
                       .runs = runs,
                       .seed = 5,
                       .threads = 2,
                       .horizon = SPAR_HORIZON_ROUNDS,
                       .identify = true};
}

static bool same_run(const spar__run_numbers *a, const spar__run_numbers *b, size_t checkpoints)
{
    return a->complete && b->complete && a->regret == b->regret && a->per_slot == b->per_slot &&
           a->best_share == b->best_share && a->best_pulls == b->best_pulls && a->set_size == b->set_size &&
           a->redrawn == b->redrawn && a->played == b->played && a->flips == b->flips &&
           (!a->flips || !memcmp(a->flip, b->flip, a->flips * sizeof *a->flip)) &&
           !memcmp(a->curve, b->curve, checkpoints * sizeof *a->curve);
}

/* The same as spar_simulate, run by run. */
static void check_results(const spar_plan *plan, const spar_results *got)
{
    spar_results *wanted = NULL;
    size_t same = 0, n = plan->n_policies * (size_t)plan->runs;
    ok(spar_simulate(plan, &wanted, NULL) == SPAR_OK && got->n_checkpoints == wanted->n_checkpoints, "%s", plan->env);
    for (size_t i = 0; i < n; i++)
        same += same_run(&got->run[i], &wanted->run[i], wanted->n_checkpoints);
    ok(same == n && !got->interrupted && got->reach == wanted->reach, "%zu of %zu runs are the same", same, n);
    ok(!got->note == !wanted->note && (!got->note || !strcmp(got->note, wanted->note)), "and the note: %s",
       got->note ? got->note : "none");
    spar_results_free(wanted);
}

/* All plans as one list; `bytes`: cells go through their frames. */
static void check_lists(void)
{
    spar_plan plan[] = {plan_of("utility(set=uniform,k=4)", 2, 3, 30000, 3),
                        plan_of("utility(set=uniform,k=4)", 5, 3, 500, 95), plan_of("utility(set=arith)", 2, 2, 1, 7)};
    spar__planned planned[3] = {{.plan = &plan[0]}, {.plan = &plan[1]}, {.plan = &plan[2]}};
    spar__plan_cells cells;
    spar__sweep sweep = {.threads = 2};
    spar_error err = {0};
    ok(spar__plan_cells_init(&cells, planned, 3, &err) == SPAR_OK && cells.n_envs == 2,
       "three plans, two environments");
    ok(cells.cells.n == 9 + 3 + 2, "long runs are cells of their own, short ones share them: %zu", cells.cells.n);
    uint64_t work = 0;
    for (size_t i = 0; i < cells.cells.n; i++)
        work += cells.cells.work(&cells, i);
    ok(work == 9 * 30000 + 95 * 500 + 14, "all rounds are counted");
    ok(spar__sweep_play(&sweep, &cells.cells, &err) == SPAR_OK && !spar__plan_cells_finish(&cells, &err), "played %s",
       err.text);
    for (size_t i = 0; i < 3; i++)
        check_results(&plan[i], planned[i].results);
    spar__sweep_close(&sweep, false);
    spar__plan_cells_fini(&cells);
}

/* Every field that decides the numbers is part of the key. */
static void check_keys(void)
{
    spar_plan first = plan_of("utility", 2, 1, 10, 4);
    const uint64_t snapshot[] = {3};
    spar_plan other[10];
    for (size_t i = 0; i < 10; i++)
        other[i] = first;
    other[0].env = "utility(k=3)";
    other[1].feedback = "pair";
    other[2].policies = policies + 1;
    other[3].m = 3;
    other[4].rounds = 11;
    other[5].seed = 6;
    other[6].regret = SPAR_REGRET_WEAK;
    other[7].stop = "best";
    other[8].strongest = true;
    other[9].snapshot = snapshot;
    other[9].n_snapshots = 1;
    other[9].observer = (spar_observer *)1;
    size_t same = 0;
    spar__buf text[2] = {{0}};
    for (size_t i = 0; i < 10; i++) {
        spar__planned a = {.plan = &first}, b = {.plan = &other[i]};
        spar__plan_cells one, two;
        (void)spar__plan_cells_init(&one, &a, 1, NULL);
        (void)spar__plan_cells_init(&two, &b, 1, NULL);
        spar__buf_clear(&text[0]);
        spar__buf_clear(&text[1]);
        one.cells.text(&one, 0, &text[0]);
        two.cells.text(&two, 0, &text[1]);
        same += !strcmp(text[0].text, text[1].text);
        spar__plan_cells_fini(&one);
        spar__plan_cells_fini(&two);
    }
    ok(same == 0, "ten other plans have other keys");
    spar__buf_free(&text[0]);
    spar__buf_free(&text[1]);
}

static void check_refused(void)
{
    spar_plan plan = plan_of("utility", 2, 2, 10, 4), bad = plan_of("utility", 2, 2, 10, 4);
    static const char *const unknown[] = {"nonsense"};
    bad.policies = unknown;
    bad.n_policies = 1;
    spar__planned planned[] = {{.plan = &plan}, {.plan = &bad}};
    spar__plan_cells cells;
    spar__sweep sweep = {.threads = 1};
    spar_error err = {0};
    ok(!spar__plan_cells_init(&cells, planned, 2, &err) &&
           spar__sweep_play(&sweep, &cells.cells, &err) == SPAR_UNKNOWN && strstr(err.text, "nonsense"),
       "%s", err.text);
    ok(!planned[0].results->run[0].complete, "before anything is played");
    spar__plan_cells_fini(&cells);
    bad.runs = 1;
    bad.rounds = 0;
    planned[1].plan = &bad;
    ok(spar__plan_cells_init(&cells, planned, 2, &err) == SPAR_INVALID, "%s", err.text);
    spar__plan_cells_fini(&cells);
}

int main(void)
{
    check_lists();
    check_keys();
    check_refused();
    return done();
}
