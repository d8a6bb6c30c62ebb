/* choice.h - the law of Plackett and Luce for one answer, with ties and places: value, gradient and curvature.
 *
 * Every slot j of a screen has a utility u_j (the strength of what it shows plus the effect of its place). Slot w is
 * chosen from a set A with probability exp(u_w) / sum_{j in A} exp(u_j). A ranking is one choice after the other from
 * what is left. Where 'tie' is a possible answer it takes part in the first choice of the screen as one more
 * alternative, with a utility of its own, u_m = log nu + the mean strength on the screen (Davidson's law for m = 2).
 *
 * Slots that share a level came in an order that the answer does not tell: on screens of up to SPAR__CHOICE_ORDERS
 * slots all their orders are possible, and their probabilities are added; on larger ones each of them is chosen from
 * what is left without the others. The slots of the last level are what was left: no choice was made among them.
 *
 * Best and worst: the first is chosen with exp(u), then the last of the rest with probability proportional to exp(-u).
 */
#ifndef SPAR_NUM_CHOICE_H
#define SPAR_NUM_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__CHOICE_ORDERS = 6 };

/* share[j] = exp(u[j]) / sum of exp(u); returns the logarithm of that sum. n >= 1. share may be u. */
double spar__choice_shares(size_t n, const double *u, double *share);

typedef enum spar__choice_kind {
    SPAR__CHOICE_ORDER,      /* levels 0, 1, ...: the best first */
    SPAR__CHOICE_BEST_WORST, /* levels 0, 1, 2: the best, the others, the worst */
    SPAR__CHOICE_TIE         /* the answer was 'tie' */
} spar__choice_kind;

typedef struct spar__choice_answer {
    spar__choice_kind kind;
    size_t m;
    const unsigned *level; /* m; not used for a tie */
    bool may_tie;          /* 'tie' was a possible answer */
} spar__choice_answer;

/* Numbers that spar__choice_value needs as work. */
static inline size_t spar__choice_work(size_t m)
{
    return 3 * (m + 1);
}

/* The logarithm of the answer's probability. u has m + 1 numbers, the last of which is that of the tie. Where not NULL,
 * gradient (m + 1) is its derivative and curvature ((m + 1) x (m + 1)) the negative of its second derivative; both are
 * set, not added to. */
double spar__choice_value(const spar__choice_answer *choice, const double *u, double *gradient, double *curvature,
                          double *work);

#endif
