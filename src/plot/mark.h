/* mark.h - marks for duels: won is dark, lost is hollow, the area is their number. They are visible on any colour and
 * in grey print. */
#ifndef SPAR_PLOT_MARK_H
#define SPAR_PLOT_MARK_H

#include "base/buf.h"

typedef enum spar__mark {
    SPAR__MARK_LINE, /* in a legend only: the sample of a line */
    SPAR__MARK_WON,
    SPAR__MARK_LOST,
    SPAR__MARK_WON_HALF,  /* the left half of a disc */
    SPAR__MARK_LOST_HALF, /* the right one */
    SPAR__MARK_FRAME      /* a square around something */
} spar__mark;

void spar__mark_draw(spar__buf *out, spar__mark mark, double x, double y, double radius);

/* The radius for a count, when that of `most` (> 0) is `largest`; 0 for 0, otherwise at least `smallest`. */
double spar__mark_radius(double count, double most, double smallest, double largest);

#endif
