/* call.h - one request on its way: read by the connections' thread, worked on by the writer, answered. */
#ifndef SPAR_SERVICE_CALL_H
#define SPAR_SERVICE_CALL_H

#include "service/address.h"
#include "service/reply.h"
#include "service/route.h"
#include "text/json_tree.h"

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
} spar__caller;

struct spar__call {
    spar__service *service;
    struct MHD_Connection *connection;
    spar__match match;
    const spar__route *route;
    spar__address address; /* by which limits count */
    bool counted;          /* one of the connections that are being worked on */
    bool head;             /* HEAD: no body goes back */
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
    uint64_t screen;  /* that it is about */
    uint32_t revision;
    bool waiting;   /* for the commit */
    bool deferred;  /* to the next batch */
    bool suspended; /* the connection sleeps until there is a reply */
};

/* A parameter of the path, in order. */
static inline const char *spar__call_param(const spar__call *call, size_t i)
{
    return call->match.param[i];
}

/* A parameter of the query, decoded; NULL: not there. Borrowed. */
const char *spar__call_query(const spar__call *call, const char *name);
const char *spar__call_header(const spar__call *call, const char *name);

/* A cookie's value in out[size]; false if there is none, it does not fit, or there are two that differ. */
bool spar__call_cookie(const spar__call *call, const char *name, char *out, size_t size);

#endif
