/* http.h - who is at the other end, for limits only: addresses are never stored or logged.
 *
 * An address is an IPv4 address or an IPv6 /64 (one household or one machine has a whole /64). Behind a trusted proxy
 * it is the last address in X-Forwarded-For that is not itself a trusted proxy. */
#ifndef SPAR_SERVICE_HTTP_HTTP_H
#define SPAR_SERVICE_HTTP_HTTP_H

#include "base/buf.h"
#include "base/error.h"
#include "service/auth/auth.h"
#include "text/json_read.h"

#include <spar/event.h>
#include <spar/experiment.h>
#include <spar/status.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>

/* All 16 bytes: IPv4 as ::ffff:a.b.c.d. Zeros: not known. */
typedef struct spar__address {
    unsigned char byte[16];
} spar__address;

typedef struct spar__network { /* addresses whose first `bits` bits are these */
    spar__address address;
    unsigned bits;
} spar__network;

spar__address spar__address_of(const struct sockaddr *socket);

/* "192.0.2.1" or "2001:db8::1", in brackets or with a port too; false if it is none. */
bool spar__address_parse(const char *text, size_t length, spar__address *out);

/* "10.0.0.0/8", "::1", "2001:db8::/32". */
spar_status spar__network_parse(const char *text, spar__network *out, spar_error *err);
bool spar__network_has(const spar__network *network, const spar__address *address);
bool spar__networks_have(size_t n, const spar__network *network, const spar__address *address); /* one of them */

/* The one who asks: peer, or what a chain of n trusted networks says of it in `forwarded` (may be NULL). */
spar__address spar__address_client(spar__address peer, const char *forwarded, size_t n, const spar__network *trusted);

/* What limits count by: the address, of IPv6 its first 64 bits. */
spar__address spar__address_key(spar__address address);

/* The socket that a server listens on. */

/* "127.0.0.1:8080", "[::1]:8080", "localhost:0" (any free port), ":8080" (all addresses). The port goes to *port. */
spar_status spar__listen(const char *where, int *out, unsigned *port, spar_error *err);

/* Rates: at most so many a minute for each key, with bursts (a token bucket each).
 *
 * A bucket holds `burst` permits at most and gains `rate` a minute. Buckets that are full again are forgotten, so
 * memory follows the number of keys seen in the last minutes, and is bounded: beyond `most` keys every new key shares
 * one bucket. Time is the caller's, in seconds from any start, and may jump: back counts as none.
 *
 * Threads: one at a time for each table. */

enum { SPAR__LIMIT_KEY = 16 };

typedef struct spar__bucket {
    unsigned char key[SPAR__LIMIT_KEY];
    double permits, at; /* how many there were at that time */
    bool used;
} spar__bucket;

typedef struct spar__limit {
    double rate, burst; /* a minute; rate 0: no limit */
    size_t most;
    spar__bucket *bucket; /* open addressing; `room`, a power of two, or 0 */
    size_t room, n;
    spar__bucket crowd; /* of all keys that found no place */
} spar__limit;

/* burst 0: as many as the rate. */
void spar__limit_init(spar__limit *limit, double rate, double burst, size_t most);
void spar__limit_fini(spar__limit *limit);

/* May this key do one more thing now? *wait, if not NULL: seconds until it may. */
bool spar__limit_take(spar__limit *limit, const unsigned char key[SPAR__LIMIT_KEY], double now, double *wait);

/* What bodies, queries and replies are made of. schemas.def is the one table: the server refuses what is not
 * in it, and the OpenAPI document and doc/http.md are made from it. */

typedef enum spar__member_kind {
    SPAR__MEMBER_TEXT,
    SPAR__MEMBER_CHOICE, /* one of the words in `of`: "open|invited" */
    SPAR__MEMBER_BYTES,  /* a text in base64 */
    SPAR__MEMBER_FLAG,   /* true or false */
    SPAR__MEMBER_WHOLE,  /* 0, 1, 2, ...; beyond 2^53 perhaps as a text */
    SPAR__MEMBER_NUMBER,
    SPAR__MEMBER_WORD,   /* a text, or a number */
    SPAR__MEMBER_REASON, /* true, false, or a text */
    SPAR__MEMBER_OBJECT, /* of the schema `of` */
    SPAR__MEMBER_LIST,   /* of objects of the schema `of`, or of "texts" or "numbers" */
    SPAR__MEMBER_ANY
} spar__member_kind;

typedef enum spar__member_need {
    SPAR__NEED_MAY,      /* it may be missing; in a request null is as missing */
    SPAR__NEED_MUST,     /* it is always there */
    SPAR__NEED_NULLABLE, /* it is always there, and may be null */
    SPAR__NEED_EITHER    /* it may be missing, and may be null */
} spar__member_need;

