/* source.h - what a row said besides its answer, kept as a text beside the imported event: a JSON object with those of
 *
 *   screen, taken, flags   numbers, as the experiment that exported the row had them
 *   item, comment          texts
 *
 * that the row had. None: no text at all. */
#ifndef SPAR_LIVE_SOURCE_H
#define SPAR_LIVE_SOURCE_H

#include "base/order.h"
#include "text/json_read.h"

#include <spar/experiment.h>

typedef struct spar__row_source { /* all zero: nothing */
    uint64_t screen;
    uint32_t taken, flags;
    const char *item, *comment; /* NULL: none */
} spar__row_source;

/* Adds the object, or nothing. */
void spar__source_print(const spar__row_source *source, spar__buf *out);

/* False if it is something else; texts are borrowed from the tree. */
bool spar__source_read(spar__json_tree *tree, const char *text, size_t length, spar__row_source *out);

/* source_flags.c: adds (sequence, 0) of each imported answer whose source has flags. */
spar_status spar__source_flagged(spar_experiment *experiment, spar__key_table *flagged, spar_error *err);

#endif
