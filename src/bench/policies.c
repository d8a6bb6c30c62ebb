/* policies.c - the policies: their first rounds, their growth with the arms and with the rounds. */
#include "bench/track.h"
#include "policy/policy.h"

#include <stdio.h>
#include <string.h>

enum { SMALL = 16, LARGEST = 1000000 };

typedef struct contender {
    const char *spec;
    size_t most_k; /* up to how many arms its growth is followed; 0: not at all */
    double purse;  /* seconds, for its 10^6 rounds with 16 arms */
    bool features; /* needs arms with features */
} contender;

static const contender contenders[] = {
    {"ind_self_sparring", LARGEST, 3, false},
    {"ind_self_sparring(eta=3.5)", LARGEST, 3, false},
    {"kernel_self_sparring", 0, 0.6, true},
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
    {"random", LARGEST, 2, false},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

static const size_t arm_counts[] = {SMALL, 64, 256, 1000, 10000, 100000, LARGEST};

/* One that chooses the size of its sets is not asked twice. */
static bool takes(const spar__policy_class *cls, size_t m)
{
    if (cls->own_size)
        return m == 4;
    return m >= cls->min_m && (m <= cls->max_m || !cls->max_m);
}

static spar_status add_track(spar__bench_points *points, const contender *c, size_t k, size_t m, double purse,
                             spar__track **out)
{
    char env[80];
    (void)snprintf(env, sizeof env, "utility(set=arith,k=%zu,link=linear%s)", k,
                   c->features ? ",features=utility" : "");
    spar__track wanted = {.name = (char *)c->spec, .env = env, .k = k, .m = m};
    return spar__track_add(points, &wanted, true, purse, out);
}

/* The first 10^3, 10^5 and 10^6 rounds, or those from one power of ten to the next. */
static spar_status add_rounds(spar__bench_points *points, const contender *c, size_t m, spar__bench_part part)
{
    spar__track *track;
    spar_status status = add_track(points, c, SMALL, m, c->purse, &track);
    if (status)
        return status;
    if (part == SPAR__BENCH_POLICIES) {
        spar__track_watch(track, part, 1, 1000);
        spar__track_watch(track, part, 1, 100000);
        spar__track_watch(track, part, 1, 1000000);
        return SPAR_OK;
    }
    spar__track_watch(track, part, 1, 100);
    for (uint64_t t = 100; t < SPAR__TRACK_LONGEST; t *= 10)
        spar__track_watch(track, part, t + 1, 10 * t);
    return SPAR_OK;
}

/* The mean of 10^5 rounds at every K; of 10^6 with as many arms, for the policy whose cost does not grow with them.
 * More slots than needed only for that one. */
static spar_status add_arms(spar__bench_points *points, const contender *c, const spar__policy_class *cls, size_t m)
{
    bool first = c == contenders;
    spar_status status = SPAR_OK;
    if (m == 4 && !first && takes(cls, 2))
        return SPAR_OK;
    for (size_t i = 0; !status && i < sizeof arm_counts / sizeof *arm_counts; i++) {
        size_t k = arm_counts[i];
        if (k > c->most_k)
            break;
        spar__track *track;
        status = add_track(points, c, k, m, first ? (k == LARGEST ? 12 : 2) : 0.5, &track);
        if (status)
            break;
        spar__track_watch(track, SPAR__BENCH_ARMS, 1, 100000);
        if (first && k == LARGEST)
            spar__track_watch(track, SPAR__BENCH_ARMS, 1, SPAR__TRACK_LONGEST);
    }
    return status;
}

static spar_status add_contender(const bool *part, spar__bench_points *points, const contender *c, spar_error *err)
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

/* Is there a contender of this policy? "rucb" and "sparring/ucb1", but not "sparring_too", are of theirs. */
static bool is_listed(const spar__policy_class *cls)
{
    size_t length = strlen(cls->entry.name);
    for (size_t i = 0; i < CONTENDERS; i++)
        if (strncmp(contenders[i].spec, cls->entry.name, length) == 0 && contenders[i].spec[length] != '_')
            return true;
    return strcmp(cls->entry.name, "self_sparring") == 0; /* under its other names */
}

/* The list, and whatever policy of the registry it does not know. */
spar_status spar__bench_policies(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < CONTENDERS; i++)
        status = add_contender(plan->part, points, &contenders[i], err);
    for (size_t i = 0; !status && i < spar__n_policy_classes; i++) {
        const spar__policy_class *cls = spar__policy_classes[i];
        contender unknown = {cls->entry.name, 0, 2, false};
        if (!cls->plain && !is_listed(cls) && (!cls->players || cls->standard_mab))
            status = add_contender(plan->part, points, &unknown, err);
    }
    return status;
}
