/* shown.h - scenes that differ in the number m of arms shown a round only: "shown/linear-arith-8". */
#ifndef SPAR_PAPER_CLAIMS_SHOWN_H
#define SPAR_PAPER_CLAIMS_SHOWN_H

#include "paper/claims/judge.h"

enum { SPAR__SHOWN_STEPS = 4, SPAR__SHOWN_CASTS = 3 };

extern const double spar__shown_m[SPAR__SHOWN_STEPS]; /* 2, 4, 8, 16 */

/* A setting, its hero and his rivals. */
typedef struct spar__shown_cast {
    const char *name, *title, *env;
    const spar__role *role; /* the hero first */
    size_t n_roles;
    uint64_t rounds;
} spar__shown_cast;

extern const spar__shown_cast spar__shown_casts[SPAR__SHOWN_CASTS]; /* the last with dependent arms */

spar_status spar__shown_stage(spar__paper *paper, spar_error *err);

/* The scene of a cast with m arms a round, or NULL. */
const spar__scene *spar__shown_scene(const spar__paper *paper, const spar__shown_cast *cast, double m);

#endif
