/* once.h - Idempotency-Key: the same request sent again gets the reply of the first one, and has no second effect.
 *
 * A key belongs to one caller (a voter, or a manage token and its sessions) and one route and path. The same key with
 * another body is refused (422), as is one whose first request has no reply yet (409). Only replies of success are
 * kept, for 24 hours: what was refused has had no effect and may be tried again. Memory is bounded: of more keys or
 * bytes than fit the oldest are forgotten; managers and voters have tables of their own. After a restart the tables are
 * empty; what then still holds follows from the log (doc/http.md).
 *
 * Threads: the connections' only. */
#ifndef SPAR_SERVICE_ONCE_H
#define SPAR_SERVICE_ONCE_H

#include "service/call.h"

#include <spar/event.h>

enum { SPAR__ONCE_SECONDS = 24 * 3600, SPAR__ONCE_KEY = 255 };

typedef struct spar__once_entry {
    unsigned char id[SPAR_HASH_SIZE], body[SPAR_HASH_SIZE]; /* caller, route and key; what was sent */
    double begun;
    bool done;             /* else its first request has no reply yet */
    spar__reply reply;     /* a copy */
    size_t bytes;          /* of it */
    size_t next;           /* in its bucket, */
    size_t older, younger; /* and in the list of all: entries, 0 for none */
} spar__once_entry;

typedef struct spar__once_table {
    size_t most, room;       /* entries and bytes */
    spar__once_entry *entry; /* from 1; those not used are linked by next */
    size_t *bucket;
    size_t n, bytes, unused, oldest, youngest;
} spar__once_table;

void spar__once_init(spar__once_table *once, size_t most, size_t room);
void spar__once_fini(spar__once_table *once);

/* False: answered, by what was kept or by a problem. */
bool spar__once_begin(spar__call *call);
/* The call has its reply, or will never have one. */
void spar__once_end(spar__call *call);

#endif
