#include "env/lab.h"
#include "env/function.h"

#include <unistd.h>

/* The item of a grid at an arm's features, the last dimension running fastest. */
static size_t item_of(const spar_arms *arms, size_t points, size_t i)
{
    size_t item = 0;
    for (size_t d = 0; d < arms->dim; d++)
        item = item * points + (size_t)rint(arms->x[i * arms->dim + d] * (double)(points - 1));
    return item;
}

/* Arms are the whole grid, each with the utility of its place. */
static void check_grid(const char *spec, size_t name, size_t domain, size_t dim, size_t points)
{
    lab l = lab_open(spec, "all_pairs");
    const spar__test_function *f = spar__test_function_of(name, domain);
    const spar_arms *arms = spar_world_arms(l.world);
    size_t n = 1, moved = 0;
    for (size_t d = 0; d < dim; d++)
        n *= points;
    if (!ok(arms->n == n && l.world->n == n && arms->dim == dim, "%s has %zu arms in %zu dimensions", spec, n, dim)) {
        lab_close(&l);
        return;
    }
    bool *seen = spar__alloc(n, sizeof *seen), exact = true;
    double worst = 0, highest = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        size_t item = item_of(arms, points, i);
        exact = exact && item < n && !seen[item];
        seen[item % n] = true;
        moved += item != i;
        for (size_t d = dim, rest = item; d-- > 0; rest /= points)
            exact = exact && arms->x[i * dim + d] == (double)(rest % points) / (double)(points - 1);
        double wanted = -spar__test_function_at(f, dim, arms->x + i * dim);
        worst = fmax(worst, fabs(l.world->utility[i] - wanted) / (1 + fabs(wanted)));
        highest = fmax(highest, l.world->utility[i]);
    }
    ok(exact && moved > n / 2, "%s: every point of the grid is an arm, in random order", spec);
    ok(worst < 1e-11, "%s: utilities are minus the function there", spec);
    ok(l.world->utility[spar_world_best(l.world, 1)] == highest, "%s: the best arm is a minimiser", spec);
    spar__free(seen);
    lab_close(&l);
}

static void check_grids(void)
{
    check_grid("function", SPAR__TEST_FORRESTER, 0, 1, 30);
    check_grid("function(name=forrester,points=2)", SPAR__TEST_FORRESTER, 0, 1, 2);
    check_grid("function(name=camel)", SPAR__TEST_CAMEL, 0, 2, 8);
    check_grid("function(name=camel,points=8,domain=standard)", SPAR__TEST_CAMEL, 1, 2, 8);
    check_grid("function(name=camel,points=9,domain=inner)", SPAR__TEST_CAMEL, 2, 2, 9);
    check_grid("function(name=branin)", SPAR__TEST_BRANIN, 0, 2, 8);
    check_grid("function(name=goldstein,points=20)", SPAR__TEST_GOLDSTEIN, 0, 2, 20);
    check_grid("function(name=hartmann6)", SPAR__TEST_HARTMANN6, 0, 6, 4);
    check_grid("function(name=ackley)", SPAR__TEST_ACKLEY, 0, 2, 8);
    check_grid("function(name=ackley,d=3,points=5)", SPAR__TEST_ACKLEY, 0, 3, 5);
    lab l = lab_open("function(name=camel,domain=standard)", "all_pairs");
    size_t best = 0;
    for (size_t i = 0; i < 64; i++)
        best += spar_world_gap(l.world, 1, i) == 0;
    ok(best == 2, "the standard camel has two best arms");
    lab_close(&l);
    l = lab_open("function(name=forrester,points=1000)", "all_pairs");
    near(spar_world_arms(l.world)->x[spar_world_best(l.world, 1)], 0.757249, 0.5 / 999, "forrester's best place");
    lab_close(&l);
    l = lab_open("function(name=camel,points=1000)", "all_pairs");
    ok(l.world->n == 1000000 && !l.world->phase->p, "a million arms, and no matrix of them");
    const double *x = spar_world_arms(l.world)->x + 2 * spar_world_best(l.world, 1);
    ok(x[0] == 0 && fabs(x[1] - sqrt(0.5)) < 0.5 / 999, "the best of them is at (0, 0.7071)");
    lab_close(&l);
}

static void utilities_by_item(const spar_env *env, uint64_t seed, uint64_t run, size_t points, double *out)
{
    spar_world *world;
    (void)spar_world_new(env, seed, run, &world, NULL);
    for (size_t i = 0; i < world->n; i++)
        out[item_of(world->arms, points, i)] = world->utility[i];
    spar_world_free(world);
}

