#include "rank/optimised.h"

#include "base/alloc.h"
#include "rank/desk.h"
#include "sampler/rng.h"

static double bias_of(size_t rows, size_t n, const double *a, const double *p)
{
    double bias = 0;
    for (size_t c = 0; c < rows; c++) {
        double sum = 0;
        for (size_t l = 0; l < n; l++)
            sum += a[c * n + l] * p[l];
        bias += fabs(sum);
    }
    return bias;
}

static double dot(size_t n, const double *x, const double *y)
{
    double sum = 0;
    for (size_t l = 0; l < n; l++)
        sum += x[l] * y[l];
    return sum;
}

static bool is_law(size_t n, const double *p)
{
    double sum = 0;
    for (size_t l = 0; l < n; l++) {
        if (!(p[l] >= 0))
            return false;
        sum += p[l];
    }
    return fabs(sum - 1) < 1e-12;
}

/* Two rows: the best basis of three columns that solves them, by Cramer's rule. INFINITY when there is none. */
static double best_triple(size_t n, const double *a, const double *cost)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                const double *x = a, *y = a + n;
                double u = x[j] * y[k] - x[k] * y[j], v = x[k] * y[i] - x[i] * y[k], w = x[i] * y[j] - x[j] * y[i];
                double sum = u + v + w;
                if (fabs(sum) > 1e-9 && u / sum >= 0 && v / sum >= 0 && w / sum >= 0)
                    best = fmin(best, (u * cost[i] + v * cost[j] + w * cost[k]) / sum);
            }
    return best;
}

/* Random problems of two rows; in every second one the columns lean to one side, so that some can not be solved. */
static void check_optimum(void)
{
    enum { N = 8, PROBLEMS = 400 };
    spar_rng rng = desk_rng(21);
    size_t solved = 0, unsolved = 0, wrong = 0, beaten = 0;
    for (size_t problem = 0; problem < PROBLEMS; problem++) {
        double a[2 * N], cost[N], p[N], other[N], bias;
        for (size_t i = 0; i < 2 * N; i++)
            a[i] = spar_rng_uniform(&rng) - (problem % 2 ? 0.3 : 0.5);
        for (size_t l = 0; l < N; l++)
            cost[l] = spar_rng_uniform(&rng);
        if (spar__fair_weights(2, N, a, cost, p, &bias) || !is_law(N, p) || fabs(bias - bias_of(2, N, a, p)) > 1e-12)
            wrong++;
        double best = best_triple(N, a, cost);
        if (best < INFINITY) {
            solved++;
            wrong += bias > 1e-9 || fabs(dot(N, cost, p) - best) > 1e-9;
            continue;
        }
        unsolved++;
        for (size_t n = 0; n < 2000; n++) { /* near p, and anywhere */
            double sum = 0, far = n % 2 ? 1 : 0.01;
            for (size_t l = 0; l < N; l++)
                sum += other[l] = p[l] * (1 - far) + far * pow(spar_rng_uniform(&rng), 4);
            for (size_t l = 0; l < N; l++)
                other[l] /= sum;
            beaten += bias_of(2, N, a, other) < bias - 1e-9;
        }
    }
    ok(solved > 100 && unsolved > 20, "%zu problems with a solution, %zu without", solved, unsolved);
    ok(!wrong, "solved at the smallest cost (%zu wrong)", wrong);
    ok(!beaten, "or with the smallest bias (%zu times beaten)", beaten);
}

/* Where the bias can not be removed the cost still decides: columns 1 and 2 have the same bias. */
static void check_second_goal(void)
{
    const double a[] = {3, 1, 1, 2}, cost[] = {-9, 5, 4, -9};
    double p[4], bias;
    ok(!spar__fair_weights(1, 4, a, cost, p, &bias) && p[2] == 1 && bias == 1, "least bias first, then least cost");
    const double none[] = {0, 0, 0};
    ok(!spar__fair_weights(1, 3, none, (const double[]){2, 1, 3}, p, &bias) && p[1] == 1 && bias == 0,
       "no bias at all");
    ok(!spar__fair_weights(0, 3, none, (const double[]){2, 1, 3}, p, &bias) && p[1] == 1, "nothing to be fair about");
    ok(!spar__fair_weights(1, 1, a, cost, p, &bias) && p[0] == 1 && bias == 3, "a single column");
}

/* Many rows that say the same, and right hand sides that stay 0 for long. */
static void check_degenerate(void)
{
    enum { N = 200, ROWS = 40 };
    static double a[ROWS * N], cost[N], p[N];
    spar_rng rng = desk_rng(22);
    bool good = true;
    for (size_t problem = 0; problem < 20; problem++) {
        double bias;
        for (size_t l = 0; l < N; l++) {
            cost[l] = spar_rng_uniform(&rng);
            for (size_t c = 0; c < ROWS; c++)
                a[c * N + l] = c % 4 == 3 ? -a[(c - 3) * N + l] : (double)spar_rng_below(&rng, 5) - 2;
        }
        good = good && !spar__fair_weights(ROWS, N, a, cost, p, &bias) && is_law(N, p) && bias < 1e-9;
    }
    ok(good, "rows of small whole numbers, every fourth one another's negative");
}

int main(void)
{
    check_optimum();
    check_second_goal();
    check_degenerate();
    double p[2] = {0}, bias;
    for (size_t k = 1; k <= 2; k++) {
        spar__alloc_fail_at(k);
        ok(spar__fair_weights(1, 2, p, p, p, &bias) == SPAR_NOMEM, "allocation %zu fails", k);
    }
    spar__alloc_fail_at(0);
    return done();
}
