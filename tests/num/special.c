/* Against long double functions of libm, against values computed with 60 digits, and over many parameters against GSL. */
#include "num/special.h"

#include "tap.h"

#include <gsl/gsl_cdf.h>

static double worst_relative; /* of the last table */

static double relative(double got, double wanted)
{
    double error = got == wanted ? 0 : fabs(got - wanted) / fabs(wanted);
    worst_relative = fmax(worst_relative, error);
    return error;
}

static void check_lgamma(void)
{
    double worst = 0, worst_stirling = 0;
    for (double x = 1e-300; x<1e300; x *= x> 1e-3 && x < 1e4 ? 1.0003 : 1.37) {
        long double wanted = lgammal((long double)x);
        worst = fmax(worst, (double)(fabsl((long double)spar__lgamma(x) - wanted) / fmaxl(1, fabsl(wanted))));
        if (x > 0.01 && x < 1000) {
            long double l = (long double)x;
            long double rest = wanted - ((l - 0.5L) * logl(l) - l + 0.918938533204672741780329736405617640L);
            worst_stirling = fmax(worst_stirling, (double)fabsl((long double)spar__stirling(x) - rest));
        }
    }
    ok(worst < 1e-15, "lgamma is within 1e-15 (%.1e)", worst);
    ok(worst_stirling < 8e-15, "stirling is within 8e-15 (%.1e)", worst_stirling);
    near(spar__stirling(1e8), 1 / 12e8, 1e-24, "stirling far out");
    ok(spar__lgamma(0) == (double)INFINITY && isnan(spar__lgamma(-1)) && isnan(spar__lgamma(NAN)) &&
           spar__lgamma(INFINITY) == (double)INFINITY,
       "lgamma edges");
}

static void check_beta(void)
{
    static const double table[][5] = {
        {0.01, 0.01, 1e-300, 0.000500081069852795226, 0.999499918930147205},
        {0.01, 0.01, 1e-10, 0.397228513435590358, 0.602771486564409642},
        {0.01, 0.01, 0.3, 0.495823613602382034, 0.504176386397617966},
        {0.01, 0.01, 0.9, 0.51079747082620473, 0.48920252917379527},
        {0.5, 0.5, 1e-05, 0.0020131718394753873, 0.997986828160524613},
        {0.5, 0.5, 0.5, 0.5, 0.5},
        {0.3, 4, 1e-20, 1.64450000000000079e-6, 0.9999983555},
        {0.3, 4, 0.1, 0.770292451508548561, 0.229707548491451439},
        {0.3, 4, 0.6, 0.99584283292509115, 0.00415716707490885004},
        {2, 5, 0.01, 0.00146044760500000006, 0.998539552395},
        {2, 5, 0.3, 0.579824999999999976, 0.420175000000000024},
        {2, 5, 0.8, 0.998400000000000002, 0.00159999999999999829},
        {30, 70, 0.1, 1.89298972186138618e-8, 0.999999981070102781},
        {30, 70, 0.3, 0.511625104558609121, 0.488374895441390879},
        {30, 70, 0.45, 0.999007180792427128, 0.000992819207572871959},
        {3.5, 200, 0.001, 0.000269426808465010361, 0.99973057319153499},
        {3.5, 200, 0.02, 0.678850906336757592, 0.321149093663242408},
        {3.5, 200, 0.1, 0.999999565479440531, 4.34520559468805974e-7},
        {1000, 1, 0.99, 0.0000431712474106578637, 0.999956828752589342},
        {1000, 1, 0.5, 9.33263618503218879e-302, 1.0},
        {10000.0, 10000.0, 0.48, 7.61073911342652178e-9, 0.999999992389260887},
        {10000.0, 10000.0, 0.5, 0.5, 0.5},
        {10000.0, 10000.0, 0.51, 0.99766294066988985, 0.00233705933011014951},
        {100000.0, 100000.0, 0.498, 0.0368187388279760217, 0.963181261172023978},
        {100000.0, 100000.0, 0.5, 0.5, 0.5},
        {100000.0, 100000.0, 0.502, 0.963181261172023978, 0.0368187388279760217},
        {100000.0, 300000.0, 0.248, 0.00171785085506895332, 0.998282149144931047},
        {100000.0, 300000.0, 0.25, 0.50024278863567285, 0.49975721136432715},
        {10000000.0, 3, 0.999999, 0.00276938209490414815, 0.997230617905095852},
        {10000000.0, 3, 0.9999997, 0.423189913200523242, 0.576810086799476758},
        {10000000.0, 3, 0.99999999, 0.999845346879958065, 0.000154653120041935353},
        {3, 10000000.0, 1e-08, 0.000154653117768639544, 0.99984534688223136},
        {3, 10000000.0, 3e-07, 0.576810086904517517, 0.423189913095482483},
        {3, 10000000.0, 2e-06, 0.999999544494118439, 4.55505881561114011e-7},
        {10000000.0, 0.01, 0.9999999, 0.00221623462332549524, 0.997783765376674505},
        {10000000.0, 0.01, 0.99999, 3.87765311111621844e-48, 1.0},
        {10000000.0, 10000000.0, 0.4995, 3.87208897826833149e-6, 0.999996127911021732},
        {10000000.0, 10000000.0, 0.5, 0.5, 0.5},
        {10000000.0, 10000000.0, 0.5002, 0.963180868902126007, 0.036819131097873993},
        {0.01, 10000000.0, 1e-09, 0.960347423055575189, 0.0396525769444248114},
        {0.01, 10000000.0, 1e-06, 0.999999957183160711, 4.28168392894286529e-8},
        {1, 1, 0.37, 0.369999999999999996, 0.630000000000000004},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *t = table[i];
        double upper = relative(spar__beta_sf(t[0], t[1], t[2]), t[4]);
        bool exact = 1 - (1 - t[2]) == t[2]; /* then the lower tail is the upper one of the mirrored law */
        double lower = exact ? relative(spar__beta_sf(t[1], t[0], 1 - t[2]), t[3]) : 0;
        if (!ok(lower < 1e-12 && upper < 1e-12, "P(Beta(%g, %g) > %g)", t[0], t[1], t[2]))
            printf("# lower %.1e upper %.1e\n", lower, upper);
    }
    printf("# worst %.1e\n", worst_relative);
    ok(spar__beta_sf(2, 3, 0) == 1 && spar__beta_sf(2, 3, 1) == 0 && spar__beta_sf(2, 3, -1) == 1 &&
           spar__beta_sf(2, 3, 2) == 0 && isnan(spar__beta_sf(2, 3, NAN)),
       "ends");
    /* The steps by which policies follow P(theta > c): I_x(a,b) - I_x(a+1,b) = x^a (1-x)^b / (a B(a,b)). */
    double worst = 0;
    for (double a = 0.5; a < 2e4; a *= 3.3)
        for (double b = 0.5; b < 2e4; b *= 2.7) {
            double x = fmin(0.95, a / (a + b) * 1.01), log_power, step;
            (void)spar__beta_sf_power(a, b, x, &log_power);
            step = exp(log_power) / a;
            worst = fmax(worst, fabs(spar__beta_sf(a + 1, b, x) - spar__beta_sf(a, b, x) - step));
        }
    ok(worst < 1e-13, "the recurrence in a holds (%.1e)", worst);
    double least = 1;
    for (double x = 0; x < 0.7; x += 1e-4) {
        double step = spar__beta_sf(3.3, 7.7, x) - spar__beta_sf(3.3, 7.7, x + 1e-4);
        least = fmin(least, step);
    }
    ok(least > 0, "it falls with x");
}

