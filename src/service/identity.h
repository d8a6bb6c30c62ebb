/* identity.h - the secrets that browsers and programs keep, and what they say.
 *
 * voter: a random secret with our signature: who holds it is one voter. In the log the voter has another name, made of
 * the secret and the experiment by a key that never leaves the store, so that neither can be found from the other and a
 * voter of two experiments has two names.
 *
 * session: a manager that has logged in with a token: its number and an end, signed. When the token is revoked or has
 * expired the session is over, too.
 *
 * form: a value that only our own pages know for this session: without it a POST by cookie is refused.
 *
 * All are stateless, so that every server with the same store takes them. As text they are hexadecimal digits. */
#ifndef SPAR_SERVICE_IDENTITY_H
#define SPAR_SERVICE_IDENTITY_H

#include "service/logouts.h"
#include "service/signing.h"

enum {
    SPAR__VOTER_BYTES = 8 + 16 + SPAR_HASH_SIZE,       /* invitation, secret, signature */
    SPAR__SESSION_BYTES = 8 + 8 + 16 + SPAR_HASH_SIZE, /* token, end, nonce, signature */
    SPAR__SESSION_SECONDS = 12 * 3600
};
#define SPAR__VOTER_LENGTH (2 * SPAR__VOTER_BYTES)
#define SPAR__SESSION_LENGTH (2 * SPAR__SESSION_BYTES)
#define SPAR__FORM_LENGTH (2 * SPAR_HASH_SIZE)
#define SPAR__VOTER_NAME_LENGTH 18 /* "v-" and 16 hexadecimal digits */

spar_status spar__voter_new(const spar__keyring *keys, uint64_t invitation, char text[SPAR__VOTER_LENGTH + 1],
                            spar_error *err);
/* The only voter of an invitation: the same one each time. */
spar_status spar__voter_invited(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, char text[SPAR__VOTER_LENGTH + 1]);
/* The voter who pressed Start on one page, of which `start` is a random text: the same one each time. */
spar_status spar__voter_started(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, const char *start, char text[SPAR__VOTER_LENGTH + 1]);
bool spar__voter_check(const spar__keyring *keys, const char *text, int64_t now, uint64_t *invitation);
/* Of a text that was checked. */
spar_status spar__voter_name(const unsigned char voter_key[SPAR_HASH_SIZE], const char *experiment, const char *text,
                             char name[SPAR__VOTER_NAME_LENGTH + 1]);

spar_status spar__login_new(const spar__keyring *keys, uint64_t token, int64_t now, char text[SPAR__SESSION_LENGTH + 1],
                            spar_error *err);
bool spar__login_check(const spar__keyring *keys, const char *text, int64_t now, uint64_t *token);
/* The random part of a session: by it one is told from another. False: it is none. */
bool spar__login_id(const char *text, unsigned char id[SPAR__SESSION_ID]);
int64_t spar__login_end(const char *text); /* of one that was checked */

spar_status spar__form_token(const spar__keyring *keys, const char *session, char out[SPAR__FORM_LENGTH + 1]);
bool spar__form_check(const spar__keyring *keys, const char *session, int64_t now, const char *text);

#endif
