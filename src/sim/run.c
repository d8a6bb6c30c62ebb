#include "base/alloc.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include "types/points.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

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

/* The arm of a slot; arms->n for a point of a continuous space that was not answered and so became none. */
static size_t arm_of(const spar_arms *arms, const spar_round *round, size_t j)
{
    return round->arm[j] != SPAR_FRESH ? round->arm[j] : spar__arm_at(arms, 0, round->x + j * round->dim);
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
        size_t at = arm_of(arms, round, j);
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

/* Everything a run works with. */
struct play {
    const spar__lab *lab;
    size_t index; /* of the policy */
    uint64_t run;
    spar_world *world;
    spar_policy *policy;
    spar_rng rng;
    spar__tools *tools;
    spar__account account;
    spar__watch watch;
    bool watched;        /* the watch has something to look at */
    uint64_t t;          /* rounds played */
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

/* The policy of a run, its rng started as the run will go on with it. The rng is the same for every policy, so that
 * adding one changes nothing for the others. */
static spar_status run_policy(const spar__lab *lab, size_t index, const spar_world *world, uint64_t run, spar_rng *rng,
                              spar_policy **out, spar_error *err)
{
    const spar_plan *plan = lab->plan;
    const char *spec = plan->policies[index];
    spar_rng_seed(rng, plan->seed, run, SPAR__PURPOSE_POLICY);
    if (plan->custom && plan->custom[index])
        return spar_policy_new_custom(spec, plan->custom[index], spar_world_arms(world), plan->m,
                                      spar__plan_horizon(plan), rng, out, err);
    return spar_policy_new(spec, spar_world_arms(world), plan->m, spar__plan_horizon(plan), rng, out, err);
}

static spar_status get_tools(spar__tools *tools, size_t m)
{
    return (!tools->scratch && spar_scratch_new(&tools->scratch)) ||
                   (!tools->round && spar_round_new(m, &tools->round)) ||
                   (!tools->feedback && spar_feedback_new(m, &tools->feedback))
               ? SPAR_NOMEM
               : SPAR_OK;
}

void spar__tools_fini(spar__tools *tools)
{
    spar_feedback_free(tools->feedback);
    spar_round_free(tools->round);
    spar_scratch_free(tools->scratch);
}

static spar_status begin(struct play *play, uint64_t run, spar_error *err)
{
    const spar__lab *lab = play->lab;
    const spar_plan *plan = lab->plan;
    play->run = run;
    play->snapshots = plan->every_run || run == plan->first_run ? plan->n_snapshots : 0;
    spar_status status = spar_world_new(lab->env, plan->seed, run, &play->world, err);
    if (!status)
        status = run_policy(lab, play->index, play->world, run, &play->rng, &play->policy, err);
    if (status)
        return status;
    play->watched = lab->stop || plan->identify;
    if (get_tools(play->tools, plan->m) || spar__account_init(&play->account, play->world, plan->regret, plan->m) ||
        (play->watched && spar__watch_init(&play->watch, play->world, lab->stop, plan->identify, plan->strongest)))
        return spar__fail_memory(err);
    return SPAR_OK;
}

static void end(struct play *play)
{
    spar__tallies_free(&play->tally);
    spar__watch_fini(&play->watch);
    spar__account_fini(&play->account);
    spar_policy_free(play->policy);
    spar_world_free(play->world);
}

/* Plays until `until` rounds were played, or a decision ends the run. */
static spar_status advance(struct play *play, uint64_t until, spar_error *err)
{
    const spar_user *user = play->lab->user;
    spar_scratch *scratch = play->tools->scratch;
    spar_round *round = play->tools->round;
    spar_feedback *feedback = play->tools->feedback;
    spar_status status = SPAR_OK;
    for (uint64_t t = play->t + 1; !status && t <= until && !spar__watch_ended(&play->watch); t++) {
        status = spar_policy_choose(play->policy, scratch, &play->rng, round, err);
        if (!status)
            status = spar_user_answer(user, play->world, t, round, feedback);
        if (!status)
            status = spar_policy_learn(play->policy, round, feedback, err);
        if (!status)
            spar__account_round(&play->account, t, round);
        if (!status && play->taken < play->snapshots)
            status = spar__tallies_add(&play->tally, spar_policy_arms(play->policy), round, feedback);
        if (!status && play->watched)
            status = spar__watch_answer(&play->watch, t, round, feedback);
        play->t = t;
    }
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The round of the next snapshot. */
static uint64_t next_snapshot(const struct play *play)
{
    return play->taken < play->snapshots ? play->lab->plan->snapshot[play->taken] : UINT64_MAX;
}

static spar_status take_snapshot(struct play *play, spar_error *err)
{
    spar_snapshot snapshot = {play->index, play->run, play->t, play->policy, play->world, play->tally.arm};
    play->taken++;
    return play->lab->observer(play->lab->context, &snapshot, err);
}

static spar_status fail_round(const struct play *play, spar_status status, const spar_error *why, spar_error *err)
{
    return spar__fail(err, status, "round %llu: %s", (unsigned long long)play->t,
                      why->status == status ? why->text : spar_status_text(status));
}

/* What the watch saw; its list of flips changes hands. */
static void take_decision(struct play *play, spar__run_numbers *out)
{
    spar__watch *watch = &play->watch;
    out->decided = watch->decided;
    out->right = watch->decided && spar__watch_right(watch);
    out->flip = watch->readout.flip;
    out->flips = watch->readout.flips;
    watch->readout.flip = NULL;
}

static void take_numbers(struct play *play, uint64_t slots, uint64_t best, spar__run_numbers *out)
{
    spar__account *account = &play->account;
    out->regret = spar__account_regret(account);
    out->per_slot = spar__account_per_slot(account);
    out->best_share = spar__account_best_share(account, slots, best);
    out->best_pulls = isnan(out->best_share) ? (double)NAN : (double)account->best;
    out->set_size = (double)account->slots / (double)play->t;
    out->redrawn = spar_world_redrawn(play->world);
    out->played = play->t;
    take_decision(play, out);
    out->complete = true;
}

/* From checkpoint to checkpoint, with stops where the last tenth begins, for snapshots, and where the clock is due. */
static spar_status all_rounds(struct play *play, spar__run_numbers *out, spar_error *err)
{
    const spar__lab *lab = play->lab;
    spar__account *account = &play->account;
    uint64_t rounds = lab->plan->rounds, tail = rounds - (rounds < 10 ? 1 : rounds / 10);
    struct pace pace = {1, spar__clock_wall()};
    spar_error why = {0};
    uint64_t due = 1, told = 0, slots = 0, best = 0;
    size_t c = 0;
    while (play->t < rounds && !spar__watch_ended(&play->watch)) {
        uint64_t until = least(least(lab->checkpoint[c], due), next_snapshot(play));
        spar_status status = advance(play, play->t < tail ? least(until, tail) : until, &why);
        if (status)
            return fail_round(play, status, &why, err);
        if (play->t == next_snapshot(play) && (status = take_snapshot(play, err)))
            return status;
        if (play->t == tail) {
            slots = account->slots;
            best = account->best;
        }
        if (play->t == lab->checkpoint[c])
            out->curve[c++] = spar__account_regret(account);
        if (play->t == due || play->t == rounds) {
            if (!lab->pulse(lab->context, play->t - told) && play->t < rounds)
                return SPAR_OK;
            told = play->t;
            adjust(&pace);
            due += pace.rounds;
        }
    }
    take_numbers(play, account->slots > slots ? slots : 0, account->slots > slots ? best : 0, out);
    for (; c == 0 || lab->checkpoint[c - 1] < rounds; c++)
        out->curve[c] = out->regret;
    if (told < rounds)
        (void)lab->pulse(lab->context, rounds - told);
    return SPAR_OK;
}

spar_status spar__run(const spar__lab *lab, size_t index, uint64_t run, spar__tools *tools, spar__run_numbers *out,
                      spar_error *err)
{
    struct play play = {.lab = lab, .index = index, .tools = tools};
    double start = spar__clock_thread();
    spar_status status = begin(&play, run, err);
    if (!status)
        status = all_rounds(&play, out, err);
    out->seconds = 1e-9 * (spar__clock_thread() - start);
    if (!status && out->complete && run == lab->plan->first_run)
        out->accuracy = spar_policy_accuracy(play.policy);
    end(&play);
    return status;
}

/* The laboratory. A job is one policy in one run; job i is policy i mod n in run i / n, so that a simulation that is
 * stopped has whole runs of every policy. A job shares nothing with the others but what is constant, a counter of
 * rounds and a flag that says stop; it writes to its own place in the results. */

enum { QUIET = 20000000 }; /* nanoseconds between two reports within runs */

static const double MOST_BYTES =
    4e9; /* of results: beyond, the system may kill the program instead of refusing memory */

struct simulation {
    spar__lab lab;
    spar_results *results;
    spar__tools *tools;                   /* of each worker */
    uint64_t total;                       /* rounds of all jobs */
    alignas(64) _Atomic(uint64_t) played; /* of these, so far */
    alignas(64) atomic_bool stop;
    alignas(64) pthread_mutex_t lock; /* guards what follows, and calls of the caller's functions */
    double reported;                  /* when it was last called */
    size_t failed_job;
    spar_error failure; /* of the first job that failed */
};

/* Tells the caller how far it is, unless another thread is just doing that. */
static void report(struct simulation *sim, double quiet)
{
    const spar_plan *plan = sim->lab.plan;
    if (!plan->progress || pthread_mutex_trylock(&sim->lock))
        return;
    if (spar__clock_wall() - sim->reported >= quiet && !atomic_load_explicit(&sim->stop, memory_order_relaxed)) {
        uint64_t played = atomic_load_explicit(&sim->played, memory_order_relaxed);
        if (!plan->progress(plan->context, played, sim->total))
            atomic_store_explicit(&sim->stop, true, memory_order_relaxed);
        sim->reported = spar__clock_wall();
    }
    (void)pthread_mutex_unlock(&sim->lock);
}

static bool pulse(void *context, uint64_t rounds)
{
    struct simulation *sim = context;
    (void)atomic_fetch_add_explicit(&sim->played, rounds, memory_order_relaxed);
    report(sim, QUIET);
    return !atomic_load_explicit(&sim->stop, memory_order_relaxed);
}

/* One thread at a time, never during a report. */
static spar_status observe(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    struct simulation *sim = context;
    const spar_plan *plan = sim->lab.plan;
    (void)pthread_mutex_lock(&sim->lock);
    spar_status status = plan->observer(plan->observer_context, snapshot, err);
    (void)pthread_mutex_unlock(&sim->lock);
    return status && !err->status ? spar__fail(err, status, "%s", spar_status_text(status)) : status;
}

static void fail(struct simulation *sim, size_t job, const char *policy, uint64_t run, const spar_error *err)
{
    (void)pthread_mutex_lock(&sim->lock);
    if (!sim->failure.status || job < sim->failed_job) {
        sim->failed_job = job;
        (void)spar__fail(&sim->failure, err->status, "%s, run %llu: %s", policy, (unsigned long long)run, err->text);
    }
    (void)pthread_mutex_unlock(&sim->lock);
    atomic_store_explicit(&sim->stop, true, memory_order_relaxed);
}

static void run_job(void *context, size_t job, size_t worker)
{
    struct simulation *sim = context;
    if (atomic_load_explicit(&sim->stop, memory_order_relaxed))
        return;
    spar_results *results = sim->results;
    size_t policy = job % results->n_policies, place = job / results->n_policies;
    const char *spec = sim->lab.plan->policies[policy];
    uint64_t run = sim->lab.plan->first_run + place;
    spar_error err = {0};
    spar__run_numbers *slot = &results->run[policy * results->runs + place], result = {.curve = slot->curve};
    spar_status status = spar__run(&sim->lab, policy, run, &sim->tools[worker], &result, &err);
    *slot = result; /* written once: other runs are near */
    if (status)
        fail(sim, job, spec, run, &err);
    else
        report(sim, 0);
}

static spar_status check_snapshots(const spar_plan *plan, spar_error *err)
{
    if (plan->n_snapshots > 0 && !plan->observer)
        return spar__fail(err, SPAR_INVALID, "snapshots need an observer");
    for (size_t i = 0; i < plan->n_snapshots; i++)
        if (!plan->snapshot || plan->snapshot[i] > plan->rounds || plan->snapshot[i] <= (i ? plan->snapshot[i - 1] : 0))
            return spar__fail(err, SPAR_INVALID, "snapshots must be ascending rounds from 1 to %llu",
                              (unsigned long long)plan->rounds);
    return SPAR_OK;
}

static spar_status check_names(const spar_plan *plan, spar_error *err)
{
    if (!plan->env)
        return spar__fail(err, SPAR_INVALID, "the plan has no environment: env is NULL");
    for (size_t i = 0; i < plan->n_policies; i++)
        if (!plan->policies || !plan->policies[i])
            return spar__fail(err, SPAR_INVALID, "policy %zu of the plan is NULL", i + 1);
    return SPAR_OK;
}

spar_status spar__plan_check(const spar_plan *plan, uint64_t *total, spar_error *err)
{
    if (plan->n_policies < 1)
        return spar__fail(err, SPAR_INVALID, "there is no policy to run");
    if (check_names(plan, err))
        return SPAR_INVALID;
    if (plan->m < 1)
        return spar__fail(err, SPAR_INVALID, "m must be at least 1");
    if (plan->rounds < 1)
        return spar__fail(err, SPAR_INVALID, "the number of rounds must be at least 1");
    if (plan->runs < 1)
        return spar__fail(err, SPAR_INVALID, "the number of runs must be at least 1");
    if (!spar__regret_name(plan->regret))
        return spar__fail(err, SPAR_INVALID, "there is no regret of kind %d", (int)plan->regret);
    if (check_snapshots(plan, err))
        return SPAR_INVALID;
    if (plan->first_run > UINT64_MAX - plan->runs)
        return spar__fail(err, SPAR_INVALID, "runs cannot be counted beyond 2^64");
    const uint64_t most = UINT64_C(1) << 62;
    if (plan->runs > most / plan->rounds || plan->n_policies > most / (plan->rounds * plan->runs))
        return spar__fail(err, SPAR_INVALID, "%zu polic%s x %llu runs x %llu rounds are more than can be counted",
                          plan->n_policies, plan->n_policies == 1 ? "y" : "ies", (unsigned long long)plan->runs,
                          (unsigned long long)plan->rounds);
    double bytes = spar__results_bytes(plan->n_policies, plan->runs, plan->rounds);
    if (bytes > MOST_BYTES)
        return spar__fail(
            err, SPAR_INVALID,
            "the results of %zu polic%s x %llu runs need %.3g GB of memory, more than %g GB: take fewer runs",
            plan->n_policies, plan->n_policies == 1 ? "y" : "ies", (unsigned long long)plan->runs, bytes / 1e9,
            MOST_BYTES / 1e9);
    *total = plan->n_policies * plan->runs * plan->rounds;
    return SPAR_OK;
}

/* Rewards are for plain bandits, comparisons for all others. */
static spar_status check_kind(const spar__lab *lab, size_t index, spar_error *err)
{
    const char *env = lab->plan->env, *spec = lab->plan->policies[index];
    bool rewards = spar_env_plain(lab->env), plain = false;
    if (!lab->plan->custom || !lab->plan->custom[index]) {
        spar__stack stack;
        spar_status status = spar__stack_resolve(spec, &stack, err);
        if (status)
            return status;
        plain = stack.policy->plain;
        spar__stack_free(&stack);
    }
    if (plain && !rewards)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s learns from rewards, but %s only compares arms: put a reduction before it (sparring/%s)",
                          spec, env, spec);
    if (!plain && rewards)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s compares arms, but %s gives rewards: name a bandit on its own (thompson/beta, ucb1)",
                          spec, env);
    return SPAR_OK;
}

/* Is regret of this kind defined? */
static spar_status check_regret(const spar__lab *lab, const spar_world *world, spar_error *err)
{
    spar_regret kind = lab->plan->regret;
    const char *cycle = spar__env_cycle(lab->env), *why = spar__regret_refuses(world, kind);
    if (why)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: no regret of kind %s: %s", lab->plan->env,
                          spar__regret_name(kind), why);
    if (cycle && (kind == SPAR_REGRET_SUM || kind == SPAR_REGRET_WEAK))
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "%s, so regret of kind %s is not defined; take another kind: borda, copeland, von_neumann or best_fixed",
            cycle, spar__regret_name(kind));
    return SPAR_OK;
}

