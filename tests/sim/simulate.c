#include "sim/sim.h"

#include "base/alloc.h"
#include "sim/lab.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const four[] = {"sparring/exp3", "random", "ind_self_sparring(eta=1)", "sparring/ucb1"};

/* Bit by bit, but for the time it took. */
static bool same_run(const spar__run_numbers *a, const spar__run_numbers *b, size_t n)
{
    return a->complete == b->complete && a->regret == b->regret && a->per_slot == b->per_slot &&
           a->best_share == b->best_share && a->best_pulls == b->best_pulls && a->set_size == b->set_size &&
           memcmp(a->curve, b->curve, n * sizeof *a->curve) == 0;
}

/* Runs of policy i of a are those of policy i + shift of b. */
static bool same(const spar_results *a, const spar_results *b, size_t shift)
{
    bool good = a->runs == b->runs && a->n_checkpoints == b->n_checkpoints && a->interrupted == b->interrupted;
    for (size_t i = 0; good && i < a->n_policies; i++)
        for (size_t r = 0; r < a->runs; r++)
            good = good && same_run(&a->run[i * a->runs + r], &b->run[(i + shift) * b->runs + r], a->n_checkpoints);
    return good;
}

static void threads_and_company(void)
{
    spar_plan plan = standard();
    spar_results *one = simulate(&plan);
    ok(!one->interrupted && one->run[20].complete && one->run[20].regret > 0, "all runs are complete");
    ok(!same_run(&one->run[0], &one->run[1], one->n_checkpoints), "runs differ");
    static const size_t threads[] = {2, 5, 0};
    for (size_t i = 0; i < 3; i++) {
        plan.threads = threads[i];
        spar_results *many = simulate(&plan);
        ok(same(one, many, 0), "%zu threads give the same bytes as one", threads[i]);
        spar_results_free(many);
    }
    plan.policies = four;
    plan.n_policies = 4;
    spar_results *more = simulate(&plan);
    ok(same(one, more, 1), "another policy changes nothing for the others");
    plan.horizon = 0;
    spar_results *anytime = simulate(&plan);
    ok(anytime->run[0].regret != more->run[0].regret, "exp3 plays differently when the horizon is unknown");
    plan.horizon = plan.rounds;
    spar_results *told = simulate(&plan);
    ok(same(told, more, 0), "and the same when it is told");
    spar_results_free(told);
    spar_results_free(anytime);
    spar_results_free(more);
    spar_results_free(one);
}

/* Runs 3 to 6 of a plan are the same whether those before them are played or not. */
static void later_runs(void)
{
    spar_plan plan = standard();
    spar_results *whole = simulate(&plan);
    plan.first_run = 3;
    plan.runs = 4;
    spar_results *part = simulate(&plan);
    bool good = true;
    for (size_t i = 0; i < 3; i++)
        for (size_t r = 0; r < 4; r++)
            good = good && same_run(&part->run[4 * i + r], &whole->run[7 * i + 3 + r], whole->n_checkpoints);
    ok(good, "a plan may begin with a later run");
    spar_results_free(part);
    spar_results_free(whole);
}

struct watch {
    uint64_t stop_at, last, calls;
    bool backwards;
};

static bool watch(void *context, uint64_t played, uint64_t total)
{
    struct watch *w = context;
    w->backwards = w->backwards || played < w->last || played > total;
    w->last = played;
    w->calls++;
    return played < w->stop_at;
}

static size_t complete(const spar_results *results)
{
    size_t n = 0;
    for (size_t i = 0; i < results->n_policies * results->runs; i++)
        n += results->run[i].complete;
    return n;
}