static void check_draws(void)
{
    lab l = lab_open("function(name=gp,points=10)", "all_pairs"),
        square = lab_open("function(name=gp,points=6,dim=2)", "all_pairs");
    double u[10], v[10], near_by = 0, far = 0, power = 0, corner[36];
    utilities_by_item(l.env, 1, 1, 10, u);
    utilities_by_item(l.env, 1, 1, 10, v);
    ok(memcmp(u, v, sizeof u) == 0, "a draw is a function of seed and run");
    utilities_by_item(l.env, 1, 2, 10, v);
    bool fresh = memcmp(u, v, sizeof u) != 0;
    utilities_by_item(l.env, 2, 1, 10, v);
    ok(fresh && memcmp(u, v, sizeof u) != 0, "and fresh for others");
    enum { RUNS = 4000 };
    double beside = 0, opposite = 0, along = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        utilities_by_item(l.env, 3, run, 10, u);
        power += u[4] * u[4] / RUNS;
        near_by += u[4] * u[5] / RUNS;
        far += u[0] * u[9] / RUNS;
        utilities_by_item(square.env, 3, run, 6, corner);
        beside += corner[0] * corner[1] / RUNS;
        along += corner[0] * corner[6] / RUNS;
        opposite += corner[0] * corner[7] / RUNS;
    }
    double k = exp(-pow(1.0 / 9 / 0.2, 2) / 2), q = exp(-pow(0.2 / 0.2, 2) / 2), sigma = 1 / sqrt(RUNS);
    near(power, 1, 5 * sqrt(2) * sigma, "variance 1");
    near(near_by, k, 5 * sqrt(1 + k * k) * sigma, "features next to each other belong to utilities alike");
    near(far, 0, 5 * sigma, "those far apart do not");
    near(beside, q, 5 * sqrt(1 + q * q) * sigma, "a square: along its last axis");
    near(along, q, 5 * sqrt(1 + q * q) * sigma, "along its first");
    near(opposite, q * q, 5 * sqrt(1 + q * q * q * q) * sigma, "and along both");
    lab_close(&l);
    lab_close(&square);
}

static const char *write_table(const char *text)
{
    static char path[] = "test_function_XXXXXX";
    static bool made;
    int file = made ? -1 : mkstemp(path);
    if (file >= 0)
        (void)close(file);
    made = true;
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out))
        abort();
    return path;
}

static void check_table(void)
{
    const char *path = write_table("name,colour,x,worth\na,red,1,0.9\nb,blue,3,0.2\nc,red,2,0.4\n");
    char spec[200], refusal[300];
    (void)snprintf(spec, sizeof spec, "function(file=\"%s\",utility=worth)", path);
    lab l = lab_open(spec, "confusable");
    const spar_arms *arms = spar_world_arms(l.world);
    size_t best = spar_world_best(l.world, 1), b = lab_arm(&l, 0.2), c = lab_arm(&l, 0.4);
    ok(arms->n == 3 && arms->dim == 3, "a table is an environment with features");
    ok(l.world->utility[best] == 0.9 && strcmp(arms->name[best], "a") == 0 && strcmp(arms->name[b], "b") == 0,
       "names travel with their utilities");
    ok(arms->x[best * 3 + 2] == 0 && arms->x[b * 3 + 2] == 1 && arms->x[c * 3 + 2] == 0.5 &&
           arms->x[best * 3] == sqrt(0.5) && arms->x[b * 3] == 0,
       "so do features");
    near(spar_world_prefer(l.world, 1, best, b), 1 / (1 + exp(-0.7)), 1e-15, "the link is logit");
    lab_close(&l);
    lab_starve(spec, "all_pairs");
    (void)snprintf(spec, sizeof spec, "function(file=\"%s\",utility=worth,scale=none,link=linear,ties=1)", path);
    l = lab_open(spec, "all_pairs");
    c = lab_arm(&l, 0.4);
    near(spar_world_prefer(l.world, 1, lab_arm(&l, 0.9), c), 0.75, 1e-15, "or another");
    ok(spar_world_arms(l.world)->x[c * 3 + 2] == 2 && l.world->ties == 1, "scale=none, ties=1");
    lab_close(&l);

    path = write_table("utility\n1.5\n0.25\n");
    (void)snprintf(spec, sizeof spec, "function(file=\"%s\")", path);
    same_text(lab_refusal(spec, "confusable"),
              "confusable: needs arms with features, and this function has none (utility has with x= or "
              "features=utility)",
              "a table of utilities alone has no features");
    l = lab_open(spec, "all_pairs");
    ok(spar_world_arms(l.world)->dim == 0, "but arms");
    lab_close(&l);
    (void)snprintf(spec, sizeof spec, "function(file=\"%s\",link=linear)", path);
    (void)snprintf(refusal, sizeof refusal, "function: file=%s: the linear link needs utilities at most 1 apart", path);
    same_text(lab_refusal(spec, NULL), refusal, "utilities too far apart");
    (void)unlink(path);
}

