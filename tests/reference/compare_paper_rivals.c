/* compare_paper_rivals.c - the policies with their own pair counts against the references in the paper's worlds. */
#include "reference/arenas.h"
#include "reference/direct.h"
#include "reference/paper.h"

static void compare_scenario(const arena *a)
{
    static const struct {
        const char *spec;
        direct_run *run;
    } players[] = {
        {"interleaved_filter", direct_interleaved_filter},
        {"beat_the_mean", direct_beat_the_mean},
        {"savage", direct_savage},
        {"rucb", direct_rucb},
        {"merge_rucb", direct_merge_rucb},
        {"rmed1", direct_rmed1},
        {"dts", direct_dts},
        {"dts(eta=2.5)", direct_dts_fast},
        {"mdb", direct_mdb},
    };
    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
        match m = match_in(a, DIRECT, 2, REF_ALL_PAIRS);
        m.spec = players[i].spec;
        m.direct = players[i].run;
        m.rounds = PAPER_ROUNDS;
        m.runs = PAPER_RUNS;
        expect_same(&m);
    }
}

int main(void)
{
    in_all_paper_worlds(compare_scenario);
    return verdict_done();
}
