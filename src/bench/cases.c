/* cases.c - what is measured: policies along their rounds, the laws, kernels, the peak of memory, and threads. Each is
 * a point that bench.c measures again and again until its time is used. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "bench/bench.h"
#include "policy/policy.h"
#include "sampler/sampler.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A policy, its environment and its simulated user, ready to play rounds. The seed is fixed: equal setups play equal
 * rounds. */
typedef struct bench_setup {
    spar_env *env;
    spar_world *world;
    spar_user *user;
    spar_policy *policy;
    spar_round *round;
    spar_feedback *feedback;
    spar_scratch *scratch;
    spar_rng rng;
    uint64_t t; /* rounds played */
} bench_setup;

/* Close it also after a failure. */
static spar_status open_setup(bench_setup *setup, const char *env, const char *policy, size_t m, uint64_t horizon,
                              spar_error *err)
{
    *setup = (bench_setup){0};
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

static void close_setup(bench_setup *setup)
{
    spar_scratch_free(setup->scratch);
    spar_feedback_free(setup->feedback);
    spar_round_free(setup->round);
    spar_policy_free(setup->policy);
    spar_user_free(setup->user);
    spar_world_free(setup->world);
    spar_env_free(setup->env);
}

/* Chooses, answers and learns until round `until` is done. */
static spar_status play_setup(bench_setup *setup, uint64_t until)
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

static const uint64_t segment_end[SPAR__TIMELINE_SEGMENTS] = {
    10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};

/* Times the rounds up to `last` until the time is over. Rounds are played in blocks, which grow until reading the
 * clock costs next to nothing. */
static spar_status time_segments(bench_setup *setup, uint64_t last, const spar__bench_limit *limit,
                                 spar__timing timings[SPAR__TIMELINE_SEGMENTS])
{
    enum { FIRST_BLOCK = 8, SHORT = 200000 /* ns */ };
    double total = 0;
    uint64_t block = FIRST_BLOCK;
    for (size_t s = 0; s < SPAR__TIMELINE_SEGMENTS && segment_end[s] <= last; s++) {
        while (setup->t < segment_end[s]) {
            uint64_t from = setup->t, until = from + block < segment_end[s] ? from + block : segment_end[s];
            double start = spar__clock_thread();
            spar_status status = play_setup(setup, until);
            double took = spar__clock_thread() - start;
            if (status)
                return status;
            timings[s].rounds += until - from;
            timings[s].ns += took;
            total += took;
            if (!spar__bench_goes_on(limit))
                return SPAR_INTERRUPTED;
            if (1e-9 * total > limit->seconds)
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

static spar_status play_once(spar__timeline *timeline, uint64_t last, const spar__bench_limit *limit, spar_error *err)
{
    bench_setup setup;
    spar__timing timings[SPAR__TIMELINE_SEGMENTS] = {{0}};
    spar_status status = open_setup(&setup, timeline->env, timeline->policy ? timeline->policy : timeline->name,
                                    timeline->m, timeline->rounds, err);
    if (!status) {
        status = time_segments(&setup, last, limit, timings);
        if (status == SPAR_OK)
            keep_least(timeline, timings);
        else if (status != SPAR_INTERRUPTED)
            (void)spar__fail(err, status, "%s: %s", timeline->name, spar_status_text(status));
    }
    close_setup(&setup);
    return status;
}

static spar_status measure_timeline(void *self, const spar__bench_limit *limit, spar_error *err)
{
    return play_once(self, ((spar__timeline *)self)->rounds, limit, err);
}

/* Only if some window segment_end early. */
static spar_status measure_timeline_start(void *self, const spar__bench_limit *limit, spar_error *err)
{
    enum { EARLY = 1000 };
    spar__timeline *timeline = self;
    bool wanted = false;
    for (size_t i = 0; i < timeline->n_windows; i++)
        wanted |= timeline->window[i].last <= EARLY;
    return wanted ? play_once(timeline, EARLY, limit, err) : SPAR_OK;
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
            if (segment_end[s] < window->first || segment_end[s] > window->last)
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

static const spar__bench_point_kind timeline_kind = {measure_timeline, measure_timeline_start, report_timeline,
                                                     spar__free};

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
    spar__timeline *timeline = spar__alloc(1, sizeof *timeline);
    if (timeline)
        *timeline = *wanted;
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

/* --- the policies: their first rounds, their growth with the arms and with the rounds --- */

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
    spar__timeline wanted = {.name = c->spec, .k = k, .m = m};
    (void)snprintf(wanted.env, sizeof wanted.env, "utility(set=arith,k=%zu,link=linear%s)", k,
                   c->features ? ",features=utility" : "");
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
static spar_status add_all_policies(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err)
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

/* --- the laws: one value at a time and in batches --- */

enum { VALUES = 4096 }; /* drawn between two looks at the clock */

typedef struct sampler {
    char name[64];
    void (*draw)(struct sampler *self); /* VALUES of them */
    double a, b;
    size_t batch;
    bool beta; /* compared to two scalar gammas */
    double ns, plain_ns;
    uint64_t values;
    spar_rng rng;
    double *as, *bs, *out; /* VALUES each, during a measurement */
} sampler;

static void draw_words(sampler *self)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < VALUES; i++)
        sum += spar_rng_next(&self->rng);
    self->out[0] = (double)sum;
}

static void draw_uniform(sampler *self)
{
    for (size_t i = 0; i < VALUES; i++)
        self->out[i] = spar_rng_uniform(&self->rng);
}

static void draw_normal(sampler *self)
{
    for (size_t i = 0; i < VALUES; i++)
        self->out[i] = spar__normal(&self->rng);
}

static void draw_normals(sampler *self)
{
    for (size_t i = 0; i < VALUES; i += self->batch)
        spar__normal_batch(&self->rng, self->batch, self->out + i);
}

static void draw_gamma(sampler *self)
{
    for (size_t i = 0; i < VALUES; i++)
        self->out[i] = spar__gamma(&self->rng, self->a);
}

static void draw_beta(sampler *self)
{
    for (size_t i = 0; i < VALUES; i++)
        self->out[i] = spar__beta(&self->rng, self->a, self->b);
}

static void draw_betas(sampler *self)
{
    for (size_t i = 0; i < VALUES; i += self->batch)
        spar__beta_batch(&self->rng, self->batch, self->as, self->bs, self->out + i);
}

static void draw_two_gammas(sampler *self)
{
    for (size_t i = 0; i < VALUES; i++) {
        double x = spar__gamma(&self->rng, self->a);
        self->out[i] = x / (x + spar__gamma(&self->rng, self->b));
    }
}

static double time_once(sampler *self, void (*draw)(sampler *))
{
    double start = spar__clock_thread();
    draw(self);
    return (spar__clock_thread() - start) / VALUES;
}

static spar_status measure_sampler(void *point, const spar__bench_limit *limit, spar_error *err)
{
    sampler *self = point;
    double *room = spar__alloc(3 * VALUES, sizeof *room), start = spar__clock_thread();
    if (!room)
        return spar__fail_memory(err);
    self->as = room;
    self->bs = room + VALUES;
    self->out = room + 2 * VALUES;
    for (size_t i = 0; i < VALUES; i++) {
        self->as[i] = self->a;
        self->bs[i] = self->b;
    }
    bool goes_on = true;
    do {
        self->ns = fmin(self->ns, time_once(self, self->draw));
        self->values += VALUES;
        if (self->beta)
            self->plain_ns = fmin(self->plain_ns, time_once(self, draw_two_gammas));
        goes_on = spar__bench_goes_on(limit);
    } while (goes_on && 1e-9 * (spar__clock_thread() - start) < limit->seconds);
    spar__free(room);
    return goes_on ? SPAR_OK : SPAR_INTERRUPTED;
}

static spar_status report_sampler(const void *point, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const sampler *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_SAMPLERS)
        return SPAR_OK;
    spar__bench_case item = spar__bench_case_of(part, self->name, 0, 0);
    item.rounds = self->values;
    item.ns = self->values ? self->ns : NAN;
    item.plain_ns = self->values && self->beta ? self->plain_ns : NAN;
    return spar__bench_report_add(out, &item);
}

static const spar__bench_point_kind sampler_kind = {measure_sampler, NULL, report_sampler, spar__free};

static spar_status add_sampler(spar__bench_points *points, const sampler *law)
{
    sampler *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    *self = *law;
    self->ns = self->plain_ns = INFINITY;
    spar_rng_seed(&self->rng, 1, 1, 1);
    return spar__bench_points_add(points, &sampler_kind, self, 0, 0, 0.05, NULL);
}

static spar_status add_betas(spar__bench_points *points, double a, double b)
{
    static const size_t batches[] = {0, 16, 64, 4096}; /* 0: one at a time */
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof batches / sizeof *batches; i++) {
        size_t batch = batches[i];
        sampler law = {.draw = batch ? draw_betas : draw_beta, .a = a, .b = b, .batch = batch, .beta = true};
        if (batch)
            (void)snprintf(law.name, sizeof law.name, "beta(%g,%g) batch %zu", a, b, batch);
        else
            (void)snprintf(law.name, sizeof law.name, "beta(%g,%g)", a, b);
        status = add_sampler(points, &law);
    }
    return status;
}

static spar_status add_all_samplers(spar__bench_points *points)
{
    static const sampler laws[] = {
        {.name = "rng word", .draw = draw_words},
        {.name = "uniform", .draw = draw_uniform},
        {.name = "normal", .draw = draw_normal},
        {.name = "normal batch 16", .draw = draw_normals, .batch = 16},
        {.name = "normal batch 4096", .draw = draw_normals, .batch = 4096},
        {.name = "gamma(0.5)", .draw = draw_gamma, .a = 0.5},
        {.name = "gamma(1)", .draw = draw_gamma, .a = 1},
        {.name = "gamma(100)", .draw = draw_gamma, .a = 100},
    };
    static const double shapes[][2] = {{1, 1}, {2, 5}, {1, 30}, {40, 20}, {1000, 1000}, {1e5, 50}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof laws / sizeof *laws; i++)
        status = add_sampler(points, &laws[i]);
    for (size_t i = 0; !status && i < sizeof shapes / sizeof *shapes; i++)
        status = add_betas(points, shapes[i][0], shapes[i][1]);
    return status;
}

/* Policies that learn from one arm about others, by the size of the set: 4 draws and 12 answers a round.
 * The mean over all rounds, and over the later ones: the cost must not grow with the rounds past. */

static spar_status add_all_kernels(spar__bench_points *points)
{
    static const char KERNEL[] = "kernel_self_sparring", GP[] = "gp_sparring";
    static const struct {
        const char *name, *env, *policy;
        size_t k;
        uint64_t late, rounds;
        double budget;
    } cases[] = {
        {"kernel_self_sparring 1-D 30", "function(name=forrester,points=30)", KERNEL, 30, 5000, 10000, 1.5},
        {"kernel_self_sparring 1-D 1000", "function(name=forrester,points=1000)", KERNEL, 1000, 1000, 2000, 1.5},
        {"kernel_self_sparring 8x8", "function(name=camel,points=8)", KERNEL, 64, 2000, 5000, 2},
        {"kernel_self_sparring 100x100", "function(name=camel,points=100)", KERNEL, 10000, 500, 1000, 3},
        {"kernel_self_sparring 1000x1000", "function(name=camel,points=1000)", KERNEL, 1000000, 20, 50, 4},
        {"gp_sparring 1-D 30", "function(name=forrester,points=30)", GP, 30, 500, 1000, 1},
        {"gp_sparring 8x8", "function(name=camel,points=8)", GP, 64, 500, 1000, 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spar__timeline wanted = {.name = cases[i].name, .policy = cases[i].policy, .k = cases[i].k, .m = 4};
        (void)snprintf(wanted.env, sizeof wanted.env, "%s", cases[i].env);
        spar__timeline *timeline;
        spar_status status = spar__timeline_add(points, &wanted, false, cases[i].budget, &timeline);
        if (status)
            return status;
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, 1, cases[i].rounds);
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, cases[i].late + 1, cases[i].rounds);
    }
    return SPAR_OK;
}

