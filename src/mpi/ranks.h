/* ranks.h - a sweep on the ranks of a job: rank 0 plays cells, hands out cells to the other ranks, its helpers, and has
 * the results. Every rank runs the same command and so has the same list of cells. */
#ifndef SPAR_MPI_RANKS_H
#define SPAR_MPI_RANKS_H

#include "sim/sweep.h"

spar_status spar__ranks_lead(spar__sweep_run *run, spar_error *err); /* ranks.c: rank 0 */
spar_status spar__ranks_help(spar__sweep_run *run, spar_error *err); /* helper.c: the others */

/* Did a helper hear that the command is over? */
bool spar__ranks_quit(void);

#endif
