/* survival.h - S = P(theta > c) for theta ~ Beta(a,b), kept up to date while a and b grow by ones.
 *
 * With D = c^a (1-c)^b / B(a,b), integration by parts gives, for a win and for a loss,
 *     S(a+1, b) = S + D/a,    D(a+1, b) = D c (a+b) / a,
 *     S(a, b+1) = S - D/b,    D(a, b+1) = D (1-c) (a+b) / b,
 * and for one of each, with a single division, n = a + b,
 *     S(a+1, b+1) = S + D (b - c n) / (a b),    D(a+1, b+1) = D c (1-c) n (n+1) / (a b).
 * A step loses a few units of the last place of S (absolutely) and of D (relatively): a million steps stay below 1e-9,
 * in practice near 1e-13. D is kept as D 2^(-512 scale), because an arm far from c may come back; while scale > 0 what
 * it adds to S is below 1e-70 and left out. */
#ifndef SPAR_POSTERIOR_BETA_SURVIVAL_H
#define SPAR_POSTERIOR_BETA_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>

/* Steps between two looks at the scale of D: it changes by less than 2^256 meanwhile, for n, 1/c, 1/(1-c) < 2^40. */
enum { SPAR__SURVIVAL_STRIDE = 4, SPAR__SURVIVAL_STEPS = 32 };

/* Counts beyond this are left to the plain draw: the incomplete beta takes too long. */
#define SPAR__SURVIVAL_COUNT 1e10

/* S, D and the scale of D at c, from the incomplete beta. */
void spar__survival_start(double a, double b, double c, double *S, double *D, double *scale);

/* Are these right, but for the rounding of a walk? An error of D becomes one of S in time, so it must be small. */
bool spar__survival_sound(double a, double b, double c, double S, double D, double scale);

/* About P(theta > c): to a percent or two, far out to a small factor. Only for choosing thresholds. */
double spar__survival_rough(double a, double b, double c);

/* Wins and losses between two states, when they are few whole numbers. */
static inline bool spar__survival_gap(double wins, double losses)
{
    return wins >= 0 && losses >= 0 && wins + losses <= SPAR__SURVIVAL_STEPS && wins == (double)(int)wins &&
           losses == (double)(int)losses;
}

static inline void spar__survival_rescale(size_t n, double *D, double *scale)
{
    for (size_t l = 0; l < n; l++) {
        if (D[l] < 0x1p-256 && D[l] > 0) {
            D[l] *= 0x1p+512;
            scale[l] += 1;
        } else if (D[l] > 0x1p+256) {
            D[l] *= 0x1p-512;
            scale[l] -= 1;
        }
    }
}

/* n thresholds at once (at most 8), from (a,b) by whole numbers of wins and losses. Pairs of both first; the divisions
 * do not wait for S and D. */
static inline void spar__survival_walk(size_t n, const double *c, double *S, double *D, double *scale, double a,
                                       double b, double wins, double losses)
{
    double both = wins < losses ? wins : losses;
    int count = 0;
    for (double k = 0; k < both; k++, a++, b++) {
        double sum = a + b, share = 1 / (a * b), grow = sum * (sum + 1) * share;
        for (size_t l = 0; l < n; l++) {
            S[l] += scale[l] > 0 ? 0 : D[l] * ((b - c[l] * sum) * share);
            D[l] *= c[l] * (1 - c[l]) * grow;
        }
        if (++count % SPAR__SURVIVAL_STRIDE == 0)
            spar__survival_rescale(n, D, scale);
    }
    for (wins -= both; wins > 0; wins--, a++) {
        double share = 1 / a, grow = (a + b) * share;
        for (size_t l = 0; l < n; l++) {
            S[l] += scale[l] > 0 ? 0 : D[l] * share;
            D[l] *= c[l] * grow;
        }
        if (++count % SPAR__SURVIVAL_STRIDE == 0)
            spar__survival_rescale(n, D, scale);
    }
    for (losses -= both; losses > 0; losses--, b++) {
        double share = 1 / b, grow = (a + b) * share;
        for (size_t l = 0; l < n; l++) {
            S[l] -= scale[l] > 0 ? 0 : D[l] * share;
            D[l] *= (1 - c[l]) * grow;
        }
        if (++count % SPAR__SURVIVAL_STRIDE == 0)
            spar__survival_rescale(n, D, scale);
    }
    spar__survival_rescale(n, D, scale);
    for (size_t l = 0; l < n; l++)
        S[l] = S[l] < 0 ? 0 : S[l] > 1 ? 1 : S[l];
}

#endif
