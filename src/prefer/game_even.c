/* game_even.c - of several optimal strategies of the game A = P - 1/2 the most even one, that of largest entropy.
 *
 * It is the limit, as h goes to 0, of the equilibrium of the game in which each side also gains h times the entropy of
 * its own strategy: q proportional to exp(A q / h). (Such an equilibrium has at least the entropy of every optimal
 * strategy, and loses at most h log n.) With u = log q, and h in a unit that makes the constant vanish,
 *
 *     h u = A exp(u),
 *
 * whose Newton steps (h - A diag(q)) d = A q - h u are never singular, since A is antisymmetric. h falls from 1 to 1e-9
 * in steps, each of which starts from the last solution. Like the simplex method it needs the top cycle only.
 *
 * Cost: some 60 systems of n equations: 0.1 ms for 8 arms in the top cycle, 60 ms for 100. */
#include "prefer/prefer.h"

#include "base/alloc.h"
#include "num/elementary.h"

#include <math.h>

static const double last = 1e-9, shrink = 0.3, good = 1e-13, same = 1e-4, loses = 1e-7;

typedef struct smooth_game {
    size_t n, *arm;
    double h;
    double *a;                  /* n x n */
    double *u, *q, *rest, *try; /* log q, q, A q - h u, and u after a step */
    double *system, *step;      /* n x n, n */
} smooth_game;

/* q and the rest at u; returns the largest rest. */
static double look(const smooth_game *g, const double *u)
{
    double most = 0;
    for (size_t i = 0; i < g->n; i++)
        g->q[i] = spar__exp(u[i]);
    for (size_t i = 0; i < g->n; i++) {
        double sum = 0;
        for (size_t j = 0; j < g->n; j++)
            sum += g->a[i * g->n + j] * g->q[j];
        g->rest[i] = sum - g->h * u[i];
        most = fmax(most, fabs(g->rest[i]));
    }
    return most;
}

/* Subtracts from row r what makes its entry in column c vanish. */
static void eliminate(smooth_game *g, size_t r, size_t c)
{
    const double *pivot = g->system + c * g->n;
    double *row = g->system + r * g->n, factor = row[c] / pivot[c];
    for (size_t j = c; j < g->n && factor != 0; j++)
        row[j] -= factor * pivot[j];
    g->step[r] -= factor * g->step[c];
}

static void exchange(double *a, double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Gaussian elimination with row pivots: the Newton step into g->step. */
static void newton(smooth_game *g)
{
    size_t n = g->n;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            g->system[i * n + j] = (i == j ? g->h : 0) - g->a[i * n + j] * g->q[j];
        g->step[i] = g->rest[i];
    }
    for (size_t c = 0; c < n; c++) {
        size_t p = c;
        for (size_t r = c + 1; r < n; r++)
            if (fabs(g->system[r * n + c]) > fabs(g->system[p * n + c]))
                p = r;
        exchange(g->system + c * n, g->system + p * n, p == c ? 0 : n);
        exchange(g->step + c, g->step + p, 1);
        for (size_t r = c + 1; r < n; r++)
            eliminate(g, r, c);
    }
    for (size_t c = n; c-- > 0;) {
        for (size_t j = c + 1; j < n; j++)
            g->step[c] -= g->system[c * n + j] * g->step[j];
        g->step[c] /= g->system[c * n + c];
    }
}

/* Newton's method at one h, with shorter steps where a whole one leads away. */
static void settle(smooth_game *g)
{
    double most = look(g, g->u);
    for (int round = 0; round < 60 && most > good; round++) {
        newton(g);
        double length = 1, next = most;
        for (; length > 1e-6; length /= 2) {
            for (size_t i = 0; i < g->n; i++)
                g->try[i] = g->u[i] + length * g->step[i];
            next = look(g, g->try);
            if (next < (1 - 1e-4 * length) * most)
                break;
        }
        if (!(next < most)) /* rounding is all that is left */
            break;
        exchange(g->u, g->try, g->n);
        most = next;
    }
    (void)look(g, g->u);
}

static double most_won(size_t n, const double *p, const double *w)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double won = 0;
        for (size_t i = 0; i < n; i++)
            won += w[i] * (p[j * n + i] - 0.5);
        most = fmax(most, won);
    }
    return most;
}

/* Puts the strategy into `even`, with 0 for arms outside the top cycle. */
static void solve(smooth_game *g, size_t arms, const double *p, double *even)
{
    double sum = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            g->a[i * g->n + j] = p[g->arm[i] * arms + g->arm[j]] - 0.5;
    for (g->h = 1; g->h >= last; g->h *= shrink)
        settle(g);
    for (size_t i = 0; i < g->n; i++)
        sum += g->q[i];
    for (size_t i = 0; i < arms; i++)
        even[i] = 0;
    for (size_t i = 0; i < g->n; i++)
        even[g->arm[i]] = g->q[i] / sum;
}

/* The simplex method is exact: its strategy stays where it is the only one, or where the limit was not reached. */
static bool is_other(size_t n, const double *p, const double *w, const double *even)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(w[i] - even[i]));
    return most > same && most_won(n, p, even) < loses;
}

spar_status spar__von_neumann_even(size_t n, const double *p, double *w)
{
    smooth_game g = {.arm = spar__alloc(n, sizeof *g.arm)};
    double exploitability, *even = spar__alloc(n, sizeof *even);
    spar_status status = g.arm && even ? spar__von_neumann(n, p, w, &exploitability) : SPAR_NOMEM;
    if (status)
        goto end;
    size_t k = g.n = spar__top_cycle(n, p, g.arm);
    if (k == 1)
        goto end;
    double *rows = spar__alloc(2 * k + 5, k * sizeof *rows);
    status = rows ? SPAR_OK : SPAR_NOMEM;
    if (status)
        goto end;
    g.a = rows;
    g.system = rows + k * k;
    g.u = rows + 2 * k * k;
    g.q = g.u + k;
    g.rest = g.q + k;
    g.try = g.rest + k;
    g.step = g.try + k;
    solve(&g, n, p, even);
    if (is_other(n, p, w, even))
        for (size_t i = 0; i < n; i++)
            w[i] = even[i];
    spar__free(rows);
end:
    spar__free(g.arm);
    spar__free(even);
    return status;
}
