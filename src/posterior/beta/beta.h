/* beta.h - the ways in which the beta belief finds its best arm; the law is that of draw and argmax in each. */
#ifndef SPAR_POSTERIOR_BETA_BETA_H
#define SPAR_POSTERIOR_BETA_BETA_H

#include "posterior/posterior.h"

/* The arms as the ways see them. */
typedef struct spar__beta_view {
    size_t n, live;
    const double *a, *b;
    const bool *alive;
} spar__beta_view;

/* For tests: every arm is drawn from now on, or no longer; and, up to 64 arms, this threshold at once. */
void spar__beta_plain(spar__posterior *self, bool plain);
void spar__beta_threshold(spar__posterior *self, double c);

#endif
