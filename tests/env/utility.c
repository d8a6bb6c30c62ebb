#include "env/lab.h"

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The utilities of a world, highest first. */
static void sorted(const lab *l, double *out)
{
    memcpy(out, l->world->utility, l->world->n * sizeof *out);
    qsort(out, l->world->n, sizeof *out, falling);
}

static void check_set(const char *spec, size_t n, const double *wanted)
{
    lab l = lab_open(spec, "all_pairs");
    double got[32];
    ok(l.world->n == n && spar_world_arms(l.world)->n == n, "%s has %zu arms", spec, n);
    sorted(&l, got);
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(got[i] - wanted[i]));
    ok(worst <= 2e-16, "%s has its utilities", spec);
    ok(l.world->utility[spar_world_best(l.world, 1)] == got[0], "%s: the best arm is a maximiser", spec);
    lab_close(&l);
}

static void check_sets(void)
{
    double one[16], two[16], six[16], arith[16], geom[16];
    for (size_t i = 0; i < 16; i++) {
        one[i] = i < 1 ? 0.8 : 0.2;
        two[i] = i < 1 ? 0.8 : i < 2 ? 0.7 : 0.2;
        six[i] = i < 1 ? 0.8 : i < 6 ? 0.7 : 0.2;
        arith[i] = i < 1 ? 0.8 : (0.7 * (15 - (double)i) + 0.2 * ((double)i - 1)) / 14;
        geom[i] = i < 1 ? 0.8 : 0.7 * pow(2. / 7, ((double)i - 1) / 14);
    }
    check_set("utility(set=1good)", 16, one);
    check_set("utility(set=2good,link=logit)", 16, two);
    check_set("utility(set=6good,link=natural)", 16, six);
    check_set("utility(set=arith)", 16, arith);
    check_set("utility(set=geom)", 16, geom);
    double ends[32];
    lab l = lab_open("utility(set=geom)", "all_pairs");
    sorted(&l, ends);
    ok(ends[1] == 0.7 && ends[15] == 0.2, "geom: both ends are exact");
    lab_close(&l);
    l = lab_open("utility(set=arith)", "all_pairs");
    sorted(&l, ends);
    ok(ends[1] == 0.7 && ends[15] == 0.2, "arith: both ends are exact");
    lab_close(&l);
    check_set("utility(set=1good,k=3)", 3, (double[]){0.8, 0.2, 0.2});
    check_set("utility(set=arith,k=4)", 4, (double[]){0.8, 0.7, 0.45, 0.2});
    check_set("utility(set=geom,k=2)", 2, (double[]){0.8, 0.7});
    check_set("utility(set=arith,k=1)", 1, (double[]){0.8});
    check_set("utility(values=0.2:0.9:0.5)", 3, (double[]){0.9, 0.5, 0.2});
}

static void check_uniform(void)
{
    lab l = lab_open("utility(set=uniform,k=40)", "all_pairs");
    double cell[10] = {0}, p[10];
    for (size_t i = 0; i < 10; i++)
        p[i] = 0.1;
    bool fresh = true;
    for (uint64_t run = 0; run < 500; run++) {
        spar_world *a, *b;
        (void)spar_world_new(l.env, 1, run, &a, NULL);
        (void)spar_world_new(l.env, 1, run + 1, &b, NULL);
        for (size_t i = 0; i < 40; i++) {
            cell[(size_t)(a->utility[i] * 10)]++;
            fresh = fresh && a->utility[i] != b->utility[i];
        }
        spar_world_free(a);
        spar_world_free(b);
    }
    ok(fresh, "uniform utilities are fresh in every run");
    ok(fits(10, cell, p), "uniform utilities are uniform");
    lab_close(&l);
}

