#include "base/alloc.h"
#include "base/pool.h"
#include "env/env.h"
#include "sim/sim.h"
#include "sim/sweep.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

/* Rounds of a cell, about: a few milliseconds, a thousand times what it costs to hand a cell out and to keep it. The
 * keys of cells depend on it. */
enum { ROUNDS = 20000 };

/* Made when the first cell needs it, freed after the last. */
struct spar__planned_env {
    const char *text;
    char *key;
    spar_env *made;
    pthread_mutex_t lock;
    bool locked;           /* the lock is there */
    atomic_size_t waiting; /* cells that still need it, and one more */
};

/* One policy over some runs. */
struct span {
    spar__planned *of;
    size_t policy;
    uint64_t from, runs; /* from: counted from the plan's first run */
};

static struct span find(const spar__plan_cells *all, size_t cell)
{
    size_t low = 0, high = all->n_planned;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(all->planned[middle].first <= cell ? &low : &high) = middle;
    }
    spar__planned *of = &all->planned[low];
    size_t at = cell - of->first, n = of->plan->n_policies;
    uint64_t from = at / n * of->span, left = of->plan->runs - from;
    return (struct span){of, at % n, from, left < of->span ? left : of->span};
}

static void write_more(const spar_plan *plan, spar__buf *out)
{
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
    write_more(plan, out);
}

static uint64_t work(const void *self, size_t cell)
{
    struct span span = find(self, cell);
    return span.runs * span.of->plan->rounds;
}

/* The environment of a plan; free it by put. */
static spar_status get(spar__plan_cells *all, spar__planned *of, const spar_env **out, spar_error *err)
{
    spar__planned_env *env = &all->env[of->env];
    spar_status status = SPAR_OK;
    (void)pthread_mutex_lock(&env->lock);
    if (!env->made)
        status = spar_env_new(env->text, &env->made, err);
    (void)pthread_mutex_unlock(&env->lock);
    *out = env->made;
    const char *said = status ? NULL : spar_env_note(env->made);
    (void)pthread_mutex_lock(&all->lock);
    if (said && !of->said && !(of->said = spar__strdup(said)))
        status = spar__fail_memory(err);
    (void)pthread_mutex_unlock(&all->lock);
    return status;
}

static void put(spar__plan_cells *all, const spar__planned *of)
{
    spar__planned_env *env = &all->env[of->env];
    if (atomic_fetch_sub(&env->waiting, 1) != 1)
        return;
    spar_env_free(env->made);
    env->made = NULL;
}

static bool any_missing(const spar__plan_cells *all, size_t i, const bool *done)
{
    size_t end = i + 1 < all->n_planned ? all->planned[i + 1].first : all->cells.n;
    for (size_t cell = all->planned[i].first; cell < end; cell++)
        if (!done[cell])
            return true;
    return false;
}

/* What the threads that check plans share. */
struct checks {
    spar__plan_cells *all;
    const bool *done;
    pthread_mutex_t lock;
    size_t failed;
    spar_error failure;
};

static void check(void *context, size_t i, size_t worker)
{
    struct checks *checks = context;
    spar__planned *of = &checks->all->planned[i];
    spar_plan plan = *of->plan;
    spar_error err = {0};
    (void)worker;
    if (!any_missing(checks->all, i, checks->done))
        return;
    spar_status status = get(checks->all, of, &plan.made, &err);
    if (!status)
        status = spar__simulate(&plan, SPAR__SIMULATE_CHECK, NULL, &err);
    if (!status)
        return;
    (void)pthread_mutex_lock(&checks->lock);
    if (!checks->failure.status || i < checks->failed) {
        checks->failed = i;
        checks->failure = err;
    }
    (void)pthread_mutex_unlock(&checks->lock);
}

/* What is wrong with any plan is said before hours are spent on the first. */
static spar_status prepare(void *self, const bool *done, spar_error *err)
{
    spar__plan_cells *all = self;
    struct checks checks = {.all = all, .done = done};
    for (size_t i = 0; i < all->n_envs; i++)
        atomic_store(&all->env[i].waiting, 0);
    for (size_t i = 0; i < all->cells.n; i++)
        if (!done[i])
            (void)atomic_fetch_add(&all->env[find(all, i).of->env].waiting, 1);
    if (pthread_mutex_init(&checks.lock, NULL))
        return spar__fail_memory(err);
    spar__pool_run(all->threads, all->n_planned, check, &checks);
    (void)pthread_mutex_destroy(&checks.lock);
    return checks.failure.status ? spar__fail(err, checks.failure.status, "%s", checks.failure.text) : SPAR_OK;
}

/* Stands between a simulation of one policy and the observer of the whole plan. */
struct relay {
    spar__plan_cells *all;
    const spar_plan *plan;
    size_t policy;
};

static spar_status observe(void *context, const spar_snapshot *seen, spar_error *err)
{
    struct relay *relay = context;
    spar_snapshot snapshot = *seen;
    snapshot.index = relay->policy;
    (void)pthread_mutex_lock(&relay->all->lock);
    spar_status status = relay->plan->observer(relay->plan->observer_context, &snapshot, err);
    (void)pthread_mutex_unlock(&relay->all->lock);
    return status;
}

static spar__run_numbers *slot_of(const struct span *span, uint64_t r)
{
    return &span->of->results->run[span->policy * span->of->results->runs + span->from + r];
}

/* Moves the runs to their places. */
static void move(const struct span *span, spar_results *from)
{
    size_t length = from->n_checkpoints * sizeof(double);
    for (uint64_t r = 0; r < span->runs; r++) {
        spar__run_numbers *to = slot_of(span, r), *run = &from->run[r];
        double *curve = to->curve;
        if (run->complete)
            memcpy(curve, run->curve, length);
        spar__free(to->flip);
        *to = *run;
        to->curve = curve;
        run->flip = NULL;
    }
}

