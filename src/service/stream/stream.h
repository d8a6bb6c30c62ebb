/* stream.h - those who look on: streams of events, and results that are computed only while somebody looks.
 *
 * One thread, that of the standings, serves all streams. It looks twice a second for what is new and puts it into the
 * buffer of the stream; the connections' thread takes it from there. A stream with nothing to send sleeps: its
 * connection is suspended until that thread wakes it. A buffer is filled only when it is empty, so a slow client costs
 * no memory.
 *
 * Results (the standings, the sentence, how many more answers) are computed by the same thread, at most every 2 seconds
 * for each experiment, while there is a stream of them or somebody asked in the last 10 seconds. */
#ifndef SPAR_SERVICE_STREAM_STREAM_H
#define SPAR_SERVICE_STREAM_STREAM_H

#include "service/hosting/hosting.h"
#include "service/http/http.h"

#include <pthread.h>
#include <stdatomic.h>

struct spar__status_report;

/* The events of the log; results; or only that there is a new result, for pages that then load it. */
typedef enum spar__sse_kind { SPAR__SSE_EVENTS, SPAR__SSE_STATUS, SPAR__SSE_NEWS } spar__sse_kind;

typedef struct spar__sse_hub {
    spar__service *service;
    pthread_mutex_t lock; /* of everything here, and of the results of the places */
    struct spar__sse_stream *first;
    _Atomic size_t n;
    bool stopping;
} spar__sse_hub;

typedef struct spar__sse_stream {
    struct spar__sse_stream *before, *after;
    spar__sse_hub *hub;
    struct MHD_Connection *connection;
    int socket; /* -1: not known yet */
    spar__sse_kind kind;
    spar__hosted *hosted;
    spar__address address;
    spar__caller caller; /* whose permission is looked at again and again */
    uint64_t next;       /* the first event that was not sent; or the number of the result that was sent last */
    double sent;         /* when the last bytes were put into the buffer */
    spar__buf out;
    size_t taken; /* bytes of it that were sent */
    bool asleep, ended;
    bool held, closed; /* its thread works on it without the lock; its connection is gone meanwhile */
} spar__sse_stream;

enum { SPAR__SSE_HEARTBEAT = 15, SPAR__RESULT_EVERY = 2, SPAR__RESULT_WATCHED = 10 }; /* seconds */

void spar__sse_hub_init(spar__sse_hub *hub, spar__service *service);
void spar__sse_hub_fini(spar__sse_hub *hub);
void spar__sse_hub_stop(spar__sse_hub *hub); /* all streams end, and no new one begins */

/* A stream for the call, which becomes its reply; or a problem does. */
spar_status spar__sse_open(spar__call *call, spar__sse_kind kind, uint64_t next);
void spar__sse_close(spar__sse_stream *stream); /* NULL is fine */

/* The connections' thread: up to `most` bytes, *n 0 if there are none now and the stream sleeps; false: it has ended.
 */
bool spar__sse_take(spar__sse_stream *stream, char *out, size_t most, size_t *n);

/* http.c: its connection. */
void spar__sse_suspend(spar__sse_stream *stream);
void spar__sse_resume(spar__sse_stream *stream);
bool spar__sse_is_gone(const spar__sse_stream *stream); /* has the other side closed it? */

/* Calls fill for every stream that has sent all it had, without the lock: it adds bytes, and returns false to end it.
 */
typedef bool spar__sse_fill(spar__service *service, spar__sse_stream *stream, spar__buf *out);
void spar__sse_hub_each(spar__service *service, spar__sse_fill *fill);

/* result.c: the thread. Calls wait for the first result of an experiment. */
bool spar__standings_work(spar__service *service, spar__call *call);
void spar__standings_tick(spar__service *service);

/* The last result for a page in that language, if it has all events or is a few seconds old: true, and *sequence says
 * how many events it has. Else the next one is asked for, and the page shows what needs no computing. */
bool spar__result_view(spar__service *service, spar__hosted *hosted, size_t language, uint64_t events, spar__buf *out,
                       uint64_t *sequence);

/* What is known, as the data of a page. pace may be NULL. */
void spar__result_view_of(const struct spar__status_report *report, const spar__pace *pace, size_t language,
                          spar__buf *out);

/* Replies with the last result, if the experiment is being watched; false: the call must wait for that thread. */
bool spar__result_reply(spar__call *call);

#endif
