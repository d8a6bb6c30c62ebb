/* server.h - the inside of a running service. Its threads:
 *
 *   connections   libmicrohttpd's: reads requests, knows who asks, counts limits, answers what needs no state (http.c)
 *   writer        changes the experiments: takes up to 512 waiting calls, lets each add events, commits them together,
 *                 answers; nothing is acknowledged before the commit (writer.c)
 *   reader        answers what only looks, at the state that the writer folds (hosting.c)
 *   transfers     imports and exports, which take long, with handles of their own (hosting.c)
 *   standings     streams of events, results that are computed while somebody looks (stream.h)
 *
 * What they share is the list of places, the keys, tokens and invitations, the peers and the queues, each under a
 * lock. */
#ifndef SPAR_SERVICE_SERVER_H
#define SPAR_SERVICE_SERVER_H

#include "service/auth/auth.h"
#include "service/hosting/hosting.h"
#include "service/http/http.h"
#include "service/pages/pages.h"
#include "service/service.h"
#include "service/stream/stream.h"
#include "text/json.h"

#include <spar/experiment.h>

#include <pthread.h>
#include <stdatomic.h>

enum {
    SPAR__MAX_OPEN_SCREENS = 2,    /* screens that a voter may have open */
    SPAR__MAX_BATCH_CALLS = 512,   /* calls in one commit */
    SPAR__MAX_QUEUED_CALLS = 4096, /* calls that wait for a worker */
    SPAR__MAX_URL_BYTES = 8192,
    SPAR__MAX_HEADER_BYTES = 16384,
    SPAR__HEADERS_SECONDS = 10,
    SPAR__BODY_SECONDS = 30,
    SPAR__IDLE_SECONDS = 60,
};

typedef struct spar__metrics {    /* see routes/server.c for their names */
    _Atomic uint64_t requests[6]; /* by first digit of the status */
    _Atomic uint64_t results;     /* computed */
    _Atomic uint64_t answers, asks, undos, again, commits, commit_failures, limited, refused_connections;
    _Atomic uint64_t commit_nanoseconds, longest_commit;
} spar__metrics;

typedef struct spar__peers {
    pthread_mutex_t lock;
    struct spar__peer *first;
    _Atomic size_t n;
    size_t counted; /* without trusted proxies */
} spar__peers;

struct spar__service {
    spar__service_settings settings;
    struct MHD_Daemon *daemon;
    pthread_t loop; /* the connections' thread */
    bool loops;
    _Atomic bool loop_quiet, loop_ends; /* no new connections; the end */
    int wake[2];                        /* a pipe: a byte wakes the loop; 0: not there */
    _Atomic bool woken;
    int socket;
    unsigned port;
    char **host; /* what the header Host may be */
    size_t n_hosts;
    bool https;    /* of the base URL */
    bool wildcard; /* it listens on all addresses of this machine, and has no base URL */

    pthread_mutex_t keys_lock;
    spar__keyring keys;                      /* use spar__service_keys */
    unsigned char voter_key[SPAR_HASH_SIZE]; /* never changes */
    bool has_voter_key;
    spar__tokens tokens;
    spar__first_login first;
    spar__invitations invitations;
    spar__logouts logouts;
    uint64_t secrets_version;   /* the writer's: of those that were read last, */
    double secrets_loaded;      /* when, */
    double secrets_took;        /* and how many seconds that took */
    uint64_t tokens_version;    /* the writer's: of the tokens, where they were read alone since */
    pthread_mutex_t token_lock; /* for the next two: of a file, to look for new tokens */
    spar__store *token_store;   /* NULL: not open */
    double token_looked;        /* when */

    spar__limit voters, addresses, logins, images; /* the connections' thread only */
    double started;
    spar__peers peers;
    spar__hosting hosting;
    spar__store *store; /* the writer's: secrets, the list of experiments */
    char *shown;        /* the place, for messages */
    char *file;         /* the writer's: the file of the store, NULL if it is none; which file that is */
    uint64_t device, inode, log_inode;
    const spar__hosted *busy; /* the writer's, for a round: another program has the lock of this one */
    spar__worker writer, reader, transfer, standings;
    spar__sse_hub sse;
    spar__idempotency managers_replies, voters_replies; /* the connections' thread only */
    spar__call *spare_call;                             /* the connections' thread only: a list of memory for calls */
    size_t spare_calls;
    spar__metrics metrics;
    spar__access_log log;
    spar__storage_errors storage_errors;
    _Atomic bool stopping; /* connections end with their next reply */
};

struct MHD_Connection;

/* http.c */
spar_status spar__http_start(spar__service *service, spar_error *err);
void spar__http_quiesce(spar__service *service); /* no new connections */
void spar__http_stop(spar__service *service);
void spar__call_resume(spar__call *call); /* the reply is there */

/* call.c: a call with nothing but its service (NULL: out of memory), and its end. */
spar__call *spar__call_new(spar__service *service);
void spar__call_free(spar__call *call);
void spar__calls_fini(spar__service *service);

struct sockaddr;

/* limits.c: who is connected, and for how long it has been doing what. */
typedef enum spar__peer_phase {
    SPAR__PHASE_HEADERS,
    SPAR__PHASE_BODY,
    SPAR__PHASE_WORK, /* also streams */
    SPAR__PHASE_SEND,
    SPAR__PHASE_IDLE
} spar__peer_phase;
bool spar__peers_admit(spar__service *service, const struct sockaddr *socket); /* may one more come from there? */
struct spar__peer *spar__peer_new(spar__service *service, const struct sockaddr *address, int socket);
void spar__peer_free(spar__service *service, struct spar__peer *peer);
void spar__peer_set(spar__service *service, struct spar__peer *peer, spar__peer_phase phase);
/* A reply of that length goes out, so many bytes of which are kept in memory until they are read; false: those who do
 * not read have taken too much already. */
