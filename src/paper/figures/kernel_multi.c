/* kernel_multi.c - four arms a round that depend on each other through their features. */
#include "paper/panels.h"
#include "paper/policies.h"

static const char *const settings[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    spar__paper_setting wanted = {.name = settings[0],
                                  .title = "Forrester",
                                  .env = "function(name=forrester,points=30)",
                                  .m = 4,
                                  .rounds = 100,
                                  .runs = 50,
                                  .quick_runs = 50,
                                  .policy = spar__kernel_policies,
                                  .n_policies = 2,
                                  .nanoseconds = 50000};
    spar_status status = spar__paper_add(paper, &wanted, err);
    wanted.name = settings[1];
    wanted.title = "Six-hump camel";
    wanted.env = "function(name=camel,points=8)";
    return status ? status : spar__paper_add(paper, &wanted, err);
}

const spar__paper_figure spar__figure_kernel_multi = {
    .name = "kernel-multi",
    .title = "Multi-dueling bandits with dependent arms",
    .says = "Four arms a round: KernelSelfSparring again has clearly less regret than GP-Sparring.",
    .plan = plan,
    .draw = spar__panels_draw,
    .data = settings,
    .settings = settings,
};
