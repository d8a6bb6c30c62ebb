/* window.c - see window.h. */
#include "live/window.h"

#include <inttypes.h>
#include <string.h>

static spar_status add(void *context, uint64_t sequence, const unsigned char *bytes, size_t length,
                       const unsigned char hash[SPAR_HASH_SIZE], spar_error *err)
{
    spar__log_window *window = context;
    (void)sequence;
    if (window->n == SPAR__LOG_WINDOW)
        return SPAR_OK;
    spar__log_window_event *event = &window->event[window->n++];
    event->at = window->bytes.length;
    event->length = length;
    memcpy(event->hash, hash, sizeof event->hash);
    spar__buf_add(&window->bytes, (const char *)bytes, length);
    return window->bytes.failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status fill(spar__log_window *window, uint64_t first, spar_error *err)
{
    spar__buf_clear(&window->bytes);
    window->bytes.failed = false;
    window->first = first;
    window->n = 0;
    spar_status status =
        spar__store_read(window->store, window->experiment, first, first + SPAR__LOG_WINDOW - 1, add, window, err);
    return status == SPAR_CORRUPT && window->n ? SPAR_OK : status; /* those before the damage can be had */
}

spar_status spar__log_window_get(spar__log_window *window, uint64_t sequence, const unsigned char **bytes,
                                 size_t *length, const unsigned char **hash, spar_error *err)
{
    spar_status status = SPAR_OK;
    if (sequence < window->first || sequence >= window->first + window->n)
        status = fill(window, sequence, err);
    if (!status && !window->n)
        status = spar__fail(err, SPAR_UNKNOWN, "there is no event %" PRIu64, sequence);
    if (status)
        return status;
    const spar__log_window_event *event = &window->event[sequence - window->first];
    *bytes = (const unsigned char *)window->bytes.text + event->at;
    *length = event->length;
    *hash = event->hash;
    return SPAR_OK;
}
