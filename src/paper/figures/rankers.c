/* rankers.c - four rankers of a search engine a round, out of random subsets of sixteen. */
#include "paper/panels.h"
#include "paper/policies.h"

static const char *const settings[] = {"rankers/letor", "rankers/matrix", "rankers/generated", NULL};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    return spar__paper_add_rankers(paper,
                                   &(spar__paper_setting){.m = 4,
                                                          .rounds = 20000,
                                                          .runs = 50,
                                                          .quick_runs = 5,
                                                          .policy = spar__multi_policies,
                                                          .n_policies = SPAR__MULTI_POLICIES,
                                                          .nanoseconds = 3000},
                                   err);
}

const spar__paper_figure spar__figure_rankers = {
    .name = "rankers",
    .title = "Multi-dueling bandits on rankers",
    .says = "Four rankers a round, out of 50 random subsets of 16 in which one ranker beats all others (the paper "
            "takes them from MSLR): IndSelfSparring again has much less regret than the others.",
    .plan = plan,
    .draw = spar__panels_draw,
    .data = settings,
    .settings = settings,
};
