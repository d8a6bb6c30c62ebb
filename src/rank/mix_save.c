/* mix_save.c - a mixed list to bytes and back. */
#include "base/archive.h"
#include "rank/mix.h"

#include <math.h>

static const spar__frame_kind kind = {.name = "saved mix", .tag = "mix ", .version = 1, .section = {{"list", 0}}};

static void archive(spar_mix *mix, spar__archive *ar)
{
    spar__archive_size(ar, &mix->m);
    spar__archive_size(ar, &mix->shown);
    if (ar->loading) {
        bool fits = spar__archive_holds(ar, mix->m) && spar__archive_holds(ar, mix->shown) &&
                    (!mix->m || mix->shown <= SIZE_MAX / mix->m) && spar__archive_holds(ar, mix->m * mix->shown);
        spar__archive_check(ar, fits);
        if (!ar->failed)
            spar__archive_step(ar, spar__mix_reserve(mix, mix->m, mix->shown));
        if (ar->failed)
            mix->m = mix->shown = 0;
    }
    for (size_t place = 0; place < mix->shown; place++)
        spar__archive_u64(ar, &mix->doc[place]);
    spar__archive_sizes(ar, mix->reach, mix->m);
    spar__archive_f64s(ar, mix->credit, mix->m * mix->shown);
    for (size_t i = 0; i < mix->m * mix->shown; i++)
        spar__archive_check(ar, isfinite(mix->credit[i]) != 0);
}

spar_status spar_mix_save(const spar_mix *mix, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !mix || !length)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    archive((spar_mix *)(uintptr_t)mix, &ar); /* the archive only reads when it saves */
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_mix_load(const unsigned char *bytes, size_t length, spar_mix **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    spar_mix *mix = NULL;
    if (spar_mix_new(&mix))
        return spar__fail_memory(err);
    archive(mix, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status)
        spar_mix_free(mix);
    else
        *out = mix;
    return status;
}
