/* snapshot_work.h - a snapshot that is squeezed by a thread of its own, while the experiment goes on. */
#ifndef SPAR_LIVE_SNAPSHOT_WORK_H
#define SPAR_LIVE_SNAPSHOT_WORK_H

#include "live/fold.h"
#include "store/store.h"

typedef struct spar__snapshot_work spar__snapshot_work;

/* Takes the parts of a state. A process has at most two works at a time, from here to their freeing. NULL: there are
 * two, or there is no memory, or no thread; the parts are still the caller's. */
spar__snapshot_work *spar__snapshot_work_new(const spar__store_snapshot *about, const spar__fold_parts *parts);
void spar__snapshot_work_free(spar__snapshot_work *work); /* the thread ends at once; NULL is fine */

/* False while the thread works. *bytes is what it has made, borrowed; NULL: it failed, or the snapshot was dropped. */
bool spar__snapshot_work_done(const spar__snapshot_work *work, spar__store_snapshot *about, const unsigned char **bytes,
                              size_t *length);

/* Not wanted any more if it is one of events from .. to - 1. */
void spar__snapshot_work_drop(spar__snapshot_work *work, uint64_t from, uint64_t to);

#endif
