/* ucb1 - optimism: plays the arm with the highest upper confidence bound.
 *
 * Auer, Cesa-Bianchi, Fischer, Finite-time analysis of the multiarmed bandit problem, Machine Learning 2002.
 *
 *     each arm once in random order, then argmax_i  S_i / n_i + sqrt(alpha log n / n_i),  n = sum_i n_i
 *
 * Ties are broken at random. As n grows the bound of an arm is a line in w = sqrt(alpha log n), so a tree of
 * lines (mab.h) keeps the highest: a pick costs O(1), O(log K) where there are ties, a reward O(log K); where bounds
 * differ by no more than rounding, as sums of thirds do, the exact ones are compared. */
#include "base/alloc.h"
#include "mab/mab.h"
#include "num/elementary.h"
#include "types/arms.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* --- The highest of many lines, as mab.h says. --- */

enum { BLOCK = 16 };

typedef struct spar__lines_node {
    double a, b; /* no line below it is higher, while w <= until */
    double until;
    uint32_t ties; /* lines below it that equal this one, when all others are clearly lower; else 0 */
    uint32_t line; /* if there is one such line: which */
} node;

/* Two values that differ by more than this are in the order of their lines, also when w has doubled. */
static double slack(double value)
{
    return fabs(value) < INFINITY ? 0x1p-38 * value : 0;
}

static double at(const node *x, double w)
{
    return x->a + w * x->b;
}

static double least(double x, double y)
{
    return x < y ? x : y;
}

spar_status spar__lines_fit(spar__lines *lines, size_t n, bool *moved)
{
    *moved = false;
    if (n > UINT32_MAX / 2)
        return SPAR_NOMEM;
    size_t leaves = 1;
    while (leaves * BLOCK < n)
        leaves *= 2;
    if (n > lines->room) { /* at first as much as is needed, then as much as the tree can hold */
        size_t room = lines->room ? leaves * BLOCK : (n + BLOCK - 1) / BLOCK * BLOCK;
        double *a = spar__alloc(2 * room, sizeof *a), *b = a ? a + room : NULL;
        node *tree = leaves > 1 ? spar__alloc(2 * leaves, sizeof *tree) : NULL;
        if (!a || (leaves > 1 && !tree)) {
            spar__free(a);
            spar__free(tree);
            return SPAR_NOMEM;
        }
        for (size_t i = 0; i < lines->n; i++) {
            a[i] = lines->a[i];
            b[i] = lines->b[i];
        }
        for (size_t i = lines->n; i < room; i++)
            a[i] = -INFINITY;
        spar__lines_free(lines);
        *moved = true;
        *lines = (spar__lines){.n = lines->n, .a = a, .b = b, .room = room, .leaves = leaves, .node = tree};
    }
    for (size_t i = n; i < lines->n; i++) {
        lines->a[i] = -INFINITY;
        lines->b[i] = 0;
    }
    lines->n = n;
    return SPAR_OK;
}

void spar__lines_free(spar__lines *lines)
{
    spar__free(lines->a); /* and b with it */
    spar__free(lines->node);
}

/* Two lines at a time: every 64-bit CPU has vectors of that length. */
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_mask __attribute__((vector_size(16)));
enum { PAIRS = BLOCK / 2 };

static size_t first_bit(unsigned bits)
{
    return (size_t)__builtin_ctz(bits);
}

static inline two higher(two x, two y)
{
    two_mask first = x > y;
    return (two)(((two_mask)x & first) | ((two_mask)y & ~first));
}

/* Values of the lines of a block, the highest of them, and which are near it: one bit each. */
struct block_view {
    double value[BLOCK], top;
    unsigned near;
};

