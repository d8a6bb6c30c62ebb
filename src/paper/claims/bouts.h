/* bouts.h - claims of the form "A beats B and C in these scenes". */
#ifndef SPAR_PAPER_CLAIMS_BOUTS_H
#define SPAR_PAPER_CLAIMS_BOUTS_H

#include "paper/paper.h"

typedef struct spar__bouts {
    const char *const *scene; /* those that were played count; ends with NULL */
    const char *hero;         /* label */
    const char *const *rival; /* labels, those a scene has; ends with NULL */
    bool per_slot;            /* where that differs, tell the cost per slot as well */
    bool narrowly;            /* a rival that is beaten, though not by far, makes it hold in part */
} spar__bouts;

#define SPAR__BOUTS_TEST                                                                                               \
    "In each scene the final regrets are compared run by run. A rival is beaten when it pays more, the mean "          \
    "difference beyond 2 standard errors and its median higher too; and much more, that is half as much again, by 2 "  \
    "standard "                                                                                                        \
    "errors of the logarithm of the ratio. Holds when every rival pays much more in every scene, in part when some "   \
    "do."

#define SPAR__BOUTS_NARROWLY " It also holds in part when a rival is beaten, though not by so much."

spar_status spar__bouts_judge(const spar__bouts *bouts, const spar__paper *paper, spar__finding *out, spar_error *err);

#endif
