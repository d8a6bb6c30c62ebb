/* figures.h - what figures share. */
#ifndef SPAR_PAPER_FIGURES_FIGURES_H
#define SPAR_PAPER_FIGURES_FIGURES_H

#include "paper/paper.h"

/* The scene grid/LINK-SET. */
spar_status spar__stage_grid(spar__paper *paper, const char *link, const char *set, spar_error *err);

#endif
