/* local_inside.h - what the files of the socket for shell commands share (local.h). All of it is the thread's. */
#ifndef SPAR_SERVICE_LOCAL_INSIDE_H
#define SPAR_SERVICE_LOCAL_INSIDE_H

#include "base/buf.h"
#include "service/local.h"
#include "store/served/wire.h"

#include <stdatomic.h>

enum { SPAR__LOCAL_CLIENTS = 64 }; /* more wait to be accepted */

/* The log as it was when a client got the lock. */
typedef struct spar__local_mark {
    uint64_t experiment; /* 0: it has had no lock */
    uint64_t sequence, drops;
    unsigned char hash[SPAR_HASH_SIZE];
    uint64_t screens, screen; /* how many numbers of screens it got, and the last */
} spar__local_mark;

typedef struct spar__local_client {
    int socket;
    spar__buf in, out;
    size_t frame;    /* bytes of the request, when its head is there; else 0 */
    size_t sent;     /* bytes of `out` */
    bool waits;      /* the request is there */
    bool ends;       /* when `out` is sent */
    bool gone;       /* to be removed */
    double since;    /* the last byte, or the request, came; nanoseconds */
    double patience; /* nanoseconds that it waits */
    spar__local_mark mark;
} spar__local_client;

struct spar__local {
    spar__store *store;
    char *path;
    spar__turn *turn;
    spar__local_changed_fn changed;
    void *context;
    int socket, wake[2];
    pthread_t thread;
    bool runs;
    atomic_bool stopping;
    spar__local_client *client[SPAR__LOCAL_CLIENTS];
    size_t n;
    const spar__local_client *holder; /* who has the turn and the lock; NULL: nobody */
    double lease_end;
    double deaf_until; /* no descriptors were left: nobody is accepted before */
};

/* local_work.c: does what a client asks for, if the turn comes within its patience. */
void spar__local_do(spar__local *local, spar__local_client *client, spar__wire_request *request,
                    spar__wire_reply *reply);
void spar__local_release(spar__local *local); /* the lock and the turn, if a client has them */

/* local_client.c: the bytes of a client. */
spar__local_client *spar__local_client_new(int socket); /* NULL: out of memory; the socket is closed */
void spar__local_client_free(spar__local_client *client);
void spar__local_client_read(spar__local_client *client);
void spar__local_client_write(spar__local_client *client);
void spar__local_client_reply(spar__local_client *client, const spar__wire_reply *reply);

/* Replies with an error and ends the connection. */
void spar__local_client_refuse(spar__local_client *client, spar_status status, const char *sentence);

#endif
