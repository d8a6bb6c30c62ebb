/* Bytes with the right frame are a mix whose clicks become feedback, or are refused; what was loaded and saved loads
 * again to the same bytes. */
#include "fuzz.h"
#include "rank/mix.h"
#include "sampler/rng.h"

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    static const uint64_t a[] = {1, 2, 3}, b[] = {3, 2, 5};
    const uint64_t *const list[] = {a, b};
    spar_mix *mix = NULL;
    spar_rng rng;
    if (saved.bytes)
        return saved;
    spar_rng_seed(&rng, 1, 1, 1);
    require(!spar_mix_new(&mix) && !spar_mix_lists("team_draft", 2, list, (size_t[]){3, 3}, 4, &rng, mix, NULL) &&
            !spar_mix_save(mix, &saved.bytes, &saved.length));
    spar_mix_free(mix);
    return saved;
}

static void check(const spar_mix *mix)
{
    static const bool clicked[4096] = {true, false, true};
    static spar_feedback *feedback;
    if (!feedback)
        require(!spar_feedback_new(2, &feedback));
    if (mix->shown <= sizeof clicked && mix->m <= 64)
        require(!spar_mix_feedback(mix, clicked, true, feedback));
}

static void save(const spar_mix *mix, fuzz_saved *out)
{
    require(!spar_mix_save(mix, &out->bytes, &out->length));
}

void fuzz_mix_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "mix", .tag = "mix ", .version = 1, .section = {{"list", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size), once, twice;
    spar_mix *mix = NULL, *again = NULL;
    spar_error err = {0};
    spar_status status = spar_mix_load(in.bytes, in.length, &mix, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (mix != NULL));
    if (mix) {
        save(mix, &once);
        require(!spar_mix_load(once.bytes, once.length, &again, &err));
        save(again, &twice);
        require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
        spar_bytes_free(once.bytes);
        spar_bytes_free(twice.bytes);
        check(mix);
    }
    spar_mix_free(mix);
    spar_mix_free(again);
    free(in.bytes);
}
