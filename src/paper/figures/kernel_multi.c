/* kernel_multi.c - four arms a round that depend on each other through their features. */
#include "paper/panels.h"
#include "paper/roles.h"

static const char *const scenes[] = {"kernel-multi/forrester", "kernel-multi/camel", NULL};

static spar_status stage(spar__paper *paper, spar_error *err)
{
    spar__setup setup = {.name = scenes[0],
                         .title = "Forrester",
                         .env = "function(name=forrester,points=30)",
                         .m = 4,
                         .rounds = 100,
                         .runs = 50,
                         .quick_runs = 50,
                         .role = spar__kernel_roles,
                         .n_roles = 2,
                         .nanoseconds = 50000};
    spar_status status = spar__paper_stage(paper, &setup, err);
    setup.name = scenes[1];
    setup.title = "Six-hump camel";
    setup.env = "function(name=camel,points=8)";
    return status ? status : spar__paper_stage(paper, &setup, err);
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__panels_draw(paper, scenes, 2, svg, err);
}

const spar__paper_figure spar__figure_kernel_multi = {
    .name = "kernel-multi",
    .title = "Multi-dueling bandits with dependent arms",
    .says = "Four arms a round: KernelSelfSparring again has clearly less regret than GP-Sparring.",
    .stage = stage,
    .draw = draw,
    .scene = scenes,
};
