/* trials.h - how two rankers compare on one query, estimated by random draws: for ways to mix without an exact answer.
 */
#ifndef SPAR_RANK_TRIALS_H
#define SPAR_RANK_TRIALS_H

#include "rank/click.h"
#include "rank/mixer.h"

typedef struct spar__trial_mean {
    double p;        /* mean of 1 for a win of the first list, 0 for a loss, 1/2 for a tie or a missing comparison */
    double variance; /* of p: the square of its standard error; 0 with a single draw */
} spar__trial_mean;

typedef struct spar__trials spar__trials;

/* Keeps the mixer and the click model, which must outlive it. Duels end with SPAR_INTERRUPTED once stop, which may be
 * NULL, says so. */
spar_status spar__trials_new(const spar__mixer *mixer, const spar__click *click, bool (*stop)(void),
                             spar__trials **out);
void spar__trials_free(spar__trials *trials);

/* Mixes the lists down to `depth` documents and has the mix clicked, `draws` times; document d has grade[d]. */
spar_status spar__trials_duel(spar__trials *trials, const uint8_t *grade, size_t depth, const uint64_t *first,
                              const uint64_t *second, size_t draws, spar_rng *rng, spar__trial_mean *out);

#endif
