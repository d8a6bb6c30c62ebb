/* round.c - one question: the arms of its slots, with what the policy needs when the answer comes. */
#include "types/round.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "base/error.h"
#include "types/arms.h"

#include <math.h>
#include <string.h>

spar_status spar_round_new(size_t capacity, spar_round **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_round *round = spar__alloc(1, sizeof *round);
    if (!round || spar__round_reserve(round, capacity ? capacity : 1)) {
        spar_round_free(round);
        return SPAR_NOMEM;
    }
    *out = round;
    return SPAR_OK;
}

spar_status spar__round_reserve(spar_round *round, size_t capacity)
{
    if (capacity <= round->capacity)
        return SPAR_OK;
    if (!spar__resize(&round->arm, round->capacity, capacity, sizeof *round->arm) ||
        !spar__resize(&round->prob, round->capacity, capacity, sizeof *round->prob))
        return SPAR_NOMEM;
    if (round->dim && capacity > round->x_room / round->dim) {
        if (capacity > SIZE_MAX / round->dim ||
            !spar__resize(&round->x, round->x_room, capacity * round->dim, sizeof *round->x))
            return SPAR_NOMEM;
        round->x_room = capacity * round->dim;
    }
    round->capacity = capacity;
    return SPAR_OK;
}

spar_status spar__round_set_dim(spar_round *round, size_t dim)
{
    if (dim && round->capacity > round->x_room / dim) {
        if (round->capacity > SIZE_MAX / dim || !spar__resize(&round->x, 0, round->capacity * dim, sizeof *round->x))
            return SPAR_NOMEM;
        round->x_room = round->capacity * dim;
    }
    round->dim = dim;
    return SPAR_OK;
}

spar_status spar_round_copy(const spar_round *from, spar_round *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (to == from)
        return SPAR_OK;
    if (spar__round_reserve(to, from->m) || spar__round_set_dim(to, from->dim))
        return SPAR_NOMEM;
    to->m = from->m;
    memcpy(to->arm, from->arm, from->m * sizeof *to->arm);
    memcpy(to->prob, from->prob, from->m * sizeof *to->prob);
    memcpy(to->memo, from->memo, sizeof to->memo);
    to->asked = from->asked;
    if (from->dim)
        memcpy(to->x, from->x, from->m * from->dim * sizeof *to->x);
    return SPAR_OK;
}

void spar_round_free(spar_round *round)
{
    if (!round)
        return;
    spar__free(round->arm);
    spar__free(round->prob);
    spar__free(round->x);
    spar__free(round);
}

spar_status spar_round_dup(const spar_round *round, spar_round **out)
{
    if (!SPAR__CLEAR(out) || !round)
        return SPAR_INVALID;
    spar_status status = spar_round_new(round->m, out);
    if (!status && spar_round_copy(round, *out)) {
        spar_round_free(*out);
        *out = NULL;
        status = SPAR_NOMEM;
    }
    return status;
}

/* m slots of a question that no policy asked; the arms are the caller's to fill in. */
static spar_status set_unasked(spar_round *round, size_t m, size_t dim)
{
    if (spar__round_reserve(round, m) || spar__round_set_dim(round, dim))
        return SPAR_NOMEM;
    round->m = m;
    round->asked = false;
    memset(round->memo, 0, sizeof round->memo);
    for (size_t j = 0; j < m; j++)
        round->prob[j] = 1;
    return SPAR_OK;
}

spar_status spar_round_set(spar_round *round, size_t m, const size_t *arm)
{
    if (!round || (m && !arm))
        return SPAR_INVALID;
    spar_status status = set_unasked(round, m, 0);
    if (!status)
        memcpy(round->arm, arm, m * sizeof *arm);
    return status;
}

spar_status spar_round_set_points(spar_round *round, size_t m, size_t dim, const double *x)
{
    if (!round || (m && dim && !x))
        return SPAR_INVALID;
    spar_status status = set_unasked(round, m, dim);
    if (status)
        return status;
    for (size_t j = 0; j < m; j++)
        round->arm[j] = SPAR_FRESH;
    memcpy(round->x, x, m * dim * sizeof *x);
    return SPAR_OK;
}

size_t spar_round_slots(const spar_round *round)
{
    return round ? round->m : 0;
}

size_t spar_round_arm(const spar_round *round, size_t slot)
{
    return round && slot < round->m ? round->arm[slot] : SPAR_NO_ARM;
}

double spar_round_prob(const spar_round *round, size_t slot)
{
    return !round ? 0 : slot < round->m ? round->prob[slot] : 1;
}

const double *spar_round_point(const spar_round *round, size_t slot)
{
    return round && slot < round->m && round->dim ? round->x + slot * round->dim : NULL;
}

size_t spar_round_dim(const spar_round *round)
{
    return round ? round->dim : 0;
}

bool spar_round_asked(const spar_round *round)
{
    return round && round->asked;
}

/* A round to bytes and back. */

static const spar__frame_kind kind = {.name = "saved round", .tag = "roun", .version = 1, .section = {{"slot", 0}}};

static void archive(spar_round *round, spar__archive *ar)
{
    size_t m = round->m, dim = round->dim;
    spar__archive_bool(ar, &round->asked);
    spar__archive_size(ar, &m);
    spar__archive_size(ar, &dim);
    if (ar->loading) {
        /* Room for the slots that the archive announces, if it can hold that many. */
        spar__archive_check(ar, m <= ar->left / 16 &&
                                    (!dim || (m && dim <= SPAR__MOST_FEATURES && m <= ar->left / 8 / dim)));
        if (!ar->failed)
            spar__archive_step(ar, spar__round_reserve(round, m));
        if (!ar->failed)
            spar__archive_step(ar, spar__round_set_dim(round, dim));
        round->m = ar->failed ? 0 : m;
    }
    spar__archive_sizes(ar, round->arm, round->m);
    spar__archive_f64s(ar, round->prob, round->m);
    spar__archive_f64s(ar, round->x, round->m * round->dim);
    for (size_t i = 0; i < SPAR__MEMO; i++) {
        uint64_t word = (uint64_t)round->memo[i];
        spar__archive_u64(ar, &word);
        if (ar->loading)
            round->memo[i] = (int64_t)word;
    }
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
