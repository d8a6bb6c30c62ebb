/* kernel.c - two arms a round that depend on each other through their features. */
#include "paper/panels.h"
#include "paper/policies.h"

static const char *const settings[] = {"kernel/gp", "kernel/forrester", "kernel/camel", NULL};

static spar_status plan(const void *data, spar__paper *paper, spar_error *err)
{
    (void)data;
    static const spar__paper_setting wanted[] = {
        {.name = "kernel/gp",
         .title = "Draws of a GP",
         .env = "function(name=gp,points=30,length=0.2)",
         .m = 2,
         .rounds = 100,
         .runs = 100,
         .quick_runs = 100,
         .policy = spar__kernel_policies,
         .n_policies = 2,
         .nanoseconds = 20000},
        {.name = "kernel/forrester",
         .title = "Forrester",
         .env = "function(name=forrester,points=30)",
         .m = 2,
         .rounds = 100,
         .runs = 20,
         .quick_runs = 20,
         .policy = spar__kernel_policies,
         .n_policies = SPAR__KERNEL_POLICIES,
         .nanoseconds = 1e6},
        {.name = "kernel/camel",
         .title = "Six-hump camel",
         .env = "function(name=camel,points=8)",
         .m = 2,
         .rounds = 500,
         .runs = 100,
         .quick_runs = 20,
         .policy = spar__kernel_policies,
         .n_policies = 2,
         .nanoseconds = 50000},
    };
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof wanted / sizeof *wanted; i++)
        status = spar__paper_add(paper, &wanted[i], err);
    return status;
}

const spar__paper_figure spar__figure_kernel = {
    .name = "kernel",
    .title = "Dueling bandits with dependent arms",
    .says = "Two arms a round; what is learned about one arm also informs about its neighbours. KernelSelfSparring "
            "does much "
            "better than GP-Sparring, and on Forrester than BOPPER.",
    .plan = plan,
    .draw = spar__panels_draw,
    .data = settings,
    .settings = settings,
};
