/* palette.h - the style of the i-th series: colours that colour-blind readers can distinguish, then other dashes. */
#ifndef SPAR_PLOT_PALETTE_H
#define SPAR_PLOT_PALETTE_H

#include <stddef.h>

typedef struct spar__style {
    const char *color; /* "#0072B2" */
    const char *dash;  /* for stroke-dasharray; "" = solid */
} spar__style;

enum { SPAR__COLORS = 10, SPAR__DASHES = 4 };

/* Any i; after SPAR__COLORS * SPAR__DASHES they repeat. */
spar__style spar__palette(size_t i);

#endif
