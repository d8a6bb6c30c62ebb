#include "base/saved.h"

/* The state becomes the frame: it may be large, and is not copied. */
static spar_status write_frame(const spar__frame_kind *kind, spar__archive *ar)
{
    spar__frame_writer frame;
    if (ar->failed)
        return ar->no_memory ? SPAR_NOMEM : SPAR_INVALID;
    if (ar->cache && ar->cache->failed)
        return SPAR_NOMEM;
    spar__frame_wrap(&frame, kind, &ar->out);
    if (ar->cache && ar->cache->out.length) {
        spar__frame_section(&frame, 1, ar->cache->out.length);
        spar__frame_add(&frame, ar->cache->out.text, ar->cache->out.length);
    }
    spar__frame_end(&frame);
    return ar->out.failed ? SPAR_NOMEM : SPAR_OK;
}

spar_status spar__saved_write(const spar__frame_kind *kind, spar__archive *ar, unsigned char **bytes, size_t *length)
{
    *bytes = NULL;
    *length = 0;
    spar_status status = write_frame(kind, ar);
    if (ar->cache)
        spar__buf_free(&ar->cache->out);
    if (status) {
        spar__buf_free(&ar->out);
        return status;
    }
    *bytes = (unsigned char *)ar->out.text;
    *length = ar->out.length;
    ar->out = (spar__buf){0};
    return SPAR_OK;
}

static void open_section(const spar__frame *frame, size_t i, spar__archive *ar)
{
    *ar = (spar__archive){.loading = true, .in = frame->section[i].bytes, .left = frame->section[i].length};
}

spar_status spar__saved_open_both(const spar__frame_kind *kind, const unsigned char *bytes, size_t length,
                                  spar__archive *ar, spar__archive *cache, spar_error *err)
{
    spar__frame frame;
    spar_status status = spar__frame_read(kind, bytes, length, &frame, err);
    if (!status && !frame.section[0].bytes)
        status = spar__fail(err, SPAR_CORRUPT, "%s: it is empty", kind->name);
    *ar = (spar__archive){.loading = true};
    if (status)
        return status;
    open_section(&frame, 0, ar);
    if (cache && frame.section[1].bytes) {
        open_section(&frame, 1, cache);
        ar->cache = cache;
    }
    return SPAR_OK;
}

spar_status spar__saved_open(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, spar__archive *ar,
                             spar_error *err)
{
    return spar__saved_open_both(kind, bytes, length, ar, NULL, err);
}

spar_status spar__saved_close(const spar__frame_kind *kind, const spar__archive *ar, spar_error *err)
{
    const spar__archive *cache = ar->cache;
    if (ar->no_memory || (cache && cache->no_memory))
        return spar__fail_memory(err);
    if (ar->failed || ar->left || (cache && (cache->failed || cache->left)))
        return spar__fail(err, SPAR_CORRUPT, "%s: its contents make no sense", kind->name);
    return SPAR_OK;
}
