/* lines.h - a part of the log of an open experiment, event by event, as `spar export` prints it. */
#ifndef SPAR_LIVE_LINES_H
#define SPAR_LIVE_LINES_H

#include "base/buf.h"

#include <spar/experiment.h>

/* line: the event as a JSON object, without the end of the line. */
typedef void (*spar__line_fn)(void *context, uint64_t sequence, const spar__buf *line);

/* Events `from`, from + 1, ...: as many as make `bytes` bytes, at least one if there is one, at most `most`. *next is
 * the first one that was not given. */
spar_status spar__live_lines(spar_experiment *experiment, uint64_t from, size_t most, size_t bytes, spar__line_fn fn,
                             void *context, uint64_t *next, spar_error *err);

#endif