static void interruption(void)
{
    spar_plan plan = standard();
    spar_results *whole = simulate(&plan);
    struct watch stop = {.stop_at = 7 * plan.rounds};
    plan.progress = watch;
    plan.context = &stop;
    spar_results *part = simulate(&plan);
    bool good = true;
    for (size_t i = 0; i < 21; i++)
        good = good && (!part->run[i].complete || same_run(&part->run[i], &whole->run[i], whole->n_checkpoints));
    ok(part->interrupted && complete(part) == 7, "a stop after seven runs keeps seven");
    ok(good && part->run[2].complete && part->run[8].complete && !part->run[9].complete,
       "the first ones, as they were");
    spar__summary s;
    double two[] = {whole->run[7].regret, whole->run[8].regret};
    ok(spar__results_summary(part, 1, part->n_checkpoints, &s) == SPAR_OK && s.n == 2, "only these are summarised");
    near(s.mean, (two[0] + two[1]) / 2, 1e-12, "their mean");
    spar_results_free(part);

    stop = (struct watch){.stop_at = 2};
    plan.rounds = 1;
    part = simulate(&plan);
    ok(part->interrupted && complete(part) == 2, "no run begins after a stop");
    spar_results_free(part);

    stop = (struct watch){.stop_at = 1};
    plan.threads = 3;
    plan.rounds = 200000000; /* would take minutes */
    part = simulate(&plan);
    ok(part->interrupted && complete(part) == 0, "a stop is felt in the midst of runs");
    ok(spar__results_summary(part, 0, 0, &s) == SPAR_OK && s.n == 0, "nothing to summarise");
    ok(spar__results_summary(part, 3, 0, &s) == SPAR_INVALID, "no such policy to summarise");
    spar_results_free(part);

    stop = (struct watch){.stop_at = UINT64_MAX};
    plan.rounds = 700;
    part = simulate(&plan);
    ok(!part->interrupted && same(part, whole, 0), "being watched changes nothing");
    ok(!stop.backwards && stop.calls >= 1 && stop.last == 21 * 700, "progress goes forward to the end");
    spar_results_free(part);
    spar_results_free(whole);
}

static void refused(const char *what, spar_plan plan, spar_status wanted, const char *words)
{
    spar_results *results = (spar_results *)&plan;
    spar_error err = {0};
    spar_status status = spar_simulate(&plan, &results, &err);
    if (!ok(status == wanted && !results && strstr(err.text, words), "refused: %s", what))
        printf("# %d: %s\n", (int)status, err.text);
}

static void refusals(void)
{
    static const char *const wrong[] = {"random", "randon"}, *const bandit[] = {"ucb1"};
    spar_plan plan = standard(), p = plan;
    p.m = 0, refused("no slots", p, SPAR_INVALID, "m must be");
    p = plan, p.rounds = 0, refused("no rounds", p, SPAR_INVALID, "rounds");
    p = plan, p.runs = 0, refused("no runs", p, SPAR_INVALID, "runs");
    p = plan, p.n_policies = 0, refused("no policies", p, SPAR_INVALID, "no policy");
    p = plan, p.rounds = UINT64_MAX, refused("too many rounds", p, SPAR_INVALID, "counted");
    p = plan, p.first_run = UINT64_MAX, refused("runs beyond number", p, SPAR_INVALID, "counted");
    p = plan, p.runs = 100000000, refused("more runs than memory should hold", p, SPAR_INVALID, "fewer runs");
    p = plan, p.regret = (spar_regret)6, refused("no such regret", p, SPAR_INVALID, "regret");
    p = plan, p.env = "utilty", refused("no such environment", p, SPAR_UNKNOWN, "utilty");
    p = plan, p.feedback = "al_pairs", refused("no such feedback", p, SPAR_UNKNOWN, "al_pairs");
    p = plan, p.policies = wrong, p.n_policies = 2, refused("no such policy", p, SPAR_UNKNOWN, "randon");
    p = plan, p.m = 1, refused("one slot for a dueling policy", p, SPAR_INVALID, "at least 2");
    p = plan, p.policies = bandit, p.n_policies = 1;
    refused("a plain bandit where arms are compared", p, SPAR_UNSUPPORTED, "sparring/ucb1");
    p.env = "rewards(mu=0.8:0.5)";
    refused("three slots where there are rewards", p, SPAR_INVALID, "m must be 1");
    p.policies = three, p.m = 1, refused("a dueling policy where there are rewards", p, SPAR_UNSUPPORTED, "thompson");
    p = plan, p.env = "function(box=1)", refused("arms for a box", p, SPAR_UNSUPPORTED, "finite set of arms");
    for (p.regret = SPAR_REGRET_BEST_FIXED; p.regret <= SPAR_REGRET_VON_NEUMANN; p.regret++)
        refused("a regret that needs a list of arms, in a box", p, SPAR_UNSUPPORTED, "list of arms");
    p = plan, p.policies = bandit, p.n_policies = 1, p.m = 1, p.env = "rewards(mu=0.8:0.5)";
    for (p.regret = SPAR_REGRET_BORDA; p.regret <= SPAR_REGRET_VON_NEUMANN; p.regret++)
        refused("a regret that compares arms, with rewards", p, SPAR_UNSUPPORTED, "it gives rewards");
    p = plan, p.env = "utility(k=4097)", p.regret = SPAR_REGRET_BORDA;
    refused("all pairs of many arms", p, SPAR_UNSUPPORTED, "4096 arms");
}