/* The peak memory of a process that makes a policy and plays some rounds.
 *
 * A child process does it and reports its own peak, as the kernel counts it. Nothing is subtracted: the program, the
 * arms, the simulated user and what the parent held at the fork are included. */

typedef struct child_result {
    spar_status status;
    uint64_t played;
    double megabytes;
} child_result;

typedef struct memory_case {
    const char *name, *env, *policy;
    size_t k, m;
    uint64_t rounds; /* at most */
    child_result result;
} memory_case;

static double peak_megabytes(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return (double)usage.ru_maxrss / (1024.0 * 1024.0);
#else
    return (double)usage.ru_maxrss / 1024;
#endif
}

static child_result play(const memory_case *self, double seconds)
{
    enum { BLOCK = 10 };
    bench_setup setup;
    child_result result = {0};
    result.status = open_setup(&setup, self->env, self->policy, self->m, self->rounds, NULL);
    double start = spar__clock_thread();
    while (!result.status && setup.t < self->rounds) {
        result.status = play_setup(&setup, setup.t + BLOCK);
        if (1e-9 * (spar__clock_thread() - start) > seconds)
            break;
    }
    result.played = setup.t;
    close_setup(&setup);
    result.megabytes = peak_megabytes();
    return result;
}

static spar_status measure_memory(void *point, const spar__bench_limit *limit, spar_error *err)
{
    memory_case *self = point;
    int ends[2];
    if (pipe(ends))
        return spar__fail(err, SPAR_IO, "%s: no pipe to a child process", self->name);
    pid_t child = fork();
    if (child == 0) {
        child_result result = play(self, limit->seconds);
        ssize_t sent = write(ends[1], &result, sizeof result);
        _exit(sent == (ssize_t)sizeof result ? 0 : 1);
    }
    (void)close(ends[1]);
    child_result result = {.status = SPAR_IO};
    bool received = child > 0 && read(ends[0], &result, sizeof result) == (ssize_t)sizeof result;
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    if (!received && !spar__bench_goes_on(limit))
        return SPAR_INTERRUPTED;
    if (!received)
        return spar__fail(err, SPAR_IO, "%s: the child process that measures its memory failed", self->name);
    if (result.status)
        return spar__fail(err, result.status, "%s: %s", self->name, spar_status_text(result.status));
    self->result = result;
    return SPAR_OK;
}

