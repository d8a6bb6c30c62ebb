#include "plot/beliefs.h"

int main(void)
{
    for (size_t dim = 1; dim <= 2; dim++) {
        spar__beliefs fig = make_beliefs(dim);
        near(spar__belief_most(&fig), 66, 0, "the most duels of a kind");
        ok(spar__belief_has_truth(&fig), "the truth is known");
        size_t best = spar__belief_best(&shots[0]);
        ok(best == 17 * 7 % ARMS, "and with it the best arm");
        truth[best] = NAN;
        ok(spar__belief_best(&shots[0]) == 35 * 7 % ARMS, "as far as it is known");
        for (size_t i = 0; i < ARMS; i++)
            truth[i] = NAN;
        ok(!spar__belief_has_truth(&fig) && spar__belief_best(&shots[0]) == ARMS, "or it is not");
        spar__buf svg = draw(&fig, "no truth");
        ok(!strstr(svg.text, "best arm") && !strstr(svg.text, "beats the best"), "then nothing is said of it");
        spar__buf_free(&svg);
        fig.n = 0;
        ok(spar__plot_beliefs(&fig, &svg) == SPAR_INVALID, "no snapshot is an error");
        fig = make_beliefs(dim);
        fig.dim = dim == 1 ? 0 : 3;
        ok(spar__plot_beliefs(&fig, &svg) == SPAR_INVALID, "so are other dimensions");
        fig.dim = dim;
        shots[1].n = 0;
        ok(spar__plot_beliefs(&fig, &svg) == SPAR_INVALID && svg.length == 0, "and a snapshot of nothing");
        test_memory(&(spar__beliefs){.dim = dim, .n = 1, .belief = shots, .value = "v", .truth = "t"});
    }
    spar__belief_foot foot = {.note = "a note"};
    spar__belief_foot_add(&foot, (spar__legend_entry){"one", 0, false, SPAR__MARK_WON});
    spar__belief_foot_add(&foot, (spar__legend_entry){"two", 0, true, SPAR__MARK_LINE});
    spar__belief_foot_fit(&foot, 500);
    spar__buf out = {0};
    spar__belief_foot_draw(&out, &foot, 0, 0);
    ok(foot.height > 40 && count(out.text, "<text") == 3 && count(out.text, "<circle") == 1,
       "a foot has a legend and a note");
    spar__buf_free(&out);
    return done();
}
