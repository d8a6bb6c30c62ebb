/* policies.c - the policies: their first rounds, their growth with the arms and with the rounds. */
#include "bench/timeline.h"
#include "policy/policy.h"

#include <stdio.h>
#include <string.h>

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
