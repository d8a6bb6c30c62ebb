/* field.h - the arms that remain in a contest of elimination.
 *
 * They are listed in the order of their indices, so that the list is a function of the set, however it came about. */
#ifndef SPAR_POLICY_FIELD_H
#define SPAR_POLICY_FIELD_H

#include "policy/policy.h"

#include "base/alloc.h"

#include <string.h>

typedef struct spar__field {
    size_t left, *arm; /* those that remain */
    bool *in;          /* of every arm: does it remain? */
} spar__field;

static inline void spar__field_list(spar__field *field, size_t n)
{
    field->left = 0;
    for (size_t i = 0; i < n; i++)
        if (field->in[i])
            field->arm[field->left++] = i;
}

/* All live arms. */
static inline spar_status spar__field_init(spar__field *field, const spar_arms *arms, spar_error *err)
{
    field->arm = spar__alloc(arms->n, sizeof *field->arm);
    field->in = spar__alloc(arms->n, sizeof *field->in);
    if (!field->arm || !field->in)
        return spar__fail_memory(err);
    memcpy(field->in, arms->alive, arms->n * sizeof *field->in);
    spar__field_list(field, arms->n);
    return SPAR_OK;
}

static inline void spar__field_fini(spar__field *field)
{
    spar__free(field->arm);
    spar__free(field->in);
}

static inline void spar__field_remove(spar__field *field, size_t arm)
{
    size_t k = 0;
    while (field->arm[k] != arm)
        k++;
    memmove(field->arm + k, field->arm + k + 1, (field->left - k - 1) * sizeof *field->arm);
    field->left--;
    field->in[arm] = false;
}

static inline size_t spar__field_random(const spar__field *field, spar_rng *rng)
{
    return field->arm[spar_rng_below(rng, field->left)];
}

static inline void spar__field_archive(spar__field *field, const spar_arms *arms, spar__archive *ar)
{
    spar__archive_bools(ar, field->in, arms->n);
    if (!ar->loading)
        return;
    for (size_t i = 0; i < arms->n; i++)
        spar__archive_check(ar, arms->alive[i] || !field->in[i]);
    spar__field_list(field, arms->n);
    spar__archive_check(ar, field->left > 0);
}

#endif
