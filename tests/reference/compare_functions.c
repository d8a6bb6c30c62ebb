/* compare_functions.c - the library's test functions against the references: every arm of the grid, its features, its
 * utility, and the preferences that follow. */
#include "tap.h"

#include "reference/functions.h"
#include "types/arms.h"

#include <spar/spar.h>

#include <stdlib.h>

static size_t grid_size(size_t points, size_t dim)
{
    size_t k = 1;
    while (dim-- > 0)
        k *= points;
    return k;
}

/* The number of a point of the grid, or k if it is none. */
static size_t place(const double *x, size_t dim, size_t points)
{
    size_t number = 0;
    for (size_t d = dim; d-- > 0;) {
        double i = rint(x[d] * (double)(points - 1));
        if (fabs(x[d] - i / (double)(points - 1)) > 1e-12 || i < 0 || i > (double)(points - 1))
            return grid_size(points, dim);
        number = number * points + (size_t)i;
    }
    return number;
}

/* P by the logit link, of all pairs when there are few. */
static double preference_error(const spar_world *world, const double *utility, const size_t *at, size_t k)
{
    double worst = 0;
    size_t step = k / 64 + 1;
    for (size_t i = 0; i < k; i += step)
        for (size_t j = 0; j < k; j += step) {
            double p = i == j ? 0.5 : 1 / (1 + exp(utility[at[j]] - utility[at[i]]));
            worst = fmax(worst, fabs(spar_world_prefer(world, 1, i, j) - p));
        }
    return worst;
}

/* A world has its arms in an order of its own. */
static void compare(const char *spec, ref_function f, size_t dim, size_t points)
{
    spar_env *env = NULL;
    spar_world *world = NULL;
    spar_error err = {0};
    if (!ok(!spar_env_new(spec, &env, &err) && !spar_world_new(env, 5, 3, &world, &err), "%s: a world", spec)) {
        printf("# %s\n", err.text);
        spar_env_free(env);
        return;
    }
    const spar_arms *arms = spar_world_arms(world);
    const double *utility = spar_world_utilities(world);
    ref_field field = ref_field_grid(f, dim, points);
    size_t k = field.world.k, *at = calloc(k, sizeof *at), *seen = calloc(k + 1, sizeof *seen);
    if (!at || !seen)
        abort();
    if (ok(arms->n == k && arms->dim == dim && utility, "%s: %zu arms of %zu features", spec, k, dim)) {
        double worst = 0;
        size_t once = 0;
        for (size_t i = 0; i < k; i++) {
            at[i] = place(arms->x + i * dim, dim, points);
            once += at[i] < k && seen[at[i]]++ == 0;
            double wanted = field.utility[at[i] < k ? at[i] : 0];
            worst = fmax(worst, fabs(utility[i] - wanted) / fmax(1, fabs(wanted)));
        }
        if (ok(once == k, "%s: every point of the grid once, in the unit cube", spec)) {
            near(worst, 0, 1e-13, "%s: utilities", spec);
            near(preference_error(world, field.utility, at, k), 0, 1e-13, "%s: preferences", spec);
            near(field.utility[at[spar_world_best(world, 1)]], field.utility[field.world.best], 1e-13, "%s: best",
                 spec);
        }
    }
    free(at);
    free(seen);
    ref_field_close(&field);
    spar_world_free(world);
    spar_env_free(env);
}

int main(void)
{
    compare("function(name=forrester,points=30)", REF_FORRESTER, 1, 30);
    compare("function(name=forrester)", REF_FORRESTER, 1, 30);
    compare("function(name=forrester,points=101)", REF_FORRESTER, 1, 101);
    compare("function(name=camel)", REF_CAMEL_UNIT, 2, 8);
    compare("function(name=camel,points=8,domain=unit)", REF_CAMEL_UNIT, 2, 8);
    compare("function(name=camel,points=8,domain=standard)", REF_CAMEL_STANDARD, 2, 8);
    compare("function(name=camel,points=9,domain=inner)", REF_CAMEL_INNER, 2, 9);
    compare("function(name=branin,points=16)", REF_BRANIN, 2, 16);
    compare("function(name=goldstein,points=9)", REF_GOLDSTEIN, 2, 9);
    compare("function(name=hartmann6,points=4)", REF_HARTMANN6, 6, 4);
    compare("function(name=ackley,points=10)", REF_ACKLEY, 2, 10);
    compare("function(name=ackley,d=1,points=50)", REF_ACKLEY, 1, 50);
    compare("function(name=ackley,d=4,points=4)", REF_ACKLEY, 4, 4);
    return done();
}
