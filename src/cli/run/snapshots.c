#include "cli/run/snapshots.h"

#include "base/alloc.h"
#include "base/number.h"
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
static spar_status read_times(const spar__setting *setting, const char *text, uint64_t rounds, spar__album *album,
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
        uint64_t *grown = spar__realloc(album->time, album->n_times, album->n_times + 1, sizeof *grown);
        if (!grown)
            return spar__fail_memory(err);
        album->time = grown;
        album->time[album->n_times++] = t;
        text += length;
        more = *text == ',';
    }
    return SPAR_OK;
}

/* In order, each once. */
static void sort_times(spar__album *album)
{
    qsort(album->time, album->n_times, sizeof *album->time, by_time);
    size_t kept = 1;
    for (size_t i = 1; i < album->n_times; i++)
        if (album->time[i] > album->time[kept - 1])
            album->time[kept++] = album->time[i];
    album->n_times = kept;
}

/* Can this policy be asked what it believes? */
static spar_status check_policy(const spar__album *album, const spar_plan *plan, const char *spec,
                                const spar_arms *arms, spar_error *err)
{
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, plan->seed, 0, 0);
    spar_status status =
        spar_policy_new(spec, arms, plan->m, plan->horizon_known ? plan->rounds : plan->horizon, &rng, &policy, err);
    if (status)
        return status;
    double *mean = spar__alloc(arms->n, sizeof *mean), *sd = spar__alloc(arms->n, sizeof *sd);
    status = mean && sd
                 ? spar_policy_belief(policy, album->scratch, spar_arms_count(spar_policy_arms(policy)), mean, sd, NULL)
                 : SPAR_NOMEM;
    if (status == SPAR_UNSUPPORTED)
        (void)spar__fail(err, status, "--snapshots: %s keeps no belief that could be drawn; one over thompson does",
                         spec);
    else if (status)
        (void)spar__fail(err, status, "%s: %s", spec, spar_status_text(status));
    spar__free(mean);
    spar__free(sd);
    spar_policy_free(policy);
    return status;
}

static spar_status check(spar__album *album, const spar_plan *plan, spar_error *err)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_status status = spar_env_new(plan->env, &env, err);
    if (!status)
        status = spar_world_new(env, plan->seed, 0, &world, err);
    if (!status) {
        const spar_arms *arms = spar_world_arms(world);
        album->dim = arms->dim;
        album->plain = spar_env_plain(env);
        if (!arms->dim)
            status =
                spar__fail(err, SPAR_UNSUPPORTED,
                           "--snapshots: the arms of %s have no features, by which they could be drawn", plan->env);
        for (size_t i = 0; !status && i < plan->n_policies; i++)
            status = check_policy(album, plan, plan->policies[i], arms, err);
    }
    spar_world_free(world);
    spar_env_free(env);
    return status;
}

static spar_status make_sight(spar__sight *sight, size_t n, size_t dim)
{
    sight->tally = spar__alloc(n, sizeof *sight->tally);
    sight->number = spar__alloc(n, (dim + 5) * sizeof *sight->number);
    if (!sight->tally || !sight->number)
        return SPAR_NOMEM;
    sight->x = sight->number;
    sight->mean = sight->x + n * dim;
    sight->sd = sight->mean + n;
    sight->truth = sight->sd + n;
    sight->won = sight->truth + n;
    sight->lost = sight->won + n;
    return SPAR_OK;
}

/* What the policy tries to learn of an arm: its chance against the best, or its mean reward. Points of a continuous
 * space are not arms of the world. */
static double truth_of(const spar__album *album, const spar_snapshot *snapshot, size_t arm)
{
    if (spar__arms_continuous(spar_world_arms(snapshot->world)))
        return NAN;
    if (album->plain)
        return spar_world_utilities(snapshot->world)[arm];
    return spar_world_prefer(snapshot->world, snapshot->t, arm, spar_world_best(snapshot->world, snapshot->t));
}

/* The witness of the plan. */
static spar_status take(void *context, const spar_snapshot *snapshot, spar_error *err)
{
    spar__album *album = context;
    const spar_arms *arms = spar_policy_arms(snapshot->policy);
    size_t k = 0, n = arms->n;
    while (album->time[k] != snapshot->t)
        k++;
    spar__sight *sight = &album->sight[snapshot->index * album->n_times + k];
    spar_status status = make_sight(sight, n, album->dim);
    if (!status)
        status = spar_policy_belief(snapshot->policy, album->scratch,
                                    spar_arms_count(spar_policy_arms(snapshot->policy)), sight->mean, sight->sd, NULL);
    if (status)
        return spar__fail(err, status, "%s", spar_status_text(status));
    memcpy(sight->x, arms->x, n * album->dim * sizeof *sight->x);
    memcpy(sight->tally, snapshot->tally, n * sizeof *sight->tally);
    for (size_t i = 0; i < n; i++) {
        sight->truth[i] = truth_of(album, snapshot, i);
        sight->won[i] = snapshot->tally[i].won;
        sight->lost[i] = snapshot->tally[i].lost;
    }
    sight->n = n;
    return SPAR_OK;
}

spar_status spar__album_open(spar__album *album, const spar__settings *settings, spar_plan *plan, spar_error *err)
{
    const spar__setting *setting = spar__setting_of(settings, "snapshots");
    if (!setting->n)
        return SPAR_OK;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < setting->n; i++)
        status = read_times(setting, setting->text[i], plan->rounds, album, err);
    if (status)
        return status;
    sort_times(album);
    album->n_policies = plan->n_policies;
    album->sight = spar__alloc(plan->n_policies, album->n_times * sizeof *album->sight);
    if (!album->sight || spar_scratch_new(&album->scratch))
        return spar__fail_memory(err);
    plan->snapshot = album->time;
    plan->n_snapshots = album->n_times;
    plan->witness = take;
    plan->witness_context = album;
    return check(album, plan, err);
}

void spar__album_free(spar__album *album)
{
    for (size_t i = 0; album->sight && i < album->n_policies * album->n_times; i++) {
        spar__free(album->sight[i].tally);
        spar__free(album->sight[i].number);
    }
    spar__free(album->sight);
    spar__free(album->time);
    spar_scratch_free(album->scratch);
    *album = (spar__album){0};
}
