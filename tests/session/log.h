/* log.h - a log in memory, as a sink keeps it: every event encoded. */
#ifndef SPAR_TESTS_SESSION_LOG_H
#define SPAR_TESTS_SESSION_LOG_H

#include "tap.h"

#include <spar/spar.h>
#include <stdlib.h>

typedef struct test_log {
    unsigned char **bytes;
    size_t *length;
    size_t n, capacity;
    bool refuse; /* the next events */
} test_log;

__attribute__((unused)) static spar_status log_write(void *context, const spar_event *event, spar_error *err)
{
    test_log *log = context;
    if (log->refuse) {
        if (err)
            (void)snprintf(err->text, sizeof err->text, "no room in the log");
        return SPAR_IO;
    }
    if (log->n == log->capacity) {
        log->capacity = 2 * log->capacity + 16;
        log->bytes = realloc(log->bytes, log->capacity * sizeof *log->bytes);
        log->length = realloc(log->length, log->capacity * sizeof *log->length);
        if (!log->bytes || !log->length)
            abort();
    }
    if (spar_event_sequence(event) != log->n + 1)
        abort();
    spar_status status = spar_event_encode(event, &log->bytes[log->n], &log->length[log->n]);
    if (!status)
        log->n++;
    return status;
}

__attribute__((unused)) static void log_free(test_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        spar_bytes_free(log->bytes[i]);
    free(log->bytes);
    free(log->length);
    *log = (test_log){0};
}

/* Applies events from number `from` (0: the first) on. */
__attribute__((unused)) static bool log_apply(const test_log *log, size_t from, spar_session *session)
{
    spar_event *event = NULL;
    spar_error err = {0};
    bool good = !spar_event_new(&event);
    for (size_t i = from; good && i < log->n; i++) {
        good =
            !spar_event_decode(event, log->bytes[i], log->length[i], &err) && !spar_session_apply(session, event, &err);
        if (!good)
            printf("# event %zu: %s\n", i + 1, err.text);
    }
    spar_event_free(event);
    return good;
}

/* A session from nothing but the log. */
__attribute__((unused)) static spar_session *log_replay(const test_log *log)
{
    spar_session *session = NULL;
    if (spar_session_new_empty(&session))
        abort();
    if (log_apply(log, 0, session))
        return session;
    spar_session_free(session);
    return NULL;
}

/* Are two sessions the same, byte by byte? */
__attribute__((unused)) static bool same_sessions(spar_session *a, spar_session *b)
{
    unsigned char *x = NULL, *y = NULL;
    size_t n = 0, m = 0;
    bool same =
        !spar_session_save(a, &x, &n, NULL) && !spar_session_save(b, &y, &m, NULL) && n == m && memcmp(x, y, n) == 0;
    spar_bytes_free(x);
    spar_bytes_free(y);
    return same;
}

#endif
