/* belief.h - plots of a belief about arms with one or two features: one row per snapshot, all with the same axes and
 * scales. */
#ifndef SPAR_PLOT_BELIEF_H
#define SPAR_PLOT_BELIEF_H

#include "plot/frame.h"
#include "plot/legend.h"

#include <spar/status.h>

/* One snapshot. */
typedef struct spar__belief {
    const char *label; /* "after 20 rounds" */
    size_t n;          /* arms */
    const double *x;   /* their features, n x dim, finite */
    const double *mean, *sd;
    const double *truth;      /* NaN where it is not known */
    const double *won, *lost; /* duels of each arm */

    /* All of these may be left out. */
    const spar__axis *axis[2]; /* ticks of the features, at values of x, in place of numbers */
    const double *chosen;      /* a point (dim) to be marked */
    bool apart;                /* lines: the arms are no points of a scale: each has a bar of its own */
} spar__belief;

typedef struct spar__beliefs {
    const char *name; /* for those who cannot see it; NULL: the title */
    const char *title, *subtitle;
    size_t dim;             /* 1: a line with a band; 2: heat maps */
    const char *feature[2]; /* their names */
    const char *value;      /* what is believed, a label of an axis: "chance to win" */
    const char *truth;      /* "P(arm beats the best)" */
    const char *band;       /* lines: what mean and band are, in the legend; NULL: in English */
    const char *chosen;     /* what the marked points are */
    const char *words;      /* what it shows, for those who cannot see it; NULL: it says where means are highest */
    double width;           /* in px, for a page: fewer ticks and colours, and maps of the means alone; 0: wide */
    bool dashed;            /* lines: the mean is dashed and the truth is solid, instead of the other way round */
    size_t n;
    const spar__belief *belief;
} spar__beliefs;

/* svg is appended to. SPAR_NOMEM, or SPAR_INVALID for no snapshot, a snapshot without arms, or another dim. */
spar_status spar__plot_beliefs(const spar__beliefs *fig, spar__buf *svg);

/* The two kinds; fig must be valid. */
spar_status spar__belief_lines(const spar__beliefs *fig, spar__buf *svg);
spar_status spar__belief_maps(const spar__beliefs *fig, spar__buf *svg);

/* For both kinds: is any point marked; the largest number of duels that an arm won or lost; is any truth known; the arm
 * of highest truth (n: none). */
bool spar__belief_has_chosen(const spar__beliefs *fig);
double spar__belief_most(const spar__beliefs *fig);
bool spar__belief_has_truth(const spar__beliefs *fig);
size_t spar__belief_best(const spar__belief *belief);

/* Begins the page: its name, and in words where the belief is highest in each snapshot. */
void spar__belief_begin(const spar__beliefs *fig, double width, double height, spar__buf *out);

/* Around what a legend entry stands for. */
void spar__belief_begin_part(spar__buf *out, spar__legend_entry entry);
void spar__belief_end_part(spar__buf *out);

/* Legend and note at the bottom, and their height. */
typedef struct spar__belief_foot {
    spar__legend legend;
    spar__legend_entry entry[6];
    const char *note;
    double height;
} spar__belief_foot;

void spar__belief_foot_add(spar__belief_foot *foot, spar__legend_entry entry);
void spar__belief_foot_fit(spar__belief_foot *foot, double width);
void spar__belief_foot_draw(spar__buf *out, const spar__belief_foot *foot, double x, double y);

#endif
