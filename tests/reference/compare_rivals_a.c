/* compare_rivals_a.c - rucb, merge_rucb, rmed1 and dts against their references, on an order, on equal losers, and on
 * losers in a circle. */
#include "reference/arenas.h"
#include "reference/direct.h"

static ref_result rucb_wide(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_rucb(world, rounds, 1, seed);
}

static ref_result merge_rucb_late(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_merge_rucb(world, rounds, 0.3, 5, 1000, seed);
}

static ref_result rmed1_tight(const ref_world *world, size_t rounds, uint64_t seed)
{
    return ref_rmed1(world, rounds, 0.05, 1.5, seed);
}

static match start(const char *spec, direct_run *run, const arena *a)
{
    match m = match_in(a, DIRECT, 2, REF_ALL_PAIRS);
    m.spec = spec;
    m.direct = run;
    m.rounds = 2000;
    m.runs = 400;
    return m;
}

/* The comparison has the power to see a parameter that is off. */
static void see_differences(void)
{
    static const struct {
        const char *spec, *what;
        direct_run *run;
    } wrong[] = {
        {"rucb(alpha=0.7)", "rucb with alpha 0.7 instead of 0.51", direct_rucb},
        {"merge_rucb(c=1e5)", "merge_rucb with c = 1e5 instead of 0", direct_merge_rucb},
        {"rmed1(f=1)", "rmed1 with f = 1 instead of 0.3", direct_rmed1},
        {"dts(eta=1.6)", "dts with eta = 1.6 instead of 1", direct_dts},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        match m = start(wrong[i].spec, wrong[i].run, &arenas[0]);
        m.rounds = 1000;
        expect_different(&m, &m, wrong[i].what);
    }
}

int main(void)
{
    static const struct {
        const char *spec;
        direct_run *run;
    } players[] = {{"rucb", direct_rucb},
                   {"rucb(alpha=1)", rucb_wide},
                   {"merge_rucb", direct_merge_rucb},
                   {"merge_rucb(alpha=0.3,batch=5,c=1000)", merge_rucb_late},
                   {"rmed1", direct_rmed1},
                   {"rmed1(f=0.05,power=1.5)", rmed1_tight},
                   {"dts", direct_dts},
                   {"dts(eta=2.5)", direct_dts_fast}};
    static const size_t worlds[] = {0, 1, 3}; /* order, 1good, cyclic */
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        for (size_t j = 0; j < 3; j++) {
            match m = start(players[i].spec, players[i].run, &arenas[worlds[j]]);
            if (i % 2) { /* other parameters, and ties; the order is not always seen */
                m.ties = 0.5;
                m.feedback = j == 0 ? REF_MISSING : REF_ALL_PAIRS;
                m.rounds = 1000;
            }
            expect_same(&m);
        }
    see_differences();
    return verdict_done();
}
