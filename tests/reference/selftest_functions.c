/* selftest_functions.c - the test functions at their known minima, and the worlds made of them. */
#include "tap.h"

#include "reference/functions.h"
#include "reference/gauss.h"
#include "reference/ks.h"
#include "reference/parts.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* No neighbour at distance step is below the given point, where the function has the given value. */
static void minimum(ref_function f, size_t dim, const double *x, double value, double tolerance, const char *name)
{
    double near_by[6], at = ref_function_at(f, x, dim);
    bool least = true;
    near(at, value, tolerance, "%s: %g", name, value);
    for (size_t d = 0; d < dim; d++)
        for (int side = -1; side <= 1; side += 2) {
            memcpy(near_by, x, dim * sizeof *x);
            near_by[d] += side * 0.01;
            least = least && ref_function_at(f, near_by, dim) > at;
        }
    ok(least, "%s: a minimum", name);
}

static void test_minima(void)
{
    static const double forrester[] = {0.757249}, zero[6] = {0}, goldstein[] = {0, -1};
    static const double camel[] = {0.089842, -0.712656}, other[] = {-0.089842, 0.712656};
    static const double hartmann[] = {0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573};
    double first[] = {-PI, 12.275}, second[] = {PI, 2.275}, third[] = {9.42478, 2.475};
    minimum(REF_FORRESTER, 1, forrester, -6.02074, 1e-5, "forrester");
    near(ref_function_at(REF_FORRESTER, zero, 1), 4 * sin(-4), 1e-15, "forrester at 0");
    minimum(REF_CAMEL_UNIT, 2, camel, -1.031628, 1e-6, "camel");
    minimum(REF_CAMEL_STANDARD, 2, other, -1.031628, 1e-6, "camel");
    minimum(REF_BRANIN, 2, first, 0.397887, 1e-6, "branin");
    minimum(REF_BRANIN, 2, second, 0.397887, 1e-6, "branin");
    minimum(REF_BRANIN, 2, third, 0.397887, 1e-6, "branin");
    minimum(REF_GOLDSTEIN, 2, goldstein, 3, 1e-12, "goldstein_price");
    minimum(REF_HARTMANN6, 6, hartmann, -3.32237, 1e-5, "hartmann6");
    for (size_t dim = 1; dim <= 6; dim++)
        minimum(REF_ACKLEY, dim, zero, 0, 1e-14, "ackley");
}

static void test_domains(void)
{
    static const struct {
        ref_function f;
        size_t dim;
        double low[2], high[2];
    } box[] = {{REF_FORRESTER, 1, {0}, {1}},
               {REF_CAMEL_UNIT, 2, {0, 0}, {1, 1}},
               {REF_CAMEL_STANDARD, 2, {-3, -2}, {3, 2}},
               {REF_CAMEL_INNER, 2, {-2, -1}, {2, 1}},
               {REF_BRANIN, 2, {-5, 0}, {10, 15}},
               {REF_GOLDSTEIN, 2, {-2, -2}, {2, 2}},
               {REF_HARTMANN6, 2, {0, 0}, {1, 1}},
               {REF_ACKLEY, 2, {-32.768, -32.768}, {32.768, 32.768}}};
    for (size_t i = 0; i < sizeof box / sizeof *box; i++) {
        static const double zero[2] = {0, 0}, one[2] = {1, 1};
        double low[2], high[2];
        ref_function_scale(box[i].f, zero, box[i].dim, low);
        ref_function_scale(box[i].f, one, box[i].dim, high);
        bool good = true;
        for (size_t d = 0; d < box[i].dim; d++)
            good = good && fabs(low[d] - box[i].low[d]) < 1e-12 && fabs(high[d] - box[i].high[d]) < 1e-12;
        ok(good, "domain %zu", i);
    }
}

static size_t best_arms(const ref_world *world)
{
    size_t n = 0;
    for (size_t i = 0; i < world->k; i++)
        n += world->p[world->best * world->k + i] - 0.5 < 1e-9;
    return n;
}

