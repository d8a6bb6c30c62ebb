/* shown.h - scenes that differ in the number m of arms shown a round only: "shown/linear-arith-8". */
#ifndef SPAR_PAPER_CLAIMS_SHOWN_H
#define SPAR_PAPER_CLAIMS_SHOWN_H

#include "paper/paper.h"

enum { SPAR__SHOWN_STEPS = 4, SPAR__SHOWN_MOST = 2 };

extern const double spar__shown_m[SPAR__SHOWN_STEPS]; /* 2, 4, 8, 16 */

/* A setting, its hero and his rivals. */
typedef struct spar__shown_cast {
    const char *name, *title, *env;
    const spar__role *role; /* the hero first */
    size_t n_roles;
    uint64_t rounds, quick_runs;
} spar__shown_cast;

typedef struct spar__shown_casts {
    size_t n;
    spar__shown_cast cast[SPAR__SHOWN_MOST];
} spar__shown_casts;

extern const spar__shown_casts spar__shown_independent, spar__shown_kernel;

spar_status spar__shown_stage(const spar__shown_casts *casts, spar__paper *paper, spar_error *err);

/* The scene of a cast with m arms a round, or NULL. */
const spar__scene *spar__shown_scene(const spar__paper *paper, const spar__shown_cast *cast, double m);

#endif
