/* lazy.h - the argmax of a few independent Betas, mostly from one uniform: see lazy.c. */
#ifndef SPAR_POSTERIOR_BETA_LAZY_H
#define SPAR_POSTERIOR_BETA_LAZY_H

#include "posterior/beta/beta.h"

#include <stdint.h>

enum { SPAR__LAZY_ARMS = 64 };

typedef struct spar__lazy {
    bool on; /* S and the rest are kept; else every arm is to be drawn */
    size_t leader;
    double c;
    double none_above; /* P0: no arm but perhaps the leader exceeds c */
    double alone;      /* S_L P0: the leader does, alone */

    double S[SPAR__LAZY_ARMS], D[SPAR__LAZY_ARMS], scale[SPAR__LAZY_ARMS];
    double below[SPAR__LAZY_ARMS];                 /* 1 - S; 1 for the leader and for absent arms */
    double a[SPAR__LAZY_ARMS], b[SPAR__LAZY_ARMS]; /* the state that S and D belong to */
    uint64_t touched;                              /* arms that have been observed since */

    double rounds;      /* settled since the beginning, or since everything changed */
    double next;        /* the round of the next look, while off */
    double setbacks;    /* times in a row that it was put off by steps it cannot follow */
    double debt, limit; /* slow draws expected since the last look, and how many call for the next */
} spar__lazy;

void spar__lazy_reset(spar__lazy *self);

static inline void spar__lazy_touch(spar__lazy *self, size_t arm)
{
    self->touched |= (uint64_t)1 << arm;
}

void spar__lazy_resize(spar__lazy *self, const spar__beta_view *view, size_t known); /* known: arms before */
void spar__lazy_settle(spar__lazy *self, const spar__beta_view *view);

/* One best arm; only while on. */
size_t spar__lazy_best(const spar__lazy *self, const spar__beta_view *view, spar_rng *rng);

void spar__lazy_archive(spar__lazy *self, const spar__beta_view *view, spar__archive *ar);

/* For tests: on at this threshold for good. */
void spar__lazy_force(spar__lazy *self, const spar__beta_view *view, double c);

#endif
