/* snapshot.h - bytes made shorter, for snapshots: the block format of LZ4, by own code.
 *
 * A sequence is a token (4 bits length of the literals, 4 bits length of the match less 4; 15: bytes to be added
 * follow, the last of them below 255), the literals, and a u16 that says how far back the match is. The last sequence
 * has literals only. Before all this stands a u64, the length of the whole. The same bytes always give the same result.
 */
#ifndef SPAR_LIVE_LOG_SNAPSHOT_H
#define SPAR_LIVE_LOG_SNAPSHOT_H

#include "base/error.h"
#include "live/live.h"
#include "store/store.h"

#include <stdatomic.h>
#include <stddef.h>

/* *out is new (spar__free). It takes 5 to 20 ns a byte: when *stop turns true it ends soon, with SPAR_INTERRUPTED;
 * NULL: it never does. */
spar_status spar__squeeze(const unsigned char *bytes, size_t length, const atomic_bool *stop, unsigned char **out,
                          size_t *squeezed);

/* And back; whatever the bytes are, nothing is read or written outside. SPAR_CORRUPT if they are not such a result. */
spar_status spar__unsqueeze(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded);

/* A snapshot that is squeezed by a thread of its own, while the experiment goes on. */

typedef struct spar__snapshot_work spar__snapshot_work;

/* Takes the parts of a state. A process has at most two works at a time, from here to their freeing. NULL: there are
 * two, or there is no memory, or no thread; the parts are still the caller's. */
spar__snapshot_work *spar__snapshot_work_new(const spar__store_snapshot *about, const spar__fold_parts *parts);
void spar__snapshot_work_free(spar__snapshot_work *work); /* the thread ends at once; NULL is fine */

#endif
