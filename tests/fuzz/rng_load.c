/* Bytes with the right frame are a generator of random numbers, or are refused; what was loaded and saved loads again
 * to the same bytes. */
#include "fuzz.h"
#include "sampler/rng.h"

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar_rng *rng = NULL;
    if (saved.bytes)
        return saved;
    require(!spar_rng_new(1, 2, 3, &rng));
    (void)spar_rng_next(rng);
    require(!spar_rng_save(rng, &saved.bytes, &saved.length));
    spar_rng_free(rng);
    return saved;
}

static void check(spar_rng *rng)
{
    for (uint64_t i = 1; i < 12; i++) {
        double u = spar_rng_uniform(rng);
        require(u >= 0 && u < 1 && spar_rng_below(rng, i) < i);
    }
}

static void save(const spar_rng *rng, fuzz_saved *out)
{
    require(!spar_rng_save(rng, &out->bytes, &out->length));
}

void fuzz_rng_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "rng", .tag = "rng ", .version = 1, .section = {{"stat", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size), once, twice;
    spar_rng *rng = NULL, *again = NULL;
    spar_error err = {0};
    spar_status status = spar_rng_load(in.bytes, in.length, &rng, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (rng != NULL));
    if (rng) {
        save(rng, &once);
        require(!spar_rng_load(once.bytes, once.length, &again, &err));
        save(again, &twice);
        require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
        spar_bytes_free(once.bytes);
        spar_bytes_free(twice.bytes);
        check(rng);
    }
    spar_rng_free(rng);
    spar_rng_free(again);
    free(in.bytes);
}
