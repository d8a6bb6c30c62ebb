/* multi.c - four arms a round, independent arms. */
#include "paper/panels.h"
#include "paper/policies.h"

static const char *const settings[] = {"multi/linear-1good", "multi/linear-arith", NULL};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar__paper_setting wanted = {.name = settings[0],
                                  .title = "linear / 1good",
                                  .env = "utility(set=1good,link=linear)",
                                  .m = 4,
                                  .rounds = 20000,
                                  .runs = 100,
                                  .quick_runs = 10,
                                  .policy = spar__multi_policies,
                                  .n_policies = SPAR__MULTI_POLICIES,
                                  .nanoseconds = 900};
    spar_status status = spar__paper_add(paper, &wanted, err);
    wanted.name = settings[1];
    wanted.title = "linear / arith";
    wanted.env = "utility(set=arith,link=linear)";
    return status ? status : spar__paper_add(paper, &wanted, err);
}

const spar__paper_figure spar__figure_multi = {
    .name = "multi",
    .title = "Multi-dueling bandits on linear / 1good and arith",
    .says = "Four arms a round, and every pair of them compared: IndSelfSparring has far less regret than MDB and "
            "MultiSparring.",
    .plan = plan,
    .draw = spar__panels_draw,
    .data = settings,
    .settings = settings,
};
