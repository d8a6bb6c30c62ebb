/* ends.h - the labels of lines at their ends, in place of a legend or beside one: each at the height where its line
 * ends, moved apart where they would touch, with a thin line between the two. */
#ifndef SPAR_PLOT_ENDS_H
#define SPAR_PLOT_ENDS_H

#include "plot/figure.h"

typedef struct spar__ends {
    const spar__legend *legend; /* the lines and their labels */
    bool samples;               /* with a sample of each line; without: smaller, beside a legend */
} spar__ends;

/* Have the labels room in a plot of this height? Never for fewer than SPAR__MANY_SERIES. */
bool spar__ends_fit(const spar__ends *ends, double height);

/* What they need at the right of the plot. */
double spar__ends_width(const spar__ends *ends);

/* At the right of the frame's plot; fig has the lines. */
void spar__ends_draw(spar__buf *out, const spar__ends *ends, const spar__plot_frame *frame, const spar__figure *fig);

#endif
