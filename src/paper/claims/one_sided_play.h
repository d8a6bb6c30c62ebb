/* one_sided_play.h - a run of the game: the player learns from duels alone, one a round. */
#ifndef SPAR_PAPER_CLAIMS_ONE_SIDED_PLAY_H
#define SPAR_PAPER_CLAIMS_ONE_SIDED_PLAY_H

#include "paper/paper.h"

spar__feat spar__one_sided_fixed, spar__one_sided_moving;

#endif
