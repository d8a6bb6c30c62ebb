/* curve.h - one line of a plot and the band around it. Call between spar__plot_frame_begin_data and
 * spar__plot_frame_end_data. */
#ifndef SPAR_PLOT_CURVE_H
#define SPAR_PLOT_CURVE_H

#include "plot/frame.h"
#include "plot/palette.h"
#include "plot/plot.h"

/* Can point i be drawn, and its band? */
bool spar__curve_visible(const spar__series *series, bool log_x, size_t i);
bool spar__curve_band_visible(const spar__series *series, bool log_x, size_t i);

/* width is that of the stroke; points closer than a fraction of a pixel are drawn as one. */
void spar__curve_line(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, spar__style style,
                      const char *width);

/* Nothing for a series without a band. */
void spar__curve_band(spar__buf *out, const spar__plot_frame *frame, const spar__series *series, const char *color,
                      const char *opacity);

#endif
