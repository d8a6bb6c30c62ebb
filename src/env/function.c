/* function - arms are points with features, and their utilities a function of these:
 *
 *     name=forrester ...  minus a test function, on a grid of the unit cube or, with box=1, at any point of it
 *     name=gp             a draw from a Gaussian process on a grid, fresh in every run
 *     file=               features and utilities of a table
 *
 * Features are inputs in the unit cube; the map to the function's own domain is inside. */
#include "env/function.h"

#include "base/alloc.h"
#include "env/data.h"
#include "env/env.h"
#include "num/elementary.h"
#include "num/linear.h"
#include "sampler/rng.h"
#include "sampler/sampler.h"

#include <math.h>
#include <string.h>

/* --- test functions --- */

static const double PI = 3.14159265358979323846;

static double square(double x)
{
    return x * x;
}

/* (6x - 2)^2 sin(12x - 4). Forrester, Sobester, Keane, Engineering Design via Surrogate Modelling, 2008. */
static double forrester(size_t dim, const double *z)
{
    (void)dim;
    return square(6 * z[0] - 2) * spar__sin(12 * z[0] - 4);
}

/* The six-hump camel back. Dixon, Szego, Towards Global Optimisation 2, 1978; so are branin, goldstein, hartmann6. */
static double camel(size_t dim, const double *z)
{
    (void)dim;
    double x2 = square(z[0]), y2 = square(z[1]);
    return (4 - 2.1 * x2 + x2 * x2 / 3) * x2 + z[0] * z[1] + (-4 + 4 * y2) * y2;
}

static double branin(size_t dim, const double *z)
{
    (void)dim;
    double bend = z[1] - 5.1 / (4 * PI * PI) * square(z[0]) + 5 / PI * z[0] - 6;
    return square(bend) + 10 * (1 - 1 / (8 * PI)) * spar__cos(z[0]) + 10;
}

static double goldstein(size_t dim, const double *z)
{
    (void)dim;
    double x = z[0], y = z[1];
    double first = 19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y;
    double second = 18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y;
    return (1 + square(x + y + 1) * first) * (30 + square(2 * x - 3 * y) * second);
}