typedef struct spar__member {
    const char *name; /* NULL: the end of the list */
    spar__member_kind kind;
    spar__member_need need;
    const char *of, *brief;
} spar__member;

typedef struct spar__schema {
    const char *name, *brief;
    const spar__member *member;
} spar__schema;

extern const spar__schema spar__schemas[];
extern const size_t spar__n_schemas;
const spar__schema *spar__schema_find(const char *name);                               /* NULL: none */
const spar__member *spar__schema_member(const spar__schema *schema, const char *name); /* NULL: none */

/* What a route takes and gives. */
typedef struct spar__shape {
    const spar__schema *query, *request;
    bool raw;                  /* the body is no JSON */
    bool page;                 /* for browsers: the body is a form, problems are pages, callers come by cookies */
    unsigned status;           /* of success, */
    bool or_200;               /* or 200: it was there already */
    const char *types;         /* of the reply, with blanks between; the first is given to those who take all */
    const spar__schema *reply; /* NULL: it is no JSON object */
} spar__shape;

/* Is the word one of "this|or|that"? */
bool spar__word_among(const char *words, const char *word);

/* One table of everything the server answers, routes.def: dispatch, the OpenAPI document, doc/http.md and the
 * tests of roles and limits follow from it. */

typedef struct spar__call spar__call;

typedef enum spar__method { SPAR__GET, SPAR__POST, SPAR__PATCH, SPAR__DELETE } spar__method;

/* Who may use a route: everybody; a voter of the experiment; a manager; or whoever may see results (a manager, or, as
 * the experiment is set, voters or everybody). */
typedef enum spar__role { SPAR__ROLE_NOBODY, SPAR__ROLE_VOTER, SPAR__ROLE_MANAGER, SPAR__ROLE_RESULTS } spar__role;

/* Which rates it counts in. */
typedef enum spar__rate {
    SPAR__RATE_NONE,
    SPAR__RATE_ADDRESS,
    SPAR__RATE_VOTER,
    SPAR__RATE_LOGIN,
    SPAR__RATE_IMAGE
} spar__rate;

enum { SPAR__ROUTE_PARAMS = 3 };

/* Which thread answers (routes.def). */
typedef enum spar__route_kind {
    SPAR__INLINE,
    SPAR__READER,
    SPAR__TRANSFER,
    SPAR__WRITER,
    SPAR__BATCHED
} spar__route_kind;

/* Answers the call, or fails: what failed becomes the reply. The experiment is NULL where the path names none. */
typedef spar_status spar__route_fn(spar__call *call, spar_experiment *experiment, spar_error *err);

typedef struct spar__route {
    const char *id; /* "tell": operationId */
    spar__route_kind kind;
    spar__method method;
    const char *path; /* "/v1/experiments/{experiment}/answers" */
    spar__role role;
    spar__rate rate;
    size_t body; /* at most that many bytes; 0: none is read */
    const char *brief;
    spar__route_fn *answer, *finish; /* finish: of BATCHED, after the commit */
    spar__shape shape;
} spar__route;

extern const spar__route spar__routes[];
extern const size_t spar__n_routes;

typedef struct spar__match {
    const spar__route *route; /* NULL: no such path */
    bool other_method;        /* the path is there, not with this method; `allow` lists them */
    char allow[40];
    char *param[SPAR__ROUTE_PARAMS]; /* decoded, new */
} spar__match;

/* Finds the route of a path (without the query). */
void spar__route_find(const char *method, const char *path, spar__match *out);
void spar__match_free(spar__match *match);

const char *spar__method_name(spar__method method); /* "GET" */
const char *spar__role_name(spar__role role);       /* "manager" */

/* Percent-decoding of text[length] into a new text; NULL if it is wrong (a lone %, an encoded 0) or memory ran out. */
char *spar__url_decode(const char *text, size_t length);
void spar__url_encode(const char *text, spar__buf *out); /* for one segment of a path */

/* What a form of a page sends (application/x-www-form-urlencoded or multipart/form-data), as the JSON object
 * that a program would send: the same checks and the same readers serve both.
 *
 * The schema says what a value is: a flag ("true", "on" or "1"), a number, a list (the name may come more than once), a
 * reason ("true" or a text); all else, and what the schema does not have, is a text. A value that is empty, or of
 * blanks alone, is as missing, except that of a list. Files are items of a list: {"file": its name, "bytes": base64}.
 * Line ends are "\n". */

/* Appends the object. type: the header Content-Type, NULL for the first kind. SPAR_PARSE: badly encoded, or a name
 * twice that is no list. */
