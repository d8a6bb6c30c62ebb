/* auth.h - what the server signs so that nobody else can make it: screens, sessions, cookies, form tokens.
 *
 * A signature is HMAC-SHA-256 over a purpose and parts, each with its length, so that a signature for one purpose or
 * one division into parts never fits another. Keys: the present one signs; the one before it is still good until its
 * time is over (`spar token rotate` keeps it for 24 hours). */
#ifndef SPAR_SERVICE_AUTH_AUTH_H
#define SPAR_SERVICE_AUTH_AUTH_H

#include "store/store.h"

#include <spar/event.h>
#include <spar/experiment.h>

#include <pthread.h>
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

/* Manage tokens: who may manage what is served, and when that ends.
 *
 * A token is "spar_" and 32 random bytes in hexadecimal. It is shown once; the store has its SHA-256 only, with a
 * number, a label and an expiry. A number is never used again. `spar token` writes them; a running server follows
 * within a second.
 *
 * Threads: any; the table has its own lock. */

enum { SPAR__TOKEN_BYTES = 32, SPAR__TOKEN_LABEL = 80 };
#define SPAR__TOKEN_PREFIX "spar_"
#define SPAR__TOKEN_LENGTH (sizeof SPAR__TOKEN_PREFIX - 1 + 2 * SPAR__TOKEN_BYTES)

/* Records of the store that have a number, "token/7" for one. The last number that was given, to one that was revoked
 * since, too: what came by it must never become that of another. */
enum { SPAR__RECORD_NAME = 40 };
void spar__record_name(const char *of, uint64_t number, char out[SPAR__RECORD_NAME]);
spar_status spar__record_last(spar__store *store, const char *of, uint64_t *last, spar_error *err);

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

/* Sessions that were ended before their time. A session is a signed text that the server does not keep, so
 * it remembers those that were logged out, until they end by themselves: the last 4,096. The writer keeps them in the
 * store, where the other servers of the store find them, and this one when it is started again.
 *
 * Threads: any; the list has its own lock. */

enum { SPAR__SESSION_ID = 16, SPAR__MAX_LOGOUTS = 4096 };

typedef struct spar__logouts {
    pthread_mutex_t lock;
    unsigned char id[SPAR__MAX_LOGOUTS][SPAR__SESSION_ID];
    bool kept[SPAR__MAX_LOGOUTS]; /* it is in the store */
    size_t n;                     /* ever: the oldest are forgotten */
} spar__logouts;

void spar__logouts_init(spar__logouts *logouts);
void spar__logouts_fini(spar__logouts *logouts);
void spar__logouts_add(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID]); /* again: changes nothing */
bool spar__logouts_has(spar__logouts *logouts, const unsigned char id[SPAR__SESSION_ID]);

/* What is new goes to the store, to stay until all sessions of now are over; and what is there comes from it, but for
 * what is over, which is dropped. */
spar_status spar__logouts_keep(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err);
spar_status spar__logouts_load(spar__logouts *logouts, spar__store *store, int64_t now, spar_error *err);

/* The way in where there is no experiment yet: a token that `spar serve` prints, good for one login.
 *
 * Only its hash is kept, in memory. The session that it begins belongs to a manage token of the store whose text nobody
 * has ever seen: it can be listed and revoked like others, and ends by itself.
 *
 * Threads: made before the others start, then under the lock of the keys. */

typedef struct spar__first_login {
    bool open; /* it was made and not used */
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t number;                   /* of the manage token of its session */
    char text[SPAR__TOKEN_LENGTH + 1]; /* until it was shown */
} spar__first_login;

spar_status spar__first_login_make(spar__first_login *first, spar__store *store, int64_t now, spar_error *err);

/* The number of the manage token, 0 if the text is another one or it was used before. */
uint64_t spar__first_login_use(spar__first_login *first, const char *text);

/* The secrets that browsers and programs keep, and what they say.
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
/* The same one each time: the only voter of an invitation, or with `start`, a random text of one page, the voter who
 * pressed Start there. */
spar_status spar__voter_derived(const spar__keyring *keys, const unsigned char voter_key[SPAR_HASH_SIZE],
                                uint64_t invitation, const char *start, char text[SPAR__VOTER_LENGTH + 1]);
bool spar__voter_check(const spar__keyring *keys, const char *text, int64_t now, uint64_t *invitation);
/* Of a text that was checked. */
spar_status spar__voter_name(const unsigned char voter_key[SPAR_HASH_SIZE], const char *experiment, const char *text,
                             char name[SPAR__VOTER_NAME_LENGTH + 1]);

spar_status spar__login_new(const spar__keyring *keys, uint64_t token, int64_t now, char text[SPAR__SESSION_LENGTH + 1],
                            spar_error *err);
typedef struct spar__login {
    uint64_t token;
    int64_t end;
    unsigned char id[SPAR__SESSION_ID]; /* the random part: by it one is told from another */
} spar__login;
bool spar__login_check(const spar__keyring *keys, const char *text, int64_t now, spar__login *out);

spar_status spar__form_token(const spar__keyring *keys, const char *session, char out[SPAR__FORM_LENGTH + 1]);
bool spar__form_check(const spar__keyring *keys, const char *session, int64_t now, const char *text);

/* A screen that was handed out, signed: an answer must bring it back.
 *
 * The signature covers the experiment, the screen, its revision, the options in the order of their places, the voter
 * and the end of the token; a token that was made up, changed, or taken from another screen, voter or experiment is
 * refused. It ends 24 hours after the screen was asked; so the same screen has the same token each time. */

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

/* Who may vote where only the invited can: links that are sent around.
 *
 * An invitation is a code of 16 random bytes in hexadecimal, for one experiment. The store has its SHA-256, with a
 * number, which is never used again, a label, an expiry, and how many voters may come by it. Opening it uses nothing
 * up; becoming a voter does. By an invitation for one voter the same voter can come again, from another device too.
 * `spar invite` writes them; a running server follows within a second.
 *
 * Threads: any; the table has its own lock. */

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
