/* screen_token.h - a screen that was handed out, signed: an answer must bring it back.
 *
 * The signature covers the experiment, the screen, its revision, the options in the order of their places, the voter
 * and the end of the token; a token that was made up, changed, or taken from another screen, voter or experiment is
 * refused. It ends 24 hours after the screen was asked; so the same screen has the same token each time. */
#ifndef SPAR_SERVICE_SCREEN_TOKEN_H
#define SPAR_SERVICE_SCREEN_TOKEN_H

#include "service/signing.h"

#include <spar/experiment.h>

enum { SPAR__SCREEN_TOKEN_BYTES = 8 + 4 + 8 + SPAR_HASH_SIZE, SPAR__SCREEN_SECONDS = 24 * 3600 };
#define SPAR__SCREEN_TOKEN_LENGTH (2 * SPAR__SCREEN_TOKEN_BYTES)

typedef struct spar__screen_token {
    uint64_t screen;
    uint32_t revision;
    int64_t expires;
    unsigned char signature[SPAR_HASH_SIZE];
} spar__screen_token;

spar_status spar__screen_token_write(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                                     const char *voter, char text[SPAR__SCREEN_TOKEN_LENGTH + 1]);

/* What it says, not yet that it is true. False if it has not the form of a token. */
bool spar__screen_token_read(const char *text, spar__screen_token *token);

/* Is it ours, for this screen and voter? The end is the caller's to check. */
bool spar__screen_token_check(const spar__keyring *keys, const char *experiment, const spar_screen *screen,
                              const char *voter, int64_t now, const spar__screen_token *token);

#endif