bool spar__peer_send(spar__service *service, struct spar__peer *peer, uint64_t length, size_t bytes);
void spar__peers_sweep(spar__service *service);                 /* ends connections that are too slow */
void spar__peers_drain(spar__service *service, double seconds); /* waits until all that came is answered */

/* hosting.c: the experiment that the call names, if its route has one; false: there is none, and that was answered. */
bool spar__call_find_hosted(spar__call *call, int user);

/* writer.c, hosting.c: what they do with the calls that wait; and once a second. */
void spar__writer_work(spar__service *service, spar__call *calls);
void spar__writer_tick(spar__service *service);
bool spar__reader_work(spar__service *service, spar__call *call);
void spar__reader_tick(spar__service *service);
bool spar__transfer_work(spar__service *service, spar__call *call);

/* For the routes that add events: the batch of the experiment, begun where needed. After a call of spar__batch_... what
 * its status means: the call waits for the commit, or for the next batch, or has failed. */
struct spar__batch;
spar_status spar__call_batch(spar__call *call, struct spar__batch **out, spar_error *err);
spar_status spar__call_batched(spar__call *call, spar_status status);

/* auth.c: keys, tokens and invitations from the store. */
spar_status spar__secrets_load(spar__service *service, spar_error *err);
/* The number of a good token, 0: it is none. */
uint64_t spar__service_token(spar__service *service, const char *text);
spar__keyring spar__service_keys(spar__service *service);

/* storage_errors.c: the writer asks before every batch: can the place be written to? No space, or the file is gone: an
 * error. */
spar_status spar__disk_check(spar__service *service, spar_error *err);
uint64_t spar__disk_log(const char *path);

/* call.c: what is checked of every request; these answer with a problem and return false if it is refused. */
bool spar__guard_check(spar__call *call);
bool spar__refuse(spar__call *call, unsigned status, const char *code, const char *sentence);
bool spar__refuse_rate(spar__call *call, double wait);

/* auth.c: who asks, and whether it may: by itself, and with the experiment at hand. */
bool spar__auth_check(spar__call *call);
bool spar__auth_still(spar__call *call); /* a manager: was its token revoked while the body came? */
bool spar__auth_check_here(spar__call *call, const spar_experiment *experiment);
bool spar__may_vote(spar__service *service, const spar__hosted *hosted, const spar__caller *caller,
                    const spar_experiment *experiment);
bool spar__may_see_results(spar__service *service, const spar__hosted *hosted, const spar__caller *caller,
                           const spar_experiment *experiment);
int64_t spar__now(void);    /* seconds since 1970 */
double spar__seconds(void); /* the monotonic clock */
const char *spar__cookie_name(const spar__service *service, const char *plain);
/* Of the voter of one experiment, by an invitation: who was invited to two is a voter in both. */
enum { SPAR__COOKIE_NAME = 40 };
void spar__voter_cookie_name(const spar__service *service, const spar__hosted *hosted, char out[SPAR__COOKIE_NAME]);

/* call.c: reads the JSON body; is it what the route takes? Then its members, whose kinds were checked: NULL, "" or
 * false where one is missing; a missing number stays as it is, one above max is SPAR_INVALID. */
bool spar__body_read(spar__call *call);
bool spar__body_check(spar__call *call);
const char *spar__body_text(const spar__call *call, const char *name);
const char *spar__form_text(const spar__call *call, const char *name);
bool spar__body_flag(const spar__call *call, const char *name);
spar_status spar__body_number(const spar__call *call, const char *name, uint64_t max, uint64_t *number,
                              spar_error *err);

/* Calls a function of the route; a failure becomes the reply. */
void spar__call_answer(spar__call *call, spar__route_fn *fn, spar_experiment *experiment);

/* auth.c: a Set-Cookie header, new. */
char *spar__cookie(const spar__service *service, const char *name, const char *value, long seconds,
                   const char *same_site);

/* routes/answers.c: how many seconds ago the answer to a screen was given; 0 if there is none, -1 without memory. */
enum { SPAR__UNDO_SECONDS = 300 };
int64_t spar__answer_age(spar_experiment *experiment, uint64_t screen, uint32_t revision);

/* routes/answers.c: */
bool spar__screen_is_old(const spar_screen *screen); /* it cannot be answered any more */
/* How many open screens that are not old the voter has, and the first of them. */
size_t spar__voter_open(const spar__call *call, spar_experiment *experiment, uint64_t *first);

/* routes/: the functions of routes.def. */
#define INLINE(id, ...) spar__route_fn spar__route_##id;
#define READER INLINE
#define TRANSFER INLINE
#define WRITER INLINE
#define BATCHED(id, ...) spar__route_fn spar__route_##id, spar__finish_##id;
#include "service/routes.def"
#undef INLINE
#undef READER
#undef TRANSFER
#undef WRITER
#undef BATCHED

/* What the routes about experiments and options share. */

/* experiments.c: the experiment of the call as its reply; an option, nothing where it may not be seen. */
void spar__option_json(const spar__hosted *hosted, spar_experiment *experiment, size_t arm, bool manager,
                       spar__json *json);
/* The member image_url; nothing where the option has no image. */
void spar__image_url_json(const spar__hosted *hosted, spar_experiment *experiment, size_t arm, const char *id,
                          spar__json *json);

/* options.c: the option that an object of the schema new_option describes, new. */
spar_status spar__option_of_json(const spar__json_tree *tree, const spar__json_node *object, spar_option **out,
                                 spar_error *err);

#endif
