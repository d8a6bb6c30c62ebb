#include "posterior/beta/survival.h"

#include "num/special.h"
#include "sampler/rng.h"
#include "tap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

static void test_start(void)
{
    static const double law[][3] = {{1, 1, 0.3},    {3, 7, 0.5},       {1, 1, 0.999999}, {900, 1, 0.998},
                                    {1, 900, 0.01}, {5e5, 4e5, 0.556}, {40, 20.5, 0.7}};
    for (size_t k = 0; k < sizeof law / sizeof *law; k++) {
        double a = law[k][0], b = law[k][1], c = law[k][2], S, D, scale;
        double log_power;
        spar__survival_start(a, b, c, &S, &D, &scale);
        (void)spar__beta_sf_power(a, b, c, &log_power);
        near(S / gsl_cdf_beta_Q(c, a, b), 1, 1e-8, "S of (%g, %g) at %g", a, b, c);
        near(D / exp(log_power), scale == 0 ? 1 : 0, 1e-11, "D");
        double rough = spar__survival_rough(a, b, c);
        ok(rough > S / 4 && rough < 4 * S && (S < 0.01 || fabs(rough - S) < 0.02), "and the rough S, %g against %g",
           rough, S);
        ok(spar__survival_sound(a, b, c, S, D, scale) && !spar__survival_sound(a, b, c, S + 2e-9, D, scale) &&
               !spar__survival_sound(a, b, c, S, D * 1.00001, scale) &&
               !spar__survival_sound(a, b, c, S, D, scale + 1) && !spar__survival_sound(a, b, c, S, -D, scale),
           "sound, and not when damaged");
    }
}

/* Single wins, losses and both together from (1,1), at eight thresholds; the largest error of S on the way. */
static double drift(double share, size_t steps, double *worst_D)
{
    double c[8], S[8], D[8], scale[8], a = 1, b = 1, worst = 0;
    spar_rng rng;
    spar_rng_seed(&rng, 5, 6, 7);
    for (size_t l = 0; l < 8; l++) {
        c[l] = share + 0.004 * ((double)l - 3.5);
        spar__survival_start(a, b, c[l], &S[l], &D[l], &scale[l]);
    }
    for (size_t t = 1; t <= steps; t++) {
        double wins = 0, losses = 0;
        for (int k = 0; k < 1 + (int)(t % 5); k++)
            *(spar_rng_uniform(&rng) < share ? &wins : &losses) += 1;
        spar__survival_walk(8, c, S, D, scale, a, b, wins, losses);
        a += wins;
        b += losses;
        if (t % (steps / 50) && t != steps)
            continue;
        for (size_t l = 0; l < 8; l++) {
            double right_S, right_D, right_scale;
            spar__survival_start(a, b, c[l], &right_S, &right_D, &right_scale);
            worst = fmax(worst, fabs(S[l] - right_S));
            if (scale[l] == right_scale)
                *worst_D = fmax(*worst_D, fabs(D[l] / right_D - 1));
        }
    }
    return worst;
}

static void test_drift(void)
{
    static const double shares[] = {0.5, 0.7, 0.02, 0.996 - 0.02};
    for (size_t k = 0; k < 4; k++) {
        double worst_D = 0, worst = drift(shares[k], 700000, &worst_D);
        ok(worst < 1e-9 && worst_D < 1e-7, "two million steps near %g: S is off by at most %.2g, D by %.2g of itself",
           shares[k], worst, worst_D);
    }
}

/* Far below c and back: D is far below the smallest double on the way. */
static void test_scale(void)
{
    double c = 0.5, S, D, scale, a = 1, b = 1, most = 0;
    spar__survival_start(a, b, c, &S, &D, &scale);
    for (int t = 0; t < 3000; t++, b++) {
        spar__survival_walk(1, &c, &S, &D, &scale, a, b, 0, 1);
        most = fmax(most, scale);
    }
    ok(most >= 3 && spar__survival_sound(a, b, c, S, D, scale), "D goes down to 2^-%g", 512 * most);
    for (int t = 0; t < 3000; t++, a++)
        spar__survival_walk(1, &c, &S, &D, &scale, a, b, 1, 0);
    ok(scale == 0 && spar__survival_sound(a, b, c, S, D, scale), "and comes back");
    near(S, 0.5, 1e-12, "with S as it should be");
}

static void test_gap(void)
{
    ok(spar__survival_gap(1, 0) && spar__survival_gap(6, 6) && spar__survival_gap(0, SPAR__SURVIVAL_STEPS) &&
           !spar__survival_gap(0.5, 0.5) && !spar__survival_gap(3.5, 0) && !spar__survival_gap(0, -1) &&
           !spar__survival_gap(SPAR__SURVIVAL_STEPS, 1) && !spar__survival_gap(1e300, 0),
       "few whole steps can be followed");
}

int main(void)
{
    (void)gsl_set_error_handler_off();
    test_start();
    test_drift();
    test_scale();
    test_gap();
    return done();
}