static spar_status play(void *self, size_t cell, size_t worker, spar_progress *progress, void *context, bool *complete,
                        spar_error *err)
{
    spar__plan_cells *all = self;
    struct span span = find(all, cell);
    spar_plan plan = *span.of->plan;
    struct relay relay = {all, span.of->plan, span.policy};
    spar_results *results = NULL;
    (void)worker;
    plan.policies += span.policy;
    plan.n_policies = 1;
    plan.first_run += span.from;
    plan.runs = span.runs;
    plan.threads = 1;
    plan.progress = progress;
    plan.context = context;
    plan.n_snapshots = span.from == 0 || plan.every_run ? plan.n_snapshots : 0;
    plan.observer = plan.observer ? observe : NULL;
    plan.observer_context = &relay;
    spar_status status = get(all, span.of, &plan.made, err);
    if (!status)
        status = spar__simulate(&plan, SPAR__SIMULATE_CHECKED, &results, err);
    if (!status) {
        move(&span, results);
        *complete = !results->interrupted;
    }
    spar_results_free(results);
    put(all, span.of);
    return status;
}

static void archive_flips(spar__run_numbers *run, spar__archive *ar)
{
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
    archive_flips(run, ar);
    if (ar->cache)
        spar__archive_f64(ar->cache, &run->seconds);
}

static void archive_said(spar__planned *of, spar__archive *ar)
{
    char *said = ar->loading ? NULL : of->said;
    spar__archive_text(ar, &said);
    if (!ar->loading)
        return;
    if (of->said)
        spar__free(said);
    else
        of->said = said;
}

static void archive(void *self, size_t cell, size_t worker, spar__archive *ar)
{
    struct span span = find(self, cell);
    const spar_plan *plan = span.of->plan;
    (void)worker;
    archive_said(span.of, ar);
    for (uint64_t r = 0; r < span.runs && !ar->failed; r++)
        archive_run(slot_of(&span, r), span.of->results->n_checkpoints, ar);
    if (plan->n_snapshots && span.of->observed && span.from == 0)
        span.of->observed(plan->observer_context, span.policy, ar);
    if (!ar->loading)
        return;
    spar__archive_check(ar, ar->left == 0 && ar->cache && !ar->cache->failed && !ar->cache->left);
    for (uint64_t r = 0; r < span.runs; r++)
        slot_of(&span, r)->complete = !ar->failed;
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

static spar_status open_env(spar__planned_env *env, spar_error *err)
{
    spar__buf key = {0};
    spar_status status = spar__cell_env_key(env->text, &key, err);
    env->key = key.text;
    atomic_init(&env->waiting, SIZE_MAX); /* until it is known */
    env->locked = !pthread_mutex_init(&env->lock, NULL);
    return status || env->locked ? status : spar__fail_memory(err);
}

static spar_status add_plan(spar__plan_cells *all, spar__planned *of, spar_error *err)
{
    const spar_plan *plan = of->plan;
    uint64_t total;
    spar_status status = spar__plan_check(plan, &total, err);
    if (status)
        return status;
    uint64_t span = plan->rounds < ROUNDS ? ROUNDS / plan->rounds : 1;
    of->span = span < plan->runs ? span : plan->runs;
    of->first = all->cells.n;
    of->env = env_number(all, plan->env);
    of->results = spar__results_new(plan->n_policies, plan->runs, plan->rounds);
    all->cells.n += (size_t)((plan->runs + of->span - 1) / of->span) * plan->n_policies;
    return of->results ? SPAR_OK : spar__fail_memory(err);
}

spar_status spar__plan_cells_init(spar__plan_cells *all, spar__planned *planned, size_t n, spar_error *err)
{
    *all = (spar__plan_cells){.planned = planned, .n_planned = n};
    all->cells = (spar__cell_list){
        .self = all, .text = text, .work = work, .prepare = prepare, .play = play, .archive = archive};
    all->env = spar__alloc(n, sizeof *all->env);
    all->locked = !pthread_mutex_init(&all->lock, NULL);
    if (!all->env || !all->locked)
        return spar__fail_memory(err);
    all->threads = n ? planned[0].plan->threads : 1;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = add_plan(all, &planned[i], err);
    for (size_t i = 0; !status && i < all->n_envs; i++)
        status = open_env(&all->env[i], err);
    return status;
}

spar_status spar__plan_cells_finish(spar__plan_cells *all, spar_error *err)
{
    for (size_t i = 0; i < all->n_planned; i++) {
        spar__planned *of = &all->planned[i];
        of->results->interrupted = !spar__results_complete(of->results);
        if (spar__results_note(of->results, of->said))
            return spar__fail_memory(err);
    }
    return SPAR_OK;
}

void spar__plan_cells_fini(spar__plan_cells *all)
{
    for (size_t i = 0; i < all->n_planned; i++) {
        spar_results_free(all->planned[i].results);
        spar__free(all->planned[i].said);
        all->planned[i].results = NULL;
        all->planned[i].said = NULL;
    }
    for (size_t i = 0; all->env && i < all->n_envs; i++) {
        if (all->env[i].locked)
            (void)pthread_mutex_destroy(&all->env[i].lock);
        spar_env_free(all->env[i].made);
        spar__free(all->env[i].key);
    }
    if (all->locked)
        (void)pthread_mutex_destroy(&all->lock);
    spar__free(all->env);
    *all = (spar__plan_cells){0};
}
