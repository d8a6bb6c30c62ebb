/* access_log.c - a line for each request that was read, written at once (http.h has its form). */
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "service/http/http.h"
#include "service/server.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { GONE = 499, MAX_LINE_BYTES = 300 };

void spar__access_log_init(spar__access_log *log)
{
    *log = (spar__access_log){.fd = -1};
    (void)pthread_mutex_init(&log->lock, NULL);
}

static void close_file(int fd)
{
    if (fd >= 0 && fd != STDOUT_FILENO)
        (void)close(fd);
}

void spar__access_log_fini(spar__access_log *log)
{
    close_file(log->fd);
    (void)pthread_mutex_destroy(&log->lock);
}

static spar_status open_file(const char *path, int *fd, spar_error *err)
{
    *fd = STDOUT_FILENO;
    if (strcmp(path, "-") == 0)
        return SPAR_OK;
    *fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0640);
    return *fd < 0 ? spar__fail_file(err, path, "open") : SPAR_OK;
}

spar_status spar__access_log_open(spar__access_log *log, const char *path, spar_error *err)
{
    log->path = path;
    return path ? open_file(path, &log->fd, err) : SPAR_OK;
}

spar_status spar__access_log_reopen(spar__access_log *log, spar_error *err)
{
    int fd = -1;
    spar_status status = log->path ? open_file(log->path, &fd, err) : SPAR_OK;
    if (status || !log->path)
        return status;
    (void)pthread_mutex_lock(&log->lock);
    close_file(log->fd);
    log->fd = fd;
    (void)pthread_mutex_unlock(&log->lock);
    return SPAR_OK;
}

/* Whole lines only: a line that was cut (the disk is full) is ended by the next one that fits. */
void spar__access_log_add(spar__access_log *log, const spar__call *call)
{
    char line[MAX_LINE_BYTES], note[80], utc[SPAR__UTC_SIZE], bytes[24] = "-";
    if (!log->path)
        return;
    spar__utc_print(utc, spar__live_now());
    if (call->sent != SPAR__SENT_STREAM)
        (void)snprintf(bytes, sizeof bytes, "%" PRIu64, call->sent);
    const char *method = call->head ? "HEAD" : call->route ? spar__method_name(call->route->method) : "-";
    int length =
        snprintf(line, sizeof line, "%s %s %.120s %u %s %.3f\n", utc, method, call->route ? call->route->path : "-",
                 call->replied ? call->reply.status : GONE, bytes, 1e3 * (spar__seconds() - call->began));
    (void)pthread_mutex_lock(&log->lock);
    if (log->lost) {
        int n = snprintf(note, sizeof note, "\n# %" PRIu64 " line%s could not be written\n", log->lost,
                         spar__plural(log->lost));
        if (write(log->fd, note, (size_t)n) == n)
            log->lost = 0;
    }
    if (log->lost || write(log->fd, line, (size_t)length) != length)
        log->lost++;
    (void)pthread_mutex_unlock(&log->lock);
}