static spar_status report_memory(const void *point, spar__bench_part part, double plain_ns, spar__bench_report *out)
{
    const memory_case *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_MEMORY)
        return SPAR_OK;
    spar__bench_case item = spar__bench_case_of(part, self->name, self->k, self->m);
    item.first = 1;
    item.last = self->rounds;
    item.rounds = self->result.played;
    item.megabytes = item.rounds ? self->result.megabytes : NAN;
    return spar__bench_report_add(out, &item);
}

static const spar__bench_point_kind memory_kind = {measure_memory, NULL, report_memory, spar__free};

static spar_status add_all_memory(spar__bench_points *points)
{
    static const memory_case cases[] = {
        {"ind_self_sparring", "utility(set=arith,k=16,link=linear)", "ind_self_sparring", 16, 4, 100000, {0}},
        {"ind_self_sparring", "utility(set=arith,k=1000000,link=linear)", "ind_self_sparring", 1000000, 4, 100000, {0}},
        {"kernel_self_sparring 1000x1000",
         "function(name=camel,points=1000)",
         "kernel_self_sparring",
         1000000,
         4,
         20,
         {0}},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof cases / sizeof *cases; i++) {
        memory_case *self = spar__alloc(1, sizeof *self);
        if (!self)
            return SPAR_NOMEM;
        *self = cases[i];
        spar__bench_point *point;
        status = spar__bench_points_add(points, &memory_kind, self, 0, 0, 1, &point);
        if (!status)
            point->most_repeats = 1;
    }
    return status;
}

