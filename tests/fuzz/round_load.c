/* Bytes with the right frame are a round, or are refused; what was loaded and saved loads again to the same bytes. */
#include "fuzz.h"
#include "types/round.h"

static fuzz_saved example(void)
{
    static fuzz_saved saved;
    spar_round *round = NULL;
    if (saved.bytes)
        return saved;
    require(!spar_round_new(2, &round));
    require(!spar_round_set_points(round, 2, 2, (double[]){0, 0.5, 1, 0.25}));
    require(!spar_round_save(round, &saved.bytes, &saved.length));
    spar_round_free(round);
    return saved;
}

static void check(const spar_round *round)
{
    for (size_t j = 0; j <= spar_round_slots(round); j++) {
        double prob = spar_round_prob(round, j);
        (void)spar_round_arm(round, j);
        require(j == spar_round_slots(round) || (prob > 0 && prob <= 1));
        require(!spar_round_point(round, j) || spar_round_dim(round) > 0);
    }
}

static void save(const spar_round *round, fuzz_saved *out)
{
    require(!spar_round_save(round, &out->bytes, &out->length));
}

void fuzz_round_load(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "round", .tag = "roun", .version = 1, .section = {{"slot", 0}}};
    fuzz_saved in = fuzz_damage(&kind, example(), data, size), once, twice;
    spar_round *round = NULL, *again = NULL;
    spar_error err = {0};
    spar_status status = spar_round_load(in.bytes, in.length, &round, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (round != NULL));
    if (round) {
        save(round, &once);
        require(!spar_round_load(once.bytes, once.length, &again, &err));
        save(again, &twice);
        require(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0);
        spar_bytes_free(once.bytes);
        spar_bytes_free(twice.bytes);
        check(round);
    }
    spar_round_free(round);
    spar_round_free(again);
    free(in.bytes);
}
