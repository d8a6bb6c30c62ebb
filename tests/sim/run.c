#include "sim/sim.h"

#include "base/buf.h"
#include "base/file.h"
#include "sim/game.h"
#include "sim/lab.h"

#include <unistd.h>

/* The obvious loop: every round's cost in full, each fixed arm's sum apart. */
static void obvious(const spar_plan *plan, const char *spec, uint64_t run, const spar_results *shape,
                    spar__run_numbers *out)
{
    game g = game_open(plan, spec, run, SPAR__PURPOSE_POLICY);
    const spar_world *world = g.world;
    const spar_round *round = g.round;
    bool plain = spar_env_plain(g.env);
    const double *mu = spar_world_utilities(world);
    size_t n = spar_world_arms(world)->n, c = 0;
    double sum = 0, weak = 0, best = 0, tail = 0, tail_best = 0;
    double *fixed = calloc(n, sizeof *fixed);
    for (uint64_t t = 1; t <= plan->rounds; t++) {
        game_play(&g, t);
        double least = 1;
        for (size_t j = 0; j < round->m; j++) {
            double gap = plain ? mu[spar_world_best(world, t)] - mu[round->arm[j]]
                               : spar_world_prefer(world, t, spar_world_best(world, t), round->arm[j]) - 0.5;
            sum += gap;
            least = gap < least ? gap : least;
            best += gap == 0;
            tail += t > plan->rounds - plan->rounds / 10;
            tail_best += gap == 0 && t > plan->rounds - plan->rounds / 10;
            for (size_t i = 0; i < n; i++)
                fixed[i] += plain ? mu[i] - mu[round->arm[j]] : spar_world_prefer(world, t, i, round->arm[j]) - 0.5;
        }
        weak += least;
        double most = fixed[0];
        for (size_t i = 1; i < n; i++)
            most = fixed[i] > most ? fixed[i] : most;
        out->regret = plan->regret == SPAR_REGRET_SUM ? sum : plan->regret == SPAR_REGRET_WEAK ? weak : most;
        if (t == shape->checkpoint[c])
            out->curve[c++] = out->regret;
    }
    out->per_slot = sum;
    out->best_pulls = best;
    out->best_share = tail_best / tail;
    free(fixed);
    game_close(&g);
}

static void regret_kinds(spar_plan plan, const char *where)
{
    static const char *const kind[] = {"sum", "weak", "best fixed"};
    for (int k = 0; k < 3; k++) {
        plan.regret = (spar_regret)k;
        spar_results *results = simulate(&plan);
        double worst = 0;
        bool exact = true;
        for (size_t i = 0; i < results->n_policies * results->runs; i++) {
            double curve[200];
            spar__run_numbers slow = {.curve = curve}, *run = &results->run[i];
            obvious(&plan, plan.policies[i / results->runs], i % results->runs, results, &slow);
            for (size_t c = 0; c < results->n_checkpoints; c++)
                worst = fmax(worst, fabs(curve[c] - run->curve[c]));
            worst = fmax(worst, fmax(fabs(run->regret - slow.regret), fabs(run->per_slot - slow.per_slot)));
            exact = exact && run->best_pulls == slow.best_pulls && run->best_share == slow.best_share &&
                    run->set_size == (double)plan.m && run->curve[results->n_checkpoints - 1] == run->regret;
        }
        near(worst, 0, 1e-10, "%s: %s regret is that of the obvious loop", where, kind[k]);
        ok(exact, "%s: so are the counts (%s)", where, kind[k]);
        spar_results_free(results);
    }
}

static void write_file(const char *path, const char *text)
{
    if (spar__file_write(path, text, strlen(text), NULL)) {
        printf("Bail out! can not write %s\n", path);
        exit(1);
    }
}

/* Two matrices in turn, 30 rounds each: the best arm is another one every time. */
static void regret_of_switching(spar_plan plan)
{
    char one[64], two[64], env[200];
    (void)snprintf(one, sizeof one, "test_simulate.%ld.1", (long)getpid());
    (void)snprintf(two, sizeof two, "test_simulate.%ld.2", (long)getpid());
    (void)snprintf(env, sizeof env, "matrix(files=%s:%s,every=30)", one, two);
    write_file(one, "0.5 0.7 0.9\n0.3 0.5 0.6\n0.1 0.4 0.5\n");
    write_file(two, "0.5 0.4 0.2\n0.6 0.5 0.3\n0.8 0.7 0.5\n");
    plan.env = env;
    regret_kinds(plan, "switching");
    (void)remove(one);
    (void)remove(two);
}

static bool no(void *context, uint64_t done, uint64_t total)
{
    (void)total;
    *(uint64_t *)context = done;
    return false;
}

/* A stop ends a run unless that was its last round. */
static void stopped(uint64_t rounds)
{
    static const uint64_t checkpoint[] = {1, 700};
    spar_plan plan = standard();
    plan.rounds = rounds;
    spar__ready_plan ready;
    (void)spar__plan_ready(&plan, NULL, &ready, NULL);
    uint64_t told = 0;
    double curve[2];
    bool complete = false;
    spar__run_numbers run = {.curve = curve};
    const spar__cell_runs cell = {
        .ready = &ready, .runs = 1, .checkpoint = checkpoint, .run = &run, .progress = no, .context = &told};
    spar_status status = spar__cell_runs_play(&cell, &complete, NULL);
    ok(!status && told == 1 && run.complete == (rounds == 1) && complete == run.complete,
       "stopped after the first of %d rounds", (int)rounds);
    spar__plan_unready(&ready);
}

/* 1 of 16 arms costs nothing, the others P - 1/2 = 0.3: slots are independent. */
static void known_law(void)
{
    static const char *const random[] = {"random"};
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = "utility(set=1good,link=linear)",
                      .policies = random,
                      .n_policies = 1,
                      .m = 4,
                      .rounds = 5000,
                      .runs = 40,
                      .seed = 3,
                      .threads = 2};
    spar_results *results = simulate(&plan);
    spar__summary s;
    (void)spar__results_summary(results, 0, results->n_checkpoints, &s);
    double slots = 4 * 5000, sd = sqrt(slots * 0.09 * 15 / 256);
    near(s.mean, slots * 0.3 * 15 / 16, 5 * sd / sqrt(40), "random: mean regret");
    near(s.sd, sd, 5 * sd / sqrt(2 * 39), "random: sd of the regret");
    double share = 0;
    for (size_t r = 0; r < 40; r++)
        share += results->run[r].best_share / 40;
    near(share, 1.0 / 16, 5 * sqrt(15.0 / 256 / (40 * 4 * 500)), "random: share of the best arm");
    near(results->run[0].best_pulls + results->run[0].regret / 0.3, slots, 1e-6, "random: every slot is accounted for");
    spar_results_free(results);
}

int main(void)
{
    static const char *const bandits[] = {"ucb1", "thompson/beta"};
    spar_plan plan = standard();
    regret_kinds(plan, "duels");
    plan.feedback = "winner(rule=most_wins)";
    regret_kinds(plan, "winners");
    plan.feedback = NULL;
    regret_of_switching(plan);
    plan.env = "rewards(mu=0.8:0.8:0.3)";
    plan.policies = bandits;
    plan.n_policies = 2;
    plan.m = 1;
    regret_kinds(plan, "rewards");
    stopped(1);
    stopped(700);
    known_law();
    return done();
}
