/* selftest_gp.c - the textbook Gaussian process against cases that can be worked out by hand. */
#include "tap.h"

#include "reference/gp_textbook.h"
#include "reference/parts.h"

#include <stdlib.h>

static const double ONE[] = {1, 1, 1};
static const textbook_kind KINDS[] = {
    TEXTBOOK_SE,    TEXTBOOK_MATERN32, TEXTBOOK_MATERN52, TEXTBOOK_PRODUCT_MATERN32, TEXTBOOK_PRODUCT_MATERN52,
    TEXTBOOK_LINEAR};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static double kernel(textbook_kind kind, double variance, size_t dim, const double *length, const double *x,
                     const double *y)
{
    textbook_kernel k = {.kind = kind, .variance = variance, .dim = dim, .length = length};
    return (double)textbook_kernel_at(&k, x, y);
}

static void test_kernels(void)
{
    static const double zero[] = {0, 0}, x[] = {1, 0}, y[] = {0.3, 0.8}, length[] = {0.5, 2};
    near(kernel(TEXTBOOK_SE, 3, 1, ONE, zero, x), 3 * exp(-0.5), 1e-15, "se at distance 1");
    near(kernel(TEXTBOOK_MATERN32, 1, 1, ONE, zero, x), 0.48335772, 1e-8, "matern32 at distance 1");
    near(kernel(TEXTBOOK_MATERN52, 1, 1, ONE, zero, x), 0.52399411, 1e-8, "matern52 at distance 1");
    near(kernel(TEXTBOOK_LINEAR, 2, 2, length, x, y), 2 * 0.3 / 0.25, 1e-15, "linear");
    near(kernel(TEXTBOOK_LINEAR, 2, 2, length, y, y), 2 * (0.09 / 0.25 + 0.64 / 4), 1e-15, "linear, both dimensions");
    /* (1, 0) - (0.3, 0.8) is (1.4, -0.4) in lengths: distance sqrt(2.12) */
    double r = sqrt(2.12), s = sqrt(3) * r, v = sqrt(5) * r;
    near(kernel(TEXTBOOK_SE, 2, 2, length, x, y), 2 * exp(-1.06), 1e-15, "se with two lengths");
    near(kernel(TEXTBOOK_MATERN32, 2, 2, length, x, y), 2 * (1 + s) * exp(-s), 1e-15, "matern32 with two lengths");
    near(kernel(TEXTBOOK_MATERN52, 2, 2, length, x, y), 2 * (1 + v + 5 * 2.12 / 3) * exp(-v), 1e-15,
         "matern52 with two lengths");
    for (size_t i = 0; i < 2; i++) {
        textbook_kind plain = i ? TEXTBOOK_MATERN52 : TEXTBOOK_MATERN32,
                      product = i ? TEXTBOOK_PRODUCT_MATERN52 : TEXTBOOK_PRODUCT_MATERN32;
        near(kernel(product, 2, 2, length, x, y),
             2 * kernel(plain, 1, 1, length, x, y) * kernel(plain, 1, 1, length + 1, x + 1, y + 1), 1e-15,
             "product of two Materns");
        near(kernel(product, 2, 1, length, x, y), kernel(plain, 2, 1, length, x, y), 1e-15, "product of one Matern");
    }
}

