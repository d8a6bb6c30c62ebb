/* ucb1 - optimism: plays the arm with the highest upper confidence bound.
 *
 * Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 2002.
 *
 *     each arm once in random order, then argmax_i  S_i / n_i + sqrt(alpha log n / n_i),  n = sum_i n_i
 *
 * Ties are broken at random. As n grows the bound of an arm is a line in w = sqrt(alpha log n), so lines.h keeps the
 * highest: a pick costs O(1), O(log K) where there are ties, a reward O(log K); where bounds differ by no more than
 * rounding, as sums of thirds do, the exact ones are compared. */
#include "base/alloc.h"
#include "mab/lines.h"
#include "mab/mab.h"
#include "num/elementary.h"
#include "types/per_arm.h"

#include <math.h>

/* No observation weighs less. A saved arm with less would have a bound of NaN. */
#define LIGHTEST 1e-6

typedef struct ucb1 {
    spar__mab base;
    double alpha;
    double *pulls, *sum; /* per arm; not whole where an observation has a weight of its own */
    double total;        /* pulls of all arms */
    spar__per_arm size;
    struct growth {
        double total, w, slope, bend; /* near this total: w + slope d + bend d^2 at total + d */
    } growth;
    spar__lines lines; /* mean + w / sqrt(pulls); INFINITY for an arm never pulled, -INFINITY for a retired one */
} ucb1;

static double width(const ucb1 *self, double total)
{
    return total > 1 ? self->alpha * spar__log(total) : 0;
}

/* An arm's exact bound. */
struct bound {
    const ucb1 *self;
    double width; /* alpha log n; -1 before it is asked for */
};

static double bound(void *context, size_t i)
{
    struct bound *b = context;
    const ucb1 *self = b->self;
    if (b->width < 0)
        b->width = width(self, self->total);
    return self->sum[i] / self->pulls[i] + sqrt(b->width / self->pulls[i]);
}

/* Equal lines are equal bounds: the slopes of all whole pulls below 2^50 differ, and every policy gives weight 1. */
static void line(const ucb1 *self, size_t i, double *a, double *b)
{
    bool alive = self->base.arms->alive[i], pulled = self->pulls[i] > 0;
    *a = !alive ? -INFINITY : pulled ? self->sum[i] / self->pulls[i] : INFINITY;
    *b = alive && pulled ? sqrt(1 / self->pulls[i]) : 0;
}

/* Taylor's polynomial of w = sqrt(alpha log n). */
static void start_growth(ucb1 *self)
{
    double n = self->total, w = sqrt(width(self, n)), slope = w > 0 ? self->alpha / (2 * w * n) : 0;
    self->growth = (struct growth){n, w, slope, w > 0 ? -slope * (1 / n + slope / w) / 2 : 0};
}

/* w for the lines: the polynomial's error is below 2^-42 w while n has grown by less than 2^-13 of itself. */
static double grown(ucb1 *self)
{
    if (self->total < 0x1p13)
        return sqrt(width(self, self->total)); /* a polynomial would expire within a round */
    double d = self->total - self->growth.total;
    if (d > 0x1p-13 * self->growth.total) {
        start_growth(self);
        return self->growth.w;
    }
    return self->growth.w + d * (self->growth.slope + d * self->growth.bend);
}

static void draw_lines(ucb1 *self)
{
    for (size_t i = 0; i < self->size.n; i++)
        line(self, i, &self->lines.a[i], &self->lines.b[i]);
    start_growth(self);
    spar__lines_build(&self->lines, self->growth.w);
}

/* The one that changed. */
static void draw_line(ucb1 *self, size_t i)
{
    double a, b;
    line(self, i, &a, &b);
    spar__lines_move(&self->lines, i, a, b, grown(self));
}

static void forget(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    for (size_t i = 0; i < self->size.n; i++)
        self->pulls[i] = self->sum[i] = 0;
    self->total = 0;
    draw_lines(self);
}

static spar_status resize(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    double **const arrays[] = {&self->pulls, &self->sum};
    size_t known = self->size.n;
    bool moved;
    if (spar__per_arm_fit(&self->size, base->arms, 2, arrays) || spar__lines_fit(&self->lines, self->size.n, &moved))
        return SPAR_NOMEM;
    if (moved || !known || self->size.n < known || self->size.n > known + 1)
        draw_lines(self);
    else
        draw_line(self, known < self->size.n ? known : base->arms->turned);
    return SPAR_OK;
}

static spar_status init(spar__mab *base, const spar__values *values, spar_error *err)
{
    ((ucb1 *)base)->alpha = spar__number(values, "alpha");
    return resize(base) ? spar__fail_memory(err) : SPAR_OK;
}

static void fini(spar__mab *base)
{
    ucb1 *self = (ucb1 *)base;
    spar__free(self->pulls);
    spar__free(self->sum);
    spar__lines_free(&self->lines);
}

static spar_status pick(const spar__mab *base, spar_scratch *scratch, spar_rng *rng, size_t m, bool distinct,
                        size_t *arm, double *prob, double *x)
{
    (void)scratch, (void)distinct, (void)x;
    const ucb1 *self = (const ucb1 *)base;
    struct bound exact = {self, -1};
    for (size_t j = 0; j < m; j++) {
        arm[j] = spar__lines_pick(&self->lines, rng, bound, &exact);
        prob[j] = 1;
    }
    return SPAR_OK;
}

static void learn(spar__mab *base, size_t arm, double reward, double weight, double prob)
{
    (void)prob;
    ucb1 *self = (ucb1 *)base;
    self->pulls[arm] += weight;
    self->sum[arm] += weight * reward;
    self->total += weight;
    draw_line(self, arm);
}

static spar_status score(const spar__mab *base, spar_scratch *scratch, double *value)
{
    (void)scratch;
    const ucb1 *self = (const ucb1 *)base;
    for (size_t i = 0; i < self->size.n; i++)
        value[i] = self->pulls[i] > 0 ? self->sum[i] / self->pulls[i] : 0.5;
    return SPAR_OK;
}

static void archive(spar__mab *base, spar__archive *ar)
{
    ucb1 *self = (ucb1 *)base;
    spar__archive_f64(ar, &self->total);
    spar__archive_f64s(ar, self->pulls, self->size.n);
    spar__archive_f64s(ar, self->sum, self->size.n);
    if (!ar->loading)
        return;
    spar__archive_check(ar, self->total >= 0 && isfinite(self->total));
    for (size_t i = 0; i < self->size.n; i++) {
        spar__archive_check(ar, self->sum[i] >= 0 && self->sum[i] <= self->pulls[i] && self->pulls[i] <= self->total);
        spar__archive_check(ar, self->pulls[i] == 0 || self->pulls[i] >= LIGHTEST);
    }
    draw_lines(self);
}

static const spar_param params[] = {
    {"alpha", SPAR_PARAM_NUMBER, "2", 0, 1000, NULL, "width of the bound: sqrt(alpha log n / n_i)"},
    {0},
};

extern const spar__mab_class spar__mab_ucb1;
const spar__mab_class spar__mab_ucb1 = {
    .entry = {"ucb1", "plays the arm with the highest upper confidence bound",
              "Auer, Cesa-Bianchi, Fischer, Machine Learning 2002", params},
    .size = sizeof(ucb1),
    .init = init,
    .fini = fini,
    .resize = resize,
    .forget = forget,
    .pick = pick,
    .learn = learn,
    .score = score,
    .archive = archive,
};
