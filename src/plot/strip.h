/* strip.h - small plots that are part of a page. They have no colours, fonts or sizes of their own but classes, so that
 * the page's style gives them (light, dark, forced colours), and lengths along x are percentages: they are as wide as
 * the page has room, and dots stay round. Each has a name for those who cannot see it. */
#ifndef SPAR_PLOT_STRIP_H
#define SPAR_PLOT_STRIP_H

#include "base/buf.h"

#include <stdint.h>

typedef struct spar__strip {
    const char *name;        /* what it shows, in words */
    double value, low, high; /* 0 to 1; a value that is NaN is not drawn */
    bool faint;
} spar__strip;

/* A point with its interval on an axis from 0 to 100 %, with lines at 0, 50 and 100. Classes: strip, faint, axis, half,
 * reach, dot. */
void spar__plot_strip(const spar__strip *strip, spar__buf *svg);

/* n columns as high as their counts; all of height 0 if all counts are. Classes: columns, axis, column. */
void spar__plot_columns(const char *name, size_t n, const uint64_t *count, spar__buf *svg);

#endif
