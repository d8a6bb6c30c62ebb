/* multi.c - four arms a round, independent arms. */
#include "paper/panels.h"
#include "paper/roles.h"

static const char *const scenes[] = {"multi/linear-1good", "multi/linear-arith", NULL};

static spar_status stage(spar__paper *paper, spar_error *err)
{
    spar__setup setup = {.name = scenes[0],
                         .title = "linear / 1good",
                         .env = "utility(set=1good,link=linear)",
                         .m = 4,
                         .rounds = 20000,
                         .runs = 100,
                         .quick_runs = 10,
                         .role = spar__multi_roles,
                         .n_roles = SPAR__MULTI_ROLES,
                         .nanoseconds = 900};
    spar_status status = spar__paper_stage(paper, &setup, err);
    setup.name = scenes[1];
    setup.title = "linear / arith";
    setup.env = "utility(set=arith,link=linear)";
    return status ? status : spar__paper_stage(paper, &setup, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__panels_draw(paper, scenes, 2, svg, err);
}

const spar__paper_figure spar__figure_multi = {
    .name = "multi",
    .title = "Multi-dueling bandits on linear / 1good and arith",
    .says = "Four arms a round, and every pair of them compared: IndSelfSparring has far less regret than MDB and "
            "MultiSparring.",
    .stage = stage,
    .draw = draw,
    .scene = scenes,
};