/* Builds every policy once, as the first run will, so that whatever is wrong with one is said before hours were spent.
 */
static spar_status check_policies(const spar__lab *lab, spar_error *err)
{
    const spar_plan *plan = lab->plan;
    if (spar_env_plain(lab->env) && plan->m != 1)
        return spar__fail(err, SPAR_INVALID, "%s gives rewards, one arm a round: m must be 1, not %zu", plan->env,
                          plan->m);
    spar_world *world = NULL;
    spar_status status = spar_world_new(lab->env, plan->seed, plan->first_run, &world, err);
    if (!status)
        status = check_regret(lab, world, err);
    const char *why = !status && (lab->stop || plan->identify) ? spar__watch_refuses(world) : NULL;
    if (why)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s: %s %s", lab->stop ? plan->stop : "identify", plan->env, why);
    for (size_t i = 0; !status && i < plan->n_policies; i++) {
        spar_policy *policy = NULL;
        spar_rng rng;
        status = check_kind(lab, i, err);
        if (!status)
            status = run_policy(lab, i, world, plan->first_run, &rng, &policy, err);
        spar_policy_free(policy);
    }
    spar_world_free(world);
    return status;
}

bool spar__results_complete(spar_results *results)
{
    bool all = true;
    results->reach = 1;
    for (size_t i = 0; i < results->n_policies * results->runs; i++) {
        bool complete = results->run[i].complete;
        all &= complete;
        if (complete && i % results->runs >= results->reach)
            results->reach = i % results->runs + 1;
    }
    return all;
}