/* Minus the sum of four bumps: height exp(-sum of steepness (z - centre)^2). */
static double hartmann6(size_t dim, const double *z)
{
    static const double height[4] = {1, 1.2, 3, 3.2};
    static const double steepness[4][6] = {
        {10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14}};
    static const double centre[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                        {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                        {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                        {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double away = 0;
        for (size_t d = 0; d < dim; d++)
            away += steepness[i][d] * square(z[d] - centre[i][d]);
        sum += height[i] * spar__exp(-away);
    }
    return -sum;
}

/* 20 (1 - exp(-root mean square / 5)) + e - exp(mean of cos 2 pi z). Ackley 1987. Written so that it is 0 at 0. */
static double ackley(size_t dim, const double *z)
{
    double squares = 0, cosines = 0;
    for (size_t d = 0; d < dim; d++) {
        squares += square(z[d]);
        cosines += spar__cos(2 * PI * z[d]);
    }
    double n = (double)dim;
    return -20 * spar__expm1(-0.2 * sqrt(squares / n)) + (spar__exp(1) - spar__exp(cosines / n));
}

/* Minima. forrester, camel and hartmann6: zeros of the gradient to 30 digits, from the known places, found by Newton's
 * method. The camel of the unit square has none inside: x y pushes x to 0, and what is left, 4 y^4 - 4 y^2, is -1 at
 * y^2 = 1/2. branin: cos = -1 where the square is 0 leaves 10 / (8 pi), for example at (pi, 2.275). goldstein: 3 at
 * (0, -1). ackley: 0 at 0. */
static const spar__test_function FUNCTIONS[] = {
    {1, {0}, {1}, forrester, -6.0207400557670828, {0.75724875784185587}},
    {2, {0, 0}, {1, 1}, camel, -1, {0, 0.70710678118654752}},
    {2, {-3, -2}, {3, 2}, camel, -1.0316284534898774, {0.51497366885005301, 0.32183589924481509}},
    {2, {-2, -1}, {2, 1}, camel, -1.0316284534898774, {0.52246050327507952, 0.14367179848963018}},
    {2, {-5, 0}, {10, 15}, branin, 0.39788735772973834, {0.54277284357265292, 0.15166666666666667}},
    {2, {-2, -2}, {2, 2}, goldstein, 3, {0.5, 0.25}},
    {6,
     {0, 0},
     {1, 1},
     hartmann6,
     -3.3223680114155148,
     {0.20168951100670542, 0.15001069182345797, 0.47687397422189699, 0.27533243049405607, 0.31165161660011324,
      0.65730053406562031}},
    {0, {-32.768, -32.768}, {32.768, 32.768}, ackley, 0, {0.5}},
};

const spar__test_function *spar__test_function_of(size_t name, size_t domain)
{
    size_t camels = name > SPAR__TEST_CAMEL ? 2 : name == SPAR__TEST_CAMEL ? domain : 0;
    return &FUNCTIONS[name + camels];
}

static size_t side(size_t d)
{
    return d < 2 ? d : 1;
}

double spar__test_function_at(const spar__test_function *f, size_t dim, const double *x)
{
    double z[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        z[d] = f->lo[side(d)] * (1 - x[d]) + f->hi[side(d)] * x[d];
    return f->at(dim, z);
}

double spar__test_function_on_grid(const spar__test_function *f, size_t dim, const size_t *step, size_t steps)
{
    double z[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        z[d] = (f->lo[side(d)] * (double)(steps - step[d]) + f->hi[side(d)] * (double)step[d]) / (double)steps;
    return f->at(dim, z);
}

/* --- their minimum over a mixed space ---
 *
 * Searched when an environment is made. In one or two dimensions every level of an
 * axis is combined with the best place on the other: a scan and a golden section of a range, all of its levels. In
 * more, of many random points and the known minimiser the best few are improved along one axis after the other until
 * nothing is gained. */

enum { POINTS = 1 << 14, KEPT = 16, MOST_SWEEPS = 500, SCAN = 64, SECTIONS = 45 };

typedef struct least_candidate {
    double value;
    double x[SPAR__TEST_MOST_DIM];
} least_candidate;

typedef struct least_search {
    const spar__test_function *f;
    size_t dim;
    const spar__space_axis *axis;
} least_search;

static double value_at(const least_search *s, least_candidate *c, size_t d, double x)
{
    double before = c->x[d];
    c->x[d] = x;
    double value = spar__test_function_at(s->f, s->dim, c->x);
    c->x[d] = before;
    return value;
}

/* Moves there if it is better. */
static void offer(const least_search *s, least_candidate *c, size_t d, double x)
{
    double value = value_at(s, c, d, x);
    if (value < c->value) {
        c->value = value;
        c->x[d] = x;
    }
}

/* The golden section of lo .. hi. */
static void narrow(const least_search *s, least_candidate *c, size_t d, double lo, double hi)
{
    static const double RATIO = 0.61803398874989485;
    double left = hi - RATIO * (hi - lo), right = lo + RATIO * (hi - lo);
    double at_left = value_at(s, c, d, left), at_right = value_at(s, c, d, right);
    for (size_t i = 0; i < SECTIONS; i++) {
        if (at_left < at_right) {
            hi = right;
            right = left;
            at_right = at_left;
            left = hi - RATIO * (hi - lo);
            at_left = value_at(s, c, d, left);
        } else {
            lo = left;
            left = right;
            at_left = at_right;
            right = lo + RATIO * (hi - lo);
            at_right = value_at(s, c, d, right);
        }
    }
    offer(s, c, d, (lo + hi) / 2);
}

/* Along one axis: all of its levels; of a range, looks closer wherever a scan goes down and up again: valleys may be
 * almost equally deep. */
static void improve_axis(const least_search *s, least_candidate *c, size_t d)
{
    bool levels = s->axis[d].kind == SPAR__AXIS_LEVELS;
    for (size_t i = 0; levels && i < s->axis[d].n; i++)
        offer(s, c, d, spar__axis_level(&s->axis[d], i));
    if (levels)
        return;
    double scan[SCAN + 1];
    for (size_t i = 0; i <= SCAN; i++)
        scan[i] = value_at(s, c, d, (double)i / SCAN);
    for (size_t i = 0; i <= SCAN; i++) {
        size_t left = i > 0 ? i - 1 : i, right = i < SCAN ? i + 1 : i;
        if (scan[i] > scan[left] || scan[i] > scan[right])
            continue;
        offer(s, c, d, (double)i / SCAN);
        narrow(s, c, d, (double)left / SCAN, (double)right / SCAN);
    }
}

static double least_of_lines(const least_search *s, size_t d)
{
    double least = INFINITY;
    for (size_t i = 0; i < s->axis[d].n; i++) {
        least_candidate c = {0};
        c.x[d] = spar__axis_level(&s->axis[d], i);
        c.value = s->dim == 2 ? INFINITY : spar__test_function_at(s->f, s->dim, c.x);
        if (s->dim == 2)
            improve_axis(s, &c, 1 - d);
        least = fmin(least, c.value);
    }
    return least;
}

static double least_of_many(const least_search *s)
{
    least_candidate kept[KEPT], c; /* the best so far, best first */
    size_t n = 0;
    for (size_t d = 0; d < s->dim; d++)
        c.x[d] = s->f->where[s->f->dim ? d : 0];
    spar_rng rng;
    spar_rng_seed(&rng, 0, 0, 0);
    for (size_t i = 0; i < POINTS; i++) {
        for (size_t d = 0; d < s->dim; d++) /* to the nearest point of the space */
            if (s->axis[d].kind == SPAR__AXIS_LEVELS)
                c.x[d] = spar__axis_level(&s->axis[d], (size_t)rint(c.x[d] * (double)(s->axis[d].n - 1)));
        c.value = spar__test_function_at(s->f, s->dim, c.x);
        size_t place = n;
        while (place > 0 && c.value < kept[place - 1].value)
            place--;
        if (place < KEPT) {
            n = n < KEPT ? n + 1 : n;
            memmove(&kept[place + 1], &kept[place], (n - 1 - place) * sizeof *kept);
            kept[place] = c;
        }
        for (size_t d = 0; d < s->dim; d++)
            c.x[d] = spar_rng_uniform(&rng);
    }
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double before = INFINITY;
        least_candidate *k = &kept[i];
        for (size_t sweep = 0; sweep < MOST_SWEEPS && before - k->value > 1e-13 * (1 + fabs(k->value)); sweep++) {
            before = k->value;
            for (size_t d = 0; d < s->dim; d++)
                improve_axis(s, k, d);
        }
        least = fmin(least, k->value);
    }
    return least;
}

double spar__test_function_least(const spar__test_function *f, size_t dim, const spar__space_axis *axis)
{
    const least_search s = {f, dim, axis};
    for (size_t d = 0; d < dim; d++)
        if (axis[d].kind == SPAR__AXIS_LEVELS)
            return dim > 2 ? least_of_many(&s) : least_of_lines(&s, d);
    return f->least;
}

/* --- draws from a Gaussian process ---
 *
 * With K = phi phi^T along an axis of p points, phi p x r, and w of standard normals: phi w is a draw on the axis, and
 * phi w phi^T, w now r x r, one on the square of two such axes, because the kernel is a product over the axes. r is
 * about 20 for a length of 0.2, whatever p is. */

enum { MOST_NUMBERS = 50000000, MOST_RANK = 1000 }; /* of the basis, 0.4 GB */

spar_status spar__gp_draw_init(spar__gp_draw *draw, size_t points, size_t dim, double length, spar_error *err)
{
    size_t most = MOST_NUMBERS / points < MOST_RANK ? MOST_NUMBERS / points : MOST_RANK;
    spar__kernel kernel = {SPAR__KERNEL_SE, 1, &length, 1};
    draw->points = points;
    draw->dim = dim;
    double *x = spar__alloc(points, sizeof *x);
    for (size_t i = 0; x && i < points; i++)
        x[i] = (double)i / (double)(points - 1);
    spar_status status = x ? spar__basis_make(&kernel, points, x, 1e-14, most, &draw->basis) : SPAR_NOMEM;
    spar__free(x);
    if (!status && !(draw->columns = spar__basis_columns(&draw->basis)))
        status = SPAR_NOMEM;
    if (status == SPAR_NOMEM)
        return spar__fail_memory(err);
    if (status)
        return spar__fail(err, status,
                          "function: length=%g with points=%zu is too rough a function to draw: take fewer points or a "
                          "greater length",
                          length, points);
    return SPAR_OK;
}

void spar__gp_draw_free(spar__gp_draw *draw)
{
    spar__basis_free(&draw->basis);
    spar__free(draw->columns);
    *draw = (spar__gp_draw){0};
}

spar_status spar__gp_draw_make(const spar__gp_draw *draw, spar_rng *rng, double *out)
{
    size_t p = draw->points, r = draw->basis.r, rows = draw->dim == 1 ? 1 : r;
    double *w = spar__alloc(rows, r * sizeof *w), *half = spar__alloc(rows, p * sizeof *half);
    spar_status status = w && half ? SPAR_OK : SPAR_NOMEM;
    if (!status) {
        spar__normal_batch(rng, rows * r, w);
        spar__product(rows, p, r, w, r, draw->columns, p, draw->dim == 1 ? out : half, p);
        if (draw->dim == 2)
            spar__product(p, p, r, draw->basis.phi, r, half, p, out, p);
    }
    spar__free(w);
    spar__free(half);
    return status;
}

/* --- the environment --- */

static const size_t MOST_ARMS = 10000000;

enum { NAME_GP = SPAR__TEST_COUNT }; /* behind the test functions */
enum { SCALE_UNIT, SCALE_NONE };

/* What a spec is about, and so which parameters it may have. */
enum { NAMED = 1, TABLE = 2, GRID = 4, BOX = 8, FUNCTION = 16, CAMEL = 32, ACKLEY = 64, GP = 128 };

typedef struct function_env {
    unsigned about;
    const spar__test_function *f; /* FUNCTION */
    size_t dim;
    size_t points; /* GRID: along each dimension */
    size_t n;      /* arms; 0: BOX */
    double *value; /* n utilities; NULL: drawn in every run, or BOX */
    spar__arm_table table;
    spar__gp_draw draw;
    spar__space_axis axis[SPAR__TEST_MOST_DIM]; /* BOX */
    double best;                                /* BOX: the highest utility */
    spar__link link;
    double ties;
} function_env;

static const spar_param params[] = {
    {"name", SPAR_PARAM_CHOICE, "forrester", 0, 0, SPAR__TEST_FUNCTIONS "|gp", "utility = minus this function"},
    {"points", SPAR_PARAM_INTEGER, NULL, 2, 1e7, NULL,
     "grid points per dimension (30 for 1 dimension, 8 for 2, else 4)"},
    {"domain", SPAR_PARAM_CHOICE, "unit", 0, 0, SPAR__CAMEL_DOMAINS,
     "of camel: [0,1]^2, [-3,3] x [-2,2] or [-2,2] x [-1,1]"},
    {"d", SPAR_PARAM_INTEGER, "2", 1, SPAR__TEST_MOST_DIM, NULL, "dimensions of ackley"},
    {"length", SPAR_PARAM_NUMBER, "0.2", 1e-6, 1e6, NULL, "length scale of gp"},
    {"dim", SPAR_PARAM_INTEGER, "1", 1, 2, NULL, "dimensions of gp"},
    {"box", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: any point of the unit cube may be shown, not only a grid"},
    {"levels", SPAR_PARAM_NUMBERS, NULL, 0, 1000, NULL,
     "of a box: equally spaced levels of each dimension (one for all); 0: continuous"},
    {"file", SPAR_PARAM_PATH, NULL, 0, 0, NULL, "a CSV table: utility, name if any, features (texts are categories)"},
    {"utility", SPAR_PARAM_TEXT, "utility", 0, 0, NULL, "the column of the table that holds the utility"},
    {"scale", SPAR_PARAM_CHOICE, "unit", 0, 0, "unit|none",
     "unit: numbers of the table to [0,1]; categories are always 1 apart"},
    {"link", SPAR_PARAM_CHOICE, "logit", 0, 0, SPAR__LINK_CHOICES, "how two utilities become a preference"},
    {"ties", SPAR_PARAM_NUMBER, "0", 0, 1e6, NULL, "Davidson's nu: how often answers are ties"},
    {0},
};

static spar_status check_params(unsigned what, const spar__values *values, spar_error *err)
{
    static const struct {
        const char *param;
        unsigned needs;
        const char *words;
    } rules[] = {
        {"name", NAMED, "cannot be combined with file="},
        {"points", GRID, "is for grids, not for file= or box=1"},
        {"domain", CAMEL, "is for name=camel"},
        {"d", ACKLEY, "is for name=ackley"},
        {"length", GP, "is for name=gp"},
        {"dim", GP, "is for name=gp"},
        {"box", FUNCTION, "is for test functions, not for file= or name=gp"},
        {"levels", BOX, "is for box=1"},
        {"utility", TABLE, "is for file="},
        {"scale", TABLE, "is for file="},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (spar__given(values, rules[i].param) && !(what & rules[i].needs))
            return spar__fail(err, SPAR_INVALID, "function: %s= %s", rules[i].param, rules[i].words);
    if ((what & (GP | BOX)) && spar__choice(values, "link") != SPAR__LINK_LOGIT)
        return spar__fail(err, SPAR_INVALID,
                          "function: link=%s: utilities of %s may be any number, so only logit will do",
                          spar__text(values, "link"), what & GP ? "name=gp" : "box=1");
    return SPAR_OK;
}

/* The place of item i in the grid, the last dimension running fastest. */
static void place_of(const function_env *self, size_t i, size_t *step)
{
    for (size_t d = self->dim; d-- > 0; i /= self->points)
        step[d] = i % self->points;
}

static spar_status init_named(function_env *self, const spar__values *values, spar_error *err)
{
    if (self->about & GP) {
        self->dim = spar__integer(values, "dim");
    } else {
        self->f = spar__test_function_of(spar__choice(values, "name"), spar__choice(values, "domain"));
        self->dim = self->f->dim ? self->f->dim : spar__integer(values, "d");
    }
    if (self->about & BOX) {
        const spar__value *levels = spar__value_of(values, "levels");
        if (levels->n > 1 && levels->n != self->dim)
            return spar__fail(err, SPAR_INVALID, "function: levels= has %zu values for %zu dimensions", levels->n,
                              self->dim);
        for (size_t d = 0; d < self->dim; d++) {
            double n = levels->n ? levels->numbers[levels->n > 1 ? d : 0] : 0;
            if (n == 1 || n != floor(n))
                return spar__fail(err, SPAR_INVALID, "function: levels=%.80s: expected 0 or whole numbers from 2",
                                  levels->text);
            self->axis[d] = (spar__space_axis){n > 0 ? SPAR__AXIS_LEVELS : SPAR__AXIS_RANGE, 0, 1, (size_t)n};
        }
        self->best = -spar__test_function_least(self->f, self->dim, self->axis);
        return SPAR_OK;
    }
    self->points = self->dim == 1 ? 30 : self->dim == 2 ? 8 : 4;
    if (spar__given(values, "points"))
        self->points = spar__integer(values, "points");
    self->n = 1;
    for (size_t d = 0; d < self->dim; d++) {
        if (self->n > MOST_ARMS / self->points)
            return spar__fail(err, SPAR_INVALID,
                              "function: %zu points in each of %zu dimensions are more than %zu arms", self->points,
                              self->dim, MOST_ARMS);
        self->n *= self->points;
    }
    if (self->about & GP)
        return spar__gp_draw_init(&self->draw, self->points, self->dim, spar__number(values, "length"), err);
    self->value = spar__alloc(self->n, sizeof *self->value);
    if (!self->value)
        return spar__fail_memory(err);
    size_t step[SPAR__TEST_MOST_DIM];
    for (size_t i = 0; i < self->n; i++) {
        place_of(self, i, step);
        self->value[i] = -spar__test_function_on_grid(self->f, self->dim, step, self->points - 1);
    }
    return SPAR_OK;
}

static spar_status init_table(function_env *self, const spar__values *values, spar_error *err)
{
    spar__arm_table *table = &self->table;
    spar_status status = spar__arm_table_read(spar__text(values, "file"), spar__text(values, "utility"),
                                              spar__choice(values, "scale") == SCALE_UNIT, table, err);
    if (status)
        return status;
    self->n = table->n;
    self->dim = table->dim;
    self->value = table->utility;
    table->utility = NULL;
    return SPAR_OK;
}

static spar_status init(void *self, const spar__values *values, spar_error *err)
{
    function_env *f = self;
    size_t name = spar__choice(values, "name");
    if (spar__given(values, "file"))
        f->about = TABLE;
    else
        f->about = NAMED | (name == NAME_GP ? GP : FUNCTION) | (name == SPAR__TEST_CAMEL ? CAMEL : 0) |
                   (name == SPAR__TEST_ACKLEY ? ACKLEY : 0) | (spar__integer(values, "box") ? BOX : GRID);
    f->link = (spar__link)spar__choice(values, "link");
    f->ties = spar__number(values, "ties");
    spar_status status = check_params(f->about, values, err);
    if (!status)
        status = f->about & TABLE ? init_table(f, values, err) : init_named(f, values, err);
    const char *why = status || !f->value ? NULL : spar__link_refuses(f->link, f->value, f->n);
    if (why)
        status = spar__fail(err, SPAR_INVALID, "function: %s=%.200s: %s", f->about & TABLE ? "file" : "name",
                            spar__text(values, f->about & TABLE ? "file" : "name"), why);
    return status;
}

static void fini(void *self)
{
    function_env *f = self;
    spar__free(f->value);
    spar__arm_table_free(&f->table);
    spar__gp_draw_free(&f->draw);
}

/* Arm i is the item order[i] of the grid. Features are made here, in their order, and not kept beside the arms: a
 * million arms are common. */
static spar_status set_grid_arms(const function_env *self, const size_t *order, spar_world *world)
{
    size_t step[SPAR__TEST_MOST_DIM];
    double *x = spar__alloc(self->n, self->dim * sizeof *x);
    if (!x)
        return SPAR_NOMEM;
    for (size_t i = 0; i < self->n; i++) {
        place_of(self, order[i], step);
        for (size_t d = 0; d < self->dim; d++)
            x[i * self->dim + d] = (double)step[d] / (double)(self->points - 1);
    }
    world->n = self->n;
    spar_status status = spar_arms_new(self->n, self->dim, x, NULL, &world->arms);
    spar__free(x);
    return status;
}

static double utility_at(const void *self, const double *x)
{
    const function_env *f = self;
    return -spar__test_function_at(f->f, f->dim, x);
}

static spar_status start(const void *self, uint64_t seed, uint64_t run, spar_world *world, spar_error *err)
{
    (void)err;
    const function_env *f = self;
    world->link = f->link;
    world->ties = f->ties;
    if (f->about & BOX)
        return spar__world_set_box(world, f->dim, f->axis, utility_at, f, f->best);
    /* Utilities of the items in their own order: those of all runs, or drawn. */
    double *drawn = f->value ? NULL : spar__alloc(f->n, sizeof *drawn);
    size_t *order = NULL;
    spar_status status = f->value || drawn ? SPAR_OK : SPAR_NOMEM;
    if (drawn) {
        spar_rng rng;
        spar_rng_seed(&rng, seed, run, SPAR__PURPOSE_UTILITIES);
        status = spar__gp_draw_make(&f->draw, &rng, drawn);
    }
    if (!status)
        status = spar__world_set_values(world, seed, run, f->n, drawn ? drawn : f->value, &order);
    spar__free(drawn);
    if (!status)
        status = f->about & TABLE ? spar__world_set_arms(world, order, f->n, f->dim, f->table.x, f->table.names)
                                  : set_grid_arms(f, order, world);
    if (!status)
        status = spar__world_set_utilities(world);
    spar__free(order);
    return status;
}

static bool has_features(const void *self)
{
    return ((const function_env *)self)->dim > 0;
}

const spar__env_class spar__env_function = {
    .entry = {"function", "a function of the arms' features: test functions, Gaussian processes, tables",
              "Sui, Zhuang, Burdick, Yue 2017", params},
    .has_utilities = true,
    .size = sizeof(function_env),
    .init = init,
    .fini = fini,
    .start = start,
    .has_features = has_features,
};
