/* palette.h - the style of the i-th series: colours that colour-blind readers can distinguish, then other dashes.
 *
 * Every colour has a contrast of 3:1 with its page and is apart from the others also under deuteranopia; the test of
 * this file computes both. */
#ifndef SPAR_PLOT_PALETTE_H
#define SPAR_PLOT_PALETTE_H

#include <stddef.h>

typedef struct spar__style {
    const char *color; /* on white: "#0171b2" */
    const char *dark;  /* on a dark page */
    const char *dash;  /* for stroke-dasharray; "" = solid */
} spar__style;

enum { SPAR__COLORS = 10, SPAR__DASHES = 4, SPAR__MANY_SERIES = 5 };

#define SPAR__PAGE_LIGHT "#ffffff"
#define SPAR__PAGE_DARK "#1b1e23"

/* Any i; after SPAR__COLORS * SPAR__DASHES they repeat. */
spar__style spar__palette(size_t i);

/* The style of series i in a figure of n: from SPAR__MANY_SERIES on colour alone is not enough, and every colour has a
 * dash of its own, other than that of the colours nearest to it. */
spar__style spar__palette_among(size_t i, size_t n);

#endif