static void test_fields(void)
{
    ref_field field = ref_field_grid(REF_FORRESTER, 1, 30);
    ok(field.world.k == 30 && field.world.dim == 1 && field.x[29] == 1, "forrester: 30 points");
    ok(field.world.best == 22, "forrester: the grid is best at 22/29");
    near(field.utility[22], -ref_function_at(REF_FORRESTER, &field.x[22], 1), 0, "forrester: utility is minus it");
    near(field.p[22 * 30], 1 / (1 + exp(field.utility[0] - field.utility[22])), 1e-15, "forrester: logit");
    ok(field.p[22 * 30] > 0.99 && field.p[22] < 0.01, "forrester: the best arm wins");
    ref_field_close(&field);
    static const ref_function camels[] = {REF_CAMEL_UNIT, REF_CAMEL_STANDARD, REF_CAMEL_INNER};
    for (size_t i = 0; i < 3; i++) {
        field = ref_field_grid(camels[i], 2, 8);
        ok(field.world.k == 64 && best_arms(&field.world) == (i ? 2 : 1), "camel %zu: best arms", i);
        printf("# camel %zu: best at (%.3f, %.3f), utility %.4f\n", i, field.x[2 * field.world.best],
               field.x[2 * field.world.best + 1], field.utility[field.world.best]);
        ref_field_close(&field);
    }
    /* (x, y) = (0, 5/7): -4 y^2 + 4 y^4 */
    field = ref_field_grid(REF_CAMEL_UNIT, 2, 8);
    double y = 25.0 / 49;
    near(field.utility[field.world.best], 4 * y - 4 * y * y, 1e-14, "camel: the unit square is best at (0, 5/7)");
    ref_field_close(&field);
}

/* Moments of the utilities at three points. */
static void test_gp_draws(void)
{
    enum { DRAWS = 20000 };
    static double product[6][DRAWS];
    static const size_t at[] = {0, 5, 29};
    gsl_rng *rng = ref_rng_open(3);
    size_t best = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        ref_field field = ref_field_gp(30, 0.2, rng);
        const double *u = field.utility;
        for (size_t a = 0; a < 3; a++) {
            product[a][i] = u[at[a]];
            product[3 + a][i] = u[at[a]] * u[at[(a + 1) % 3]];
        }
        for (size_t arm = 0; arm < 30; arm++)
            best += u[arm] > u[field.world.best];
        ref_field_close(&field);
    }
    gsl_rng_free(rng);
    ok(best == 0, "gp: the best arm is best");
    for (size_t a = 0; a < 3; a++) {
        double gap = ((double)at[a] - (double)at[(a + 1) % 3]) / 29 / 0.2;
        near(ks_mean(product[a], DRAWS), 0, 5 / sqrt(DRAWS), "gp: mean 0");
        near(ks_variance(product[a], DRAWS), 1, 5 * sqrt(2.0 / DRAWS), "gp: variance 1");
        near(ks_mean(product[3 + a], DRAWS), exp(-gap * gap / 2), 5 * sqrt(2.0 / DRAWS), "gp: covariance");
    }
}

/* Conditioned one observation at a time, the Gaussian vector is the textbook's posterior; its factor is exact. */
static void test_gauss(void)
{
    enum { K = 30 };
    static const double length[] = {0.2};
    double x[K], mean[K], covariance[K * K], worst[3] = {0};
    textbook_kernel kernel = {.kind = TEXTBOOK_SE, .variance = 1, .dim = 1, .length = length};
    for (size_t i = 0; i < K; i++)
        x[i] = (double)i / (K - 1);
    ref_gauss gauss = ref_gauss_open(x, K, &kernel);
    textbook_gp *gp = textbook_gp_new(&kernel, 0.025);
    gsl_rng *rng = ref_rng_open(4);
    for (size_t i = 0; i < 300; i++) {
        size_t arm = i < 200 ? gsl_rng_uniform_int(rng, K) : 21;
        double reward = (double)gsl_rng_uniform_int(rng, 3) / 2;
        ref_gauss_observe(&gauss, arm, reward, 0.025);
        textbook_gp_observe(gp, &x[arm], reward);
    }
    textbook_gp_means(gp, x, K, mean);
    textbook_gp_covariances(gp, x, K, covariance);
    ref_gauss_draw(&gauss, rng, (double[K]){0});
    for (size_t i = 0; i < K; i++) {
        worst[0] = fmax(worst[0], fabs(mean[i] - gauss.mean[i]));
        for (size_t j = 0; j < K; j++) {
            double sum = 0;
            for (size_t c = 0; c < gauss.rank; c++)
                sum += gauss.factor[c * K + i] * gauss.factor[c * K + j];
            worst[1] = fmax(worst[1], fabs(covariance[i * K + j] - gauss.covariance[i * K + j]));
            worst[2] = fmax(worst[2], fabs(covariance[i * K + j] - sum));
        }
    }
    near(worst[0], 0, 1e-12, "300 observations: mean of the textbook");
    near(worst[1], 0, 1e-13, "covariance of the textbook");
    near(worst[2], 0, 1e-12, "factor of the covariance, rank %zu", gauss.rank);
    ok(gauss.rank < K, "the factor stops where nothing is left");
    gsl_rng_free(rng);
    textbook_gp_free(gp);
    ref_gauss_close(&gauss);
}

int main(void)
{
    test_minima();
    test_domains();
    test_fields();
    test_gp_draws();
    test_gauss();
    return done();
}
