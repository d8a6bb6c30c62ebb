#include "base/archive.h"

#include "base/alloc.h"
#include "tap.h"

static const spar__frame_kind kind = {.name = "thing", .tag = "thng", .version = 2, .section = {{"body", 0}}};
static const spar__frame_kind newer = {.name = "thing", .tag = "thng", .version = 3, .section = {{"body", 0}}};

static spar_status save(const spar__frame_kind *as, uint64_t value, unsigned char **bytes, size_t *length)
{
    spar__archive ar = {.loading = false};
    spar__archive_u64(&ar, &value);
    return spar__saved_write(as, &ar, bytes, length);
}

/* Reads one number; half of it when `narrow`. */
static spar_status load(const unsigned char *bytes, size_t length, bool narrow, uint64_t *value, spar_error *err)
{
    spar__archive ar;
    uint32_t half = 0;
    spar_status status = spar__saved_open(&kind, bytes, length, &ar, err);
    if (status)
        return status;
    if (narrow)
        spar__archive_u32(&ar, &half);
    else
        spar__archive_u64(&ar, value);
    return spar__saved_close(&kind, &ar, err);
}

static void test_cache(void)
{
    static const spar__frame_kind cached = {
        .name = "thing", .tag = "thng", .version = 2, .section = {{"body", 0}, {"fast", 1}}};
    static const spar__frame_kind other = {
        .name = "thing", .tag = "thng", .version = 2, .section = {{"body", 0}, {"fast", 2}}};
    spar__archive cache = {.loading = false}, ar = {.loading = false, .cache = &cache};
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint64_t value = 5, fast = 6;
    spar_error err = {0};
    spar__archive_u64(&ar, &value);
    spar__archive_u64(&cache, &fast);
    ok(!spar__saved_write(&cached, &ar, &bytes, &length), "a cache is saved");
    ok(!spar__saved_open_both(&cached, bytes, length, &ar, &cache, &err) && ar.cache == &cache, "and loaded");
    ok(spar__saved_close(&cached, &ar, &err) == SPAR_CORRUPT, "not to be left unread");
    spar__archive_u64(&ar, &value);
    spar__archive_u64(&cache, &fast);
    ok(!spar__saved_close(&cached, &ar, &err) && value == 5 && fast == 6, "with its number");
    ok(!spar__saved_open_both(&other, bytes, length, &ar, &cache, &err) && !ar.cache, "one of another version is not");
    ok(!spar__saved_open(&cached, bytes, length, &ar, &err) && !ar.cache, "nor one that is not wanted");
    spar_bytes_free(bytes);
}

int main(void)
{
    test_cache();
    unsigned char *bytes = NULL;
    size_t length = 0;
    uint64_t value = 0;
    spar_error err;
    ok(!save(&kind, 77, &bytes, &length) && !load(bytes, length, false, &value, &err) && value == 77,
       "saves and loads");
    ok(load(bytes, length, true, &value, &err) == SPAR_CORRUPT, "refused: %s", err.text);
    bool refused = true;
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 1;
        refused &= load(bytes, length, false, &value, &err) != SPAR_OK;
        bytes[i] ^= 1;
        refused &= load(bytes, i, false, &value, &err) == SPAR_CORRUPT;
    }
    ok(refused, "a changed bit is found, and so is a missing end");
    spar_bytes_free(bytes);
    ok(!save(&newer, 77, &bytes, &length) && load(bytes, length, false, &value, &err) == SPAR_UNSUPPORTED,
       "refused: %s", err.text);
    spar_bytes_free(bytes);
    spar__alloc_fail_at(1);
    ok(save(&kind, 77, &bytes, &length) == SPAR_NOMEM && !bytes && !length, "no memory for the state");
    spar__alloc_fail_at(0);
    spar__archive full = {.loading = false};
    spar__archive_bytes(&full, (unsigned char[250]){0}, 250);
    spar__alloc_fail_at(1);
    ok(spar__saved_write(&kind, &full, &bytes, &length) == SPAR_NOMEM && !bytes && !length, "nor for the frame");
    spar__alloc_fail_at(0);
    spar__archive wrong = {.failed = true};
    ok(spar__saved_write(&kind, &wrong, &bytes, &length) == SPAR_INVALID && !bytes, "what cannot be written is not");
    return done();
}