/* The w until which no line of the block that is clearly below x comes near it, and none near it moves away. */
static double block_until(const node *x, const double *b, double w, const struct block_view *view)
{
    double until = INFINITY, near = slack(view->top);
    for (size_t i = 0; i < BLOCK; i++) {
        double gap = view->top - view->value[i], steeper = b[i] - x->b;
        if (gap > near && steeper > 0)
            until = least(until, w + (gap - near) / steeper);
        if (gap <= near && steeper < 0)
            until = least(until, w + 4 * near / -steeper);
    }
    return until;
}

/* A leaf. If several lines are near the highest value and not all the same, it gets a line above all of them: the
 * steepest one's slope through that value. */
static void scan(const spar__lines *lines, size_t block, node *out)
{
    *out = (node){.a = -INFINITY, .until = INFINITY};
    if (block * BLOCK >= lines->room)
        return;
    const double *a = lines->a + block * BLOCK, *b = lines->b + block * BLOCK;
    struct block_view view;
    double w = lines->w;
    two x[PAIRS], y[PAIRS], high[PAIRS];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (size_t i = 0; i < PAIRS; i++)
        high[i] = x[i] += w * y[i];
    memcpy(view.value, x, sizeof x);
    for (size_t half = PAIRS / 2; half > 0; half /= 2)
        for (size_t i = 0; i < half; i++)
            high[i] = higher(high[i], high[i + half]);
    view.top = high[0][0] > high[0][1] ? high[0][0] : high[0][1];
    double floor = view.top - slack(view.top);
    two_mask bit = {1, 2}, near = {0};
    for (size_t i = 0; i < PAIRS; i++) {
        near |= bit & (x[i] >= floor);
        bit <<= 2;
    }
    view.near = (unsigned)(near[0] | near[1]);
    size_t lead = view.near ? first_bit(view.near) : 0; /* NaN has no maximum */
    unsigned same = 1;
    bool clear = true;
    if (!(fabs(view.top) < INFINITY)) {
        same = (unsigned)__builtin_popcount(view.near); /* all infinite, with the same sign */
    } else if (view.near & (view.near - 1)) {
        for (unsigned rest = view.near; rest; rest &= rest - 1) /* the steepest of those near the top */
            lead = b[first_bit(rest)] > b[lead] ? first_bit(rest) : lead;
        same = 0;
        for (unsigned rest = view.near; rest; rest &= rest - 1) {
            bool equal = a[first_bit(rest)] == a[lead] && b[first_bit(rest)] == b[lead];
            same += equal;
            clear &= equal;
        }
    }
    out->a = clear ? a[lead] : a[lead] + (view.top - view.value[lead]);
    out->b = b[lead];
    out->line = (uint32_t)(block * BLOCK + lead);
    out->ties = clear ? same : 0;
    if (lines->leaves > 1 && fabs(view.top) < INFINITY)
        out->until = least(2 * lines->w, block_until(out, b, lines->w, &view));
}

/* The higher of two children. As in a leaf, two that are near each other and not the same get a line above both. */
static void merge(const node *left, const node *right, double w, node *out)
{
    double x = at(left, w), y = at(right, w);
    const node *high = x >= y ? left : right, *low = x >= y ? right : left;
    double gap = x >= y ? x - y : y - x, near = slack(x >= y ? x : y);
    *out = *high;
    if (left->a == right->a && left->b == right->b) {
        out->ties = left->ties && right->ties ? left->ties + right->ties : 0;
    } else if (gap > near) {
        if (high->a == INFINITY)
            return; /* nothing can overtake it */
        if (low->b > high->b)
            out->until = least(out->until, w + (gap - near) / (low->b - high->b));
    } else {
        double parting = fabs(low->b - high->b);
        out->ties = 0;
        if (low->b > high->b) {
            out->a = low->a + gap;
            out->b = low->b;
        }
        if (parting > 0)
            out->until = least(out->until, w + 4 * near / parting);
    }
    out->until = least(out->until, low->until);
    if (fabs(out->a) < INFINITY)
        out->until = least(out->until, 2 * w);
}

