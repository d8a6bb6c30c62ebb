/* access_log.h - one line for each request that was read:
 *
 *     2026-11-16T08:08:12.123456Z POST /v1/experiments/{experiment}/answers 200 512 3.214
 *
 * when it was over, method, path, status, bytes of the reply's body, milliseconds. The path is the pattern of its
 * route: names, codes and queries, which may be secrets, are not in it, nor are headers and addresses. "-" stands for a
 * method or path that the server does not have, and for the bytes of a stream; status 499: whoever asked was gone
 * before there was a reply.
 *
 * Threads: any. */
#ifndef SPAR_SERVICE_ACCESS_LOG_H
#define SPAR_SERVICE_ACCESS_LOG_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

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

#endif
