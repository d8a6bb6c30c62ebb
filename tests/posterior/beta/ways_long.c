/* The same with 20 million draws of a state. Of 16 arms, one that is best once in thirty draws may be off by one
 * percent of that and is found out nine times in ten (with 15 degrees of freedom 5 sigma is a chi-square of 61, and
 * this one has 67 too much); of two near leaders, 2e-3 of their chances. */
#include "posterior/beta/ways.h"
#include "sampler/sampler.h"

/* Tails in eight parts of equal probability: a hat or an acceptance that is off by 1e-3 shows. */
static void check_tail(double a, double b, double c)
{
    enum { CELLS = 8, DRAWS = 40000000 };
    double edge[CELLS], count[CELLS] = {0}, p[CELLS], all = gsl_cdf_beta_Q(c, a, b);
    spar_rng rng;
    spar_rng_seed(&rng, 2, 7, 1);
    for (size_t k = 0; k < CELLS; k++) {
        p[k] = 1.0 / CELLS;
        edge[k] = k + 1 < CELLS ? gsl_cdf_beta_Qinv(all * (1 - (double)(k + 1) / CELLS), a, b) : 2;
    }
    for (size_t t = 0; t < DRAWS; t++) {
        double theta = spar__beta_above(&rng, a, b, c);
        size_t k = 0;
        while (theta > edge[k])
            k++;
        count[k]++;
    }
    double sigma = fit_sigma(CELLS, count, p);
    ok(sigma < 5, "Beta(%g, %g) above %g: %.1f sigma in %g draws", a, b, c, sigma, (double)DRAWS);
}

int main(void)
{
    static const state far = {
        "16 after a long way", 4, {{600000, 550000, 1}, {3000, 2800, 2}, {500, 520, 6}, {100, 120, 7}}};
    static const state wide = {"1000 after a long way", 3, {{400000, 200000, 1}, {2000, 1020, 9}, {150, 120, 990}}};
    (void)gsl_set_error_handler_off();
    for (size_t k = 0; k < FEW_STATES; k++)
        check_state(&few_states[k], 20000000);
    for (size_t k = 0; k < MANY_STATES; k++)
        check_state(&many_states[k], 20000000);
    for (size_t k = 2; k < FEW_STATES; k++)
        check_thresholds(&few_states[k], 4000000);
    for (size_t k = 0; k < FEW_STATES; k++)
        check_distinct(&few_states[k], true, 1000000);
    for (size_t k = 0; k < MANY_STATES && state_arms(&many_states[k]) <= MOST_KINDS; k++)
        check_distinct(&many_states[k], true, 100000);
    check_tail(80, 40, 0.68);
    check_tail(80, 40, 0.75);
    check_tail(2, 1, 0.9999);
    check_walk(&far, 20000000);
    check_walk(&wide, 20000000);
    return done();
}
