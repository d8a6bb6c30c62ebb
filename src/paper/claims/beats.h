/* beats.h - claims of the form "policy A beats policies B and C in these settings". */
#ifndef SPAR_PAPER_CLAIMS_BEATS_H
#define SPAR_PAPER_CLAIMS_BEATS_H

#include "paper/paper.h"

typedef struct spar__beats {
    const char *policy;          /* label */
    const char *const *rivals;   /* labels, as far as a setting has them; ends with NULL */
    const char *const *settings; /* as far as they were run; ends with NULL */
    bool per_slot;               /* where it differs, give the regret per slot as well */
    bool narrowly;               /* a rival that is beaten, even if not by far, makes it hold in part */
} spar__beats;

#define SPAR__BEATS_TEST                                                                                               \
    "In each setting the final regrets are compared run by run. A rival is beaten when its regret is higher, the "     \
    "mean "                                                                                                            \
    "difference beyond 2 standard errors, and its median is higher too; it is beaten by far when its regret is also "  \
    "at least 1.5 times as high, by 2 standard errors of the logarithm of the ratio. Holds when every rival is "       \
    "beaten "                                                                                                          \
    "by far in every setting, in part when some are."

#define SPAR__BEATS_NARROWLY " It also holds in part when a rival is beaten, but not by far."

/* The judge of such a claim; its data is a spar__beats. */
spar_status spar__beats_judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err);

#endif