/* The sets to decide in. */
static void check_deciding(void)
{
    check_set("utility(set=steps,k=4,gap=0.25)", 4, (double[]){0, -0.25, -0.5, -0.75});
    check_set("utility(set=steps,k=3,link=linear)", 3, (double[]){0, -0.5, -1});
    check_set("utility(set=one,k=4)", 4, (double[]){0, -0.5, -0.5, -0.5});
    check_set("utility(set=two,k=4,gap=2)", 4, (double[]){0, 0, -2, -2});
    check_set("utility(set=equal,k=5)", 5, (double[]){0, 0, 0, 0, 0});
    lab l = lab_open("utility(set=two,k=3,gap=1)", "all_pairs");
    size_t worst = lab_arm(&l, -1);
    near(spar_world_prefer(l.world, 1, spar_world_best(l.world, 1), worst), 1 / (1 + exp(-1)), 1e-15,
         "logit by itself");
    for (size_t i = 0; i < 3; i++)
        ok((spar_world_gap(l.world, 1, i) == 0) == (i != worst), "both of the best cost nothing");
    lab_close(&l);
}

static void check_normal(void)
{
    lab l = lab_open("utility(set=normal,k=50,sd=2)", "all_pairs");
    double sum = 0, squares = 0;
    bool fresh = true;
    for (uint64_t run = 0; run < 400; run++) {
        spar_world *w;
        (void)spar_world_new(l.env, 1, run, &w, NULL);
        for (size_t i = 0; i < 50; i++) {
            sum += w->utility[i];
            squares += w->utility[i] * w->utility[i];
            fresh = fresh && w->utility[i] != l.world->utility[i];
        }
        spar_world_free(w);
    }
    near(sum / 20000, 0, 5 * 2 / sqrt(20000), "normal utilities have mean 0");
    near(squares / 20000, 4, 5 * 4 * sqrt(2. / 20000), "and standard deviation sd");
    ok(fresh, "fresh in every run");
    lab_close(&l);
}

static void check_refusals(void)
{
    static const char *const cases[][2] = {
        {"utility(values=0:1.5)", "utility: values=0:1.5: the linear link needs utilities at most 1 apart"},
        {"utility(values=0:0.5,link=natural)", "utility: values=0:0.5: the natural link needs utilities above 0"},
        {"utility(set=6good,k=5)", "utility: set=6good needs at least 6 arms, but k=5"},
        {"utility(set=2good,k=1)", "utility: set=2good needs at least 2 arms, but k=1"},
        {"utility(values=0.1:0.2,k=2)", "utility: values= cannot be combined with k="},
        {"utility(values=0.1:0.2,gap=1)", "utility: values= cannot be combined with gap="},
        {"utility(set=equal,gap=1)", "utility: set=equal has no gap=; steps, one and two have"},
        {"utility(set=steps,sd=1)", "utility: set=steps has no sd=; normal has"},
        {"utility(set=two,k=1)", "utility: set=two needs at least 2 arms, but k=1"},
        {"utility(set=normal,link=linear)", "utility: set=normal needs link=logit, which takes any utilities"},
        {"utility(set=steps,k=4,link=linear)",
         "utility: set=steps: the linear link needs utilities at most 1 apart; link=logit takes any"},
        {"utility(set=one,link=natural)",
         "utility: set=one: the natural link needs utilities above 0; link=logit takes any"},
        {"utility(k=3,x=1:2)", "utility: x= has 2 values for 3 arms"},
        {"utility(k=2,x=1:2,features=utility)", "utility: x= and features=utility exclude each other"},
        {"utilty", "unknown environment 'utilty'; did you mean 'utility'?"},
        {"utility/utility", "utility/utility: expected one environment, without '/'"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        same_text(lab_refusal(cases[c][0], "all_pairs"), cases[c][1], "%s is refused", cases[c][0]);
    const char *text = lab_refusal("xyzzy", "all_pairs");
    ok(strncmp(text, "unknown environment 'xyzzy'; known: utility, ", 45) == 0, "all kinds are listed: %s", text);
    same_text(lab_refusal("utility(values=-3:5,link=logit)", NULL), "", "the logit link takes all utilities");
}

int main(void)
{
    check_sets();
    check_uniform();
    check_deciding();
    check_normal();
    check_refusals();
    lab_starve("utility(set=uniform,features=utility)", "all_pairs");
    lab_starve("utility(values=0.1:0.9,x=1:2)", "all_pairs");
    return done();
}
