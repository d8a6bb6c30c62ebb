/* served.h - a file that another process serves: reading goes to the file, writing to that process (wire.h).
 *
 * A connection lasts for one write, or from a lock to what is written under it, so that a program that waits for a
 * person occupies nothing, and a server that is started anew is found again. Readers do not disturb the server: SQLite
 * shows them what is committed, which under the lock is the last there is. */
#ifndef SPAR_STORE_SERVED_SERVED_H
#define SPAR_STORE_SERVED_SERVED_H

#include "store/class.h"
#include "store/served/wire.h"

typedef struct spar__served {
    spar__store base; /* must come first */
    char *path;
    spar__store *file; /* opened for reading */
    int socket;        /* while the lock is held, else -1 */
    unsigned char lapses;
} spar__served;

/* Sends a request, after its patience and its lock are filled in. spar__wire_reply_fini in any case. */
spar_status spar__served_ask(spar__served *self, spar__wire_request *request, spar__wire_reply *reply, spar_error *err);

/* The same, where the reply is only a status. */
spar_status spar__served_tell(spar__served *self, spar__wire_request *request, spar_error *err);

/* Gives up the lock. */
void spar__served_hang_up(spar__served *self);

#endif
