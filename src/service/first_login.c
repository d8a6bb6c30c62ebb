/* first_login.c - see first_login.h. */
#include "service/first_login.h"

#include "store/digest.h"

#include <string.h>

enum { HOURS = 36 }; /* a day to log in, and the longest session after it */

spar_status spar__first_login_make(spar__first_login *first, spar__store *store, int64_t now, spar_error *err)
{
    char unseen[SPAR__TOKEN_LENGTH + 1];
    unsigned char secret[SPAR__TOKEN_BYTES];
    spar_status status = spar__random_bytes(secret, sizeof secret, err);
    if (!status)
        status = spar__token_new(store, "first login", now, now + HOURS * 3600, unseen, &first->number, err);
    spar__wipe(unseen, sizeof unseen);
    if (status)
        return status;
    memcpy(first->text, SPAR__TOKEN_PREFIX, sizeof SPAR__TOKEN_PREFIX - 1);
    spar__hex_write(secret, sizeof secret, first->text + sizeof SPAR__TOKEN_PREFIX - 1);
    spar__sha256(first->text, SPAR__TOKEN_LENGTH, first->hash);
    spar__wipe(secret, sizeof secret);
    first->open = true;
    return SPAR_OK;
}

uint64_t spar__first_login_use(spar__first_login *first, const char *text)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar__sha256(text, strlen(text), hash);
    if (!first->open || !spar__same_bytes(hash, first->hash, sizeof hash))
        return 0;
    first->open = false;
    spar__wipe(first->text, sizeof first->text);
    return first->number;
}
