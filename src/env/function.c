/* function - arms are points with features, and their utilities a function of these:
 *
 *     name=forrester ...  minus a test function, on a grid of the unit cube or, with box=1, at any point of it
 *     name=gp             a draw from a Gaussian process on a grid, fresh in every run
 *     file=               features and utilities of a table
 *
 * Features are inputs in the unit cube; the map to the function's own domain is inside. */
#include "base/alloc.h"
#include "env/env.h"
#include "env/gp_draw.h"
#include "env/least.h"
#include "env/table_read.h"
#include "env/test_functions.h"

#include <math.h>

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

static unsigned about(const spar__values *values)
{
    if (spar__given(values, "file"))
        return TABLE;
    size_t name = spar__choice(values, "name");
    unsigned what = NAMED | (name == NAME_GP ? GP : FUNCTION);
    if (name == SPAR__TEST_CAMEL)
        what |= CAMEL;
    if (name == SPAR__TEST_ACKLEY)
        what |= ACKLEY;
    return what | (spar__integer(values, "box") ? BOX : GRID);
}

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

/* Sets n to points^dim. */
static spar_status count_arms(function_env *self, spar_error *err)
{
    self->n = 1;
    for (size_t d = 0; d < self->dim; d++) {
        if (self->n > MOST_ARMS / self->points)
            return spar__fail(err, SPAR_INVALID,
                              "function: %zu points in each of %zu dimensions are more than %zu arms", self->points,
                              self->dim, MOST_ARMS);
        self->n *= self->points;
    }
    return SPAR_OK;
}

/* The place of item i in the grid, the last dimension running fastest. */
static void place_of(const function_env *self, size_t i, size_t *step)
{
    for (size_t d = self->dim; d-- > 0; i /= self->points)
        step[d] = i % self->points;
}

static spar_status init_grid(function_env *self, const spar__values *values, spar_error *err)
{
    self->points = self->dim == 1 ? 30 : self->dim == 2 ? 8 : 4;
    if (spar__given(values, "points"))
        self->points = spar__integer(values, "points");
    spar_status status = count_arms(self, err);
    if (status)
        return status;
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

static spar_status init_box(function_env *self, const spar__values *values, spar_error *err)
{
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

static spar_status init_named(function_env *self, const spar__values *values, spar_error *err)
{
    if (self->about & GP) {
        self->dim = spar__integer(values, "dim");
    } else {
        self->f = spar__test_function_of(spar__choice(values, "name"), spar__choice(values, "domain"));
        self->dim = self->f->dim ? self->f->dim : spar__integer(values, "d");
    }
    return self->about & BOX ? init_box(self, values, err) : init_grid(self, values, err);
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
    f->about = about(values);
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

/* Utilities of the items in their own order: those of all runs, or drawn into *drawn, which is the caller's to free. */
static spar_status values_of_run(const function_env *self, uint64_t seed, uint64_t run, double **drawn)
{
    if (self->value)
        return SPAR_OK;
    *drawn = spar__alloc(self->n, sizeof **drawn);
    if (!*drawn)
        return SPAR_NOMEM;
    spar_rng rng;
    spar_rng_seed(&rng, seed, run, SPAR__PURPOSE_UTILITIES);
    return spar__gp_draw_make(&self->draw, &rng, *drawn);
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
    double *drawn = NULL;
    size_t *order = spar__alloc(f->n, sizeof *order);
    world->utility = spar__alloc(f->n, sizeof *world->utility);
    spar_status status = order && world->utility ? values_of_run(f, seed, run, &drawn) : SPAR_NOMEM;
    if (status)
        goto end;
    spar_rng rng;
    spar__world_labels(&rng, seed, run, f->n, order);
    const double *value = drawn ? drawn : f->value;
    for (size_t i = 0; i < f->n; i++)
        world->utility[i] = value[order[i]];
    spar__free(drawn);
    drawn = NULL;
    status = f->about & TABLE ? spar__world_set_arms(world, order, f->n, f->dim, f->table.x, f->table.names)
                              : set_grid_arms(f, order, world);
    if (!status)
        status = spar__world_set_utilities(world);
end:
    spar__free(order);
    spar__free(drawn);
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
