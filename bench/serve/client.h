/* client.h - many HTTP connections driven by one thread: requests go out as fast as replies come back. */
#ifndef SPAR_BENCH_CLIENT_H
#define SPAR_BENCH_CLIENT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the client asks for: write fills the next request of a connection and returns false when there is none; read
 * takes a reply. connection counts from 0. */
typedef struct spar__load {
    bool (*write)(void *context, size_t connection, spar__buf *request);
    void (*read)(void *context, size_t connection, unsigned status, const char *body, size_t length);
    void *context;
} spar__load;

typedef struct spar__load_result {
    uint64_t replies, failures; /* failures: connections that ended */
    double seconds;
    double *latency; /* of each reply, in seconds, rising; new */
} spar__load_result;

/* Connections to a server on this machine; NULL: it cannot be reached. */
typedef struct spar__load_lines spar__load_lines;
spar__load_lines *spar__load_open(unsigned port, size_t connections);
void spar__load_close(spar__load_lines *lines); /* NULL is fine */

/* Until there are no more requests, or the time is over. */
void spar__load_play(spar__load_lines *lines, double seconds, const spar__load *load, spar__load_result *result);
/* The same with connections of its own. */
bool spar__load_run(unsigned port, size_t connections, double seconds, const spar__load *load,
                    spar__load_result *result);
void spar__load_merge(spar__load_result *into, const spar__load_result *from); /* adds it */
double spar__load_quantile(const spar__load_result *result, double q);

/* A POST with this body. authorization may be NULL. */
void spar__load_post(spar__buf *out, const char *path, const char *authorization, const char *body, unsigned port);

double spar__load_now(void);

#endif
