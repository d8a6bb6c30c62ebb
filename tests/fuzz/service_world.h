/* service_world.h - a service without sockets and threads, on a store in memory, for the fuzz targets: requests go
 * through the same checks and handlers, one at a time. The functions of libmicrohttpd that those need are replaced
 * here. */
#ifndef SPAR_TESTS_SERVICE_WORLD_H
#define SPAR_TESTS_SERVICE_WORLD_H

#include "fuzz.h"

#include "service/auth/auth.h"
#include "service/server.h"

/* One experiment "tea" with four options, of which one has an image; a manager, a voter, and an open screen. */
typedef struct service_world {
    spar__service *service;
    char manager[SPAR__TOKEN_LENGTH + 1];
    char voter[SPAR__VOTER_LENGTH + 1], session[SPAR__SESSION_LENGTH + 1], form[SPAR__FORM_LENGTH + 1];
    char name[SPAR__VOTER_NAME_LENGTH + 1]; /* of the voter in the log */
    char screen[SPAR__SCREEN_TOKEN_LENGTH + 1];
    bool changed; /* by a request: the next one gets a new world */
} service_world;

/* As it is at first, for every input. */
service_world *service_world_get(void);

/* A request as HTTP has it: "POST /v1/experiments/tea/screens?x=1", lines of headers, an empty line, the body; lines
 * end with \n. {manager}, {voter}, {session}, {form} and {screen} stand for these secrets. Gives the reply, to be freed
 * by service_reply_free. */
void service_world_call(service_world *world, const uint8_t *data, size_t size, spar__reply *reply);
void service_reply_free(spar__reply *reply);

#endif
