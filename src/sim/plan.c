/* plan.c - plans, and the cells that they are made of.
 *
 * A plan is an environment, policies, m, rounds and runs. Its cells are one policy over a few runs each; the cells of
 * all plans together are one list, in the order plan, runs, policy, so that what was stopped has whole runs of every
 * policy. spar_simulate, `spar run` and `spar tune` play such lists (sweep.c); whatever is wrong with a plan is said
 * before any cell of any plan is played. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/pool.h"
#include "policy/policy.h"
#include "sim/sweep.h"

#include <inttypes.h>
#include <string.h>

/* Rounds of a cell, about: a few milliseconds, a thousand times what it costs to hand a cell out and to keep it. The
 * keys of cells depend on it. */
enum { CELL_ROUNDS = 20000 };

/* Of results: beyond, the system may kill the program instead of refusing memory. */
static const double MOST_BYTES = 4e9;

/* --- what is wrong with a plan --- */

spar_status spar__plan_check(const spar_plan *plan, uint64_t *total, spar_error *err)
{
    if (plan->n_policies < 1)
        return spar__fail(err, SPAR_INVALID, "there is no policy to run");
    if (!plan->env)
        return spar__fail(err, SPAR_INVALID, "the plan has no environment: env is NULL");
    for (size_t i = 0; i < plan->n_policies; i++)
        if (!plan->policies || !plan->policies[i])
            return spar__fail(err, SPAR_INVALID, "policy %zu of the plan is NULL", i + 1);
    if (plan->m < 1)
        return spar__fail(err, SPAR_INVALID, "m must be at least 1");
    if (plan->rounds < 1)
        return spar__fail(err, SPAR_INVALID, "the number of rounds must be at least 1");
    if (plan->runs < 1)
        return spar__fail(err, SPAR_INVALID, "the number of runs must be at least 1");
    if (!spar__regret_name(plan->regret))
        return spar__fail(err, SPAR_INVALID, "there is no regret of kind %d", (int)plan->regret);
    if (plan->n_snapshots > 0 && !plan->observer)
        return spar__fail(err, SPAR_INVALID, "snapshots need an observer");
    for (size_t i = 0; i < plan->n_snapshots; i++)
        if (!plan->snapshot || plan->snapshot[i] > plan->rounds || plan->snapshot[i] <= (i ? plan->snapshot[i - 1] : 0))
            return spar__fail(err, SPAR_INVALID, "snapshots must be ascending rounds from 1 to %llu",
                              (unsigned long long)plan->rounds);
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

spar_status spar__plan_ready(const spar_plan *plan, const spar_env *env, spar__ready_plan *out, spar_error *err)
{
    *out = (spar__ready_plan){.plan = plan, .env = env ? env : plan->made};
    spar_status status = SPAR_OK;
    if (plan->stop) {
        status = spar__stop_rule_parse(plan->stop, &out->own_rule, err);
        out->rule = &out->own_rule;
    }
    if (!status && !out->env) {
        status = spar_env_new(plan->env, &out->own_env, err);
        out->env = out->own_env;
    }
    return status ? status : spar_user_new(plan->feedback, out->env, &out->user, err);
}

void spar__plan_unready(spar__ready_plan *ready)
{
    spar_user_free(ready->user);
    spar_env_free(ready->own_env);
    *ready = (spar__ready_plan){0};
}

/* Rewards are for plain bandits, comparisons for all others. */
static spar_status check_kind(const spar__ready_plan *ready, size_t index, spar_error *err)
{
    const char *env = ready->plan->env, *spec = ready->plan->policies[index];
    bool rewards = spar_env_plain(ready->env), plain = false;
    if (!ready->plan->custom || !ready->plan->custom[index]) {
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
static spar_status check_regret(const spar__ready_plan *ready, const spar_world *world, spar_error *err)
{
    spar_regret kind = ready->plan->regret;
    const char *cycle = spar__env_cycle(ready->env), *why = spar__regret_refuses(world, kind);
    if (why)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: no regret of kind %s: %s", ready->plan->env,
                          spar__regret_name(kind), why);
    if (cycle && (kind == SPAR_REGRET_SUM || kind == SPAR_REGRET_WEAK))
        return spar__fail(
            err, SPAR_UNSUPPORTED,
            "%s, so regret of kind %s is not defined; take another kind: borda, copeland, von_neumann or best_fixed",
            cycle, spar__regret_name(kind));
    return SPAR_OK;
}

spar_status spar__plan_check_policies(const spar__ready_plan *ready, spar_error *err)
{
    const spar_plan *plan = ready->plan;
    if (spar_env_plain(ready->env) && plan->m != 1)
        return spar__fail(err, SPAR_INVALID, "%s gives rewards, one arm a round: m must be 1, not %zu", plan->env,
                          plan->m);
    spar_world *world = NULL;
    spar_status status = spar_world_new(ready->env, plan->seed, plan->first_run, &world, err);
    if (!status)
        status = check_regret(ready, world, err);
    const char *why = !status && (ready->rule || plan->identify) ? spar__watch_refuses(world) : NULL;
    if (why)
        status = spar__fail(err, SPAR_UNSUPPORTED, "%s: %s %s", ready->rule ? plan->stop : "identify", plan->env, why);
    for (size_t i = 0; !status && i < plan->n_policies; i++) {
        spar_policy *policy = NULL;
        spar_rng rng;
        status = check_kind(ready, i, err);
        if (!status)
            status = spar__run_policy(plan, i, world, plan->first_run, &rng, &policy, err);
        spar_policy_free(policy);
    }
    spar_world_free(world);
    return status;
}

spar_status spar__plan_verify(const spar_plan *plan, const spar_env *env, spar_error *err)
{
    spar__ready_plan ready = {0};
    uint64_t total;
    spar_status status = spar__plan_check(plan, &total, err);
    if (!status)
        status = spar__plan_ready(plan, env, &ready, err);
    if (!status)
        status = spar__plan_check_policies(&ready, err);
    spar__plan_unready(&ready);
    return status;
}

/* --- environments that several cells need --- */

spar_status spar__shared_env_init(spar__shared_env *env, const char *text)
{
    env->text = text;
    env->locked = !pthread_mutex_init(&env->lock, NULL);
    return env->locked ? SPAR_OK : SPAR_NOMEM;
}

void spar__shared_env_fini(spar__shared_env *env)
{
    if (env->locked)
        (void)pthread_mutex_destroy(&env->lock);
    spar_env_free(env->made);
    spar__free(env->key);
}

spar_status spar__shared_env_get(spar__shared_env *env, const spar_env **out, spar_error *err)
{
    (void)pthread_mutex_lock(&env->lock);
    spar_status status = env->made ? SPAR_OK : spar_env_new(env->text, &env->made, err);
    *out = env->made;
    (void)pthread_mutex_unlock(&env->lock);
    return status;
}

void spar__shared_env_put(spar__shared_env *env)
{
    (void)pthread_mutex_lock(&env->lock);
    if (--env->waiting == 0) {
        spar_env_free(env->made);
        env->made = NULL;
    }
    (void)pthread_mutex_unlock(&env->lock);
}

/* --- the cells of all plans --- */

/* One policy over some runs. */
struct span {
    spar__planned *of;
    size_t policy;
    uint64_t from, runs; /* from: counted from the plan's first run */
    spar__run_numbers *run;
};

static struct span find(const spar__plan_cells *all, size_t cell)
{
    size_t low = 0, high = all->n_planned;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(all->planned[middle].first <= cell ? &low : &high) = middle;
    }
    spar__planned *of = &all->planned[low];
    size_t at = cell - of->first, n = of->plan->n_policies, policy = at % n;
    uint64_t from = at / n * of->span, left = of->plan->runs - from;
    return (struct span){of, policy, from, left < of->span ? left : of->span,
                         &of->results->run[policy * of->results->runs + from]};
}

static void text(const void *self, size_t cell, spar__buf *out)
{
    const spar__plan_cells *all = self;
    struct span span = find(all, cell);
    const spar_plan *plan = span.of->plan;
    const spar__cell_spec spec = {.env = plan->env,
                                  .env_key = all->env[span.of->env].key,
                                  .feedback = plan->feedback,
                                  .policy = plan->policies[span.policy],
                                  .m = plan->m,
                                  .rounds = plan->rounds,
                                  .horizon = spar__plan_horizon(plan),
                                  .seed = plan->seed,
                                  .first_run = plan->first_run + span.from,
                                  .runs = span.runs};
    spar__cell_key(&spec, out);
    if (plan->regret)
        spar__buf_printf(out, "; regret %s", spar__regret_name(plan->regret));
    if (plan->stop)
        spar__buf_printf(out, "; stop %s", plan->stop);
    if (plan->identify)
        spar__buf_printf(out, "; identify %s", plan->strongest ? "pl" : "copeland");
    if (plan->n_snapshots)
        spar__buf_adds(out, "; snapshots");
    for (size_t i = 0; i < plan->n_snapshots; i++)
        spar__buf_printf(out, " %" PRIu64, plan->snapshot[i]);
}

static uint64_t work(const void *self, size_t cell)
{
    struct span span = find(self, cell);
    return span.runs * span.of->plan->rounds;
}

/* The plan with its environment and its user, and what the environment says of itself. */
static spar_status get_ready(spar__plan_cells *all, spar__planned *of, spar_error *err)
{
    spar_status status = SPAR_OK;
    const spar_env *env = of->plan->made;
    if (!env)
        status = spar__shared_env_get(&all->env[of->env], &env, err);
    (void)pthread_mutex_lock(&all->lock);
    const char *said = status ? NULL : spar_env_note(env);
    if (said && !of->said && !(of->said = spar__strdup(said)))
        status = spar__fail_memory(err);
    if (!status && !of->ready.user)
        status = spar__plan_ready(of->plan, env, &of->ready, err);
    (void)pthread_mutex_unlock(&all->lock);
    return status;
}

/* What the threads that check plans share. */
struct checks {
    spar__plan_cells *all;
    const bool *done;
    size_t failed;
    spar_error failure;
};

static void check(void *context, size_t i, size_t worker)
{
    struct checks *checks = context;
    spar__plan_cells *all = checks->all;
    spar_error err = {0};
    (void)worker;
    size_t cell = all->planned[i].first, end = i + 1 < all->n_planned ? all->planned[i + 1].first : all->cells.n;
    while (cell < end && checks->done[cell])
        cell++;
    if (cell == end)
        return;
    if (!get_ready(all, &all->planned[i], &err) && !spar__plan_check_policies(&all->planned[i].ready, &err))
        return;
    (void)pthread_mutex_lock(&all->lock);
    if (!checks->failure.status || i < checks->failed) {
        checks->failed = i;
        checks->failure = err;
    }
    (void)pthread_mutex_unlock(&all->lock);
}

/* What is wrong with any plan is said before hours are spent on the first. */
static spar_status prepare(void *self, const bool *done, spar_error *err)
{
    spar__plan_cells *all = self;
    struct checks checks = {.all = all, .done = done};
    for (size_t i = 0; i < all->n_envs; i++)
        all->env[i].waiting = 0;
    for (size_t i = 0; i < all->cells.n; i++)
        if (!done[i])
            all->env[find(all, i).of->env].waiting++;
    spar__pool_run(all->threads, all->n_planned, check, &checks);
    return checks.failure.status ? spar__fail(err, checks.failure.status, "%s", checks.failure.text) : SPAR_OK;
}

static spar_status play(void *self, size_t cell, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    spar__plan_cells *all = self;
    struct span span = find(all, cell);
    (void)worker;
    spar_status status = get_ready(all, span.of, err);
    if (!status) {
        const spar__cell_runs runs = {.ready = &span.of->ready,
                                      .policy = span.policy,
                                      .from = span.from,
                                      .runs = span.runs,
                                      .checkpoint = span.of->results->checkpoint,
                                      .run = span.run,
                                      .accuracy = all->named || span.from == 0,
                                      .progress = progress,
                                      .context = context,
                                      .observing = &all->lock};
        status = spar__cell_runs_play(&runs, complete, err);
    }
    /* After the last cell that needs an environment, nor are its users needed. */
    size_t number = span.of->env;
    (void)pthread_mutex_lock(&all->env[number].lock);
    bool last = all->env[number].waiting == 1;
    (void)pthread_mutex_unlock(&all->env[number].lock);
    for (size_t i = 0; last && i < all->n_planned; i++)
        if (all->planned[i].env == number)
            spar__plan_unready(&all->planned[i].ready);
    spar__shared_env_put(&all->env[number]);
    return status;
}

static void archive_run(spar__run_numbers *run, size_t checkpoints, spar__archive *ar)
{
    double *const numbers[] = {&run->regret,     &run->per_slot, &run->best_share,
                               &run->best_pulls, &run->set_size, &run->accuracy};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        spar__archive_f64(ar, numbers[i]);
    spar__archive_f64s(ar, run->curve, checkpoints);
    spar__archive_u64(ar, &run->redrawn);
    spar__archive_u64(ar, &run->played);
    spar__archive_u64(ar, &run->decided);
    spar__archive_bool(ar, &run->right);
    spar__archive_size(ar, &run->flips);
    if (ar->loading) {
        spar__free(run->flip);
        run->flip = NULL;
        if (!spar__archive_holds(ar, run->flips))
            run->flips = 0;
        if (run->flips && !(run->flip = spar__alloc(run->flips, sizeof *run->flip)))
            spar__archive_step(ar, SPAR_NOMEM);
    }
    for (size_t i = 0; i < run->flips && !ar->failed; i++)
        spar__archive_u64(ar, &run->flip[i]);
    if (ar->cache)
        spar__archive_f64(ar->cache, &run->seconds);
}

static void archive(void *self, size_t cell, size_t worker, spar__archive *ar)
{
    struct span span = find(self, cell);
    const spar_plan *plan = span.of->plan;
    (void)worker;
    char *said = ar->loading ? NULL : span.of->said;
    spar__archive_text(ar, &said);
    if (ar->loading && span.of->said)
        spar__free(said);
    else if (ar->loading) /* saving only reads: other threads may be setting it */
        span.of->said = said;
    for (uint64_t r = 0; r < span.runs && !ar->failed; r++)
        archive_run(&span.run[r], span.of->results->n_checkpoints, ar);
    if (plan->n_snapshots && span.of->observed && span.from == 0)
        span.of->observed(plan->observer_context, span.policy, ar);
    if (!ar->loading)
        return;
    spar__archive_check(ar, ar->left == 0 && ar->cache && !ar->cache->failed && !ar->cache->left);
    for (uint64_t r = 0; r < span.runs; r++)
        span.run[r].complete = !ar->failed;
}

static size_t env_number(spar__plan_cells *all, const char *name)
{
    size_t i = all->n_envs;
    while (i > 0 && strcmp(all->env[i - 1].text, name) != 0)
        i--;
    if (i > 0)
        return i - 1;
    all->env[all->n_envs].text = name;
    return all->n_envs++;
}

static spar_status make_cells(spar__plan_cells *all, spar__planned *planned, size_t n, uint64_t cell_rounds,
                              spar_error *err)
{
    *all = (spar__plan_cells){.planned = planned, .n_planned = n, .named = cell_rounds > 0};
    all->cells = (spar__cell_list){
        .self = all, .text = text, .work = work, .prepare = prepare, .play = play, .archive = archive};
    all->env = spar__alloc(n, sizeof *all->env);
    all->locked = !pthread_mutex_init(&all->lock, NULL);
    if (!all->env || !all->locked)
        return spar__fail_memory(err);
    all->threads = n ? planned[0].plan->threads : 1;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < n; i++) {
        spar__planned *of = &planned[i];
        const spar_plan *plan = of->plan;
        uint64_t total;
        if ((status = spar__plan_check(plan, &total, err)))
            return status;
        uint64_t span = plan->rounds < cell_rounds ? cell_rounds / plan->rounds : 1;
        of->span = span < plan->runs ? span : plan->runs;
        of->first = all->cells.n;
        of->env = env_number(all, plan->env);
        of->results = spar__results_new(plan->n_policies, plan->runs, plan->rounds);
        all->cells.n += (size_t)((plan->runs + of->span - 1) / of->span) * plan->n_policies;
        if (!of->results)
            return spar__fail_memory(err);
    }
    for (size_t i = 0; !status && i < all->n_envs; i++) {
        spar__shared_env *env = &all->env[i];
        spar__buf key = {0};
        if (all->named)
            status = spar__cell_env_key(env->text, &key, err);
        env->key = key.text;
        env->waiting = SIZE_MAX; /* until it is known how many cells need it, it stays */
        if (!status && spar__shared_env_init(env, env->text))
            status = spar__fail_memory(err);
    }
    return status;
}

