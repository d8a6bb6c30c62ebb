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
#ifndef SPAR_POSTERIOR_SURVIVAL_H
#define SPAR_POSTERIOR_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>

/* Steps between two looks at the scale of D: it changes by less than 2^256 meanwhile, for n, 1/c, 1/(1-c) < 2^40. */
enum { SPAR__SURVIVAL_STRIDE = 4, SPAR__SURVIVAL_STEPS = 32 };

/* Counts beyond this are left to the plain draw: the incomplete beta takes too long. */
#define SPAR__SURVIVAL_COUNT 1e12

/* S, D and the scale of D at c, from the incomplete beta. */
void spar__survival_start(double a, double b, double c, double *S, double *D, double *scale);

/* Are these what they should be, to 1e-9 of S and 1e-6 of D? */
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

/* One (win, loss) pair, win or loss: S += D add, D *= grow. */
static inline void spar__survival_step(size_t n, const double *scale, double *S, double *D, const double *add,
                                       const double *grow)
{
    for (size_t l = 0; l < n; l++) {
        S[l] += scale[l] > 0 ? 0 : D[l] * add[l];
        D[l] *= grow[l];
    }
}

/* n thresholds at once (at most 8), from (a,b) on by so many wins and losses, both whole. */
static inline void spar__survival_walk(size_t n, const double *c, double *S, double *D, double *scale, double a,
                                       double b, double wins, double losses)
{
    for (int count = 1; wins > 0 || losses > 0; count++) {
        double add[8], grow[8], sum = a + b;
        bool win = wins > 0, loss = losses > 0;
        double share = 1 / ((win ? a : 1) * (loss ? b : 1));
        for (size_t l = 0; l < n; l++) {
            add[l] = win && loss ? (b - c[l] * sum) * share : win ? share : -share;
            grow[l] =
                win && loss ? c[l] * (1 - c[l]) * (sum * (sum + 1)) * share : (win ? c[l] : 1 - c[l]) * sum * share;
        }
        spar__survival_step(n, scale, S, D, add, grow);
        a += win;
        b += loss;
        wins -= win;
        losses -= loss;
        if (count % SPAR__SURVIVAL_STRIDE == 0)
            spar__survival_rescale(n, D, scale);
    }
    spar__survival_rescale(n, D, scale);
    for (size_t l = 0; l < n; l++)
        S[l] = S[l] < 0 ? 0 : S[l] > 1 ? 1 : S[l];
}

#endif