static void check_refusals(void)
{
    static const char *const cases[][2] = {
        {"function(name=sphere)",
         "function: name=sphere is not one of forrester|camel|branin|goldstein|hartmann6|ackley|gp"},
        {"function(name=branin,domain=unit)", "function: domain= is for name=camel"},
        {"function(name=camel,d=2)", "function: d= is for name=ackley"},
        {"function(name=camel,length=2)", "function: length= is for name=gp"},
        {"function(name=ackley,dim=2)", "function: dim= is for name=gp"},
        {"function(name=gp,box=1)", "function: box= is for test functions, not for file= or name=gp"},
        {"function(box=1,points=4)", "function: points= is for grids, not for file= or box=1"},
        {"function(levels=4)", "function: levels= is for box=1"},
        {"function(utility=x)", "function: utility= is for file="},
        {"function(scale=none)", "function: scale= is for file="},
        {"function(file=x,name=camel)", "function: name= cannot be combined with file="},
        {"function(file=x,points=4)", "function: points= is for grids, not for file= or box=1"},
        {"function(file=x,box=0)", "function: box= is for test functions, not for file= or name=gp"},
        {"function(file=/no/such)", "/no/such: cannot open: No such file or directory"},
        {"function(name=gp,link=natural)",
         "function: link=natural: utilities of name=gp may be any number, so only logit will do"},
        {"function(box=1,link=linear)",
         "function: link=linear: utilities of box=1 may be any number, so only logit will do"},
        {"function(link=natural)", "function: name=forrester: the natural link needs utilities above 0"},
        {"function(link=linear)", "function: name=forrester: the linear link needs utilities at most 1 apart"},
        {"function(points=1)", "function: points=1 is out of range, expected 2 to 1e+07"},
        {"function(name=camel,points=3163)",
         "function: 3163 points in each of 2 dimensions are more than 10000000 arms"},
        {"function(name=ackley,d=20,points=4)",
         "function: 4 points in each of 20 dimensions are more than 10000000 arms"},
        {"function(name=camel,box=1,levels=2:3:4)", "function: levels= has 3 values for 2 dimensions"},
        {"function(box=1,levels=1)", "function: levels=1: expected 0 or whole numbers from 2"},
        {"function(name=camel,box=1,levels=0:2.5)", "function: levels=0:2.5: expected 0 or whole numbers from 2"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        same_text(lab_refusal(cases[c][0], "all_pairs"), cases[c][1], "%s is refused", cases[c][0]);
    same_text(lab_refusal("function(name=hartmann6,link=natural)", NULL), "", "the natural link takes hartmann6");
}

static void check_boxes(void)
{
    static const char *const all[] = {"forrester", "camel", "branin", "goldstein", "hartmann6", "ackley"};
    static const size_t dims[] = {1, 2, 2, 2, 6, 2};
    for (size_t i = 0; i < 6; i++) {
        char spec[100];
        (void)snprintf(spec, sizeof spec, "function(name=%s,box=1)", all[i]);
        lab l = lab_open(spec, "all_pairs");
        const spar_arms *arms = spar_world_arms(l.world);
        bool ranges = arms->space.n_axes == dims[i];
        for (size_t d = 0; ranges && d < dims[i]; d++)
            ranges = arms->space.axis[d].kind == SPAR__AXIS_RANGE && arms->space.axis[d].lo == 0 &&
                     arms->space.axis[d].hi == 1;
        ok(ranges && l.world->best_utility == -spar__test_function_of(i, 0)->least, "%s is over the unit cube", spec);
        lab_close(&l);
    }
    lab l = lab_open("function(name=ackley,d=4,box=1,levels=6)", "all_pairs");
    const spar_arms *arms = spar_world_arms(l.world);
    ok(arms->dim == 4 && arms->space.axis[3].n == 6 && l.world->best_utility < -1,
       "one number of levels is for all dimensions, and the best is the best of them");
    lab_close(&l);
}

int main(void)
{
    check_grids();
    check_draws();
    check_table();
    check_refusals();
    check_boxes();
    lab_starve("function(name=branin)", "all_pairs");
    lab_starve("function(name=gp,points=4,dim=2)", "ranking");
    return done();
}