spar_status spar__plan_cells_init(spar__plan_cells *all, spar__planned *planned, size_t n, spar_error *err)
{
    return make_cells(all, planned, n, CELL_ROUNDS, err);
}

spar_status spar__runs_note(const spar__run_numbers *run, size_t n, const char *said, char **out)
{
    uint64_t runs = 0, redrawn = 0;
    spar__buf text = {0};
    for (size_t r = 0; r < n; r++)
        if (run[r].complete) {
            runs++;
            redrawn += run[r].redrawn;
        }
    if (said)
        spar__buf_adds(&text, said);
    if (redrawn)
        spar__buf_printf(&text, "%s%llu of %llu random subsets had no Condorcet winner and were drawn again",
                         said ? "; " : "", (unsigned long long)redrawn, (unsigned long long)runs + redrawn);
    if (text.failed)
        spar__buf_free(&text);
    *out = text.text;
    return text.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__plan_cells_finish(spar__plan_cells *all, spar_error *err)
{
    for (size_t i = 0; i < all->n_planned; i++) {
        spar__planned *of = &all->planned[i];
        spar_results *results = of->results;
        results->reach = 1;
        for (size_t k = 0; k < results->n_policies * results->runs; k++) {
            bool complete = results->run[k].complete;
            results->interrupted |= !complete;
            if (complete && k % results->runs >= results->reach)
                results->reach = k % results->runs + 1;
        }
        if (spar__runs_note(results->run, results->runs, of->said, &results->note))
            return spar__fail_memory(err);
    }
    return SPAR_OK;
}

void spar__plan_cells_fini(spar__plan_cells *all)
{
    for (size_t i = 0; i < all->n_planned; i++) {
        spar_results_free(all->planned[i].results);
        spar__free(all->planned[i].said);
        spar__plan_unready(&all->planned[i].ready);
        all->planned[i].results = NULL;
        all->planned[i].said = NULL;
    }
    for (size_t i = 0; all->env && i < all->n_envs; i++)
        spar__shared_env_fini(&all->env[i]);
    if (all->locked)
        (void)pthread_mutex_destroy(&all->lock);
    spar__free(all->env);
    *all = (spar__plan_cells){0};
}

/* One plan, every run a cell of its own, nothing kept. */
spar_status spar_simulate(const spar_plan *given, spar_results **out, spar_error *err)
{
    spar_plan plan = {0};
    if (!SPAR__CLEAR(out) || !given)
        return spar__fail_null(err);
    if (given->size < offsetof(spar_plan, made))
        return spar__fail(err, SPAR_INVALID, "the plan's size is %zu, expected sizeof(spar_plan)", given->size);
    memcpy(&plan, given, given->size < sizeof plan ? given->size : sizeof plan);
    spar__planned one = {.plan = &plan};
    spar__plan_cells cells;
    spar__sweep sweep = {.threads = plan.threads, .progress = plan.progress, .context = plan.context};
    spar_status status = make_cells(&cells, &one, 1, 0, err);
    if (!status)
        status = spar__sweep_play(&sweep, &cells.cells, err);
    if (!status)
        status = spar__plan_cells_finish(&cells, err);
    if (!status) {
        *out = one.results;
        one.results = NULL;
    }
    spar__sweep_close(&sweep, false);
    spar__plan_cells_fini(&cells);
    return status;
}
