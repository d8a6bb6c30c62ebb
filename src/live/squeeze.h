/* squeeze.h - bytes made shorter, for snapshots: the block format of LZ4, by own code.
 *
 * A sequence is a token (4 bits length of the literals, 4 bits length of the match less 4; 15: bytes to be added
 * follow, the last of them below 255), the literals, and a u16 that says how far back the match is. The last sequence
 * has literals only. Before all this stands a u64, the length of the whole. The same bytes always give the same result.
 */
#ifndef SPAR_LIVE_SQUEEZE_H
#define SPAR_LIVE_SQUEEZE_H

#include "base/error.h"

#include <stdatomic.h>
#include <stddef.h>

/* *out is new (spar__free). It takes 5 to 20 ns a byte: when *stop turns true it ends soon, with SPAR_INTERRUPTED;
 * NULL: it never does. */
spar_status spar__squeeze(const unsigned char *bytes, size_t length, const atomic_bool *stop, unsigned char **out,
                          size_t *squeezed);

/* And back; whatever the bytes are, nothing is read or written outside. SPAR_CORRUPT if they are not such a result. */
spar_status spar__unsqueeze(const unsigned char *bytes, size_t length, unsigned char **out, size_t *expanded);

#endif
