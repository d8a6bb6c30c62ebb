#include "types/round.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

static bool same_round(const spar_round *a, const spar_round *b)
{
    return a->m == b->m && a->dim == b->dim && a->asked == b->asked && memcmp(a->memo, b->memo, sizeof a->memo) == 0 &&
           memcmp(a->arm, b->arm, a->m * sizeof *a->arm) == 0 &&
           memcmp(a->prob, b->prob, a->m * sizeof *a->prob) == 0 &&
           (!a->dim || memcmp(a->x, b->x, a->m * a->dim * sizeof *a->x) == 0);
}

static void comes_back(const spar_round *round, const char *what)
{
    spar_round *back = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_error err = {0};
    bool good = !spar_round_save(round, &bytes, &length) && !spar_round_load(bytes, length, &back, &err);
    ok(good && same_round(round, back), "%s comes back", what);
    spar_round_free(back);
    bool clean = true;
    spar_status status = SPAR_NOMEM;
    for (size_t k = 1; status && k < 20; k++) {
        spar__alloc_fail_at(k);
        status = spar_round_load(bytes, length, &back, &err);
        clean &= status ? status == SPAR_NOMEM && !back : back != NULL;
        spar__alloc_fail_at(0);
    }
    ok(clean && !status, "every allocation fails once");
    spar_round_free(back);
    spar_bytes_free(bytes);
}

static void refuses(spar_round *round, const char *what)
{
    spar_round *back = NULL;
    unsigned char *bytes = NULL;
    size_t length = 0;
    spar_error err = {0};
    ok(!spar_round_save(round, &bytes, &length) && spar_round_load(bytes, length, &back, &err) == SPAR_CORRUPT && !back,
       "%s is refused: %s", what, err.text);
    spar_bytes_free(bytes);
}

int main(void)
{
    spar_round *round = NULL;
    if (spar_round_new(3, &round))
        abort();
    comes_back(round, "a round without slots");
    if (spar_round_set(round, 3, (size_t[]){5, 0, 5}))
        abort();
    comes_back(round, "a round that no policy asked");
    round->asked = true;
    round->prob[1] = 0.1;
    round->memo[7] = INT64_MIN;
    comes_back(round, "a round with probabilities and a note");
    round->prob[1] = 0;
    refuses(round, "a probability of 0");
    if (spar_round_set_points(round, 2, 2, (double[]){0.1, -0.0, 1e300, 4}))
        abort();
    comes_back(round, "a round of points");
    round->x[3] = NAN;
    refuses(round, "NaN");
    spar_round_free(round);
    return done();
}