/* k = k(x, x0), and two observations by the inverse of a 2 x 2 matrix. */
static void test_by_hand(void)
{
    static const double length[] = {0.7}, x0 = 0.2, x1 = 0.9, x = 0.4, y = 1.3;
    double noise = 0.3, v = 2;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        textbook_kernel k = {.kind = KINDS[i], .variance = v, .dim = 1, .length = length};
        textbook_gp *gp = textbook_gp_new(&k, noise);
#define K(a, b) ((double)textbook_kernel_at(&k, &(a), &(b)))
        ok(textbook_gp_mean(gp, &x) == 0 && textbook_gp_covariance(gp, &x, &y) == textbook_kernel_at(&k, &x, &y),
           "kernel %zu: the prior", i);
        textbook_gp_observe(gp, &x0, 1.5);
        double d = K(x0, x0) + noise;
        near((double)textbook_gp_mean(gp, &x), K(x, x0) * 1.5 / d, 1e-15, "kernel %zu: one observation, mean", i);
        near((double)textbook_gp_variance(gp, &x), K(x, x) - K(x, x0) * K(x, x0) / d, 1e-15,
             "kernel %zu: one observation, variance", i);
        near((double)textbook_gp_covariance(gp, &x, &y), K(x, y) - K(x, x0) * K(y, x0) / d, 1e-15,
             "kernel %zu: one observation, covariance", i);
        textbook_gp_observe(gp, &x1, -0.5);
        double e = K(x1, x1) + noise, c = K(x0, x1), det = d * e - c * c;
        near((double)textbook_gp_mean(gp, &x), (K(x, x0) * (e * 1.5 + c * 0.5) + K(x, x1) * (-c * 1.5 - d * 0.5)) / det,
             1e-14, "kernel %zu: two observations, mean", i);
        near((double)textbook_gp_covariance(gp, &x, &y),
             K(x, y) - (K(x, x0) * (e * K(y, x0) - c * K(y, x1)) + K(x, x1) * (d * K(y, x1) - c * K(y, x0))) / det,
             1e-14, "kernel %zu: two observations, covariance", i);
#undef K
        textbook_gp_free(gp);
    }
}

/* f = w x with w ~ N(0, variance / length^2): Bayesian linear regression. */
static void test_linear(void)
{
    static const double length[] = {2}, x[] = {0.5, -1, 3}, y[] = {0.2, -0.7, 1.1}, at = 1.7;
    textbook_kernel k = {.kind = TEXTBOOK_LINEAR, .variance = 5, .dim = 1, .length = length};
    textbook_gp *gp = textbook_gp_new(&k, 0.1);
    double precision = 4.0 / 5, sum = 0;
    for (size_t i = 0; i < 3; i++) {
        textbook_gp_observe(gp, &x[i], y[i]);
        precision += x[i] * x[i] / 0.1;
        sum += x[i] * y[i] / 0.1;
    }
    near((double)textbook_gp_mean(gp, &at), at * sum / precision, 1e-14, "linear: the mean is that of regression");
    near((double)textbook_gp_variance(gp, &at), at * at / precision, 1e-14, "linear: so is the variance");
    textbook_gp_free(gp);
}

enum { POINTS = 7, ANSWERS = 40, DIM = 2 };

/* Means and covariances of two processes at the same points; returns the largest difference. */
static double difference(textbook_gp *a, textbook_gp *b, const double *x)
{
    double mean[2][POINTS], covariance[2][POINTS * POINTS], most = 0;
    textbook_gp_means(a, x, POINTS, mean[0]);
    textbook_gp_means(b, x, POINTS, mean[1]);
    textbook_gp_covariances(a, x, POINTS, covariance[0]);
    textbook_gp_covariances(b, x, POINTS, covariance[1]);
    for (size_t i = 0; i < POINTS; i++)
        most = fmax(most, fabs(mean[0][i] - mean[1][i]));
    for (size_t i = 0; i < POINTS * POINTS; i++)
        most = fmax(most, fabs(covariance[0][i] - covariance[1][i]));
    return most;
}

