#include "plot/heat.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

/* The point whose cell holds (x, y). */
static size_t owner(const spar__cells *cells, double x, double y)
{
    size_t found = (size_t)-1;
    for (size_t i = 0; i < cells->n; i++) {
        const spar__box *box = &cells->cell[i].box;
        if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
            found = cells->cell[i].point;
    }
    return found;
}

static double area(const spar__cells *cells)
{
    double sum = 0;
    for (size_t i = 0; i < cells->n; i++)
        sum += cells->cell[i].box.width * cells->cell[i].box.height;
    return sum / ((cells->x.hi - cells->x.lo) * (cells->y.hi - cells->y.lo));
}

static void test_grid(void)
{
    enum { WIDE = 4, HIGH = 3 };
    static const double at[] = {0, 1, 3, 7};
    double xy[2 * WIDE * HIGH];
    for (size_t k = 0; k < WIDE * HIGH; k++) { /* in an order of its own */
        size_t p = k * 5 % (WIDE * HIGH);
        xy[2 * p] = at[k % WIDE];
        xy[2 * p + 1] = (double)(k / WIDE) * 0.5;
    }
    spar__cells cells;
    ok(spar__cells_make(WIDE * HIGH, xy, &cells) == SPAR_OK && cells.n == WIDE * HIGH, "a grid has a cell for each");
    near(cells.x.lo, -0.5, 1e-15, "half a cell to the left");
    near(cells.x.hi, 9, 1e-15, "and to the right");
    near(cells.y.lo, -0.25, 1e-15, "below");
    near(cells.width, 1, 1e-15, "the narrowest");
    near(cells.height, 0.5, 1e-15, "and lowest");
    near(area(&cells), 1, 1e-12, "without gaps");
    bool good = true;
    for (size_t p = 0; p < WIDE * HIGH; p++)
        good = good && owner(&cells, xy[2 * p], xy[2 * p + 1]) == p;
    ok(good, "each around its point");
    ok(owner(&cells, 4.9, 0) == owner(&cells, 3, 0) && owner(&cells, 5.1, 0) == owner(&cells, 7, 0),
       "with edges in the middle");
    good = true;
    for (size_t i = 1; i < cells.n; i++) {
        const spar__box *a = &cells.cell[i - 1].box, *b = &cells.cell[i].box;
        good = good && (b->y > a->y || (b->y == a->y && b->x > a->x));
    }
    ok(good, "row by row, upwards");
    spar__cells_free(&cells);

    const double twice[] = {0, 0, 1, 0, 0, 0, 1, 0};
    ok(spar__cells_make(4, twice, &cells) == SPAR_OK && cells.n == 2 && cells.cell[0].point == 0 &&
           cells.cell[1].point == 1,
       "of equal points the first has the cell");
    near(cells.height, 1, 0, "a single row has some height");
    spar__cells_free(&cells);
    const double one[] = {1e100, -3};
    ok(spar__cells_make(1, one, &cells) == SPAR_OK && cells.n >= 1, "one point alone");
    spar__cells_free(&cells);
}

static void test_scattered(void)
{
    enum { N = 300 };
    static double xy[2 * N];
    unsigned state = 7;
    for (size_t i = 0; i < 2 * N; i++) {
        state = state * 1664525u + 1013904223u;
        xy[i] = (double)(state >> 8) / 16777216 * (i % 2 ? 10 : 1);
    }
    spar__cells cells;
    ok(spar__cells_make(N, xy, &cells) == SPAR_OK && cells.width == 0, "scattered points form no grid");
    near(area(&cells), 1, 1e-9, "and yet have cells without gaps");
    double wide = cells.x.hi - cells.x.lo, high = cells.y.hi - cells.y.lo, worst = 0;
    for (size_t c = 0; c < cells.n; c += 7) { /* slowly and obviously: the nearest on paper */
        const spar__box *box = &cells.cell[c].box;
        double field = wide / 180, x = box->x + field / 2, y = box->y + box->height / 2, best = HUGE_VAL, mine = 0;
        for (size_t p = 0; p < N; p++) {
            double dx = (xy[2 * p] - x) / wide, dy = (xy[2 * p + 1] - y) / high, d = sqrt(dx * dx + dy * dy);
            best = fmin(best, d);
            mine = p == cells.cell[c].point ? d : mine;
        }
        worst = fmax(worst, mine - best);
    }
    ok(worst < 1e-9, "each place belongs to the nearest point");
    spar__cells_free(&cells);

    enum { FINE = 200 };
    double *grid = spar__alloc(2 * FINE * FINE, sizeof *grid);
    for (size_t i = 0; i < FINE * FINE; i++) {
        grid[2 * i] = (double)(i % FINE);
        grid[2 * i + 1] = (double)(i / FINE);
    }
    ok(spar__cells_make(FINE * FINE, grid, &cells) == SPAR_OK && cells.n <= 180 * 180, "a fine grid is thinned");
    ok(owner(&cells, 0, 0) <= 2 * FINE + 2 && owner(&cells, FINE - 1, FINE - 1) >= FINE * FINE - 3 * FINE,
       "from corner to corner");
    spar__cells_free(&cells);
    spar__free(grid);
}

static void test_memory(void)
{
    const double xy[] = {0, 0, 1, 3, 2, 1};
    size_t failures = 0;
    for (size_t k = 1;; k++, failures++) {
        spar__cells cells;
        spar__alloc_fail_at(k);
        spar_status status = spar__cells_make(3, xy, &cells);
        spar__alloc_fail_at(0);
        if (status != SPAR_OK && (status != SPAR_NOMEM || cells.cell))
            ok(false, "allocation %zu fails without a clean error", k);
        spar__cells_free(&cells);
        if (status == SPAR_OK)
            break;
    }
    ok(failures == 6, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    test_grid();
    test_scattered();
    test_memory();
    return done();
}
