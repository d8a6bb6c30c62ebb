/* Snapshots: what the observer of a plan sees, and that looking changes nothing. */
#include "sim/sim.h"

#include "sim/game.h"
#include "sim/lab.h"

#include <stdatomic.h>
#include <time.h>

enum { ARMS = 16, TIMES = 4 };

static const uint64_t times[TIMES] = {1, 5, 20, 333};

struct album {
    atomic_int inside;
    bool crowded, disordered;
    size_t seen[3];
    double score[3][TIMES][ARMS];
    spar__arm_tally tally[3][TIMES][ARMS];
    size_t fail_at; /* the call that fails, from 1; 0: none */
    size_t calls;
};

static spar_status look(void *context, const spar_snapshot *shot, spar_error *err)
{
    struct album *album = context;
    album->crowded = album->crowded || atomic_fetch_add(&album->inside, 1) > 0;
    (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* time for others to come in */
    if (++album->calls == album->fail_at) {
        (void)atomic_fetch_sub(&album->inside, 1);
        return album->fail_at > 1 ? SPAR_IO : (err->status = SPAR_IO, strcpy(err->text, "blind"), SPAR_IO);
    }
    size_t i = shot->index, k = album->seen[i]++;
    album->disordered =
        album->disordered || k >= TIMES || shot->t != times[k % TIMES] || spar_policy_rounds(shot->policy) != shot->t ||
        strcmp(spar_policy_spec(shot->policy), three[i]) != 0 || spar_world_arms(shot->world)->n != ARMS;
    spar_scratch *scratch = NULL;
    if (k < TIMES && spar_scratch_new(&scratch) == SPAR_OK) {
        (void)spar_policy_score(shot->policy, scratch, spar_arms_count(spar_policy_arms(shot->policy)),
                                album->score[i][k], NULL);
        memcpy(album->tally[i][k], shot->tally, ARMS * sizeof *shot->tally);
    }
    spar_scratch_free(scratch);
    (void)atomic_fetch_sub(&album->inside, 1);
    return SPAR_OK;
}

static spar_plan watched(struct album *album)
{
    spar_plan plan = standard();
    plan.snapshot = times;
    plan.n_snapshots = TIMES;
    plan.observer = look;
    plan.observer_context = album;
    return plan;
}

static bool same_results(const spar_results *a, const spar_results *b)
{
    for (size_t i = 0; i < a->n_policies * a->runs; i++)
        if (!b->run[i].complete || a->run[i].regret != b->run[i].regret ||
            a->run[i].best_pulls != b->run[i].best_pulls || a->run[i].best_share != b->run[i].best_share ||
            memcmp(a->run[i].curve, b->run[i].curve, a->n_checkpoints * sizeof(double)) != 0)
            return false;
    return true;
}

static void looking(void)
{
    spar_plan blind = standard();
    spar_results *results = simulate(&blind);
    static struct album first, album;
    static const size_t threads[] = {1, 3, 8};
    for (size_t i = 0; i < 3; i++) {
        memset(&album, 0, sizeof album);
        spar_plan plan = watched(&album);
        plan.threads = threads[i];
        spar_results *again = simulate(&plan);
        ok(same_results(results, again), "%zu threads: looking changes no result", threads[i]);
        ok(!album.crowded && !album.disordered, "one at a time, in order, at the right moment");
        ok(album.calls == 3 * TIMES, "once for each policy and time, of one run only");
        if (i == 0)
            first = album;
        ok(memcmp(first.score, album.score, sizeof album.score) == 0 &&
               memcmp(first.tally, album.tally, sizeof album.tally) == 0,
           "and always the same sight");
        spar_results_free(again);
    }
    spar_results_free(results);
}

/* The first run played by hand: the same scores and tallies at the same times. */
static void by_hand(uint64_t first_run)
{
    static struct album album;
    memset(&album, 0, sizeof album);
    spar_plan plan = watched(&album);
    plan.first_run = first_run;
    plan.runs = 2;
    spar_results_free(simulate(&plan));
    game g = game_open(&plan, three[1], first_run, SPAR__PURPOSE_POLICY);
    spar__tallies tally = {0};
    size_t k = 0, good = 0;
    for (uint64_t t = 1; t <= times[TIMES - 1]; t++) {
        game_play(&g, t);
        if (spar__tallies_add(&tally, spar_policy_arms(g.policy), g.round, g.feedback))
            exit(1);
        if (t != times[k])
            continue;
        double score[ARMS];
        (void)spar_policy_score(g.policy, g.scratch, spar_arms_count(spar_policy_arms(g.policy)), score, NULL);
        good += memcmp(score, album.score[1][k], sizeof score) == 0 &&
                memcmp(tally.arm, album.tally[1][k], ARMS * sizeof *tally.arm) == 0;
        k++;
    }
    ok(good == TIMES, "run %d is seen as it is played by hand", (int)first_run);
    spar__tallies_free(&tally);
    game_close(&g);
}

static void refused(const char *what, const spar_plan *plan, spar_status wanted, const char *words)
{
    spar_results *results = NULL;
    spar_error err = {0};
    spar_status status = spar_simulate(plan, &results, &err);
    if (!ok(status == wanted && !results && strstr(err.text, words), "refused: %s", what))
        printf("# %d: %s\n", (int)status, err.text);
}

static void failures(void)
{
    static struct album album;
    spar_plan plan = watched(&album);
    for (size_t k = 1; k <= 3; k++) {
        album = (struct album){.fail_at = k};
        refused("an observer that fails", &plan, SPAR_IO, k == 1 ? "random, run 0: blind" : "run 0: ");
    }
    static const uint64_t wrong[][2] = {{0, 5}, {5, 5}, {9, 5}, {5, 701}};
    for (size_t i = 0; i < 4; i++) {
        plan.snapshot = wrong[i];
        plan.n_snapshots = 2;
        refused("rounds that are none, or not ascending", &plan, SPAR_INVALID, "from 1 to 700");
    }
    plan.snapshot = times;
    plan.observer = NULL;
    refused("nobody to look", &plan, SPAR_INVALID, "observer");
}

int main(void)
{
    looking();
    by_hand(0);
    by_hand(5);
    failures();
    return done();
}