spar_status spar__results_note(spar_results *results, const char *said)
{
    uint64_t runs = 0, redrawn = 0;
    spar__buf text = {0};
    for (size_t r = 0; r < results->runs; r++)
        if (results->run[r].complete) {
            runs++;
            redrawn += results->run[r].redrawn;
        }
    if (said)
        spar__buf_adds(&text, said);
    if (redrawn)
        spar__buf_printf(&text, "%s%llu of %llu random subsets had no Condorcet winner and were drawn again",
                         said ? "; " : "", (unsigned long long)redrawn, (unsigned long long)runs + redrawn);
    if (text.failed) {
        spar__buf_free(&text);
        return SPAR_NOMEM;
    }
    results->note = text.text;
    return SPAR_OK;
}

/* The plan is sound. */
static spar_status run_all(struct simulation *sim, spar_results **out, spar_error *err)
{
    const spar_plan *plan = sim->lab.plan;
    size_t jobs = plan->n_policies * plan->runs, workers = spar__pool_workers(plan->threads, jobs);
    spar_results *results = spar__results_new(plan->n_policies, plan->runs, plan->rounds);
    sim->tools = spar__alloc(workers, sizeof *sim->tools);
    if (!results || !sim->tools || pthread_mutex_init(&sim->lock, NULL)) {
        spar_results_free(results);
        spar__free(sim->tools);
        return spar__fail_memory(err);
    }
    sim->results = results;
    sim->lab.checkpoint = results->checkpoint;
    sim->lab.pulse = pulse;
    sim->lab.observer = observe;
    sim->lab.context = sim;
    sim->reported = spar__clock_wall();
    spar__pool_run(plan->threads, jobs, run_job, sim);
    for (size_t i = 0; i < workers; i++)
        spar__tools_fini(&sim->tools[i]);
    spar__free(sim->tools);
    report(sim, 0); /* the final count is always reported */
    (void)pthread_mutex_destroy(&sim->lock);
    if (sim->failure.status) {
        spar_results_free(results);
        return spar__fail(err, sim->failure.status, "%s", sim->failure.text);
    }
    if (spar__results_note(results, spar_env_note(sim->lab.env))) {
        spar_results_free(results);
        return spar__fail_memory(err);
    }
    results->interrupted = !spar__results_complete(results);
    *out = results;
    return SPAR_OK;
}

