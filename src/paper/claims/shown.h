/* shown.h - what becomes of regret as more arms are shown a round: settings that differ in m only, named like
 * "shown/linear-arith-8". */
#ifndef SPAR_PAPER_CLAIMS_SHOWN_H
#define SPAR_PAPER_CLAIMS_SHOWN_H

#include "paper/paper.h"

enum { SPAR__SHOWN_STEPS = 4, SPAR__SHOWN_CASES = 2 };

extern const double spar__shown_m[SPAR__SHOWN_STEPS]; /* 2, 4, 8, 16 */

typedef struct spar__shown_case {
    const char *name, *title, *env;
    const spar__paper_policy *policy; /* SelfSparring first, then its rivals */
    size_t n_policies;
    uint64_t rounds, quick_runs;
} spar__shown_case;

/* The data of the claims below. */
typedef struct spar__shown_cases {
    size_t n;
    spar__shown_case item[SPAR__SHOWN_CASES];
} spar__shown_cases;

extern const spar__shown_cases spar__shown_independent, spar__shown_kernel;

/* The cell of a policy of a case with m arms a round, or NULL. */
const spar__cell *spar__shown_cell(const spar__paper *paper, const spar__shown_case *one, double m, size_t policy);

spar_status spar__shown_plan(const void *data, spar__paper *paper, spar_error *err);

/* The regret of the rivals over that of SelfSparring. */
#define SPAR__ADVANTAGE_TEST                                                                                           \
    "Regret of the rival over regret of SelfSparring at m = 2, 4, 8, 16. The advantage grows when the exponent b of "  \
    "ratio ~ m^b, fitted in logarithms, is above 0 by 2 standard errors and the ratio at m = 16 is above 1 by 2 "      \
    "standard errors. Holds when that is true for every rival in every setting and no step goes down by 2 standard "   \
    "errors, in part when it is true for some."

spar_status spar__advantage_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);
spar_status spar__advantage_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err);

/* SelfSparring's own regret. */
#define SPAR__SHOWN_TEST                                                                                               \
    "The exponent b of regret ~ m^b over m = 2, 4, 8, 16, fitted in logarithms; playing at random has b = 1. Holds "   \
    "when b is below 1/4 by 2 standard errors in every setting, in part when it is "                                   \
    "in some, or when it is below 1/2 in all."

spar_status spar__shown_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);
spar_status spar__shown_draw(const void *data, const spar__paper *paper, spar__drawing *to, spar_error *err);

#endif
