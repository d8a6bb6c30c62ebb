/* rankers.h - where the lists of rankers are mixed and clicked. */
#ifndef SPAR_ENV_RANKERS_H
#define SPAR_ENV_RANKERS_H

#include "rank/cache.h"
#include "rank/click.h"
#include "rank/mixer.h"
#include "rank/queries.h"

typedef struct spar__desk {
    spar__queries *queries; /* at least one */
    spar__click *click;
    spar__mixer mixer;
    bool tie_is_half; /* equal credit is a tie, else missing */
} spar__desk;

#endif
