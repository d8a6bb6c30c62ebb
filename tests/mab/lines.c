#include "mab/mab.h"

#include "posterior/posterior.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

/* The exact values are rounded to a grid, so that lines which are near each other often tie. */
typedef struct table {
    const spar__lines *lines;
    double grid;
    size_t asked;
} table;

static double value(void *context, size_t i)
{
    table *t = context;
    t->asked++;
    double v = t->lines->a[i] + t->lines->w * t->lines->b[i];
    return fabs(v) < INFINITY ? rint(v * t->grid) / t->grid : v;
}

static size_t plain_pick(table *t, spar_rng *rng)
{
    static double v[MOST];
    for (size_t i = 0; i < t->lines->n; i++)
        v[i] = value(t, i);
    return spar__argmax(rng, t->lines->n, v);
}

static bool same_rng(const spar_rng *a, const spar_rng *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* A line near the top at w: from few kinds, some the same, some that differ by next to nothing. */
static void draw(spar_rng *rng, double w, double *a, double *b)
{
    *b = sqrt(1 / (double)(1 + spar_rng_below(rng, 40)));
    *a = 20 - w * *b + (double)spar_rng_below(rng, 3) * 0.01 + (double)spar_rng_below(rng, 4) * 1e-15;
    if (spar_rng_below(rng, 20) == 0)
        *a = -INFINITY;
    if (!(fabs(*a) < INFINITY))
        *b = 0;
}

static bool moved; /* by the last change of size */

static void test_choices(size_t n, double step)
{
    spar__lines lines = {0};
    spar_rng rng, mine, its;
    spar_rng_seed(&rng, 41, n, 1);
    spar_rng_seed(&mine, 42, n, 1);
    its = mine;
    if (spar__lines_fit(&lines, n, &moved))
        abort();
    double w = 0.1;
    for (size_t i = 0; i < n; i++)
        draw(&rng, w, &lines.a[i], &lines.b[i]);
    lines.a[0] = 20; /* one at least can be picked */
    spar__lines_build(&lines, w);
    table t = {&lines, 0x1p46, 0};
    size_t wrong = 0, tied = 0, close = 0;
    for (int round = 0; round < 3000; round++) {
        spar_rng before = its;
        t.asked = 0;
        size_t got = spar__lines_pick(&lines, &mine, value, &t);
        close += t.asked > 0;
        wrong += got != plain_pick(&t, &its) || !same_rng(&mine, &its);
        tied += !same_rng(&before, &its);
        double a, b;
        w *= 1 + step * spar_rng_uniform(&rng);
        draw(&rng, w, &a, &b);
        size_t i = round % 2 ? got : (size_t)spar_rng_below(&rng, n);
        if (i > 0)
            spar__lines_move(&lines, i, a, b, w);
        else
            spar__lines_move(&lines, 0, 20 - w, 1, w);
    }
    ok(wrong == 0, "%zu lines, w growing by %g: as the plain search (%zu wrong, %zu tied, %zu close)", n, step, wrong,
       tied, close);
    spar__lines_free(&lines);
}

/* Nothing moves but w: each crossing must be noticed. The envelope of tangents to w^2 / 2 has every line on top once.
 */
static void test_envelope(size_t n)
{
    spar__lines lines = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 43, 1, 1);
    if (spar__lines_fit(&lines, n + 1, &moved))
        abort();
    size_t *order = malloc(n * sizeof *order), wrong = 0;
    if (!order)
        abort();
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    spar_rng_shuffle(&rng, order, n);
    for (size_t i = 0; i < n; i++) {
        double x = 1 + (double)i;
        lines.a[order[i]] = 1e9 - x * x / 2;
        lines.b[order[i]] = x;
    }
    lines.a[n] = -INFINITY;
    spar__lines_build(&lines, 1);
    table t = {&lines, 1, 0};
    for (size_t i = 0; i < n; i++) {
        spar__lines_move(&lines, n, -INFINITY, 0, 1 + (double)i);
        wrong += spar__lines_pick(&lines, &rng, value, &t) != order[i];
    }
    ok(wrong == 0, "%zu tangents: each on top where it touches (%zu wrong)", n, wrong);
    free(order);
    spar__lines_free(&lines);
}

static void test_growth(void)
{
    spar__lines lines = {0};
    spar_rng rng;
    spar_rng_seed(&rng, 44, 1, 1);
    bool kept = true;
    size_t builds = 0;
    for (size_t n = 1; n <= 100; n++) {
        if (spar__lines_fit(&lines, n, &moved))
            abort();
        kept &= lines.a[n - 1] == -INFINITY && (n == 1 || lines.a[n - 2] == (double)(n - 1));
        size_t built = lines.n;
        lines.a[n - 1] = (double)n;
        if (moved)
            spar__lines_build(&lines, 1);
        else
            spar__lines_move(&lines, n - 1, (double)n, 0, 1);
        builds += moved;
        kept &= built == n;
        kept &= spar__lines_pick(&lines, &rng, NULL, NULL) == n - 1;
    }
    ok(kept, "new lines come in at the bottom, old ones stay");
    ok(builds == 4, "and the tree is built 4 times for 100 of them, not %zu times", builds);
    if (spar__lines_fit(&lines, 50, &moved))
        abort();
    spar__lines_build(&lines, 1);
    ok(spar__lines_pick(&lines, &rng, NULL, NULL) == 49, "lines that left are gone");
    spar__lines_free(&lines);
}

int main(void)
{
    static const size_t sizes[] = {1, 2, 16, 17, 100, 1000, 5000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        test_choices(sizes[i], 0);
        test_choices(sizes[i], 1e-6);
        test_choices(sizes[i], 1e-3);
    }
    test_envelope(10);
    test_envelope(3000);
    test_growth();
    return done();
}