/* Eight arms that each beat the next three: most subsets of three have no winner. */
static void notes(void)
{
    char path[] = "simulateXXXXXX", env[64];
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    for (size_t i = 0; file && i < 64; i++) {
        size_t d = (i % 8 + 8 - i / 8) % 8;
        (void)fprintf(file, "%s%s", d % 4 == 0 ? "0.5" : d < 4 ? "0.7" : "0.3", i % 8 == 7 ? "\n" : " ");
    }
    if (file)
        (void)fclose(file);
    (void)snprintf(env, sizeof env, "matrix(file=%s,subset=3)", path);
    spar_plan plan = standard();
    plan.env = env;
    plan.runs = 40;
    plan.rounds = 10;
    spar_results *results = simulate(&plan);
    unsigned long long redrawn = 0, drawn = 0, sum = 0;
    bool same = true;
    for (size_t r = 0; r < 40; r++) {
        sum += results->run[r].redrawn;
        same = same && results->run[r].redrawn == results->run[40 + r].redrawn;
    }
    ok(results->note && sscanf(results->note, "%llu of %llu random subsets", &redrawn, &drawn) == 2 && redrawn == sum &&
           drawn == sum + 40 && sum > 20,
       "note: %s", results->note);
    ok(same, "policies play the same subsets");
    spar_results_free(results);
    (void)unlink(path);
    plan = standard();
    plan.runs = 1;
    results = simulate(&plan);
    ok(!results->note, "no note where there is nothing to say");
    spar_results_free(results);
}

static size_t allocations(spar_plan *plan)
{
    spar__alloc_fail_at(0);
    spar_results_free(simulate(plan));
    return spar__alloc_count();
}

static void memory(void)
{
    spar_plan plan = standard();
    plan.runs = 1;
    plan.rounds = 2000;
    size_t few = allocations(&plan);
    plan.rounds = 200000;
    ok(allocations(&plan) == few, "rounds allocate nothing (%zu allocations)", few);

    plan.rounds = 20;
    plan.runs = 2;
    plan.regret = SPAR_REGRET_BEST_FIXED;
    size_t calls = allocations(&plan);
    bool good = true;
    for (size_t k = 1; k <= calls; k++) {
        spar_results *results = (spar_results *)&plan;
        spar_error err = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar_simulate(&plan, &results, &err);
        good = good && status == SPAR_NOMEM && !results && strstr(err.text, "memory");
        spar_results_free(results);
    }
    spar__alloc_fail_at(0);
    ok(good, "each of %zu allocations may fail", calls);
}

int main(void)
{
    threads_and_company();
    later_runs();
    interruption();
    refusals();
    notes();
    memory();
    return done();
}
