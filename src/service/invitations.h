/* invitations.h - who may vote where only the invited can: links that are sent around.
 *
 * An invitation is a code of 16 random bytes in hexadecimal, for one experiment. The store has its SHA-256, with a
 * number, which is never used again, a label, an expiry, and how many voters may come by it. Opening it uses nothing
 * up; becoming a voter does. By an invitation for one voter the same voter can come again, from another device too.
 * `spar invite` writes them; a running server follows within a second.
 *
 * Threads: any; the table has its own lock. */
#ifndef SPAR_SERVICE_INVITATIONS_H
#define SPAR_SERVICE_INVITATIONS_H

#include "service/signing.h"

#include <pthread.h>

enum { SPAR__INVITATION_BYTES = 16, SPAR__INVITATION_LABEL = 80, SPAR__INVITATION_NAME = 200 };
#define SPAR__INVITATION_LENGTH (2 * SPAR__INVITATION_BYTES)

typedef struct spar__invitation {
    uint64_t number;          /* from 1 */
    int64_t created, expires; /* seconds since 1970; expires 0: never */
    uint32_t most, used;      /* voters; most 0: any number */
    unsigned char hash[SPAR_HASH_SIZE];
    char experiment[SPAR__INVITATION_NAME + 1]; /* its name in the store */
    char label[SPAR__INVITATION_LABEL + 1];
} spar__invitation;

typedef struct spar__invitations {
    pthread_mutex_t lock;
    spar__invitation *invitation, **by_hash; /* by number; and in the order of their hashes */
    size_t n;
} spar__invitations;

void spar__invitations_init(spar__invitations *invitations);
void spar__invitations_fini(spar__invitations *invitations);

/* Reads them from the store, in place of what was there. */
spar_status spar__invitations_load(spar__invitations *invitations, spar__store *store, spar_error *err);

/* The invitation of a code, or of a number; false if there is none (it was revoked). The end is the caller's to check.
 */
bool spar__invitations_find(spar__invitations *invitations, const char *code, spar__invitation *out);
bool spar__invitations_get(spar__invitations *invitations, uint64_t number, spar__invitation *out);

/* Is the invitation of that number good for this experiment now? */
bool spar__invitations_good(spar__invitations *invitations, uint64_t number, const char *experiment, int64_t now);

/* In the store: n new ones in one commit (number and hash are set), whose codes are shown once; the end of one
 * (SPAR_UNKNOWN). */
spar_status spar__invitation_new(spar__store *store, size_t n, spar__invitation *invitation,
                                 char (*code)[SPAR__INVITATION_LENGTH + 1], spar_error *err);
spar_status spar__invitation_revoke(spar__store *store, uint64_t number, spar_error *err);

/* One more voter comes by it: in the store, then in the table. *full: as many as it is for have come. SPAR_UNKNOWN: it
 * was revoked. Other servers of the store may do the same at the same time: none is counted twice, and none too many
 * comes. */
spar_status spar__invitation_use(spar__invitations *invitations, spar__store *store, uint64_t number, bool *full,
                                 spar_error *err);

#endif