spar_status spar__form_json(const char *type, const char *text, size_t length, const spar__schema *schema,
                            spar__buf *out, spar_error *err);

/* The fields of a form, however it was sent. */

enum { SPAR__MAX_FORM_FIELDS = 20000 }; /* values of a form */

typedef struct spar__form_field {
    char *name, *value;
    char *file; /* the name of a file, whose bytes are the value in base64; NULL: a text */
    bool done;  /* written with an earlier one of the same name */
} spar__form_field;

typedef struct spar__form {
    spar__form_field *field;
    size_t n;
} spar__form;

/* What goes back: a status, headers, a body; errors as application/problem+json (RFC 9457). */

enum { SPAR__REPLY_COOKIES = 2 };

typedef struct spar__reply {
    unsigned status;     /* 0: not answered yet */
    spar_status failure; /* of the library that it tells of */
    const char *type;
    spar__buf body;
    char *location, *allow, *etag; /* new, or NULL */
    char *cookie[SPAR__REPLY_COOKIES];
    unsigned retry_after; /* seconds, 0: none */
    const char *hidden;   /* location of the store: sentences of the library name it, replies do not; may be NULL */
    struct spar__storage_errors *storage_errors; /* failures of the storage are told of there; may be NULL */
    bool cacheable;                              /* may be kept for ever (its URL names its content); else no-store */
    bool personal;                               /* if cacheable, by the one who asked only */
    bool revalidate;                 /* may be kept, but not used without asking whether the ETag is still the same */
    const char *policy;              /* Content-Security-Policy; NULL: that of everything that is no page */
    const char *filename;            /* to save it under, NULL: none */
    FILE *file;                      /* the body instead of `body`; closed with the reply */
    struct spar__sse_stream *stream; /* the body is a stream of events, until it ends (stream.h) */
} spar__reply;

void spar__reply_free(spar__reply *reply);

/* Empties it, so that it can be answered again. */
void spar__reply_clear(spar__reply *reply);

/* A problem: the sentence becomes `detail`. type is made of `code`, a short name that programs can rely on. Replaces
 * what was there. Returns SPAR_OK: the call is answered. */
spar_status spar__reply_problem(spar__reply *reply, unsigned status, const char *code, const char *format, ...)
    SPAR__PRINTF(4, 5);

/* The problem that a status of the library is. */
void spar__reply_failure(spar__reply *reply, spar_status status, const spar_error *err);

/* 200 or another good status, with the body that was written. */
spar_status spar__reply_json(spar__reply *reply, unsigned status);

/* "Bad Request". */
const char *spar__http_reason(unsigned status);

/* One request on its way: read by the connections' thread, worked on by the writer, answered. */

typedef struct spar__service spar__service;
struct MHD_Connection;

/* Who asks. */
typedef struct spar__caller {
    bool manager;
    bool program;        /* a manager by its token, not by a session: may ask and tell for any voter */
    uint64_t token;      /* the manage token it comes from, 0: none */
    char voter[804];     /* name of the voter in the log, "" for none */
    uint64_t invitation; /* that the voter comes from, 0: none */
    int64_t until;       /* the end of its session, 0: none */
    unsigned char session[SPAR__SESSION_ID]; /* which one that is */
} spar__caller;

enum { SPAR__MAX_QUERY_VALUES = 8 };

typedef struct spar__query_value {
    char *name, *value; /* decoded */
} spar__query_value;

#define SPAR__SENT_STREAM UINT64_MAX

struct spar__call {
    spar__service *service;
    struct MHD_Connection *connection;
    spar__match match;
    const spar__route *route;
    const spar__shape *shape; /* what the route takes and gives */
    spar__query_value query[SPAR__MAX_QUERY_VALUES];
    size_t n_query;
    spar__address address; /* by which limits count */
    bool counted;          /* one of the connections that are being worked on */
    bool head;             /* HEAD: no body goes back */
    bool slash;            /* its path has a / behind that of a page */
    bool ends;             /* so does the connection, with the reply */
    bool replied;          /* there was something to send */
    uint64_t sent;         /* bytes of the reply's body, or SPAR__SENT_STREAM */
    double began;          /* when its headers were there */
    bool admitted;         /* who asks was checked before the body came */
    bool whole;            /* the body is there and was read */
    size_t idempotency;    /* entry of its Idempotency-Key, 0: none */
    spar__caller caller;
    spar__buf body;
    spar__json_tree json; /* the body, an object; empty: there was none */
    spar__reply reply;

