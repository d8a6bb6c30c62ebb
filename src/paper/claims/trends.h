/* trends.h - claims about what becomes of regret as more and more arms are shown at once. */
#ifndef SPAR_PAPER_CLAIMS_TRENDS_H
#define SPAR_PAPER_CLAIMS_TRENDS_H

#include "paper/claims/shown.h"

#define SPAR__ADVANTAGE_TEST                                                                                           \
    "Regret of the rival over regret of SelfSparring at m = 2, 4, 8, 16. The advantage grows when the exponent b of "  \
    "ratio ~ m^b, fitted in logarithms, is above 2 standard errors and the ratio at m = 16 is above 1 by as much. "    \
    "Holds when that is so for every rival in every scene and no step goes down by 2 standard errors, in part when "   \
    "it "                                                                                                              \
    "is so for some."

#define SPAR__SHOWN_TEST                                                                                               \
    "The exponent b of regret ~ m^b over m = 2, 4, 8, 16, fitted in logarithms; playing at random has b = 1. Holds "   \
    "when b is below 1/4 by 2 standard errors in every scene, in part when it is so in some, or below 1/2 in all."

/* The regret of the rivals over that of the hero. */
spar_status spar__advantage_judge(const spar__shown_casts *casts, const spar__paper *paper, spar__finding *out,
                                  spar_error *err);
spar_status spar__advantage_draw(const spar__shown_casts *casts, const spar__paper *paper, spar__buf *svg,
                                 spar_error *err);

/* The hero's own regret. */
spar_status spar__shown_judge(const spar__shown_casts *casts, const spar__paper *paper, spar__finding *out,
                              spar_error *err);
spar_status spar__shown_draw(const spar__shown_casts *casts, const spar__paper *paper, spar__buf *svg, spar_error *err);

#endif
