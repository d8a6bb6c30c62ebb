/* local.h - the socket by which shell commands write to a file while it is served (store/served/wire.h).
 *
 * One thread answers all of them: only one can write at a time, and those that wait need no thread for that. It has one
 * store, used by whoever has the turn, which it shares with the writer of the server (hosting/fair_lock.h). Who has the
 * lock and does not write within 250 ms loses it when others wait: a shell that was stopped does not stop the server.
 * Its write succeeds later if nobody has written since; else it is refused, and the command begins again, with twice
 * the time. */
#ifndef SPAR_SERVICE_LOCAL_H
#define SPAR_SERVICE_LOCAL_H

#include "base/error.h"
#include "service/hosting/fair_lock.h"

#include <stdint.h>

typedef struct spar__local spar__local;

typedef enum spar__local_change {
    SPAR__LOCAL_EVENTS,      /* of the experiment */
    SPAR__LOCAL_TEXTS,       /* of the experiment; some may be gone */
    SPAR__LOCAL_SECRETS,     /* tokens, keys */
    SPAR__LOCAL_EXPERIMENTS, /* a new one */
} spar__local_change;

/* Called by the thread after a commit, when it has given up the turn, before the shell hears of it. */
typedef void (*spar__local_changed_fn)(void *context, spar__local_change what, uint64_t experiment);

/* The place is one that this process holds (spar__store_hold), the turn is initialised and stays. A store that is no
 * file needs no socket: *out is NULL then. changed may be NULL. */
spar_status spar__local_start(const char *place, spar__fair_lock *turn, spar__local_changed_fn changed, void *context,
                              spar__local **out, spar_error *err);
void spar__local_stop(spar__local *local); /* NULL is fine; the store must still be held */

extern unsigned spar__local_lease; /* milliseconds: 250, but for tests */

#endif