/* How much faster a simulation is on all cores, in wall-clock time.
 *
 * The number of cores is not the speedup a machine can give: cores may be busy, or be two threads of one core. So the
 * plain loop, which shares no data, is also run on one thread and on all of them. */

enum { ONE, ALL, WAYS };

typedef struct thread_bench {
    size_t threads;                      /* of ALL */
    spar__plain **loop;                  /* one for each thread */
    uint64_t plain_rounds;               /* of each loop, in a measurement */
    uint64_t runs;                       /* of the simulation */
    double plain[WAYS], simulated[WAYS]; /* the best so far: rounds a second */
    uint64_t played[2];
} thread_bench;

static const char POLICY[] = "ind_self_sparring";
enum { ARMS = 16, SLOTS = 2, ROUNDS = 20000 };

static void play_plain(void *context, size_t index, size_t worker)
{
    const thread_bench *self = context;
    (void)worker;
    spar__plain_play(self->loop[index], self->plain_rounds);
}

static double plain_seconds(thread_bench *self, size_t threads)
{
    double start = spar__clock_wall();
    spar__pool_run(threads, threads, play_plain, self);
    return 1e-9 * (spar__clock_wall() - start);
}

static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return spar__bench_goes_on((const spar__bench_limit *)context);
}

static spar_status simulation_seconds(thread_bench *self, size_t threads, const spar__bench_limit *limit,
                                      double *seconds, spar_error *err)
{
    const char *policies[] = {POLICY};
    spar_plan plan = {.size = sizeof(spar_plan),
                      .env = "utility(set=arith,link=linear)",
                      .policies = policies,
                      .n_policies = 1,
                      .m = SLOTS,
                      .rounds = ROUNDS,
                      .runs = self->runs,
                      .seed = 1,
                      .threads = threads,
                      .horizon = SPAR_HORIZON_ROUNDS,
                      .progress = report_progress,
                      .context = (void *)limit};
    spar_results *results = NULL;
    double start = spar__clock_wall();
    spar_status status = spar_simulate(&plan, &results, err);
    *seconds = 1e-9 * (spar__clock_wall() - start);
    if (!status && results->interrupted)
        status = SPAR_INTERRUPTED;
    spar_results_free(results);
    return status;
}

