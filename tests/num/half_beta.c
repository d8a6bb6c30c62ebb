/* Against values computed with 50 digits, and over many parameters against the incomplete Beta function. */
#include "num/special.h"

#include "sampler/rng.h"
#include "tap.h"

static void known_values(void)
{
    static const double table[][3] = {
        {1, 2, 0.25},
        {1, 30, 9.31322574615478516e-10},
        {3.5, 4.75, 0.323105261366527121},
        {20.5, 31, 0.0693796249268920045},
        {63, 64.5, 0.446986373566233983},
        {64, 64.5, 0.482351950820907863},
        {50, 77, 0.00790910200402605699},
        {60, 69.25, 0.207074980784629899},
        {90, 102.25, 0.187885981671393779},
        {85.5, 107, 0.0600195663287409482},
        {96, 96.5, 0.48559507199741813},
        {70, 122.25, 0.0000721525977768477695},
        {100, 140, 0.00476305799438194275},
        {30, 110, 1.32321885010915583e-12},
        {501, 503, 0.474825255936206491},
        {470, 600, 0.0000343578747862878541},
        {1201.25, 1300, 0.0241288404852110416},
        {4000, 4001, 0.49553982909213642},
        {20000, 20300.5, 0.067208306633949407},
    };
    double worst = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *t = table[i];
        worst = fmax(worst, fabs(spar__beta_above_half(t[0], t[1]) - t[2]));
        worst = fmax(worst, fabs(spar__beta_above_half(t[1], t[0]) - (1 - t[2])));
    }
    ok(worst < 1e-15, "known values to %.1e", worst);
}

/* sigmas: how far apart, in standard deviations, the two counts may be. */
static double worst_against_the_integral(double least, double most, double sigmas, size_t points)
{
    double worst = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    for (size_t i = 0; i < points; i++) {
        double n = least * pow(most / least, spar_rng_uniform(&rng));
        double gap = sigmas * (2 * spar_rng_uniform(&rng) - 1) * sqrt(n);
        double a = fmax(1, (n - gap) / 2), b = fmax(1, (n + gap) / 2), got = spar__beta_above_half(a, b);
        worst = fmax(worst, fabs(got - spar__beta_sf(a, b, 0.5)));
        if (!(got >= 0 && got <= 1) || got + spar__beta_above_half(b, a) != 1)
            return INFINITY;
    }
    return worst;
}

static void edges(void)
{
    static const double huge[] = {1e8, 1e15, 1e30, 1e160, 1e300, 1.7e308};
    bool good = spar__beta_above_half(1, 1) == 0.5 && spar__beta_above_half(1e300, 1e300) == 0.5;
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        good &= spar__beta_above_half(1, huge[i]) == 0 && spar__beta_above_half(huge[i], 1) == 1;
        double near = spar__beta_above_half(huge[i], nextafter(huge[i], INFINITY));
        good &= near >= 0 && near <= 1;
    }
    ok(good, "equal ones, and numbers beyond all sense");
}

int main(void)
{
    known_values();
    double small = worst_against_the_integral(2, 192, 11, 20000),
           middle = worst_against_the_integral(180, 2000, 11, 20000);
    double large = worst_against_the_integral(2000, 1e7, 9, 2000);
    ok(small < 1e-15 && middle < 4e-15, "the integral up to 2000: %.1e, %.1e", small, middle);
    ok(large < 1e-12, "and as well as that is known beyond: %.1e", large);
    edges();
    return done();
}
