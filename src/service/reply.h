/* reply.h - what goes back: a status, headers, a body; errors as application/problem+json (RFC 9457). */
#ifndef SPAR_SERVICE_REPLY_H
#define SPAR_SERVICE_REPLY_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SPAR__REPLY_COOKIES = 2 };

typedef struct spar__reply {
    unsigned status;     /* 0: not answered yet */
    spar_status failure; /* of the library that it tells of */
    const char *type;
    spar__buf body;
    char *location, *allow, *etag; /* new, or NULL */
    char *cookie[SPAR__REPLY_COOKIES];
    unsigned retry_after;            /* seconds, 0: none */
    const char *place;               /* of the store: sentences of the library name it, replies do not; may be NULL */
    struct spar__troubles *troubles; /* failures of the storage are told of there; may be NULL */
    bool cacheable;                  /* may be kept for ever (its URL names its content); else no-store */
    bool personal;                   /* if cacheable, by the one who asked only */
    bool revalidate;                 /* may be kept, but not used without asking whether the ETag is still the same */
    const char *policy;              /* Content-Security-Policy; NULL: that of everything that is no page */
    const char *filename;            /* to save it under, NULL: none */
    FILE *file;                      /* the body instead of `body`; closed with the reply */
    struct spar__feed *stream;       /* the body is a stream of events, until it ends (watch.h) */
} spar__reply;

void spar__reply_free(spar__reply *reply);

/* Empties it, so that it can be answered again. */
void spar__reply_clear(spar__reply *reply);

/* A problem: the sentence becomes `detail`. type is made of `code`, a short name that programs can rely on. Replaces
 * what was there. */
void spar__reply_problem(spar__reply *reply, unsigned status, const char *code, const char *format, ...)
    SPAR__PRINTF(4, 5);

/* The problem that a status of the library is. */
void spar__reply_failure(spar__reply *reply, spar_status status, const spar_error *err);

/* 200 or another good status, with the body that was written. */
void spar__reply_json(spar__reply *reply, unsigned status);

/* "Bad Request". */
const char *spar__http_reason(unsigned status);

#endif
