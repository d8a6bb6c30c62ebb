/* policies.c - what a policy costs along its rounds, in segments: from round 1 to 10, to 20, 50, 100, ..., 10^6. Every
 * measurement plays the same rounds from the start; the least time of each segment is kept. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/bench.h"
#include "policy/policy.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

spar_status spar__bench_setup_open(spar__bench_setup *setup, const char *env, const char *policy, size_t m,
                                   uint64_t horizon, spar_error *err)
{
    *setup = (spar__bench_setup){0};
    spar_rng_seed(&setup->rng, 1, 1, 1);
    spar_status status = spar_env_new(env, &setup->env, err);
    if (!status)
        status = spar_world_new(setup->env, 1, 0, &setup->world, err);
    if (!status)
        status = spar_user_new("all_pairs", setup->env, &setup->user, err);
    if (!status)
        status = spar_policy_new(policy, spar_world_arms(setup->world), m, horizon, &setup->rng, &setup->policy, err);
    if (!status && (spar_round_new(m, &setup->round) || spar_feedback_new(m, &setup->feedback) ||
                    spar_scratch_new(&setup->scratch)))
        status = spar__fail_memory(err);
    return status;
}

void spar__bench_setup_close(spar__bench_setup *setup)
{
    spar_scratch_free(setup->scratch);
    spar_feedback_free(setup->feedback);
    spar_round_free(setup->round);
    spar_policy_free(setup->policy);
    spar_user_free(setup->user);
    spar_world_free(setup->world);
    spar_env_free(setup->env);
}

spar_status spar__bench_setup_play(spar__bench_setup *setup, uint64_t until)
{
    while (setup->t < until) {
        setup->t++;
        spar_status status = spar_policy_choose(setup->policy, setup->scratch, &setup->rng, setup->round, NULL);
        if (!status)
            status = spar_user_answer(setup->user, setup->world, setup->t, setup->round, setup->feedback);
        if (!status)
            status = spar_policy_learn(setup->policy, setup->round, setup->feedback, NULL);
        if (status)
            return status;
    }
    return SPAR_OK;
}

static const uint64_t ends[SPAR__TIMELINE_SEGMENTS] = {10,   20,    50,    100,   200,    500,    1000,   2000,
                                                       5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};

/* Times the rounds up to `last` until `seconds` are over. Rounds are played in blocks, which grow until reading the
 * clock costs next to nothing. */
static spar_status time_segments(spar__bench_setup *setup, uint64_t last, double seconds,
                                 const spar__bench_limit *limit, spar__timing timings[SPAR__TIMELINE_SEGMENTS])
{
    enum { FIRST_BLOCK = 8, SHORT = 200000 /* ns */ };
    double total = 0;
    uint64_t block = FIRST_BLOCK;
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS && ends[s] <= last; s++) {
        while (setup->t < ends[s]) {
            uint64_t from = setup->t, until = from + block < ends[s] ? from + block : ends[s];
            double start = spar__clock_thread();
            spar_status status = spar__bench_setup_play(setup, until);
            double took = spar__clock_thread() - start;
            if (status)
                return status;
            timings[s].rounds += until - from;
            timings[s].ns += took;
            total += took;
            if (!spar__bench_goes_on(limit))
                return SPAR_INTERRUPTED;
            if (1e-9 * total > seconds)
                return SPAR_OK;
            block *= took < SHORT ? 2 : 1;
        }
    }
    return SPAR_OK;
}

/* More rounds of a segment replace fewer; of equally many the least time is kept. */
static void keep_least(spar__timeline *timeline, const spar__timing timings[SPAR__TIMELINE_SEGMENTS])
{
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS; s++) {
        bool more = timings[s].rounds > timeline->segment[s].rounds;
        bool less = timings[s].rounds && timings[s].rounds == timeline->segment[s].rounds &&
                    timings[s].ns < timeline->segment[s].ns;
        if (more || less)
            timeline->segment[s] = timings[s];
    }
}

static spar_status play_once(spar__timeline *timeline, uint64_t last, double seconds, const spar__bench_limit *limit,
                             spar_error *err)
{
    spar__bench_setup setup;
    spar__timing timings[SPAR__TIMELINE_SEGMENTS] = {{0}};
    spar_status status =
        spar__bench_setup_open(&setup, timeline->env, timeline->policy ? timeline->policy : timeline->name, timeline->m,
                               timeline->rounds, err);
    if (!status) {
        status = time_segments(&setup, last, seconds, limit, timings);
        if (status == SPAR_OK)
            keep_least(timeline, timings);
        else if (status != SPAR_INTERRUPTED)
            (void)spar__fail(err, status, "%s: %s", timeline->name, spar_status_text(status));
    }
    spar__bench_setup_close(&setup);
    return status;
}

static spar_status measure_timeline(void *self, const spar__bench_limit *limit, spar_error *err)
{
    spar__timeline *timeline = self;
    return play_once(timeline, timeline->rounds, limit->seconds, limit, err);
}

