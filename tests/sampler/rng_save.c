#include "sampler/rng.h"

#include "base/alloc.h"
#include "tap.h"

int main(void)
{
    spar_rng rng, *back = NULL;
    spar_error err = {0};
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_rng_seed(&rng, 1, 2, 3);
    bool same = true;
    for (size_t drawn = 0; drawn < 20; drawn++) { /* at every place of the buffer */
        same &= !spar_rng_save(&rng, &bytes, &length) && !spar_rng_load(bytes, length, &back, &err);
        spar_rng copy = rng;
        for (size_t i = 0; same && i < 40; i++)
            same &= spar_rng_next(&copy) == spar_rng_next(back);
        spar_bytes_free(bytes);
        spar_rng_free(back);
        (void)spar_rng_next(&rng);
    }
    ok(same, "a loaded generator goes on as the saved one");
    rng.used = 9;
    ok(!spar_rng_save(&rng, &bytes, &length) && spar_rng_load(bytes, length, &back, &err) == SPAR_CORRUPT && !back,
       "refused: %s", err.text);
    spar_bytes_free(bytes);
    rng.used = 8;
    for (int word = 0; word < 4; word++)
        rng.s[word][3] = 0;
    ok(!spar_rng_save(&rng, &bytes, &length) && spar_rng_load(bytes, length, &back, &err) == SPAR_CORRUPT && !back,
       "a lane that would always give 0 is refused");
    spar__alloc_fail_at(1);
    ok(spar_rng_load(bytes, length, &back, &err) == SPAR_NOMEM && !back, "%s", err.text);
    spar__alloc_fail_at(0);
    spar_bytes_free(bytes);
    return done();
}