/* Many answers at few points, one by one, in the opposite order, and as one mean per point. */
static void test_aggregated(void)
{
    static const double length[] = {0.3, 0.5};
    gsl_rng *rng = ref_rng_open(1);
    double x[POINTS * DIM], y[ANSWERS], sum[POINTS] = {0}, count[POINTS] = {0};
    size_t at[ANSWERS];
    for (size_t i = 0; i < POINTS * DIM; i++)
        x[i] = gsl_rng_uniform(rng);
    for (size_t i = 0; i < ANSWERS; i++) {
        at[i] = gsl_rng_uniform_int(rng, POINTS - 2); /* two points have no answer */
        y[i] = gsl_rng_uniform(rng);
        sum[at[i]] += y[i];
        count[at[i]]++;
    }
    gsl_rng_free(rng);
    for (size_t i = 0; i < KIND_COUNT; i++) {
        textbook_kernel k = {.kind = KINDS[i], .variance = 1.5, .dim = DIM, .length = length};
        textbook_gp *each = textbook_gp_new(&k, 0.025), *back = textbook_gp_new(&k, 0.025),
                    *mean = textbook_gp_new(&k, 0.025), *wrong = textbook_gp_new(&k, 0.025);
        for (size_t j = 0; j < ANSWERS; j++) {
            textbook_gp_observe(each, &x[at[j] * DIM], y[j]);
            textbook_gp_observe(back, &x[at[ANSWERS - 1 - j] * DIM], y[ANSWERS - 1 - j]);
        }
        for (size_t j = 0; j < POINTS; j++)
            if (count[j] > 0) {
                textbook_gp_observe_mean(mean, &x[j * DIM], sum[j] / count[j], count[j]);
                textbook_gp_observe(wrong, &x[j * DIM], sum[j] / count[j]);
            }
        near(difference(each, back, x), 0, 1e-15, "kernel %zu: order does not matter", i);
        near(difference(each, mean, x), 0, 1e-15, "kernel %zu: n answers are one of variance noise / n", i);
        ok(difference(each, wrong, x) > 1e-3, "kernel %zu: and not one of variance noise", i);
        textbook_gp_free(each);
        textbook_gp_free(back);
        textbook_gp_free(mean);
        textbook_gp_free(wrong);
    }
}

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;

/* b becomes a^-1 b by Gauss's elimination with pivots. */
static void eliminate(quad *a, quad *b, size_t n)
{
    for (size_t c = 0; c < n; c++) {
        size_t pivot = c;
        for (size_t i = c; i < n; i++)
            if (fabs((double)a[i * n + c]) > fabs((double)a[pivot * n + c]))
                pivot = i;
        for (size_t j = 0; j < n; j++) {
            quad swap = a[c * n + j];
            a[c * n + j] = a[pivot * n + j];
            a[pivot * n + j] = swap;
        }
        quad swap = b[c];
        b[c] = b[pivot];
        b[pivot] = swap;
        for (size_t i = 0; i < n; i++) {
            if (i == c)
                continue;
            quad factor = a[i * n + c] / a[c * n + c];
            for (size_t j = c; j < n; j++)
                a[i * n + j] -= factor * a[c * n + j];
            b[i] -= factor * b[c];
        }
    }
    for (size_t i = 0; i < n; i++)
        b[i] /= a[i * n + i];
}

/* Sixty points of a smooth kernel with hardly any noise, in twice the precision. */
static void test_precision(void)
{
    enum { N = 60 };
    static const double length[] = {0.2};
    static quad a[N * N], b[N], y[N];
    double noise = 1e-6, x[N], at = 0.5123;
    textbook_kernel k = {.kind = TEXTBOOK_SE, .variance = 1, .dim = 1, .length = length};
    textbook_gp *gp = textbook_gp_new(&k, noise);
    for (size_t i = 0; i < N; i++) {
        x[i] = (double)i / (N - 1);
        double reward = sin(9 * x[i]) + (double)(i % 3);
        textbook_gp_observe(gp, &x[i], reward);
        y[i] = reward;
    }
    for (size_t i = 0; i < N; i++) {
        b[i] = textbook_kernel_at(&k, &x[i], &at);
        for (size_t j = 0; j < N; j++)
            a[i * N + j] = textbook_kernel_at(&k, &x[i], &x[j]) + (i == j ? (long double)noise : 0);
    }
    quad mean = 0, variance = 1;
    eliminate(a, b, N);
    for (size_t i = 0; i < N; i++) {
        mean += b[i] * y[i];
        variance -= b[i] * textbook_kernel_at(&k, &x[i], &at);
    }
    near((double)textbook_gp_mean(gp, &at), (double)mean, 1e-12, "mean in quadruple precision");
    near((double)(textbook_gp_variance(gp, &at) / (long double)variance), 1, 1e-9, "variance likewise");
    textbook_gp_free(gp);
}
#else
static void test_precision(void)
{
    skip("no __float128 here");
}
#endif

int main(void)
{
    test_kernels();
    test_by_hand();
    test_linear();
    test_aggregated();
    test_precision();
    return done();
}