/* Doubles the work until a measurement takes `target` seconds on one thread. */
static spar_status choose_work(thread_bench *self, const spar__bench_limit *limit, double target, spar_error *err)
{
    self->plain_rounds = 100;
    while (plain_seconds(self, 1) < target)
        self->plain_rounds *= 2;
    spar_status status = SPAR_OK;
    double seconds = 0;
    for (self->runs = 4 * self->threads; !status; self->runs *= 2) {
        status = simulation_seconds(self, 1, limit, &seconds, err);
        if (seconds >= target)
            break;
    }
    return status;
}

/* One thread, then all, so that both see the machine in the same state. */
static spar_status measure_once(thread_bench *self, const spar__bench_limit *limit, spar_error *err)
{
    for (int way = ONE; way <= (self->threads > 1 ? ALL : ONE); way++) {
        size_t threads = way == ALL ? self->threads : 1;
        double seconds = plain_seconds(self, threads);
        self->plain[way] = fmax(self->plain[way], (double)(self->plain_rounds * threads) / seconds);
        self->played[0] += self->plain_rounds * threads;
        spar_status status = simulation_seconds(self, threads, limit, &seconds, err);
        if (status)
            return status;
        self->simulated[way] = fmax(self->simulated[way], (double)(self->runs * ROUNDS) / seconds);
        self->played[1] += self->runs * ROUNDS;
    }
    return SPAR_OK;
}