spar_status spar__simulate(const spar_plan *given, spar__simulate_how how, spar_results **out, spar_error *err)
{
    spar_plan known = {0};
    if (given->size < offsetof(spar_plan, made))
        return spar__fail(err, SPAR_INVALID, "the plan's size is %zu, expected sizeof(spar_plan)", given->size);
    memcpy(&known, given, given->size < sizeof known ? given->size : sizeof known);
    const spar_plan *plan = &known;
    struct simulation sim = {.lab = {.plan = plan}};
    spar__stop_rule rule;
    spar_status status = spar__plan_check(plan, &sim.total, err);
    if (!status && plan->stop) {
        status = spar__stop_rule_parse(plan->stop, &rule, err);
        sim.lab.stop = &rule;
    }
    if (status)
        return status;
    spar_env *env = NULL;
    spar_user *user = NULL;
    if (!plan->made)
        status = spar_env_new(plan->env, &env, err);
    sim.lab.env = plan->made ? plan->made : env;
    if (!status)
        status = spar_user_new(plan->feedback, sim.lab.env, &user, err);
    sim.lab.user = user;
    if (!status && how != SPAR__SIMULATE_CHECKED)
        status = check_policies(&sim.lab, err);
    if (!status && how != SPAR__SIMULATE_CHECK)
        status = run_all(&sim, out, err);
    spar_user_free(user);
    spar_env_free(env);
    return status;
}

spar_status spar_simulate(const spar_plan *plan, spar_results **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !plan)
        return spar__fail_null(err);
    return spar__simulate(plan, SPAR__SIMULATE_ALL, out, err);
}
