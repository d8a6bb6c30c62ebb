#include "paper/claims/shown.h"

#include "paper/policies.h"

#include <stdio.h>

const double spar__shown_m[SPAR__SHOWN_STEPS] = {2, 4, 8, 16};

const spar__shown_cases spar__shown_independent = {
    2,
    {{"linear-1good", "linear / 1good", "utility(set=1good,link=linear)", spar__multi_policies, 3, 20000, 5},
     {"linear-arith", "linear / arith", "utility(set=arith,link=linear)", spar__multi_policies, 3, 20000, 5}}};

const spar__shown_cases spar__shown_kernel = {
    1, {{"forrester", "Forrester", "function(name=forrester,points=30)", spar__kernel_policies, 2, 100, 50}}};

static void name_setting(const spar__shown_case *one, double m, char *out, size_t size)
{
    (void)snprintf(out, size, "shown/%s-%.0f", one->name, m);
}

static spar_status add_one(const spar__shown_case *one, double m, spar__paper *paper, spar_error *err)
{
    bool shared = m == 4 && one->rounds > 1000; /* with a figure, which has this many runs */
    char name[64], title[80];
    name_setting(one, m, name, sizeof name);
    (void)snprintf(title, sizeof title, "%s, m = %.0f", one->title, m);
    spar__paper_setting wanted = {.name = name,
                                  .title = title,
                                  .env = one->env,
                                  .m = (size_t)m,
                                  .rounds = one->rounds,
                                  .runs = shared ? 100 : 50,
                                  .quick_runs = shared ? 10 : one->quick_runs,
                                  .policy = one->policy,
                                  .n_policies = one->n_policies,
                                  .nanoseconds = one->rounds > 1000 ? 200 * m : 3000 * m};
    return spar__paper_add(paper, &wanted, err);
}

spar_status spar__shown_plan(const void *data, spar__paper *paper, spar_error *err)
{
    const spar__shown_cases *cases = data;
    spar_status status = SPAR_OK;
    for (size_t c = 0; !status && c < cases->n; c++)
        for (size_t i = 0; !status && i < SPAR__SHOWN_STEPS; i++)
            status = add_one(&cases->item[c], spar__shown_m[i], paper, err);
    return status;
}

const spar__cell *spar__shown_cell(const spar__paper *paper, const spar__shown_case *one, double m, size_t policy)
{
    char name[64];
    name_setting(one, m, name, sizeof name);
    return spar__paper_cell(spar__paper_find(paper, name), one->policy[policy].label);
}
