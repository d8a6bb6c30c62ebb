/* scratch.h - a stack of working memory. Take pieces, and drop them all by going back to a mark:
 *
 *     size_t mark = spar__scratch_mark(scratch);
 *     double *theta = spar__scratch_take(scratch, n, sizeof *theta);
 *     ...
 *     spar__scratch_release(scratch, mark);
 *
 * Pieces are not zeroed. Pointers stay valid until released: a stack that is too small goes on in a second block, and
 * becomes one larger block when it is next empty. */
#ifndef SPAR_BASE_SCRATCH_H
#define SPAR_BASE_SCRATCH_H

#include <spar/scratch.h>

#include <stddef.h>

size_t spar__scratch_mark(const spar_scratch *scratch);
void *spar__scratch_take(spar_scratch *scratch, size_t count, size_t size); /* NULL: out of memory */
void spar__scratch_release(spar_scratch *scratch, size_t mark);

#endif
