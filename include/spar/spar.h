/* spar.h - finds the best of many options from side-by-side comparisons. Includes everything. */
#ifndef SPAR_SPAR_H
#define SPAR_SPAR_H

#include <spar/answer.h>
#include <spar/arms.h>
#include <spar/axes.h>
#include <spar/catalog.h>
#include <spar/decide.h>
#include <spar/env.h>
#include <spar/event.h>
#include <spar/feedback.h>
#include <spar/forecast.h>
#include <spar/pair_counts.h>
#include <spar/policy.h>
#include <spar/rank.h>
#include <spar/rng.h>
#include <spar/round.h>
#include <spar/scratch.h>
#include <spar/session.h>
#include <spar/sim.h>
#include <spar/standings.h>
#include <spar/status.h>
#include <spar/taste.h>

#endif
