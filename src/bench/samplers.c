/* samplers.c - the laws: one value at a time and in batches. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "bench/bench.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdio.h>

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

spar_status spar__bench_samplers(spar__bench_points *points)
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

spar_status spar__bench_kernels(spar__bench_points *points)
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
        spar__timeline wanted = {.name = (char *)cases[i].name,
                                 .env = (char *)cases[i].env,
                                 .policy = (char *)cases[i].policy,
                                 .k = cases[i].k,
                                 .m = 4};
        spar__timeline *timeline;
        spar_status status = spar__timeline_add(points, &wanted, false, cases[i].budget, &timeline);
        if (status)
            return status;
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, 1, cases[i].rounds);
        spar__timeline_add_window(timeline, SPAR__BENCH_KERNELS, cases[i].late + 1, cases[i].rounds);
    }
    return SPAR_OK;
}
