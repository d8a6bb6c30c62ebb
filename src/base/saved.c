#include "base/saved.h"

spar_status spar__saved_write(const spar__frame_kind *kind, spar__archive *ar, unsigned char **bytes, size_t *length)
{
    spar__buf out = {0};
    spar__frame_writer frame;
    *bytes = NULL;
    *length = 0;
    spar_status status = !ar->failed ? SPAR_OK : ar->no_memory ? SPAR_NOMEM : SPAR_INVALID;
    if (!status) {
        spar__frame_begin(&frame, kind, &out, NULL);
        spar__frame_section(&frame, 0, ar->out.length);
        spar__frame_add(&frame, ar->out.text, ar->out.length);
        spar__frame_end(&frame);
        status = out.failed ? SPAR_NOMEM : SPAR_OK;
    }
    spar__buf_free(&ar->out);
    if (status) {
        spar__buf_free(&out);
        return status;
    }
    *bytes = (unsigned char *)out.text;
    *length = out.length;
    return SPAR_OK;
}

spar_status spar__saved_open(const spar__frame_kind *kind, const unsigned char *bytes, size_t length, spar__archive *ar,
                             spar_error *err)
{
    spar__frame frame;
    spar_status status = spar__frame_read(kind, bytes, length, &frame, err);
    if (!status && !frame.section[0].bytes)
        status = spar__fail(err, SPAR_CORRUPT, "%s: it is empty", kind->name);
    *ar = (spar__archive){.loading = true};
    if (!status) {
        ar->in = frame.section[0].bytes;
        ar->left = frame.section[0].length;
    }
    return status;
}

spar_status spar__saved_close(const spar__frame_kind *kind, const spar__archive *ar, spar_error *err)
{
    if (ar->no_memory)
        return spar__fail_memory(err);
    return ar->failed || ar->left ? spar__fail(err, SPAR_CORRUPT, "%s: its contents make no sense", kind->name)
                                  : SPAR_OK;
}
