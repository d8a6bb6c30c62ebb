/* compare_rivals_a.c - every line of references.def: the library against the reference, on an order, on equal losers,
 * and on losers in a circle. */
#include "reference/arenas.h"

#include <string.h>

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
    } players[] = {
#define REFERENCE(file, run, spec) {spec, run},
#include "reference/references.def"
#undef REFERENCE
    };
    static const size_t worlds[] = {0, 1, 3}; /* order, 1good, cyclic */
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        for (size_t j = 0; j < 3; j++) {
            match m = start(players[i].spec, players[i].run, &arenas[worlds[j]]);
            if (strchr(players[i].spec, '(')) { /* other parameters, and ties; the order is not always seen */
                m.ties = 0.5;
                m.feedback = j == 0 ? REF_MISSING : REF_ALL_PAIRS;
                m.rounds = 1000;
            }
            expect_same(&m);
        }
    see_differences();
    return verdict_done();
}