/* Only if some window ends early. */
static spar_status measure_timeline_start(void *self, const spar__bench_limit *limit, spar_error *err)
{
    enum { EARLY = 1000 };
    spar__timeline *timeline = self;
    bool wanted = false;
    for (size_t i = 0; i < timeline->n_windows; i++)
        wanted |= timeline->window[i].last <= EARLY;
    return wanted ? play_once(timeline, EARLY, limit->seconds, limit, err) : SPAR_OK;
}

static spar_status report_timeline(const void *self, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const spar__timeline *timeline = self;
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < timeline->n_windows; i++) {
        const spar__window *window = &timeline->window[i];
        if (window->part != part)
            continue;
        spar__bench_case item = spar__bench_case_of(part, timeline->name, timeline->k, timeline->m);
        item.first = window->first;
        item.last = window->last;
        item.plain_ns = plain_ns;
        double ns = 0;
        for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS; s++) {
            if (ends[s] < window->first || ends[s] > window->last)
                continue;
            item.rounds += timeline->segment[s].rounds;
            ns += timeline->segment[s].ns;
        }
        if (item.rounds)
            item.ns = ns / (double)item.rounds;
        status = spar__bench_report_add(out, &item);
    }
    return status;
}

static void free_timeline(void *self)
{
    spar__timeline *timeline = self;
    spar__free(timeline->name);
    spar__free(timeline->env);
    spar__free(timeline->policy);
    spar__free(timeline);
}

static const spar__bench_point_kind timeline_kind = {measure_timeline, measure_timeline_start, report_timeline,
                                                     free_timeline};

static spar__timeline *copy_timeline(const spar__timeline *from)
{
    spar__timeline *timeline = spar__alloc(1, sizeof *timeline);
    if (!timeline)
        return NULL;
    *timeline = *from;
    timeline->name = spar__strdup(from->name);
    timeline->env = spar__strdup(from->env);
    timeline->policy = from->policy ? spar__strdup(from->policy) : NULL;
    if (timeline->name && timeline->env && (timeline->policy || !from->policy))
        return timeline;
    free_timeline(timeline);
    return NULL;
}

spar_status spar__timeline_add(spar__bench_points *points, const spar__timeline *wanted, bool plain, double budget,
                               spar__timeline **out)
{
    *out = NULL;
    for (size_t i = 0; i < points->n; i++) {
        spar__timeline *timeline = points->item[i].self;
        if (points->item[i].kind != &timeline_kind || strcmp(timeline->name, wanted->name) != 0 ||
            strcmp(timeline->env, wanted->env) != 0 || timeline->m != wanted->m)
            continue;
        points->item[i].budget = fmax(points->item[i].budget, budget);
        *out = timeline;
        return SPAR_OK;
    }
    spar__timeline *timeline = copy_timeline(wanted);
    spar_status status =
        spar__bench_points_add(points, &timeline_kind, timeline, plain ? wanted->k : 0, wanted->m, budget, NULL);
    *out = status ? NULL : timeline;
    return status;
}

void spar__timeline_add_window(spar__timeline *timeline, spar__bench_part part, uint64_t first, uint64_t last)
{
    assert(timeline->n_windows < SPAR__TIMELINE_WINDOWS && last <= SPAR__TIMELINE_LONGEST);
    timeline->window[timeline->n_windows++] = (spar__window){part, first, last};
    timeline->rounds = last > timeline->rounds ? last : timeline->rounds;
}

/* The policies: their first rounds, their growth with the arms and with the rounds. */

enum { SMALL = 16, LARGEST = 1000000 };

typedef struct bench_policy {
    const char *spec;
    size_t most_k; /* growth is measured up to this many arms; 0: not at all */
    double budget; /* seconds, for 10^6 rounds with 16 arms */
    bool features; /* needs arms with features */
} bench_policy;

static const bench_policy listed[] = {
    {"ind_self_sparring", LARGEST, 3, false},
    {"ind_self_sparring(eta=3.5)", LARGEST, 3, false},
    {"kernel_self_sparring", 0, 0.6, true},
    {"self_sparring/thompson/pl", 1000, 2, false},
    {"self_sparring/thompson/linear_pl", 0, 1, true},
    {"sparring/ucb1", LARGEST, 2, false},
    {"sparring/thompson/beta", LARGEST, 2, false},
    {"sparring/exp3", 100000, 2, false},
    {"gp_sparring", 0, 0.6, true},
    {"multi_sbm/ucb1", 1000, 2, false},
    {"doubler/ucb1", 100000, 2, false},
    {"interleaved_filter", 1000, 2, false},
    {"beat_the_mean", 1000, 2, false},
    {"savage", 1000, 2, false},
    {"rucb", 1000, 2, false},
    {"merge_rucb", 1000, 2, false},
    {"rmed1", 1000, 2, false},
    {"dts", 1000, 2, false},
    {"dts(eta=2.5)", 1000, 2, false},
    {"mdb", 1000, 2, false},
    {"bopper", 0, 0.6, true},
    {"focus/ind_self_sparring(distinct=1)", 1000, 2, false},
    {"top_two/thompson/pl", 0, 1, false},
    {"random", LARGEST, 2, false},
};
enum { LISTED = sizeof listed / sizeof *listed };

