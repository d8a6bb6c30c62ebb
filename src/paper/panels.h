/* panels.h - the regret curves of settings. The same policy has the same colour in all figures. */
#ifndef SPAR_PAPER_PANELS_H
#define SPAR_PAPER_PANELS_H

#include "paper/paper.h"
#include "plot/plot.h"

/* For spar__series.color; 0 for an unknown label, whose position in the figure then decides. There are more policies
 * than colours: some that are never in the same setting share one. */
size_t spar__policy_color(const char *label);

typedef enum spar__panel_line {
    SPAR__PANEL_MEAN,   /* with one sd to each side */
    SPAR__PANEL_MEDIAN, /* with the quantiles of 5 and 95 % */
    SPAR__PANEL_MEAN_SE /* the mean with two standard errors to each side */
} spar__panel_line;

/* The curves of a setting as a figure; without a setting (NULL), a figure without lines. */
typedef struct spar__panel {
    spar__figure figure; /* width, height, scales and captions may be changed */
    spar__series *series;
    double *number;
    char subtitle[160]; /* "m = 2, 100 runs" */
} spar__panel;

spar_status spar__panel_make(const spar__paper_setting *setting, spar__panel_line line, spar__panel *out);
void spar__panel_free(spar__panel *panel);

/* Draws the settings of these names (data: an array that ends with NULL), as far as they were run, side by side; no
 * more than SPAR__PANELS. Draws nothing when there are none. */
enum { SPAR__PANELS = 4 };
spar__paper_draw spar__panels_draw;

#endif