static void check_normal(void)
{
    double worst = 0;
    for (double x = -37.5; x < 9; x += 0.00137) {
        long double wanted = erfcl(-(long double)x / sqrtl(2.0L)) / 2;
        worst = fmax(worst, (double)(fabsl((long double)spar__normal_cdf(x) - wanted) / wanted));
    }
    ok(worst < 2e-15, "normal_cdf is within 2e-15 (%.1e)", worst);
    ok(spar__normal_cdf(-INFINITY) == 0 && spar__normal_cdf(INFINITY) == 1 && isnan(spar__normal_cdf(NAN)),
       "its edges");
}

/* All pairs of parameters from 0.01 to 3e4, at points across the law. GSL is the weaker of the two. */
static void check_beta_widely(void)
{
    double worst = 0;
    for (double a = 0.01; a < 3e4; a *= 2.6)
        for (double b = 0.01; b < 3e4; b *= 3.1)
            for (double u = -4; u <= 4; u += 0.5) {
                double mean = a / (a + b), sd = sqrt(mean * (1 - mean) / (a + b + 1)), x = mean + u * sd;
                if (!(x > 0 && x < 1))
                    continue;
                double upper = gsl_cdf_beta_Q(x, a, b);
                worst = fmax(worst, fabs(spar__beta_sf(a, b, x) - upper) / fmax(upper, 1e-3));
            }
    ok(worst < 1e-9, "the Beta tails agree with GSL (%.1e)", worst);
}

static void check_mills(void)
{
    static const double table[][5] = {
        {5, 5, 0.5, -0.20739519434607058716, -0.20739519434607058716},
        {5, 5, 0.25, -1.0932572618974279784, 1.8739975674650270905},
        {45, 5, 0.5, -3.0248243288629652242, 18.586940060945947413},
        {5, 45, 0.5, 18.586940060945947413, -3.0248243288629652242},
        {5, 2005, 0.5, 1358.3819062531525748, -6.9082571490263246567},
        {2005, 5, 0.5, -6.9082571490263246567, 1358.3819062531525748},
        {1005, 1005, 0.5, -2.883882089217566221, -2.883882089217566221},
        {1005, 985, 0.45, -4.7334245736108078559, 9.9216118077778160263},
        {1.5, 7.25, 0.9, 13.710034499670681763, -1.8689690557563088586},
        {300005, 200005, 0.5, -10.819828279161564323, 10062.62397425529746},
        {20005, 30005, 0.45, 250.7492844506542872, -7.8258175387830850255},
    };
    double worst = 0, below, above;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *t = table[i];
        spar__log_beta_mills(t[0], t[1], t[2], &below, &above);
        worst = fmax(worst, fabs(below - t[3]) / fmax(1, fabs(t[3])));
        worst = fmax(worst, fabs(above - t[4]) / fmax(1, fabs(t[4])));
    }
    ok(worst < 1e-12, "both tails over the product, in logarithms (%.1e)", worst);
    spar__log_beta_mills(1e7, 5, 0.5, &below, &above);
    ok(isfinite(below) && above > 6.9e6, "also where the tail is e^-7000000");
}

int main(void)
{
    check_lgamma();
    check_beta_widely();
    check_beta();
    check_mills();
    check_normal();
    return done();
}
