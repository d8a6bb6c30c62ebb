#include "env/function.h"

#include "tap.h"

/* levels[d] levels along each axis, 0: a range. */
static double found(size_t name, size_t domain, size_t dim, const size_t *levels)
{
    spar__space_axis axis[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        axis[d] = (spar__space_axis){levels[d] ? SPAR__AXIS_LEVELS : SPAR__AXIS_RANGE, 0, 1, levels[d]};
    return spar__test_function_least(spar__test_function_of(name, domain), dim, axis);
}

/* All points, a range being 3001 of them. */
static double enumerated(size_t name, size_t domain, size_t dim, const size_t *levels)
{
    const spar__test_function *f = spar__test_function_of(name, domain);
    size_t count = 1, n[SPAR__TEST_MOST_DIM];
    for (size_t d = 0; d < dim; d++)
        count *= n[d] = levels[d] ? levels[d] : 3001;
    double least = INFINITY, x[SPAR__TEST_MOST_DIM];
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0, rest = i; d < dim; d++, rest /= n[d - 1])
            x[d] = (double)(rest % n[d]) / (double)(n[d] - 1);
        least = fmin(least, spar__test_function_at(f, dim, x));
    }
    return least;
}

int main(void)
{
    static const struct {
        const char *what;
        size_t name, domain, dim, levels[6];
    } cases[] = {
        {"forrester, 7 levels", SPAR__TEST_FORRESTER, 0, 1, {7}},
        {"forrester, 1000 levels", SPAR__TEST_FORRESTER, 0, 1, {1000}},
        {"camel, 11 levels of y", SPAR__TEST_CAMEL, 2, 2, {0, 11}},
        {"camel, 4 levels of x", SPAR__TEST_CAMEL, 1, 2, {4, 0}},
        {"camel, 100 x 97 levels", SPAR__TEST_CAMEL, 1, 2, {100, 97}},
        {"branin, 2 levels of y", SPAR__TEST_BRANIN, 0, 2, {0, 2}},
        {"branin, 5 x 7 levels", SPAR__TEST_BRANIN, 0, 2, {5, 7}},
        {"branin, 300 levels of x", SPAR__TEST_BRANIN, 0, 2, {300, 0}},
        {"goldstein, 6 x 9 levels", SPAR__TEST_GOLDSTEIN, 0, 2, {6, 9}},
        {"goldstein, 6 levels of x", SPAR__TEST_GOLDSTEIN, 0, 2, {6, 0}},
        {"hartmann6, 5 levels", SPAR__TEST_HARTMANN6, 0, 6, {5, 5, 5, 5, 5, 5}},
        {"hartmann6, 2 to 4 levels", SPAR__TEST_HARTMANN6, 0, 6, {2, 3, 4, 4, 3, 2}},
        {"hartmann6, one range", SPAR__TEST_HARTMANN6, 0, 6, {3, 3, 0, 3, 3, 3}},
        {"ackley, 5 x 4 levels", SPAR__TEST_ACKLEY, 0, 2, {5, 4}},
        {"ackley, 4 levels, 4 dimensions", SPAR__TEST_ACKLEY, 0, 4, {4, 4, 4, 4}},
        {"ackley, 4 levels and ranges", SPAR__TEST_ACKLEY, 0, 2, {4, 0}},
        {"ackley, 90 x 88 levels", SPAR__TEST_ACKLEY, 0, 2, {90, 88}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t name = cases[c].name, domain = cases[c].domain, dim = cases[c].dim;
        double got = found(name, domain, dim, cases[c].levels);
        double wanted = enumerated(name, domain, dim, cases[c].levels);
        bool all_levels = true;
        for (size_t d = 0; d < dim; d++)
            all_levels &= cases[c].levels[d] > 0;
        double scale = 1e-12 * (1 + fabs(wanted)), slack = all_levels ? scale : 1e-3 * (1 + fabs(wanted));
        if (!ok(got <= wanted + scale && got >= wanted - slack, "%s: the least of all points", cases[c].what))
            printf("# found %.17g, enumerated %.17g\n", got, wanted);
        ok(got == found(name, domain, dim, cases[c].levels), "%s: found again", cases[c].what);
    }
    static const size_t none[SPAR__TEST_MOST_DIM], odd[4] = {3, 0, 9, 0};
    ok(found(SPAR__TEST_BRANIN, 0, 2, none) == spar__test_function_of(SPAR__TEST_BRANIN, 0)->least,
       "without levels it is the known minimum");
    ok(found(SPAR__TEST_ACKLEY, 0, 4, odd) == 0, "and where levels hold the minimiser, too");
    return done();
}
