#include "env/lab.h"

static void check_links(void)
{
    static const struct {
        const char *spec;
        double p; /* 0.8 beats 0.2 */
    } cases[] = {{"utility(link=linear)", 0.8},
                 {"utility(link=logit)", 0.6456563062257954},
                 {"utility(link=natural)", 0.8},
                 {"utility(link=natural,values=0.8:0.2:0.5)", 0.8}};
    for (size_t c = 0; c < 4; c++) {
        lab l = lab_open(cases[c].spec, "all_pairs");
        size_t best = spar_world_best(l.world, 1), worst = lab_arm(&l, 0.2);
        near(spar_world_prefer(l.world, 1, best, worst), cases[c].p, 1e-15, "%s: P", cases[c].spec);
        near(spar_world_gap(l.world, 1, worst), cases[c].p - 0.5, 1e-15, "%s: gap", cases[c].spec);
        ok(spar_world_gap(l.world, 1, best) == 0, "%s: the best costs nothing", cases[c].spec);
        lab_close(&l);
    }
    static const char *const all[] = {"utility(set=uniform,link=linear)", "utility(set=uniform,link=logit)",
                                      "utility(set=uniform,link=natural)", "utility(set=geom,k=600,link=logit)"};
    for (size_t c = 0; c < 4; c++) {
        lab l = lab_open(all[c], "all_pairs");
        bool exact = true, in_range = true;
        for (size_t i = 0; i < l.world->n; i++)
            for (size_t j = 0; j < l.world->n; j++) {
                double p = spar_world_prefer(l.world, 1, i, j);
                exact = exact && p == 1 - spar_world_prefer(l.world, 1, j, i) && (i != j || p == 0.5);
                in_range = in_range && p >= 0 && p <= 1;
            }
        ok(exact && in_range, "%s: P + P^T is exactly 1", all[c]);
        ok(!l.world->phase[0].p == (l.world->n > 512), "%s: a table of P for small sets only", all[c]);
        lab_close(&l);
    }
}

static void check_values(void)
{
    near(spar__link_prefer(SPAR__LINK_LINEAR, 0.3, 0.7), 0.3, 1e-16, "linear: (1 + x - y) / 2");
    near(spar__link_prefer(SPAR__LINK_LOGIT, 1, 3), 1 / (1 + exp(2)), 2e-16, "logit: 1 / (1 + exp(y - x))");
    near(spar__link_prefer(SPAR__LINK_NATURAL, 1, 3), 0.25, 1e-16, "natural: x / (x + y)");
    ok(spar__link_prefer(SPAR__LINK_LINEAR, 1, 0) == 1 && spar__link_prefer(SPAR__LINK_LINEAR, 0, 1) == 0,
       "linear: sure at distance 1");
    ok(spar__link_prefer(SPAR__LINK_LOGIT, 1e6, -1e6) == 1 && spar__link_prefer(SPAR__LINK_LOGIT, -1e6, 1e6) == 0,
       "logit: sure at a large distance");
    near(spar__link_prefer(SPAR__LINK_NATURAL, 1.6e308, 0.8e308), 2. / 3, 2e-16, "natural: no overflow");
}

static void check_refusals(void)
{
    ok(!spar__link_refuses(SPAR__LINK_LINEAR, (double[]){0, 1, 0.5}, 3), "linear takes what is at most 1 apart");
    ok(spar__link_refuses(SPAR__LINK_LINEAR, (double[]){0.5, 1.1, 0}, 3), "linear refuses more");
    ok(!spar__link_refuses(SPAR__LINK_LOGIT, (double[]){-9, 1.1, 0}, 3), "logit takes all");
    ok(!spar__link_refuses(SPAR__LINK_NATURAL, (double[]){0.1, 5}, 2), "natural takes what is positive");
    ok(spar__link_refuses(SPAR__LINK_NATURAL, (double[]){5, 0}, 2), "natural refuses 0");
}

int main(void)
{
    check_values();
    check_links();
    check_refusals();
    return done();
}
