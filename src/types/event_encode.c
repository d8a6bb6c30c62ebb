/* event_encode.c - whole events to bytes and back: the head around the body. */
#include "base/bytes.h"
#include "types/event.h"

#include <string.h>

enum { VERSION = 2, HEAD = 22 }; /* the newest version */

spar_status spar_event_encode(const spar_event *event, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !event || !length)
        return SPAR_INVALID;
    unsigned char head[HEAD] = {event->axes ? 2 : 1, (unsigned char)event->kind};
    *length = 0;
    if (event->kind == SPAR_EVENT_NONE || event->sequence == 0)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    spar__archive_bytes(&ar, head, HEAD);
    spar__event_archive((spar_event *)(uintptr_t)event, &ar); /* the archive only reads when it saves */
    size_t n = ar.out.length - HEAD;
    if (ar.failed || n > UINT32_MAX) {
        spar__buf_free(&ar.out);
        return ar.no_memory ? SPAR_NOMEM : SPAR_INVALID;
    }
    unsigned char *out = (unsigned char *)ar.out.text;
    spar__put_u32(out + 2, (uint32_t)n);
    spar__put_u64(out + 6, event->sequence);
    spar__put_u64(out + 14, (uint64_t)event->utc);
    *bytes = out;
    *length = ar.out.length;
    return SPAR_OK;
}

static spar_status damaged(spar_error *err, const char *what)
{
    return spar__fail(err, SPAR_CORRUPT, "event: %s", what);
}

static spar_status check_head(const unsigned char *bytes, size_t length, spar_error *err)
{
    if (length > 0 && bytes[0] > VERSION)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "event: written by a newer version: its encoding is %d, this program reads up to %d",
                          bytes[0], VERSION);
    if (length < HEAD)
        return damaged(err, "it is cut short");
    if (bytes[0] == 0 || (bytes[0] == 2 && bytes[1] != SPAR_EVENT_CREATED) ||
        !spar_event_kind_name((spar_event_kind)bytes[1]))
        return spar__fail(err, SPAR_CORRUPT, "event: there is no kind %d in encoding %d", bytes[1], bytes[0]);
    uint32_t n = spar__get_u32(bytes + 2);
    if (n != length - HEAD)
        return damaged(err, n > length - HEAD ? "it is cut short" : "something follows its end");
    return spar__get_u64(bytes + 6) ? SPAR_OK : damaged(err, "its sequence number is 0");
}

static spar_status finish(const spar_event *event, const spar__archive *ar, spar_error *err)
{
    if (ar->no_memory)
        return spar__fail_memory(err);
    if (!ar->failed && ar->left == 0)
        return SPAR_OK;
    return spar__fail(err, SPAR_CORRUPT, "event %llu: its contents are not those of '%s'",
                      (unsigned long long)event->sequence, spar_event_kind_name(event->kind));
}

spar_status spar_event_decode(spar_event *event, const unsigned char *bytes, size_t length, spar_error *err)
{
    if (!event || !bytes)
        return spar__fail_null(err);
    spar__event_clear(event);
    spar_event_set_stamp(event, 0, 0);
    spar_status status = check_head(bytes, length, err);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = bytes + HEAD, .left = length - HEAD, .version = bytes[0]};
    event->kind = (spar_event_kind)bytes[1];
    spar_event_set_stamp(event, spar__get_u64(bytes + 6), (int64_t)spar__get_u64(bytes + 14));
    spar__event_archive(event, &ar);
    status = finish(event, &ar, err);
    if (status) {
        spar__event_clear(event);
        spar_event_set_stamp(event, 0, 0);
    }
    return status;
}
