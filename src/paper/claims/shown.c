#include "paper/claims/shown.h"

#include "paper/roles.h"

#include <stdio.h>

const double spar__shown_m[SPAR__SHOWN_STEPS] = {2, 4, 8, 16};

const spar__shown_casts spar__shown_independent = {
    2,
    {{"linear-1good", "linear / 1good", "utility(set=1good,link=linear)", spar__multi_roles, 3, 20000, 5},
     {"linear-arith", "linear / arith", "utility(set=arith,link=linear)", spar__multi_roles, 3, 20000, 5}}};

const spar__shown_casts spar__shown_kernel = {
    1, {{"forrester", "Forrester", "function(name=forrester,points=30)", spar__kernel_roles, 2, 100, 50}}};

static void name_scene(const spar__shown_cast *cast, double m, char *out, size_t size)
{
    (void)snprintf(out, size, "shown/%s-%.0f", cast->name, m);
}

static spar_status stage_one(const spar__shown_cast *cast, double m, spar__paper *paper, spar_error *err)
{
    bool shared = m == 4 && cast->rounds > 1000; /* with a figure, which has these runs */
    char name[64], title[80];
    name_scene(cast, m, name, sizeof name);
    (void)snprintf(title, sizeof title, "%s, m = %.0f", cast->title, m);
    spar__setup setup = {.name = name,
                         .title = title,
                         .env = cast->env,
                         .m = (size_t)m,
                         .rounds = cast->rounds,
                         .runs = shared ? 100 : 50,
                         .quick_runs = shared ? 10 : cast->quick_runs,
                         .role = cast->role,
                         .n_roles = cast->n_roles,
                         .nanoseconds = cast->rounds > 1000 ? 200 * m : 3000 * m};
    return spar__paper_stage(paper, &setup, err);
}

spar_status spar__shown_stage(const spar__shown_casts *casts, spar__paper *paper, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t c = 0; !status && c < casts->n; c++)
        for (size_t i = 0; !status && i < SPAR__SHOWN_STEPS; i++)
            status = stage_one(&casts->cast[c], spar__shown_m[i], paper, err);
    return status;
}

const spar__scene *spar__shown_scene(const spar__paper *paper, const spar__shown_cast *cast, double m)
{
    char name[64];
    name_scene(cast, m, name, sizeof name);
    return spar__paper_scene(paper, name);
}