static spar_status measure_thread_bench(void *point, const spar__bench_limit *limit, spar_error *err)
{
    enum { MEASUREMENTS = 5 };
    thread_bench *self = point;
    spar_status status = self->runs ? SPAR_OK : choose_work(self, limit, limit->seconds / (8 * MEASUREMENTS), err);
    if (status)
        self->runs = 0;
    for (int i = 0; !status && i < MEASUREMENTS; i++)
        status = measure_once(self, limit, err);
    return status;
}

static spar_status report_one(const thread_bench *self, const char *name, const double rate[WAYS], uint64_t played,
                              spar__bench_report *out)
{
    spar_status status = SPAR_OK;
    for (int way = ONE; !status && way <= (self->threads > 1 ? ALL : ONE); way++) {
        spar__bench_case item = spar__bench_case_of(SPAR__BENCH_THREADS, name, ARMS, SLOTS);
        item.threads = way == ALL ? self->threads : 1;
        if (rate[way] > 0 && rate[ONE] > 0) {
            item.rounds = played;
            item.per_second = rate[way];
            item.ns = 1e9 / rate[way];
            item.speedup = rate[way] / rate[ONE];
        }
        status = spar__bench_report_add(out, &item);
    }
    return status;
}

static spar_status report_thread_bench(const void *point, spar__bench_part part, double plain_ns,
                                       spar__bench_report *out)
{
    const thread_bench *self = point;
    (void)plain_ns;
    if (part != SPAR__BENCH_THREADS)
        return SPAR_OK;
    spar_status status = report_one(self, "plain loop", self->plain, self->played[0], out);
    return status ? status : report_one(self, POLICY, self->simulated, self->played[1], out);
}

static void free_thread_bench(void *point)
{
    thread_bench *self = point;
    for (size_t i = 0; self->loop && i < self->threads; i++)
        spar__plain_free(self->loop[i]);
    spar__free(self->loop);
    spar__free(self);
}

static const spar__bench_point_kind thread_bench_kind = {measure_thread_bench, NULL, report_thread_bench,
                                                         free_thread_bench};

static spar_status add_all_threads(spar__bench_points *points)
{
    thread_bench *self = spar__alloc(1, sizeof *self);
    if (!self)
        return SPAR_NOMEM;
    self->threads = spar__pool_workers(0, SIZE_MAX);
    self->loop = spar__alloc(self->threads, sizeof *self->loop);
    spar_status status = self->loop ? SPAR_OK : SPAR_NOMEM;
    for (size_t i = 0; !status && i < self->threads; i++)
        status = spar__plain_new(ARMS, SLOTS, &self->loop[i]);
    if (status) {
        free_thread_bench(self);
        return status;
    }
    return spar__bench_points_add(points, &thread_bench_kind, self, 0, 0, 8, NULL);
}

/* --- all of them --- */

/* Memory comes first, while the process is small: its children inherit what the process holds. */
spar_status spar__bench_cases(const spar__bench_plan *plan, spar__bench_points *points, spar_error *err)
{
    static const struct {
        spar__bench_part part;
        spar_status (*add)(spar__bench_points *points);
    } others[] = {{SPAR__BENCH_SAMPLERS, add_all_samplers},
                  {SPAR__BENCH_KERNELS, add_all_kernels},
                  {SPAR__BENCH_THREADS, add_all_threads}};
    spar_status status = plan->part[SPAR__BENCH_MEMORY] ? add_all_memory(points) : SPAR_OK;
    if (!status)
        status = add_all_policies(plan, points, err);
    for (size_t i = 0; !status && i < sizeof others / sizeof *others; i++)
        if (plan->part[others[i].part])
            status = others[i].add(points);
    return status == SPAR_NOMEM ? spar__fail_memory(err) : status;
}
