/* kernel.c - two arms a round that depend on each other through their features. */
#include "paper/panels.h"
#include "paper/roles.h"

static const char *const scenes[] = {"kernel/gp", "kernel/forrester", "kernel/camel", NULL};

static spar_status stage(spar__paper *paper, spar_error *err)
{
    static const spar__setup setups[] = {
        {.name = "kernel/gp",
         .title = "Draws of a GP",
         .env = "function(name=gp,points=30,length=0.2)",
         .m = 2,
         .rounds = 100,
         .runs = 100,
         .quick_runs = 100,
         .role = spar__kernel_roles,
         .n_roles = 2,
         .nanoseconds = 20000},
        {.name = "kernel/forrester",
         .title = "Forrester",
         .env = "function(name=forrester,points=30)",
         .m = 2,
         .rounds = 100,
         .runs = 20,
         .quick_runs = 20,
         .role = spar__kernel_roles,
         .n_roles = SPAR__KERNEL_ROLES,
         .nanoseconds = 1e6},
        {.name = "kernel/camel",
         .title = "Six-hump camel",
         .env = "function(name=camel,points=8)",
         .m = 2,
         .rounds = 500,
         .runs = 100,
         .quick_runs = 20,
         .role = spar__kernel_roles,
         .n_roles = 2,
         .nanoseconds = 50000},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof setups / sizeof *setups; i++)
        status = spar__paper_stage(paper, &setups[i], err);
    return status;
}

static spar_status draw(const spar__paper *paper, spar__buf *svg, spar_error *err)
{
    return spar__panels_draw(paper, scenes, 3, svg, err);
}

const spar__paper_figure spar__figure_kernel = {
    .name = "kernel",
    .title = "Dueling bandits with dependent arms",
    .says = "Two arms a round; what is learned of one says something of its neighbours. KernelSelfSparring does much "
            "better than GP-Sparring, and on Forrester than BOPPER.",
    .stage = stage,
    .draw = draw,
    .scene = scenes,
};
