/* save.c - a policy to bytes and back: a magic word, the recipe, the state, and a checksum over all of it. */
#include "policy/policy.h"

#include "base/alloc.h"
#include "types/arms_archive.h"

#include <string.h>

static const uint64_t magic = 0x326c6f7072617073; /* "sparpol2" in little-endian bytes: change it with the format */

/* FNV-1a: finds damage, not malice; every loaded value is checked as well. */
static uint64_t checksum(const unsigned char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash;
}

static void archive_state(spar_policy *self, spar__archive *ar)
{
    spar__archive_u64(ar, &self->learned);
    for (size_t i = 0; i < self->n_players; i++)
        spar__mab_archive(self->player[i], ar);
    if (self->inner)
        archive_state(self->inner, ar);
    if (self->cls->archive)
        self->cls->archive(self, ar);
}

spar_status spar_policy_save(const spar_policy *policy, unsigned char **bytes, size_t *length)
{
    *bytes = NULL;
    *length = 0;
    spar_policy *self = (spar_policy *)(uintptr_t)policy; /* the archive only reads when it saves */
    spar__archive ar = {.loading = false};
    uint64_t word = magic, m = self->m;
    spar__archive_u64(&ar, &word);
    spar__archive_text(&ar, &self->spec);
    spar__arms_archive(&self->arms, &ar);
    spar__archive_u64(&ar, &m);
    spar__archive_u64(&ar, &self->horizon);
    spar__archive_u64(&ar, &self->key);
    archive_state(self, &ar);
    uint64_t sum = ar.failed ? 0 : checksum((const unsigned char *)ar.out.text, ar.out.length);
    spar__archive_u64(&ar, &sum);
    if (ar.failed) {
        spar__buf_free(&ar.out);
        return SPAR_NOMEM;
    }
    *bytes = (unsigned char *)ar.out.text;
    *length = ar.out.length;
    return SPAR_OK;
}

static spar_status damaged(spar_error *err, const char *what)
{
    return spar__fail(err, SPAR_CORRUPT, "saved policy: %s", what);
}

static spar_status check_frame(const unsigned char *bytes, size_t length, spar_error *err)
{
    uint64_t word = 0, sum = 0;
    spar__archive head = {.loading = true, .in = bytes, .left = length};
    spar__archive_u64(&head, &word);
    if (head.failed || word != magic)
        return damaged(err, "does not begin as one");
    spar__archive tail = {.loading = true, .in = bytes + length - 8, .left = 8};
    spar__archive_u64(&tail, &sum);
    if (length < 16 || sum != checksum(bytes, length - 8))
        return damaged(err, "its checksum is wrong");
    return SPAR_OK;
}

spar_status spar_policy_load(const unsigned char *bytes, size_t length, spar_policy **out, spar_error *err)
{
    *out = NULL;
    spar_status status = check_frame(bytes, length, err);
    if (status)
        return status;
    spar__archive ar = {.loading = true, .in = bytes + 8, .left = length - 16};
    char *spec = NULL;
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    size_t m = 0;
    uint64_t horizon = 0, key = 0;
    spar__archive_text(&ar, &spec);
    spar__arms_archive(&arms, &ar);
    spar__archive_size(&ar, &m);
    spar__archive_u64(&ar, &horizon);
    spar__archive_u64(&ar, &key);
    spar__archive_check(&ar, spec && arms);
    if (!ar.failed)
        status = spar__policy_build(spec, arms, m, horizon, key, &policy, err);
    if (!ar.failed && !status)
        archive_state(policy, &ar);
    spar__archive_check(&ar, status || ar.left == 0);
    if (!status && ar.failed)
        status = ar.no_memory ? spar__fail_memory(err) : damaged(err, "its contents make no sense");
    spar__free(spec);
    spar_arms_free(arms);
    if (status) {
        spar_policy_free(policy);
        return status;
    }
    *out = policy;
    return SPAR_OK;
}

spar_status spar_policy_dup(const spar_policy *policy, spar_policy **out, spar_error *err)
{
    *out = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar_policy_save(policy, &bytes, &length);
    status = status ? spar__fail_memory(err) : spar_policy_load(bytes, length, out, err);
    spar_bytes_free(bytes);
    return status;
}
