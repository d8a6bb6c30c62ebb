/* call.h - one request on its way: read by the connections' thread, worked on by the writer, answered. */
#ifndef SPAR_SERVICE_CALL_H
#define SPAR_SERVICE_CALL_H

#include "service/address.h"
#include "service/logouts.h"
#include "service/reply.h"
#include "service/route.h"
#include "service/schema.h"
#include "text/json_read.h"

#include <stdint.h>

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

enum { SPAR__QUERY_MOST = 8 };

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
    spar__query_value query[SPAR__QUERY_MOST];
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
    size_t once;           /* entry of its Idempotency-Key, 0: none */
    spar__caller caller;
    spar__buf body;
    spar__json_tree json; /* the body, an object; empty: there was none */
    spar__reply reply;

    /* The writer's. */
    spar__call *next;
    struct spar__place *place;
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
    bool passed;    /* by the reader to the watcher */
};

/* A parameter of the path, in order. */
static inline const char *spar__call_param(const spar__call *call, size_t i)
{
    return call->match.param[i];
}

/* query.c: a parameter of the query, decoded; NULL: not there. Borrowed. add: one more, as it was sent (value NULL:
 * there was no =); false: it cannot be decoded, is not among those that the route takes, or is there twice, and was
 * answered with a problem. */
const char *spar__call_query(const spar__call *call, const char *name);
bool spar__call_query_add(spar__call *call, const char *name, const char *value);
bool spar__call_query_flag(const spar__call *call, const char *name); /* "true" */
void spar__call_query_free(spar__call *call);

/* accept.c: does the header Accept (NULL: none) take this type? named: only if it names the type itself. */
bool spar__accept_check(spar__call *call); /* false: answered with 406 */
bool spar__accepts(const char *accept, const char *type, bool named);
bool spar__call_wants_stream(const spar__call *call); /* server-sent events */

const char *spar__call_header(const spar__call *call, const char *name);

/* A cookie's value in out[size]; false if there is none, it does not fit, or there are two that differ. */
bool spar__call_cookie(const spar__call *call, const char *name, char *out, size_t size);

#endif
