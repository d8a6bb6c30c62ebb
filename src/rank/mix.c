#include "rank/mix.h"

#include "base/alloc.h"
#include "rank/mixer.h"

#include <math.h>
#include <string.h>

spar_status spar_mix_new(spar_mix **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    *out = spar__alloc(1, sizeof **out);
    return *out ? SPAR_OK : SPAR_NOMEM;
}

void spar_mix_free(spar_mix *mix)
{
    if (!mix)
        return;
    spar__free(mix->doc);
    spar__free(mix->credit);
    spar__free(mix->reach);
    spar__free(mix);
}

spar_status spar__mix_reserve(spar_mix *mix, size_t m, size_t shown)
{
    if (m && shown > SIZE_MAX / m)
        return SPAR_NOMEM;
    size_t *reach = spar__grow(mix->reach, &mix->reach_room, m, 0, sizeof *reach);
    if (!reach)
        return SPAR_NOMEM;
    mix->reach = reach;
    uint64_t *doc = spar__grow(mix->doc, &mix->doc_room, shown, 0, sizeof *doc);
    if (!doc)
        return SPAR_NOMEM;
    mix->doc = doc;
    double *credit = spar__grow(mix->credit, &mix->credit_room, m * shown, 0, sizeof *credit);
    if (!credit)
        return SPAR_NOMEM;
    mix->credit = credit;
    return SPAR_OK;
}

spar_status spar_mix_copy(const spar_mix *from, spar_mix *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (to == from)
        return SPAR_OK;
    if (spar__mix_reserve(to, from->m, from->shown))
        return SPAR_NOMEM;
    to->m = from->m;
    to->shown = from->shown;
    if (to->m)
        memcpy(to->reach, from->reach, to->m * sizeof *to->reach);
    if (to->shown)
        memcpy(to->doc, from->doc, to->shown * sizeof *to->doc);
    if (to->m && to->shown)
        memcpy(to->credit, from->credit, to->m * to->shown * sizeof *to->credit);
    return SPAR_OK;
}

spar_status spar_mix_dup(const spar_mix *mix, spar_mix **out)
{
    if (!SPAR__CLEAR(out) || !mix)
        return SPAR_INVALID;
    spar_status status = spar_mix_new(out);
    if (!status && spar_mix_copy(mix, *out)) {
        spar_mix_free(*out);
        *out = NULL;
        status = SPAR_NOMEM;
    }
    return status;
}

size_t spar_mix_slots(const spar_mix *mix)
{
    return mix ? mix->m : 0;
}

size_t spar_mix_shown(const spar_mix *mix)
{
    return mix ? mix->shown : 0;
}

const uint64_t *spar_mix_docs(const spar_mix *mix)
{
    return mix ? mix->doc : NULL;
}

spar_status spar_mix_lists(const char *how, size_t m, const uint64_t *const *list, const size_t *length, size_t top,
                           spar_rng *rng, spar_mix *out, spar_error *err)
{
    if (!how || (m && !list) || (m && !length) || !rng || !out)
        return spar__fail_null(err);
    out->m = out->shown = 0;
    for (size_t j = 0; j < m; j++)
        if (!list[j] && length[j])
            return spar__fail_null(err);
    spar__mixer mixer;
    spar__mixing mixing;
    spar_status status = spar__mixer_new(how, &mixer, err);
    if (!status)
        status = spar__mixing_start(&mixer, m, list, length, top, rng, &mixing, err);
    if (status)
        return status;
    if (spar__mixing_draw(&mixing, rng, out))
        status = spar__fail_memory(err);
    spar__mixing_end(&mixing);
    return status;
}

void spar_mix_credit(const spar_mix *mix, const bool *clicked, double *credit)
{
    if (!mix || (mix->shown && !clicked) || (mix->m && !credit))
        return;
    for (size_t j = 0; j < mix->m; j++)
        credit[j] = 0;
    for (size_t place = 0; place < mix->shown; place++)
        for (size_t j = 0; clicked[place] && j < mix->m; j++)
            credit[j] += mix->credit[place * mix->m + j];
}

spar_outcome spar__mix_compare(const spar_mix *mix, const bool *clicked, size_t j, size_t k)
{
    size_t reach = mix->reach[j] < mix->reach[k] ? mix->reach[j] : mix->reach[k];
    if (!reach)
        return SPAR_MISSING;
    double ahead = 0, size = 0;
    for (size_t place = 0; place < reach && place < mix->shown; place++)
        if (clicked[place]) {
            const double *credit = mix->credit + place * mix->m;
            ahead += credit[j] - credit[k];
            size += fabs(credit[j]) + fabs(credit[k]);
        }
    /* Shares that add up to the same are equal, however they were rounded. */
    if (fabs(ahead) <= 1e-12 * size)
        return SPAR_TIE;
    return ahead > 0 ? SPAR_WIN : SPAR_LOSS;
}

spar_status spar_mix_feedback(const spar_mix *mix, const bool *clicked, bool tie_is_half, spar_feedback *out)
{
    if (!mix || (mix->shown && !clicked) || !out)
        return SPAR_INVALID;
    if (spar_feedback_reset(out, mix->m))
        return SPAR_NOMEM;
    for (size_t k = 1; k < mix->m; k++)
        for (size_t j = 0; j < k; j++) {
            spar_outcome answer = spar__mix_compare(mix, clicked, j, k);
            if (answer == SPAR_TIE && !tie_is_half)
                answer = SPAR_MISSING;
            (void)spar_feedback_set(out, j, k, answer); /* slots in range */
        }
    return SPAR_OK;
}
