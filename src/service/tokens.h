/* tokens.h - manage tokens: who may manage what is served, and when that ends.
 *
 * A token is "spar_" and 32 random bytes in hexadecimal. It is shown once; the store has its SHA-256 only, with a
 * number, a label and an expiry. A number is never used again. `spar token` writes them; a running server follows
 * within a second.
 *
 * Threads: any; the table has its own lock. */
#ifndef SPAR_SERVICE_TOKENS_H
#define SPAR_SERVICE_TOKENS_H

#include "service/signing.h"
#include "store/store.h"

#include <pthread.h>

enum { SPAR__TOKEN_BYTES = 32, SPAR__TOKEN_LABEL = 80 };
#define SPAR__TOKEN_PREFIX "spar_"
#define SPAR__TOKEN_LENGTH (sizeof SPAR__TOKEN_PREFIX - 1 + 2 * SPAR__TOKEN_BYTES)

typedef struct spar__token {
    uint64_t number;          /* from 1 */
    int64_t created, expires; /* seconds since 1970; expires 0: never */
    unsigned char hash[SPAR_HASH_SIZE];
    char label[SPAR__TOKEN_LABEL + 1];
} spar__token;

typedef struct spar__tokens {
    pthread_mutex_t lock;
    spar__token *token;
    size_t n;
} spar__tokens;

spar_status spar__tokens_init(spar__tokens *tokens, spar_error *err);
void spar__tokens_fini(spar__tokens *tokens);

/* Reads them from the store, in place of what was there. */
spar_status spar__tokens_load(spar__tokens *tokens, spar__store *store, spar_error *err);

/* The number of a token that is good now, 0 if it is not. Takes the same time for all that are not. */
uint64_t spar__tokens_check(spar__tokens *tokens, const char *text, int64_t now);

/* Is the token of that number still good? */
bool spar__tokens_alive(spar__tokens *tokens, uint64_t number, int64_t now);

/* In the store: a new one, whose text (SPAR__TOKEN_LENGTH + 1 characters) is shown once; the end of one. */
spar_status spar__token_new(spar__store *store, const char *label, int64_t now, int64_t expires, char *text,
                            uint64_t *number, spar_error *err);
spar_status spar__token_revoke(spar__store *store, uint64_t number, spar_error *err);

#endif
