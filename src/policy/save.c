/* save.c - a policy to bytes and back: a frame (base/frame.h) of two sections.
 *
 *     stat   the recipe (spec, arms, m, horizon, key), then counts and beliefs. Later versions of the program go on
 *            reading it: a change of what stands here raises the version of the kind, and what an older version wrote
 *            (spar__frame.version) is still understood; tests/golden has files of every version.
 *     fast   the caches of the fast samplers (spar__archive.cache), which make the next choices the same to the bit.
 *            A change of these raises the version of the section. A file without them, or with others, gives a policy
 *            of the same law: they are computed again. */
#include "policy/policy.h"

#include "base/alloc.h"
#include "base/archive.h"
#include "types/arms.h"

static const spar__frame_kind kind = {
    .name = "saved policy", .tag = "poli", .version = 1, .section = {{"stat", 0}, {"fast", 1}}};

static void archive_state(spar_policy *self, spar__archive *ar)
{
    spar__archive_u64(ar, &self->learned);
    spar__archive_check(ar, self->learned <= SPAR__MOST_ROUNDS);
    for (size_t i = 0; i < self->n_players; i++)
        spar__mab_archive(self->player[i], ar);
    if (self->inner)
        archive_state(self->inner, ar);
    if (self->cls->archive)
        self->cls->archive(self, ar);
}

spar_status spar_policy_save(const spar_policy *policy, unsigned char **bytes, size_t *length)
{
    if (!SPAR__CLEAR(bytes) || !policy || !length)
        return SPAR_INVALID;
    if (policy->cls->outside)
        return SPAR_UNSUPPORTED;
    spar_policy *self = (spar_policy *)(uintptr_t)policy; /* the archive only reads when it saves */
    spar__archive cache = {.loading = false}, ar = {.loading = false, .cache = &cache};
    uint64_t m = self->m;
    spar__archive_text(&ar, &self->spec);
    spar__arms_archive(&self->arms, &ar);
    spar__archive_u64(&ar, &m);
    spar__archive_u64(&ar, &self->horizon);
    spar__archive_u64(&ar, &self->key);
    archive_state(self, &ar);
    return spar__saved_write(&kind, &ar, bytes, length);
}

/* The policy, with nothing learned. NULL where the archive fails. */
static spar_status load_recipe(spar__archive *ar, spar_policy **out, spar_error *err)
{
    char *spec = NULL;
    spar_arms *arms = NULL;
    size_t m = 0;
    uint64_t horizon = 0, key = 0;
    spar__archive_text(ar, &spec);
    spar__arms_archive(&arms, ar);
    spar__archive_size(ar, &m);
    spar__archive_u64(ar, &horizon);
    spar__archive_u64(ar, &key);
    spar__archive_check(ar, spec && arms);
    spar_status status = ar->failed ? SPAR_OK : spar__policy_build(spec, arms, m, horizon, key, out, err);
    spar__free(spec);
    spar_arms_free(arms);
    return status;
}

spar_status spar_policy_load(const unsigned char *bytes, size_t length, spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !bytes)
        return spar__fail_null(err);
    spar__archive ar, cache;
    spar_policy *policy = NULL;
    spar_status status = spar__saved_open_both(&kind, bytes, length, &ar, &cache, err);
    if (!status)
        status = load_recipe(&ar, &policy, err);
    if (policy)
        archive_state(policy, &ar);
    if (!status)
        status = spar__saved_close(&kind, &ar, err);
    if (status) {
        spar_policy_free(policy);
        return status;
    }
    *out = policy;
    return SPAR_OK;
}

spar_status spar_policy_dup(const spar_policy *policy, spar_policy **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !policy)
        return spar__fail_null(err);
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_status status = spar_policy_save(policy, &bytes, &length);
    status = status ? spar__policy_fail(policy, status, err) : spar_policy_load(bytes, length, out, err);
    spar_bytes_free(bytes);
    return status;
}
