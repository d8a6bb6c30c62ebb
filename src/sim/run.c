/* run.c - a cell's runs, one after the other, and their rounds.
 *
 * The chain is plan -> cell -> run -> round. A cell is one policy of a plan over some of its runs (plan.c makes them,
 * sweep.c hands them to threads); it is played here on one thread. A round is choose, answer, learn, account. A run
 * shares nothing with the others but what is constant, and writes to its own place in the results, so it does not
 * matter where and when it is played. A run allocates at its start, its rounds do not. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "sim/sim.h"
#include "types/arms.h"

#include <math.h>

/* --- what happened to each arm --- */

static spar_status fit(spar__tallies *tally, size_t n)
{
    if (n <= tally->n)
        return SPAR_OK;
    spar__arm_tally *arm = spar__realloc(tally->arm, tally->n, n, sizeof *arm);
    if (!arm)
        return SPAR_NOMEM;
    tally->arm = arm;
    tally->n = n;
    return SPAR_OK;
}

static void count(spar__arm_tally *arm, double reward)
{
    arm->won += reward;
    arm->lost += 1 - reward;
}

spar_status spar__tallies_add(spar__tallies *tally, const spar_arms *arms, const spar_round *round,
                              const spar_feedback *feedback)
{
    if (fit(tally, arms->n))
        return SPAR_NOMEM;
    size_t m = round->m;
    for (size_t j = 0; j < m; j++) {
        /* The arm of a slot; arms->n for a point of a continuous space that was not answered and so became none. */
        size_t at = round->arm[j] != SPAR_FRESH ? round->arm[j] : spar__arm_at(arms, 0, round->x + j * round->dim);
        if (at == arms->n)
            continue;
        spar__arm_tally *arm = &tally->arm[at];
        arm->plays++;
        if (feedback->rewarded[j])
            count(arm, feedback->reward[j]);
        for (size_t k = 0; k < m; k++)
            if (k != j && feedback->outcome[j * m + k] != SPAR_MISSING)
                count(arm, spar__reward(feedback->outcome[j * m + k]));
    }
    return SPAR_OK;
}

void spar__tallies_free(spar__tallies *tally)
{
    spar__free(tally->arm);
    *tally = (spar__tallies){0};
}

/* --- one run --- */

/* Everything a run works with. */
struct run {
    const spar__cell_runs *cell;
    const spar_plan *plan;
    uint64_t number;
    spar_world *world;
    spar_policy *policy;
    spar_rng rng;
    spar_scratch *scratch; /* these three are used again in every run of a cell */
    spar_round *round;
    spar_feedback *feedback;
    spar__account account;
    spar__watch watch;
    bool watched;        /* the watch has something to look at */
    uint64_t t;          /* rounds played */
    uint64_t before;     /* rounds of the cell before this run */
    size_t snapshots;    /* to be taken of this run: all of the plan's, or none */
    size_t taken;        /* of these, so far */
    spar__tallies tally; /* kept while there are more to come */
};

/* The clock is read after a number of rounds: as many as fit between LEAST and MOST nanoseconds, so that fast rounds
 * are not slowed down and a stop does not wait long for slow ones. */
struct pace {
    uint64_t rounds;
    double last;
};

enum { LEAST = 2000000, MOST = 20000000, LONGEST = 1 << 20 };

static void adjust(struct pace *pace)
{
    double now = spar__clock_wall(), took = now - pace->last;
    if (took < LEAST && pace->rounds < LONGEST)
        pace->rounds *= 2;
    else if (took > MOST && pace->rounds > 1)
        pace->rounds /= 2;
    pace->last = now;
}

spar_status spar__run_policy(const spar_plan *plan, size_t index, const spar_world *world, uint64_t run, spar_rng *rng,
                             spar_policy **out, spar_error *err)
{
    const char *spec = plan->policies[index];
    spar_rng_seed(rng, plan->seed, run, SPAR__PURPOSE_POLICY);
    if (plan->custom && plan->custom[index])
        return spar_policy_new_custom(spec, plan->custom[index], spar_world_arms(world), plan->m,
                                      spar__plan_horizon(plan), rng, out, err);
    return spar_policy_new(spec, spar_world_arms(world), plan->m, spar__plan_horizon(plan), rng, out, err);
}

