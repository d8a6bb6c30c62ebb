/* beta.h - the belief beta, and how its files fit together.
 *
 *     theta_i ~ Beta(a + S_i, b + F_i), independent
 *
 * W. R. Thompson, On the likelihood that one unknown probability exceeds another in view of the evidence of two
 * samples, Biometrika 1933; as used by Sui, Zhuang, Burdick, Yue, Multi-dueling Bandits with Dependent Arms, UAI 2017.
 *
 * A reward r in [0,1] of weight w adds w r to S_i and w (1 - r) to F_i, without rounding. These two numbers of each arm
 * are the whole belief. The rest of this folder answers one question fast: draw all theta, which arm has the largest?
 * Thompson sampling asks it once for every slot of every round.
 *
 * There are three ways to answer. All have exactly the same law, that of drawing every arm, so the choice between them
 * is a matter of time alone:
 *
 *     beta.c     draws every arm, in vectors, and takes the largest: O(K) a slot, some 20 ns an arm. Works always,
 *                and is the only way where a prior a or b is below 1.
 *     lazy.c     up to 64 arms. Keeps a threshold c and the probability that the leader alone exceeds it. One
 *                uniform number usually says that this happened, and then no Beta is drawn at all. Once one arm is
 *                clearly best, a round of 4 slots and 16 arms takes 0.2 us instead of more than 1.
 *     ladder.c   more arms. Thresholds c_0 > c_1 > ... and a tree of sums find the few arms that exceed the first
 *                one, and only these are drawn: O(log K) a slot. A round of 4 slots takes a few microseconds with
 *                1,000 arms and with 100,000; drawing every arm takes 0.1 and 10 ms.
 *
 * Different arms for several slots (best_distinct): the lazy way serves the first slot, the others draw every arm; the
 * ladder serves all of them, by leaving out the rates of the arms that are taken, and places its thresholds so that the
 * arms behind the leaders have several too.
 *
 * Both need P(theta_i > c) of every arm at fixed thresholds. That is an incomplete Beta function, which takes
 * microseconds; but after one more win or loss it follows from the value before by a few multiplications (survival.h).
 * So thresholds are kept as long as they serve, and an observation costs next to nothing. Where many arms have the same
 * counts, as at the start, these values are kept once for all of them (groups.c).
 *
 *     survival   P(theta > c), from the start and by recurrence
 *     groups     arms with equal counts
 *     ladder     building the ladder and keeping it up to date; ladder_best draws from it, ladder_rungs places the
 *                thresholds, ladder_archive saves and loads
 *
 * Both ways turn themselves off, and every arm is drawn, where they do not pay: lazy while no arm leads clearly, both
 * when weights are not whole numbers (the recurrence takes whole wins and losses) or counts exceed 1e10. They try again
 * later, after pauses that grow. All this is decided in settle from the state alone, never in best: asking changes
 * nothing, and a replayed log gives the same state. What was reached by recurrence differs from what would be computed
 * again in its last bits, so it is saved with the belief. */
#ifndef SPAR_POSTERIOR_BETA_BETA_H
#define SPAR_POSTERIOR_BETA_BETA_H

#include "posterior/posterior.h"

/* The arms as the ways see them. */
typedef struct spar__beta_view {
    size_t n, live;
    const double *a, *b;
    const bool *alive;
    size_t turned; /* whose flag changed last */
} spar__beta_view;

/* For tests: every arm is drawn from now on, or no longer; and, up to 64 arms, this threshold at once. */
void spar__beta_plain(spar__posterior *self, bool plain);
void spar__beta_threshold(spar__posterior *self, double c);

#endif
