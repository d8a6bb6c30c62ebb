/* Against the long double functions of libm, whose own error is below a hundredth of a double's last place. */
#include "num/elementary.h"

#include "tap.h"

#include <float.h>
#include <stdint.h>
#include <stdlib.h>

enum { N = 400000 };

static uint64_t state = 12345;

static uint64_t bits64(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(double lo, double hi)
{
    return lo + (hi - lo) * (double)(bits64() >> 11) * 0x1p-53;
}

static long double ref_logistic(long double x)
{
    return x >= 0 ? 1 / (1 + expl(-x)) : expl(x) / (1 + expl(x));
}

typedef struct function {
    const char *name;
    double (*scalar)(double);
    void (*array)(double *, const double *, size_t);
    long double (*exact)(long double);
    double bound;     /* ulp */
    double lo, hi;    /* where it is dense */
    double low, high; /* where random bit patterns are kept */
} function;

static const function functions[] = {
    {"log", spar__log, spar__vlog, logl, 1, 0.5, 2, 0, DBL_MAX},
    {"log1p", spar__log1p, spar__vlog1p, log1pl, 1, -0.5, 1, -1, DBL_MAX},
    {"exp", spar__exp, spar__vexp, expl, 1, -20, 20, -760, 720},
    {"expm1", spar__expm1, spar__vexpm1, expm1l, 1.25, -2, 2, -760, 720},
    {"sin", spar__sin, spar__vsin, sinl, 1, -7, 7, -0x1p20, 0x1p20},
    {"cos", spar__cos, spar__vcos, cosl, 1, -7, 7, -0x1p20, 0x1p20},
    {"atan", spar__atan, spar__vatan, atanl, 1, -4, 4, -DBL_MAX, DBL_MAX},
    {"logistic", spar__logistic, spar__vlogistic, ref_logistic, 3, -5, 5, -760, 760},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* A third dense, a third over the whole range, a third of random bit patterns (all exponents, subnormals). */
static void fill(const function *f, double *x)
{
    double low = fmax(f->low, -800), high = fmin(f->high, 1e6);
    if (f->high == 0x1p20)
        low = f->low, high = f->high;
    for (size_t i = 0; i < N; i++) {
        if (i % 3 == 0)
            x[i] = uniform(f->lo, f->hi);
        else if (i % 3 == 1)
            x[i] = uniform(low, high);
        else
            do {
                uint64_t b = bits64();
                memcpy(&x[i], &b, sizeof b);
            } while (!(x[i] >= f->low && x[i] <= f->high));
    }
    static const double steps[] = {0.34657359027997264,
                                   0.69314718055994529,
                                   0.70710678118654757,
                                   1.4142135623730951,
                                   1,
                                   2,
                                   0.6875,
                                   1.1875,
                                   0.41421356237309503,
                                   2.4142135623730949,
                                   0.29289321881345243,
                                   37,
                                   40,
                                   700,
                                   709.78,
                                   745.13,
                                   1.5707963267948966,
                                   3.1415926535897931,
                                   411774.25};
    size_t at = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) /* the neighbours of every seam */
        for (int sign = -1; sign <= 1; sign += 2) {
            double y = sign * steps[i];
            for (int j = 0; j < 20; j++, y = nextafter(y, 0))
                if (y >= f->low && y <= f->high)
                    x[at++] = y;
        }
}

static double ulps(double got, long double wanted)
{
    double rounded = (double)wanted;
    if (isinf(rounded) || isinf(got))
        return got == rounded ? 0 : (double)INFINITY;
    int exponent;
    (void)frexp(rounded, &exponent);
    double ulp = ldexp(1, exponent - 53 < -1074 ? -1074 : exponent - 53);
    return (double)(fabsl((long double)got - wanted) / (long double)ulp);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static uint64_t digest = UINT64_C(14695981039346656037); /* of all values but NaN */

static void add_digest(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    digest = isnan(v) ? digest : (digest ^ bits) * UINT64_C(1099511628211);
    digest ^= digest >> 32;
}

static void check(const function *f, double *x, double *y)
{
    double worst = 0, at = 0;
    fill(f, x);
    for (size_t i = 0; i < N; i++) {
        double got = f->scalar(x[i]), u = ulps(got, f->exact((long double)x[i]));
        add_digest(got);
        if (!(u <= worst))
            worst = u, at = x[i];
    }
    ok(worst <= f->bound, "%s is within %g ulp (worst %.4f at %.17g)", f->name, f->bound, worst, at);
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -1, DBL_MIN, 5e-324, -5e-324, 1e300, -1e300, -2};
    memcpy(x + N - 12, odd, sizeof odd);
    for (int level = 0; level < SPAR__CPU_COUNT; level++) {
        if (!spar__cpu_force((spar__cpu)level)) {
            skip("this CPU lacks the instructions");
            continue;
        }
        size_t differ = 0;
        f->array(y, x, N);
        for (size_t i = 0; i < N; i++)
            differ += !same(y[i], f->scalar(x[i]));
        for (size_t n = 0; n < 20; n++) { /* ragged ends, in place, nothing written beyond */
            memcpy(y, x + N - 20, 20 * sizeof *y);
            f->array(y, y, n);
            for (size_t i = 0; i < 20; i++)
                differ += !same(y[i], i < n ? f->scalar(x[N - 20 + i]) : x[N - 20 + i]);
        }
        ok(differ == 0, "%s: arrays at %s equal the scalar form", f->name, spar__cpu_name());
    }
}

static void check_edges(void)
{
    double inf = INFINITY, nan = NAN;
    ok(spar__log(0) == -inf && spar__log(-0.0) == -inf && spar__log(1) == 0 && spar__log(inf) == inf, "log edges");
    ok(isnan(spar__log(-1)) && isnan(spar__log(nan)) && isnan(spar__log(-inf)), "log of what has none");
    ok(same(spar__log1p(-0.0), -0.0) && spar__log1p(-1) == -inf && spar__log1p(inf) == inf, "log1p edges");
    ok(isnan(spar__log1p(-1.5)) && isnan(spar__log1p(nan)) && spar__log1p(5e-324) == 5e-324, "log1p NaN, subnormal");
    ok(spar__exp(0) == 1 && spar__exp(-inf) == 0 && spar__exp(inf) == inf && isnan(spar__exp(nan)), "exp edges");
    ok(spar__exp(710) == inf && spar__exp(-746) == 0 && spar__exp(-745) == 5e-324, "exp over- and underflow");
    ok(same(spar__expm1(-0.0), -0.0) && spar__expm1(-inf) == -1 && spar__expm1(inf) == inf, "expm1 edges");
    ok(isnan(spar__expm1(nan)) && spar__expm1(5e-324) == 5e-324 && spar__expm1(-700) == -1, "expm1 NaN, subnormal");
    ok(same(spar__sin(-0.0), -0.0) && spar__cos(0) == 1 && isnan(spar__sin(inf)) && isnan(spar__cos(nan)), "sin, cos");
    ok(isnan(spar__sin(0x1.0000001p20)) && isnan(spar__cos(-1e9)), "sin and cos refuse what they cannot reduce");
    ok(same(spar__atan(-0.0), -0.0) && spar__atan(inf) == 1.5707963267948966 && spar__atan(-inf) == -1.5707963267948966,
       "atan edges");
    ok(isnan(spar__atan(nan)) && spar__atan(5e-324) == 5e-324 && spar__atan(1) == 0.78539816339744828,
       "atan NaN, subnormal, 1");
    ok(spar__logistic(0) == 0.5 && spar__logistic(inf) == 1 && spar__logistic(-inf) == 0 && isnan(spar__logistic(nan)),
       "logistic edges");
    ok(spar__pow(0, 0) == 1 && spar__pow(0, 2) == 0 && spar__pow(1, inf) == 1 && spar__pow(inf, 0.5) == inf, "pow");
    near(spar__pow(2, 0.5), sqrt(2), 4e-16, "2^(1/2)");
    near(spar__pow(10, -30), 1e-30, 1e-30 * 71 * 0x1p-52, "10^-30");
}

int main(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    if (!x || !y)
        return 1;
    for (int i = 0; i < FUNCTIONS; i++)
        check(&functions[i], x, y);
    if (!ok(digest == UINT64_C(0x9512357796f6368a), "the bits are the same in every build and version"))
        printf("# digest %016llx\n", (unsigned long long)digest);
    check_edges();
    free(x);
    free(y);
    return done();
}