static const size_t arm_counts[] = {SMALL, 64, 256, 1000, 10000, 100000, LARGEST};

/* A policy that chooses the size of its sets is measured once, not for every m. */
static bool takes(const spar__policy_class *cls, size_t m)
{
    if (cls->own_size)
        return m == 4;
    return m >= cls->min_m && (m <= cls->max_m || !cls->max_m);
}

static spar_status add_timeline(spar__bench_points *points, const bench_policy *c, size_t k, size_t m, double budget,
                                spar__timeline **out)
{
    char env[80];
    (void)snprintf(env, sizeof env, "utility(set=arith,k=%zu,link=linear%s)", k,
                   c->features ? ",features=utility" : "");
    spar__timeline wanted = {.name = (char *)c->spec, .env = env, .k = k, .m = m};
    return spar__timeline_add(points, &wanted, true, budget, out);
}

/* The first 10^3, 10^5 and 10^6 rounds, or those from one power of ten to the next. */
static spar_status add_rounds(spar__bench_points *points, const bench_policy *c, size_t m, spar__bench_part part)
{
    spar__timeline *timeline;
    spar_status status = add_timeline(points, c, SMALL, m, c->budget, &timeline);
    if (status)
        return status;
    if (part == SPAR__BENCH_POLICIES) {
        spar__timeline_add_window(timeline, part, 1, 1000);
        spar__timeline_add_window(timeline, part, 1, 100000);
        spar__timeline_add_window(timeline, part, 1, 1000000);
        return SPAR_OK;
    }
    spar__timeline_add_window(timeline, part, 1, 100);
    for (uint64_t t = 100; t < SPAR__TIMELINE_LONGEST; t *= 10)
        spar__timeline_add_window(timeline, part, t + 1, 10 * t);
    return SPAR_OK;
}

/* The mean of 10^5 rounds at every K; for the first policy, whose cost does not grow with K, also of 10^6 rounds at
 * K = 10^6, and m = 4. */
static spar_status add_arms(spar__bench_points *points, const bench_policy *c, const spar__policy_class *cls, size_t m)
{
    bool first = c == listed;
    spar_status status = SPAR_OK;
    if (m == 4 && !first && takes(cls, 2))
        return SPAR_OK;
    for (size_t i = 0; !status && i < sizeof arm_counts / sizeof *arm_counts; i++) {
        size_t k = arm_counts[i];
        if (k > c->most_k)
            break;
        spar__timeline *timeline;
        status = add_timeline(points, c, k, m, first ? (k == LARGEST ? 12 : 2) : 0.5, &timeline);
        if (status)
            break;
        spar__timeline_add_window(timeline, SPAR__BENCH_ARMS, 1, 100000);
        if (first && k == LARGEST)
            spar__timeline_add_window(timeline, SPAR__BENCH_ARMS, 1, SPAR__TIMELINE_LONGEST);
    }
    return status;
}

static spar_status add_policy(const bool *part, spar__bench_points *points, const bench_policy *c, spar_error *err)
{
    spar__stack stack;
    spar_status status = spar__stack_resolve(c->spec, &stack, err);
    if (status)
        return status;
    const spar__policy_class *cls = stack.policy;
    spar__stack_free(&stack);
    for (size_t m = 2; !status && m <= 4; m += 2) {
        if (!takes(cls, m))
            continue;
        if (part[SPAR__BENCH_POLICIES])
            status = add_rounds(points, c, m, SPAR__BENCH_POLICIES);
        if (!status && part[SPAR__BENCH_ROUNDS])
            status = add_rounds(points, c, m, SPAR__BENCH_ROUNDS);
        if (!status && part[SPAR__BENCH_ARMS])
            status = add_arms(points, c, cls, m);
    }
    return status;
}

/* Is the class in the list? Its name, or its name with parameters or a path: not "sparring_too" for "sparring". */
static bool is_listed(const spar__policy_class *cls)
{
    size_t length = strlen(cls->entry.name);
    for (size_t i = 0; i < LISTED; i++)
        if (strncmp(listed[i].spec, cls->entry.name, length) == 0 && listed[i].spec[length] != '_')
            return true;
    return strcmp(cls->entry.name, "self_sparring") == 0; /* under its aliases */
}

/* The list, and every policy of the registry that is not in it. */
spar_status spar__bench_policies(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < LISTED; i++)
        status = add_policy(plan->part, points, &listed[i], err);
    for (size_t i = 0; !status && i < spar__n_policy_classes; i++) {
        const spar__policy_class *cls = spar__policy_classes[i];
        bench_policy unknown = {cls->entry.name, 0, 2, false};
        if (!cls->plain && !is_listed(cls) && (!cls->players || cls->standard_mab))
            status = add_policy(plan->part, points, &unknown, err);
    }
    return status;
}
