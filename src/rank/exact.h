/* exact.h - how two rankers compare on one query under team draft, exactly. */
#ifndef SPAR_RANK_EXACT_H
#define SPAR_RANK_EXACT_H

#include "rank/click.h"

typedef struct spar__duel_odds {
    double win, loss, tie; /* of the first list; missing comparisons count as ties */
} spar__duel_odds;

typedef struct spar__exact spar__exact;

/* For lists of at most top documents out of at most 65535. Keeps the click model, which must outlive it. */
spar_status spar__exact_new(const spar__click *click, size_t top, spar__exact **out);
void spar__exact_free(spar__exact *exact);

/* A query: the grades of its documents, and how many documents a list has and the mixed list shows. Then a first list,
 * and then any number of second ones. The lists stay the caller's and must be there until the last second one is done.
 * A list names no document twice. */
void spar__exact_query(spar__exact *exact, const uint8_t *grade, size_t depth);
void spar__exact_first(spar__exact *exact, const uint16_t *list);
spar__duel_odds spar__exact_second(spar__exact *exact, const uint16_t *list);

/* P(first beats second), a tie being half a win. */
static inline double spar__duel_odds_p(spar__duel_odds o)
{
    return 0.5 + (o.win - o.loss) / 2;
}

#endif
