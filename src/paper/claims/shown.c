#include "paper/claims/shown.h"

#include "paper/roles.h"

#include <stdio.h>

const double spar__shown_m[SPAR__SHOWN_STEPS] = {2, 4, 8, 16};

const spar__shown_cast spar__shown_casts[SPAR__SHOWN_CASTS] = {
    {"linear-1good", "linear / 1good", "utility(set=1good,link=linear)", spar__multi_roles, SPAR__MULTI_ROLES, 20000},
    {"linear-arith", "linear / arith", "utility(set=arith,link=linear)", spar__multi_roles, SPAR__MULTI_ROLES, 20000},
    {"forrester", "Forrester", "function(name=forrester,points=30)", spar__kernel_roles, 2, 100},
};

static void name_scene(const spar__shown_cast *cast, double m, char *out, size_t size)
{
    (void)snprintf(out, size, "shown/%s-%.0f", cast->name, m);
}

/* At m = 4 these are cells of the paper's own figures. */
spar_status spar__shown_stage(spar__paper *paper, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t c = 0; !status && c < SPAR__SHOWN_CASTS; c++)
        for (size_t i = 0; !status && i < SPAR__SHOWN_STEPS; i++) {
            const spar__shown_cast *cast = &spar__shown_casts[c];
            double m = spar__shown_m[i];
            bool kernel = cast->rounds <= 100, figure = m == 4 && !kernel;
            char name[64], title[80];
            name_scene(cast, m, name, sizeof name);
            (void)snprintf(title, sizeof title, "%s, m = %.0f", cast->title, m);
            spar__setup setup = {.name = name,
                                 .title = title,
                                 .env = cast->env,
                                 .m = (size_t)m,
                                 .rounds = cast->rounds,
                                 .runs = figure ? 100 : 50,
                                 .quick_runs = kernel   ? 50
                                               : figure ? 10
                                                        : 5,
                                 .role = cast->role,
                                 .n_roles = cast->n_roles,
                                 .nanoseconds = kernel ? 3000 * m : 200 * m};
            status = spar__paper_stage(paper, &setup, err);
        }
    return status;
}

const spar__scene *spar__shown_scene(const spar__paper *paper, const spar__shown_cast *cast, double m)
{
    char name[64];
    name_scene(cast, m, name, sizeof name);
    return spar__paper_scene(paper, name);
}
