/* rankers.c - four rankers of a search engine a round, out of random subsets of sixteen. */
#include "paper/panels.h"
#include "paper/roles.h"

static const char *const scenes[] = {"rankers/letor", "rankers/matrix", "rankers/generated", NULL};

static spar_status stage(spar__paper *paper, spar_error *err)
{
    return spar__paper_stage_rankers(paper,
                                     &(spar__setup){.m = 4,
                                                    .rounds = 20000,
                                                    .runs = 50,
                                                    .quick_runs = 5,
                                                    .role = spar__multi_roles,
                                                    .n_roles = SPAR__MULTI_ROLES,
                                                    .nanoseconds = 3000},
                                     err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__panels_draw(paper, scenes, 3, svg, err);
}

const spar__paper_figure spar__figure_rankers = {
    .name = "rankers",
    .title = "Multi-dueling bandits on rankers",
    .says = "Four rankers a round, out of 50 random subsets of 16 in which one ranker beats all others (the paper "
            "takes them from MSLR): IndSelfSparring again has much less regret than the others.",
    .stage = stage,
    .draw = draw,
    .scene = scenes,
};
