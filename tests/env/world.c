#include "env/lab.h"

static void check_labels(void)
{
    lab l = lab_open("utility(set=arith,k=5,x=10:11:12:13:14)", "all_pairs");
    double place[5][5] = {{0}}, fifth[5] = {0.2, 0.2, 0.2, 0.2, 0.2};
    bool again = true, together = true;
    for (uint64_t run = 0; run < 4000; run++) {
        spar_world *a, *b;
        (void)spar_world_new(l.env, 11, run, &a, NULL);
        (void)spar_world_new(l.env, 11, run, &b, NULL);
        again = again && memcmp(a->utility, b->utility, 5 * sizeof(double)) == 0;
        for (size_t i = 0; i < 5; i++) {
            size_t item = (size_t)a->arms->x[i] - 10;
            place[item][i]++;
            double u = item == 0 ? 0.8 : item == 1 ? 0.7 : item == 4 ? 0.2 : 0.7 - (double)(item - 1) / 6;
            together = together && fabs(a->utility[i] - u) < 1e-15;
        }
        spar_world_free(a);
        spar_world_free(b);
    }
    ok(again, "the labels of a run are a function of seed and run");
    ok(together, "a feature travels with its arm");
    for (size_t item = 0; item < 5; item++)
        ok(fits(5, place[item], fifth), "item %zu gets every label alike", item);
    lab other = lab_open("utility(set=uniform,k=5,x=10:11:12:13:14,link=logit,ties=1)", "all_pairs");
    ok(memcmp(l.world->arms->x, other.world->arms->x, 5 * sizeof(double)) == 0,
       "labels do not depend on what else the environment draws");
    lab_close(&other);
    lab_close(&l);
    l = lab_open("utility(set=uniform,features=utility)", "all_pairs");
    ok(memcmp(l.world->arms->x, l.world->utility, 16 * sizeof(double)) == 0, "features=utility");
    lab_close(&l);
}

/* So many arms that there are no tables. */
static void check_many(const char *link)
{
    char spec[64];
    (void)snprintf(spec, sizeof spec, "utility(set=arith,k=1000,link=%s)", link);
    lab l = lab_open(spec, "all_pairs");
    size_t best = spar_world_best(l.world, 1), wrong = 0;
    for (size_t i = 0; i < 1000; i++)
        wrong += spar_world_gap(l.world, 1, i) != spar_world_prefer(l.world, 1, best, i) - 0.5;
    ok(wrong == 0 && l.world->utility[best] == 0.8 && !l.world->phase->gap, "%s: gaps without a table", spec);
    lab_close(&l);
}

static void check_streams(void)
{
    spar_env *env;
    (void)spar_env_new("utility(set=uniform)", &env, NULL);
    spar_world *w[4];
    static const uint64_t key[4][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};
    bool apart = true;
    for (size_t i = 0; i < 4; i++) {
        (void)spar_world_new(env, key[i][0], key[i][1], &w[i], NULL);
        for (size_t k = 0; k < i; k++)
            apart = apart && w[i]->luck.key != w[k]->luck.key && w[i]->utility[0] != w[k]->utility[0];
    }
    ok(apart, "every seed and every run has a world of its own");
    for (size_t i = 0; i < 4; i++)
        spar_world_free(w[i]);
    spar_env_free(env);
}

int main(void)
{
    check_labels();
    check_many("linear");
    check_many("logit");
    check_streams();
    return done();
}
