/* signing.h - what the server signs so that nobody else can make it: screens, sessions, cookies, form tokens.
 *
 * A signature is HMAC-SHA-256 over a purpose and parts, each with its length, so that a signature for one purpose or
 * one division into parts never fits another. Keys: the present one signs; the one before it is still good until its
 * time is over (`spar token rotate` keeps it for 24 hours). */
#ifndef SPAR_SERVICE_SIGNING_H
#define SPAR_SERVICE_SIGNING_H

#include "store/store.h"

#include <spar/event.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spar__keyring {
    unsigned char now[SPAR_HASH_SIZE], before[SPAR_HASH_SIZE];
    int64_t before_until; /* seconds since 1970, 0: there is none */
} spar__keyring;

typedef struct spar__part {
    const void *bytes;
    size_t length;
} spar__part;

/* SPAR_NOMEM is the only failure. */
spar_status spar__sign(const spar__keyring *keys, const char *purpose, size_t n, const spar__part *part,
                       unsigned char out[SPAR_HASH_SIZE]);

/* In constant time. False also when memory runs out. */
bool spar__signed(const spar__keyring *keys, const char *purpose, size_t n, const spar__part *part, int64_t now,
                  const unsigned char signature[SPAR_HASH_SIZE]);

/* The key of all keys that are stored: as bytes for the store's secrets, and back. */
enum { SPAR__KEYRING_SIZE = 2 * SPAR_HASH_SIZE + 8 };
spar_status spar__keyring_new(spar__keyring *keys, spar_error *err);
spar_status spar__keyring_rotate(spar__keyring *keys, int64_t keep_until, spar_error *err); /* 0: drop the old one */
void spar__keyring_write(const spar__keyring *keys, unsigned char out[SPAR__KEYRING_SIZE]);
bool spar__keyring_read(spar__keyring *keys, const unsigned char *bytes, size_t length);

/* A secret of that length which all servers of a store share: what is there, or else `bytes`, which then is there. */
spar_status spar__secret_settle(spar__store *store, const char *name, unsigned char *bytes, size_t length,
                                spar_error *err);

/* The keys of the store; new ones where there are none yet. */
spar_status spar__keyring_load(spar__store *store, spar__keyring *keys, spar_error *err);
spar_status spar__keyring_store(spar__store *store, const spar__keyring *keys, spar_error *err);

/* Bytes as hexadecimal digits, 2 * length + 1 characters. */
void spar__hex_write(const unsigned char *bytes, size_t length, char *text);

#endif
