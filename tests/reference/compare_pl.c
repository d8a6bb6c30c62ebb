/* compare_pl.c - self-sparring with the Plackett-Luce belief against its reference. */
#include "reference/arenas.h"
#include "reference/pl.h"

static DIRECT_RUN(two, ref_pl(world, 2, rounds, 1, false, seed)) static DIRECT_RUN(
    four, ref_pl(world, 4, rounds, 1, false,
                 seed)) static DIRECT_RUN(wide, ref_pl(world, 2, rounds, 2, false,
                                                       seed)) static DIRECT_RUN(apart,
                                                                                ref_pl(world, 3, rounds, 1, true, seed))

    static match start(const char *spec, direct_run *run, size_t world, size_t m, ref_feedback_kind feedback)
{
    match x = match_in(&arenas[world], DIRECT, m, feedback);
    x.spec = spec;
    x.direct = run;
    x.rounds = 250;
    x.runs = 250;
    return x;
}

int main(void)
{
    static const char plain[] = "self_sparring/thompson/pl";
    match x[] = {
        start(plain, two, 0, 2, REF_ALL_PAIRS),
        start(plain, two, 3, 2, REF_ALL_PAIRS),
        start(plain, four, 0, 4, REF_ALL_PAIRS),
        start(plain, four, 2, 4, REF_RANKING),
        start("self_sparring/thompson/pl(sd=2)", wide, 2, 2, REF_MISSING),
        start("self_sparring(distinct=1)/thompson/pl", apart, 2, 3, REF_RANKING),
    };
    x[4].ties = 0.5;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        expect_same(&x[i]);
    match off = start("self_sparring/thompson/pl(sd=0.2)", two, 2, 2, REF_ALL_PAIRS);
    expect_different(&off, &off, "sd = 0.2 instead of 1");
    return verdict_done();
}
