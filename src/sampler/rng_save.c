/* rng_save.c - the state of a generator to bytes and back. */
#include "base/alloc.h"
#include "base/saved.h"
#include "sampler/rng.h"

static const spar__frame_kind kind = {.name = "saved generator", .tag = "rng ", .version = 1, .section = {{"stat", 0}}};

/* The words in use must be 0 to 8, and a state of nothing but zeros would stay so for ever. */
static void check(const spar_rng *rng, spar__archive *ar)
{
    spar__archive_check(ar, rng->used <= 8);
    for (int lane = 0; lane < 8; lane++)
        spar__archive_check(ar, rng->s[0][lane] | rng->s[1][lane] | rng->s[2][lane] | rng->s[3][lane]);
}

static void archive(spar_rng *rng, spar__archive *ar)
{
    for (int word = 0; word < 4; word++)
        for (int lane = 0; lane < 8; lane++)
            spar__archive_u64(ar, &rng->s[word][lane]);
    for (int lane = 0; lane < 8; lane++)
        spar__archive_u64(ar, &rng->buffer[lane]);
    spar__archive_u64(ar, &rng->used);
    if (ar->loading)
        check(rng, ar);
}

spar_status spar_rng_save(const spar_rng *rng, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !rng || !length)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    archive((spar_rng *)(uintptr_t)rng, &ar); /* the archive only reads when it saves */
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_rng_load(const unsigned char *bytes, size_t length, spar_rng **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    spar_rng *rng = spar__alloc(1, sizeof *rng);
    if (!rng)
        return spar__fail_memory(err);
    archive(rng, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status)
        spar__free(rng);
    else
        *out = rng;
    return status;
}
