/* feedback.h - the inside of feedback. Read freely; change through the functions of <spar/feedback.h>. */
#ifndef SPAR_TYPES_FEEDBACK_H
#define SPAR_TYPES_FEEDBACK_H

#include <spar/feedback.h>

struct spar_feedback {
    size_t m;
    size_t capacity;
    spar_feedback_kind kind;
    unsigned char *outcome; /* m x m spar_outcome, row j: how slot j did against each slot k */
    double *reward;         /* per slot, meaningful where rewarded is set */
    bool *rewarded;
};

/* What an outcome is worth to the side that had it: 0, 1/2 or 1. */
static inline double spar__reward(unsigned char outcome)
{
    return 0.5 * (double)(outcome - SPAR_LOSS);
}

#endif
