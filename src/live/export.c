#include "live/export.h"

#include <inttypes.h>

spar_status spar__export_put(spar__export *export, spar__buf *out, spar_error *err)
{
    if (out->failed)
        return spar__fail_memory(err);
    if (!out->length)
        return SPAR_OK;
    size_t written = fwrite(out->text, 1, out->length, export->stream);
    bool whole = written == out->length;
    spar__buf_clear(out);
    return whole ? SPAR_OK : spar__fail(err, SPAR_IO, "the export cannot be written");
}

spar_status spar__export_step(spar__export *export, uint64_t sequence, spar_error *err)
{
    if (sequence % 256 == 0 && export->progress && !export->progress(export->context, sequence, 0))
        return spar__fail(err, SPAR_INTERRUPTED, "interrupted: the export is not complete");
    return SPAR_OK;
}

void spar__export_note(spar__export *export, uint64_t count, const char *one, const char *many)
{
    if (count)
        spar__buf_printf(&export->notes, "%" PRIu64 " %s %s not in this format\n", count, count == 1 ? one : many,
                         count == 1 ? "is" : "are");
}

spar_status spar__export_end(const spar__export *export, spar_status status, spar_error *err)
{
    return !status && export->notes.failed ? spar__fail_memory(err) : status;
}
