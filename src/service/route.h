/* route.h - one table of everything the server answers, routes.def: dispatch, the OpenAPI document, doc/http.md and the
 * tests of roles and limits follow from it. */
#ifndef SPAR_SERVICE_ROUTE_H
#define SPAR_SERVICE_ROUTE_H

#include "base/buf.h"

#include <spar/experiment.h>

#include <stdbool.h>
#include <stddef.h>

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

/* One of these. `here` answers in the thread of the connections: no store, no state, no waiting. `read` answers in the
 * reader's thread, with the experiment where the path names one (else NULL), `slow` in that of transfers. The others run in
 * the writer's: `change` answers; `prepare` answers or adds events to the batch, and `finish` answers after the commit.
 */
typedef struct spar__route {
    const char *id; /* "tell": operationId */
    spar__method method;
    const char *path; /* "/v1/experiments/{experiment}/answers" */
    spar__role role;
    spar__rate rate;
    size_t body; /* at most that many bytes; 0: none is read */
    const char *brief;
    void (*here)(spar__call *call);
    void (*read)(spar__call *call, spar_experiment *experiment);
    void (*slow)(spar__call *call, spar_experiment *experiment);
    void (*change)(spar__call *call, spar_experiment *experiment);
    void (*prepare)(spar__call *call, spar_experiment *experiment);
    void (*finish)(spar__call *call, spar_experiment *experiment);
} spar__route;

extern const spar__route spar__routes[];
extern const size_t spar__n_routes;

typedef struct spar__match {
    const spar__route *route; /* NULL: no such path */
    bool other_method;        /* the path is there, not with this method; `allow` lists them */
    char allow[40];
    char *param[SPAR__ROUTE_PARAMS]; /* decoded, new */
} spar__match;

/* Finds the route of a path (without the query). SPAR_NOMEM is the only failure. */
spar_status spar__route_find(const char *method, const char *path, spar__match *out);
void spar__match_free(spar__match *match);

const char *spar__method_name(spar__method method); /* "GET" */
const char *spar__role_name(spar__role role);       /* "manager" */

/* Percent-decoding of text[length] into a new text; NULL if it is wrong (a lone %, an encoded 0) or memory ran out. */
char *spar__url_decode(const char *text, size_t length);
void spar__url_encode(const char *text, spar__buf *out); /* for one segment of a path */

#endif
