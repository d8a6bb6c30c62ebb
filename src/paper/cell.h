/* cell.h - the life of a cell: its setting, its room, its file. */
#ifndef SPAR_PAPER_CELL_H
#define SPAR_PAPER_CELL_H

#include "paper/paper.h"

/* The scene is filled but for its cells. After a failure fini is still due. */
spar_status spar__cell_init(spar__cell *cell, const spar__scene *scene, const char *label, const char *policy,
                            uint64_t seed);
void spar__cell_fini(spar__cell *cell);

/* Room for all its numbers, zero; done is false. */
spar_status spar__cell_clear(spar__cell *cell, const spar__scene *scene);

/* Reads the numbers of this setting, if dir has them whole (then done is true). Fails only for want of memory. */
spar_status spar__cell_load(spar__cell *cell, const spar__scene *scene, const char *dir);
spar_status spar__cell_keep(spar__cell *cell, const char *dir, spar_error *err);

#endif
