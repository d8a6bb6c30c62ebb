/* service.h - experiments over HTTP. */
#ifndef SPAR_SERVICE_SERVICE_H
#define SPAR_SERVICE_SERVICE_H

#include "base/buf.h"
#include "service/http/http.h"

#include <spar/status.h>

#include <stddef.h>

typedef struct spar__service spar__service;

/* Limits that can be set; 0: none. */
typedef struct spar__service_limits {
    size_t connections;                                                   /* in all */
    size_t address_connections;                                           /* of one address */
    size_t streams, address_streams;                                      /* in all, of one address */
    double voter_rate, voter_burst, address_rate, login_rate, image_rate; /* a minute */
} spar__service_limits;

typedef struct spar__service_settings {
    const char *place;    /* FILE or URL */
    bool create;          /* if the file is not there it is made, and removed again if nothing came into it */
    const char *listen;   /* "127.0.0.1:8080", "[::]:80", ":0" (any free port) */
    const char *base_url; /* "https://vote.example.org", NULL: http:// and what listens */
    const spar__network *trusted;
    size_t n_trusted;
    spar__service_limits limits;
    const char *log; /* a line for each request goes there (http/http.h); "-": standard output; NULL: none */
} spar__service_settings;

extern const spar__service_limits spar__service_standard;

/* What the settings point to must stay. */
spar_status spar__service_start(const spar__service_settings *settings, spar__service **out, spar_error *err);

/* Takes no new connections, answers the requests that are there, commits, ends. NULL is fine. */
void spar__service_stop(spar__service *service);

/* Goes on with a new file for the access log, after the old one was renamed. */
spar_status spar__service_reopen(spar__service *service, spar_error *err);

/* For how many seconds one of the threads that answer has been busy with the same: about 1 where all is well. */
double spar__service_stalled(spar__service *service);

/* Where it can be reached, in lines of text. */
void spar__service_describe(const spar__service *service, spar__buf *out);
void spar__service_openapi(spar__buf *out); /* the interface, as an OpenAPI 3.1 document */

/* Is it scheme and host, nothing else? */
spar_status spar__base_url_check(const char *base, spar_error *err);

#endif
