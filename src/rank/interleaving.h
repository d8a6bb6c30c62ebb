/* interleaving.h - rankers whose lists are mixed and clicked: a data set, a way to mix, and a click model. */
#ifndef SPAR_RANK_INTERLEAVING_H
#define SPAR_RANK_INTERLEAVING_H

#include "rank/click.h"
#include "rank/mixer.h"
#include "rank/queries.h"

typedef struct spar__interleaving {
    spar__mixer mixer;
    spar__queries *queries; /* at least one */
    spar__click *click;     /* for the grades and lists of the queries */
} spar__interleaving;

/* The specs of the mixer and of the click model are checked before the data are read, which may take long. */
spar_status spar__interleaving_open(const char *mix, const char *click, const spar__queries_options *data,
                                    spar__interleaving *out, spar_error *err);
void spar__interleaving_close(spar__interleaving *interleaving);

#endif