    /* The writer's. */
    spar__call *next;
    struct spar__hosted *hosted;
    size_t ticket[2]; /* events of the batch that this call added: the answer, the next screen */
    bool wants_next;  /* with the answer */
    bool asked;       /* there is a second event */
    bool asks_later;  /* the next screen needs the answer: it is asked in the next batch */
    bool saved;       /* the answer is on disk, and the next screen is still to be asked */
    uint64_t screen;  /* that it is about */
    uint32_t revision;
    bool waiting;   /* for the commit */
    bool deferred;  /* to the next batch */
    bool suspended; /* the connection sleeps until there is a reply */
    bool passed;    /* by the reader to the thread of the standings */
};

/* A parameter of the path, in order. */
const char *spar__call_param(const spar__call *call, size_t i);

/* call.c: a parameter of the query, decoded; NULL: not there. Borrowed. add: one more, as it was sent (value NULL:
 * there was no =); false: it cannot be decoded, is not among those that the route takes, or is there twice, and was
 * answered with a problem. */
const char *spar__call_query(const spar__call *call, const char *name);
bool spar__call_query_add(spar__call *call, const char *name, const char *value);
bool spar__call_query_flag(const spar__call *call, const char *name); /* "true" */
void spar__call_query_free(spar__call *call);

/* call.c: does the header Accept (NULL: none) take this type? named: only if it names the type itself. */
bool spar__accept_check(spar__call *call); /* false: answered with 406 */
bool spar__accepts(const char *accept, const char *type, bool named);
bool spar__call_wants_stream(const spar__call *call); /* server-sent events */

const char *spar__call_header(const spar__call *call, const char *name);

/* A cookie's value in out[size]; false if there is none, it does not fit, or there are two that differ. */
bool spar__call_cookie(const spar__call *call, const char *name, char *out, size_t size);

/* One line for each request that was read:
 *
 *     2026-11-16T08:08:12.123456Z POST /v1/experiments/{experiment}/answers 200 512 3.214
 *
 * when it was over, method, path, status, bytes of the reply's body, milliseconds. The path is the pattern of its
 * route: names, codes and queries, which may be secrets, are not in it, nor are headers and addresses. "-" stands for a
 * method or path that the server does not have, and for the bytes of a stream; status 499: whoever asked was gone
 * before there was a reply.
 *
 * Threads: any. */

struct spar__call;

typedef struct spar__access_log {
    pthread_mutex_t lock;
    const char *path; /* NULL: there is no log; "-": standard output */
    int fd;
    uint64_t lost; /* lines that could not be written, since the last one that could */
} spar__access_log;

void spar__access_log_init(spar__access_log *log);
void spar__access_log_fini(spar__access_log *log);

/* What path points to must stay. NULL: no log. */
spar_status spar__access_log_open(spar__access_log *log, const char *path, spar_error *err);

/* Goes on in a new file of the same name, after the old one was renamed. If it fails the old one stays in use. */
spar_status spar__access_log_reopen(spar__access_log *log, spar_error *err);

/* The request is over. */
void spar__access_log_add(spar__access_log *log, const struct spar__call *call);

/* Idempotency-Key: the same request sent again gets the reply of the first one, and has no second effect.
 *
 * A key belongs to one caller (a voter, or a manage token and its sessions) and one route and path. The same key with
 * another body is refused (422), as is one whose first request has no reply yet (409). Only replies of success are
 * kept, for 24 hours: what was refused has had no effect and may be tried again. Memory is bounded: of more keys or
 * bytes than fit the oldest are forgotten; managers and voters have tables of their own. After a restart the tables are
 * empty; what then still holds follows from the log (doc/http.md).
 *
 * Threads: the connections' only. */

enum { SPAR__IDEMPOTENCY_SECONDS = 24 * 3600, SPAR__IDEMPOTENCY_KEY_BYTES = 255 };

typedef struct spar__idempotency_entry {
    unsigned char id[SPAR_HASH_SIZE], body[SPAR_HASH_SIZE]; /* caller, route and key; what was sent */
    double begun;
    bool done;             /* else its first request has no reply yet */
    spar__reply reply;     /* a copy */
    size_t bytes;          /* of it */
    size_t next;           /* in its bucket, */
    size_t older, younger; /* and in the list of all: entries, 0 for none */
} spar__idempotency_entry;

typedef struct spar__idempotency {
    size_t most, room;              /* entries and bytes */
    spar__idempotency_entry *entry; /* from 1; those not used are linked by next */
    size_t *bucket;
    size_t n, bytes, unused, oldest, youngest;
} spar__idempotency;

void spar__idempotency_init(spar__idempotency *table, size_t most, size_t room);
void spar__idempotency_fini(spar__idempotency *table);

/* False: answered, by what was kept or by a problem. */
bool spar__idempotency_begin(spar__call *call);
/* The call has its reply, or will never have one. */
void spar__idempotency_end(spar__call *call);

#endif
