/* team.h - the threads of a rank: each takes one cell after the other, until there will be no more. */
#ifndef SPAR_MPI_TEAM_H
#define SPAR_MPI_TEAM_H

#include "sim/sweep.h"

typedef struct spar__team spar__team;

/* Starts the threads. With `out`, cells that are complete wait to be sent; else they are taken here. NULL: it cannot be
 * done. */
spar__team *spar__team_new(spar__sweep_run *run, bool out);

/* Adds cells. */
spar_status spar__team_add(spar__team *team, const size_t *cell, size_t n);

/* Takes up to n cells back, for others. */
size_t spar__team_split(spar__team *team, size_t n, size_t *cell);

size_t spar__team_threads(const spar__team *team);
size_t spar__team_waiting(spar__team *team); /* cells that nobody has begun */
bool spar__team_idle(spar__team *team);      /* none is waiting or being played */

/* Cells that are complete; the buffer changes hands. */
spar__buf spar__team_collect(spar__team *team);

/* Waits for the threads to end: with the cells that they have begun, or when these were stopped. */
void spar__team_end(spar__team *team);
void spar__team_free(spar__team *team); /* NULL is fine */

#endif
