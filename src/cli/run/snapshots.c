#include "cli/run/snapshots.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "cli/common.h"
#include "sampler/rng.h"
#include "types/arms.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_time(const void *a, const void *b)
{
    uint64_t s = *(const uint64_t *)a, t = *(const uint64_t *)b;
    return (s > t) - (s < t);
}

/* One value of the option, "5" or "5,20,100", added to the times. */
static spar_status read_times(const spar__setting *setting, const char *text, uint64_t rounds, spar__snapshots *set,
                              spar_error *err)
{
    for (bool more = true; more; text++) {
        char word[32] = "";
        size_t length = strcspn(text, ",");
        if (length < sizeof word)
            memcpy(word, text, length);
        uint64_t t;
        if (!spar__parse_u64(word, &t) || t < 1 || t > rounds)
            return spar__fail(err, SPAR_INVALID, "%s: '%.*s' is not a round from 1 to %" PRIu64, setting->origin,
                              (int)(length < 40 ? length : 40), text, rounds);
        uint64_t *grown = spar__realloc(set->time, set->n_times, set->n_times + 1, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        set->time = grown;
        set->time[set->n_times++] = t;
        text += length;
        more = *text == ',';
    }
    return SPAR_OK;
}

/* Ascending, without duplicates. */
static void sort_times(spar__snapshots *set)
{
    qsort(set->time, set->n_times, sizeof *set->time, by_time);
    size_t kept = 1;
    for (size_t i = 1; i < set->n_times; i++)
        if (set->time[i] > set->time[kept - 1])
            set->time[kept++] = set->time[i];
    set->n_times = kept;
}

/* Does this policy keep a belief? SPAR_UNSUPPORTED: no. */
static spar_status check_policy(const spar__snapshots *set, const spar_plan *plan, const char *spec,
                                const spar_arms *arms, spar_error *err)
{
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, plan->seed, 0, 0);
    spar_status status = spar_policy_new(spec, arms, plan->m, spar__plan_horizon(plan), &rng, &policy, err);
    if (status)
        return status;
    double *mean = spar__alloc(arms->n, sizeof *mean), *sd = spar__alloc(arms->n, sizeof *sd);
    status = mean && sd ? spar_policy_belief(policy, set->scratch, arms->n, mean, sd, NULL) : SPAR_NOMEM;
    if (status && status != SPAR_UNSUPPORTED)
        (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
    spar__free(mean);
    spar__free(sd);
    spar_policy_free(policy);
    return status;
}

/* Those without a belief are left out, with a note; one must be left. */
static spar_status check_policies(const spar__snapshots *set, const spar_plan *plan, const spar_arms *arms,
                                  spar_error *err)
{
    size_t without = 0;
    spar_status status = SPAR_OK;
    spar__buf names = {0};
    for (size_t i = 0; !status && i < plan->n_policies; i++) {
        status = check_policy(set, plan, plan->policies[i], arms, err);
        if (status == SPAR_UNSUPPORTED) {
            spar__buf_printf(&names, "%s%s", without++ ? ", " : "", plan->policies[i]);
            status = SPAR_OK;
        }
    }
    if (!status && names.failed)
        status = spar__fail_memory(err);
    else if (!status && without == plan->n_policies)
        status = spar__fail(err, SPAR_UNSUPPORTED,
                            "--snapshots: %s: no belief is kept; policies over thompson keep one", names.text);
    else if (!status && without)
        spar__note("--snapshots: not drawn, since they keep no belief: %s", names.text);
    spar__buf_free(&names);
    return status;
}

static spar_status check(spar__snapshots *set, const spar_plan *plan, spar_error *err)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_status status = spar_env_new(plan->env, &env, err);
    if (!status)
        status = spar_world_new(env, plan->seed, 0, &world, err);
    if (!status) {
        const spar_arms *arms = spar_world_arms(world);
        set->dim = arms->dim;
        set->plain = spar_env_plain(env);
        if (!arms->dim)
            status = spar__fail(err, SPAR_UNSUPPORTED, "--snapshots: the arms of %s have no features to plot them by",
                                plan->env);
        if (!status)
            status = check_policies(set, plan, arms, err);
    }
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

static spar_status make_kept(spar__kept_belief *kept, size_t n, size_t dim)
{
    kept->tally = spar__alloc(n, sizeof *kept->tally);
    kept->number = spar__alloc(n, (dim + 5) * sizeof *kept->number);
    if (!kept->tally || !kept->number)
        return SPAR_NOMEM;
    kept->x = kept->number;
    kept->mean = kept->x + n * dim;
    kept->sd = kept->mean + n;
    kept->truth = kept->sd + n;
    kept->won = kept->truth + n;
    kept->lost = kept->won + n;
    return SPAR_OK;
}

/* What the policy tries to learn about an arm: its chance against the best arm, or its mean reward; NaN for points of a
 * continuous space, which are no arms of the world. */
static double truth_of(const spar__snapshots *set, const spar_snapshot *snapshot, size_t arm)
{
    if (spar__arms_continuous(spar_world_arms(snapshot->world)))
        return NAN;
    if (set->plain)
        return spar_world_utilities(snapshot->world)[arm];
    return spar_world_prefer(snapshot->world, snapshot->t, arm, spar_world_best(snapshot->world, snapshot->t));
}

/* Called by the simulation after each of the rounds. */
static spar_status keep(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    spar__snapshots *set = context;
    const spar_arms *arms = spar_policy_arms(snapshot->policy);
    size_t k = 0, n = arms->n;
    while (set->time[k] != snapshot->t)
        k++;
    spar__kept_belief *kept = &set->kept[snapshot->index * set->n_times + k];
    spar_status status = make_kept(kept, n, set->dim);
    if (!status)
        status = spar_policy_belief(snapshot->policy, set->scratch, n, kept->mean, kept->sd, NULL);
    if (status == SPAR_UNSUPPORTED) /* it keeps none: nothing is kept of it */
        return SPAR_OK;
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    memcpy(kept->x, arms->x, n * set->dim * sizeof *kept->x);
    memcpy(kept->tally, snapshot->tally, n * sizeof *kept->tally);
    for (size_t i = 0; i < n; i++) {
        kept->truth[i] = truth_of(set, snapshot, i);
        kept->won[i] = snapshot->tally[i].won;
        kept->lost[i] = snapshot->tally[i].lost;
    }
    kept->n = n;
    return SPAR_OK;
}

static void archive_kept(spar__kept_belief *kept, size_t dim, spar__archive *ar)
{
    size_t n = kept->n;
    spar__archive_size(ar, &n);
    if (ar->loading) {
        spar__free(kept->tally);
        spar__free(kept->number);
        *kept = (spar__kept_belief){0};
        if (!n || !spar__archive_holds(ar, n) || ar->failed)
            return;
        spar__archive_step(ar, make_kept(kept, n, dim));
    }
    if (ar->failed || !n)
        return;
    for (size_t i = 0; i < n; i++) {
        spar__archive_u64(ar, &kept->tally[i].plays);
        spar__archive_f64(ar, &kept->tally[i].won);
        spar__archive_f64(ar, &kept->tally[i].lost);
    }
    spar__archive_f64s(ar, kept->number, n * (dim + 5));
    kept->n = ar->failed ? 0 : n;
}

void spar__snapshots_archive(void *context, size_t policy, spar__archive *ar)
{
    spar__snapshots *set = context;
    for (size_t k = 0; k < set->n_times && !ar->failed; k++)
        archive_kept(&set->kept[policy * set->n_times + k], set->dim, ar);
}

spar_status spar__snapshots_open(spar__snapshots *set, const spar__settings *settings, spar_plan *plan, spar_error *err)
{
    const spar__setting *setting = spar__setting_of(settings, "snapshots");
    if (!setting->n)
        return SPAR_OK;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < setting->n; i++)
        status = read_times(setting, setting->text[i], plan->rounds, set, err);
    if (status)
        return status;
    sort_times(set);
    set->n_policies = plan->n_policies;
    set->kept = spar__alloc(plan->n_policies, set->n_times * sizeof *set->kept);
    if (!set->kept || spar_scratch_new(&set->scratch))
        return spar__fail_memory(err);
    plan->snapshot = set->time;
    plan->n_snapshots = set->n_times;
    plan->observer = keep;
    plan->observer_context = set;
    return check(set, plan, err);
}

void spar__snapshots_free(spar__snapshots *set)
{
    for (size_t i = 0; set->kept && i < set->n_policies * set->n_times; i++) {
        spar__free(set->kept[i].tally);
        spar__free(set->kept[i].number);
    }
    spar__free(set->kept);
    spar__free(set->time);
    spar_scratch_free(set->scratch);
    *set = (spar__snapshots){0};
}
