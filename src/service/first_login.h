/* first_login.h - the way in where there is no experiment yet: a token that `spar serve` prints, good for one login.
 *
 * Only its hash is kept, in memory. The session that it begins belongs to a manage token of the store whose text nobody
 * has ever seen: it can be listed and revoked like others, and ends by itself.
 *
 * Threads: made before the others start, then the connections' thread alone. */
#ifndef SPAR_SERVICE_FIRST_LOGIN_H
#define SPAR_SERVICE_FIRST_LOGIN_H

#include "service/tokens.h"

typedef struct spar__first_login {
    bool open; /* it was made and not used */
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t number;                   /* of the manage token of its session */
    char text[SPAR__TOKEN_LENGTH + 1]; /* until it was shown */
} spar__first_login;

spar_status spar__first_login_make(spar__first_login *first, spar__store *store, int64_t now, spar_error *err);

/* The number of the manage token, 0 if the text is another one or it was used before. */
uint64_t spar__first_login_use(spar__first_login *first, const char *text);

#endif