static void renew(spar__lines *lines, size_t i, bool all)
{
    node *x = &lines->node[i];
    if (!all && lines->w <= x->until)
        return;
    if (i >= lines->leaves) {
        scan(lines, i - lines->leaves, x);
        return;
    }
    renew(lines, 2 * i, all);
    renew(lines, 2 * i + 1, all);
    merge(&lines->node[2 * i], &lines->node[2 * i + 1], lines->w, x);
}

void spar__lines_build(spar__lines *lines, double w)
{
    lines->w = w;
    if (lines->leaves > 1)
        renew(lines, 1, true);
}

void spar__lines_move(spar__lines *lines, size_t i, double a, double b, double w)
{
    lines->a[i] = a;
    lines->b[i] = b;
    lines->w = w;
    if (lines->leaves == 1)
        return;
    node *tree = lines->node;
    size_t k = lines->leaves + i / BLOCK;
    scan(lines, i / BLOCK, &tree[k]);
    while (k > 1) {
        renew(lines, k ^ 1, false);
        k /= 2;
        merge(&tree[2 * k], &tree[2 * k + 1], w, &tree[k]);
    }
}

/* Number `skip` of the lines that are exactly the root's, which is clear. */
static size_t pick_same(const spar__lines *lines, const node *root, size_t skip)
{
    size_t i = 1;
    while (i < lines->leaves) {
        const node *left = &lines->node[2 * i];
        bool here = left->a == root->a && left->b == root->b;
        i *= 2;
        if (here && skip < left->ties)
            continue;
        skip -= here ? left->ties : 0;
        i++;
    }
    for (i = (i - lines->leaves) * BLOCK;; i++)
        if (lines->a[i] == root->a && lines->b[i] == root->b && skip-- == 0)
            return i;
}

/* Among the lines near the top: the highest exact value, how many have it, and later the one that is taken. */
struct tie_break {
    spar__line_value *value;
    void *context;
    double floor, top;
    size_t ties, skip, taken;
};

/* Every line under node i that reaches the floor, in their order: counted, or taken when `skip` of the highest have
 * been passed by, which ends it. */
static bool visit(const spar__lines *lines, size_t i, struct tie_break *ties, bool take)
{
    if (lines->leaves > 1 && at(&lines->node[i], lines->w) < ties->floor)
        return false;
    if (i < lines->leaves)
        return visit(lines, 2 * i, ties, take) || visit(lines, 2 * i + 1, ties, take);
    size_t first = (i - lines->leaves) * BLOCK;
    for (size_t k = first; k < first + BLOCK; k++) {
        if (!(lines->a[k] + lines->w * lines->b[k] >= ties->floor))
            continue;
        double value = ties->value(ties->context, k);
        if (take) {
            ties->taken = k;
            if (value == ties->top && ties->skip-- == 0)
                return true;
            continue;
        }
        ties->ties = value > ties->top ? 0 : ties->ties;
        ties->top = value > ties->top ? value : ties->top;
        ties->ties += value == ties->top;
    }
    return false;
}

size_t spar__lines_pick(const spar__lines *lines, spar_rng *rng, spar__line_value *value, void *context)
{
    node block;
    const node *root = lines->leaves > 1 ? &lines->node[1] : &block;
    if (lines->leaves == 1)
        scan(lines, 0, &block);
    if (root->ties == 1 && root->a < INFINITY)
        return root->line;
    if (root->ties)
        return pick_same(lines, root, (size_t)spar_rng_below(rng, root->ties));
    /* The root's line lies above a real one by at most the slack at each of its levels. */
    double top = at(root, lines->w);
    struct tie_break ties = {value, context, .floor = top - 64 * slack(top), .top = -INFINITY};
    (void)visit(lines, 1, &ties, false);
    ties.skip = ties.ties > 1 ? (size_t)spar_rng_below(rng, ties.ties) : 0;
    (void)visit(lines, 1, &ties, true);
    return ties.taken;
}

/* --- The bandit. --- */

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
