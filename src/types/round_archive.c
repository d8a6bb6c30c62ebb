/* round_archive.c - a round to bytes and back. */
#include "base/saved.h"
#include "types/arms.h"
#include "types/round.h"

#include <math.h>

static const spar__frame_kind kind = {.name = "saved round", .tag = "roun", .version = 1, .section = {{"slot", 0}}};

/* Room for the slots that the archive announces, if it can hold that many. */
static void load_size(spar_round *round, size_t m, size_t dim, spar__archive *ar)
{
    spar__archive_check(ar,
                        m <= ar->left / 16 && (!dim || (m && dim <= SPAR__MOST_FEATURES && m <= ar->left / 8 / dim)));
    if (!ar->failed)
        spar__archive_step(ar, spar__round_reserve(round, m));
    if (!ar->failed)
        spar__archive_step(ar, spar__round_set_dim(round, dim));
    round->m = ar->failed ? 0 : m;
}

static void archive_memo(spar_round *round, spar__archive *ar)
{
    for (size_t i = 0; i < SPAR__MEMO; i++) {
        uint64_t word = (uint64_t)round->memo[i];
        spar__archive_u64(ar, &word);
        if (ar->loading)
            round->memo[i] = (int64_t)word;
    }
}

static void archive(spar_round *round, spar__archive *ar)
{
    size_t m = round->m, dim = round->dim;
    spar__archive_bool(ar, &round->asked);
    spar__archive_size(ar, &m);
    spar__archive_size(ar, &dim);
    if (ar->loading)
        load_size(round, m, dim, ar);
    spar__archive_sizes(ar, round->arm, round->m);
    spar__archive_f64s(ar, round->prob, round->m);
    spar__archive_f64s(ar, round->x, round->m * round->dim);
    archive_memo(round, ar);
    for (size_t j = 0; ar->loading && j < round->m; j++)
        spar__archive_check(ar, round->prob[j] > 0 && round->prob[j] <= 1);
    for (size_t i = 0; ar->loading && i < round->m * round->dim; i++)
        spar__archive_check(ar, isfinite(round->x[i]));
}

spar_status spar_round_save(const spar_round *round, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !round || !length)
        return SPAR_INVALID;
    spar__archive ar = {.loading = false};
    archive((spar_round *)(uintptr_t)round, &ar); /* the archive only reads when it saves */
    return spar__saved_write(&kind, &ar, bytes, length);
}

spar_status spar_round_load(const unsigned char *bytes, size_t length, spar_round **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    if (spar_round_new(1, out))
        return spar__fail_memory(err);
    archive(*out, &ar);
    status = spar__saved_close(&kind, &ar, err);
    if (status) {
        spar_round_free(*out);
        *out = NULL;
    }
    return status;
}