static spar_status begin(struct run *run, spar_error *err)
{
    const spar_plan *plan = run->plan;
    const spar__stop_rule *rule = run->cell->ready->rule;
    run->snapshots = plan->every_run || run->number == plan->first_run ? plan->n_snapshots : 0;
    spar_status status = spar_world_new(run->cell->ready->env, plan->seed, run->number, &run->world, err);
    if (!status)
        status = spar__run_policy(plan, run->cell->policy, run->world, run->number, &run->rng, &run->policy, err);
    if (status)
        return status;
    run->watched = rule || plan->identify;
    if (spar__account_init(&run->account, run->world, plan->regret, plan->m) ||
        (run->watched && spar__watch_init(&run->watch, run->world, rule, plan->identify, plan->strongest)))
        return spar__fail_memory(err);
    return SPAR_OK;
}

/* Plays until `until` rounds were played, or a decision ends the run. */
static spar_status advance(struct run *run, uint64_t until, spar_error *err)
{
    const spar_user *user = run->cell->ready->user;
    spar_round *round = run->round;
    spar_feedback *feedback = run->feedback;
    spar_status status = SPAR_OK;
    for (uint64_t t = run->t + 1; !status && t <= until && !spar__watch_ended(&run->watch); t++) {
        status = spar_policy_choose(run->policy, run->scratch, &run->rng, round, err);
        if (!status)
            status = spar_user_answer(user, run->world, t, round, feedback);
        if (!status)
            status = spar_policy_learn(run->policy, round, feedback, err);
        if (!status)
            spar__account_round(&run->account, t, round);
        if (!status && run->taken < run->snapshots)
            status = spar__tallies_add(&run->tally, spar_policy_arms(run->policy), round, feedback);
        if (!status && run->watched)
            status = spar__watch_answer(&run->watch, t, round, feedback);
        run->t = t;
    }
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The round of the next snapshot. */
static uint64_t next_snapshot(const struct run *run)
{
    return run->taken < run->snapshots ? run->plan->snapshot[run->taken] : UINT64_MAX;
}

/* The observer is called by one thread at a time. */
static spar_status take_snapshot(struct run *run, spar_error *err)
{
    const spar__cell_runs *cell = run->cell;
    spar_snapshot snapshot = {cell->policy, run->number, run->t, run->policy, run->world, run->tally.arm};
    run->taken++;
    if (cell->observing)
        (void)pthread_mutex_lock(cell->observing);
    spar_status status = run->plan->observer(run->plan->observer_context, &snapshot, err);
    if (cell->observing)
        (void)pthread_mutex_unlock(cell->observing);
    return status && !err->status ? spar__fail(err, status, "%s", spar_status_text(status)) : status;
}

/* false: the cell is to stop. */
static bool tell(const struct run *run, uint64_t rounds)
{
    const spar__cell_runs *cell = run->cell;
    return !cell->progress || cell->progress(cell->context, run->before + rounds, cell->runs * run->plan->rounds);
}

/* What the account and the watch have; the list of flips changes hands. */
static void take_numbers(struct run *run, uint64_t slots, uint64_t best, spar__run_numbers *out)
{
    spar__account *account = &run->account;
    spar__watch *watch = &run->watch;
    out->regret = spar__account_regret(account);
    out->per_slot = spar__account_per_slot(account);
    out->best_share = spar__account_best_share(account, slots, best);
    out->best_pulls = isnan(out->best_share) ? (double)NAN : (double)account->best;
    out->set_size = (double)account->slots / (double)run->t;
    out->redrawn = spar_world_redrawn(run->world);
    out->played = run->t;
    out->decided = watch->decided;
    out->right = watch->decided && spar__watch_right(watch);
    out->flip = watch->readout.flip;
    out->flips = watch->readout.flips;
    watch->readout.flip = NULL;
    out->complete = true;
}

/* From checkpoint to checkpoint, with stops where the last tenth begins, for snapshots, and where the clock is due. */
static spar_status all_rounds(struct run *run, spar__run_numbers *out, spar_error *err)
{
    const uint64_t *checkpoint = run->cell->checkpoint;
    spar__account *account = &run->account;
    uint64_t rounds = run->plan->rounds, tail = rounds - (rounds < 10 ? 1 : rounds / 10);
    struct pace pace = {1, spar__clock_wall()};
    spar_error why = {0};
    uint64_t due = 1, slots = 0, best = 0;
    size_t c = 0;
    while (run->t < rounds && !spar__watch_ended(&run->watch)) {
        uint64_t until = least(least(checkpoint[c], due), next_snapshot(run));
        spar_status status = advance(run, run->t < tail ? least(until, tail) : until, &why);
        if (status) {
            return spar__fail(err, status, "round %llu: %s", (unsigned long long)run->t,
                              why.status == status ? why.text : spar_status_text(status));
        }
        if (run->t == next_snapshot(run) && (status = take_snapshot(run, err)))
            return status;
        if (run->t == tail) {
            slots = account->slots;
            best = account->best;
        }
        if (run->t == checkpoint[c])
            out->curve[c++] = spar__account_regret(account);
        if (run->t == due || run->t == rounds) {
            if (!tell(run, run->t) && run->t < rounds)
                return SPAR_OK;
            adjust(&pace);
            due += pace.rounds;
        }
    }
    take_numbers(run, account->slots > slots ? slots : 0, account->slots > slots ? best : 0, out);
    for (; c == 0 || checkpoint[c - 1] < rounds; c++)
        out->curve[c] = out->regret;
    if (run->t < rounds)
        (void)tell(run, rounds);
    return SPAR_OK;
}

/* --- the runs of a cell --- */

/* Writes to its place in the results once: other runs are near. */
static spar_status play_run(const spar__cell_runs *cell, uint64_t r, struct run run, spar_error *err)
{
    double start = spar__clock_thread();
    spar_error why = {0};
    run.number = run.plan->first_run + cell->from + r;
    run.before = r * run.plan->rounds;
    spar__run_numbers out = {.curve = cell->run[r].curve};
    spar_status status = begin(&run, &why);
    if (!status)
        status = all_rounds(&run, &out, &why);
    out.seconds = 1e-9 * (spar__clock_thread() - start);
    if (!status && out.complete && cell->accuracy && r == 0)
        out.accuracy = spar_policy_accuracy(run.policy);
    spar__tallies_free(&run.tally);
    if (run.watched)
        spar__watch_fini(&run.watch);
    spar__account_fini(&run.account);
    spar_policy_free(run.policy);
    spar_world_free(run.world);
    spar__free(cell->run[r].flip);
    cell->run[r] = out;
    return status ? spar__fail(err, status, "%s, run %llu: %s", run.plan->policies[cell->policy],
                               (unsigned long long)run.number, why.text)
                  : SPAR_OK;
}

spar_status spar__cell_runs_play(const spar__cell_runs *cell, bool *complete, spar_error *err)
{
    struct run run = {.cell = cell, .plan = cell->ready->plan};
    spar_status status = SPAR_OK;
    *complete = true;
    if (spar_scratch_new(&run.scratch) || spar_round_new(run.plan->m, &run.round) ||
        spar_feedback_new(run.plan->m, &run.feedback))
        status = spar__fail_memory(err);
    for (uint64_t r = 0; !status && *complete && r < cell->runs; r++) {
        status = play_run(cell, r, run, err);
        *complete = cell->run[r].complete;
    }
    *complete &= !status;
    spar_feedback_free(run.feedback);
    spar_round_free(run.round);
    spar_scratch_free(run.scratch);
    return status;
}
