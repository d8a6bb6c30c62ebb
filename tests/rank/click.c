#include "rank/comparison.h"

#include "base/alloc.h"
#include "rank/desk.h"

static spar__click *model(const char *spec, unsigned grades)
{
    spar__click *c = NULL;
    (void)spar__click_new(spec, grades, 10, &c, NULL);
    return c;
}

static bool same(size_t n, const double *x, const double *y)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(x[i] - y[i]) > 1e-15)
            return false;
    return true;
}

static void check_table(const char *spec, unsigned grades, const double *click, const double *stop)
{
    spar__click *c = model(spec, grades);
    bool all = true;
    for (size_t r = 0; r < 10; r++)
        all = all && c->examine[r] == 1;
    ok(same(grades, c->click, click) && same(grades, c->stop, stop) && all, "%s, %u grades", spec, grades);
    spar__click_free(c);
}

static void check_tables(void)
{
    const double never[5] = {0};
    check_table("perfect", 3, (const double[]){0, .5, 1}, never);
    check_table("navigational", 3, (const double[]){.05, .5, .95}, (const double[]){.2, .5, .9});
    check_table("informational", 3, (const double[]){.4, .7, .9}, (const double[]){.1, .3, .5});
    check_table("perfect", 5, (const double[]){0, .2, .4, .8, 1}, never);
    check_table("navigational", 5, (const double[]){.05, .3, .5, .7, .95}, (const double[]){.2, .3, .5, .7, .9});
    check_table("informational", 5, (const double[]){.4, .6, .7, .8, .9}, (const double[]){.1, .2, .3, .4, .5});
    check_table("perfect", 2, (const double[]){0, .5}, never);
    check_table("perfect", 4, (const double[]){0, .2, .4, .8}, never);
}

static void check_position(void)
{
    spar__click *c = model("position", 3);
    ok(same(3, c->click, (const double[]){.1, .4, 1}) && c->stop[2] == 0, "attractive by grade");
    ok(same(4, c->examine, (const double[]){1, 1 / 2., 1 / 3., 1 / 4.}), "examined by 1/rank");
    spar__click_free(c);
    c = model("position(law=geometric,gamma=0.5,click=0:0.25:1,stop=0:0:1)", 3);
    ok(same(3, c->click, (const double[]){0, .25, 1}) && same(3, c->stop, (const double[]){0, 0, 1}), "or as told");
    ok(same(4, c->examine, (const double[]){1, .5, .25, .125}), "or by powers of gamma");
    spar__click_free(c);
    c = model("position(eta=2,noise=0)", 1);
    ok(c->click[0] == 0 && same(2, c->examine, (const double[]){1, .25}), "one grade, which says nothing");
    spar__click_free(c);
}

static void check_given_luck(void)
{
    spar__click *c = model("navigational", 3);
    const uint8_t grade[5] = {0, 2, 1, 2, 2};
    bool clicked[5], again[5];
    spar__click_simulate(c, 5, grade, (const double[]){.04, .94, .3, .85, 0}, clicked);
    ok(clicked[0] && clicked[1] && clicked[2] && clicked[3] && !clicked[4], "clicks until one is the last");
    spar__click_simulate(c, 5, grade, (const double[]){.009, 0, 0, 0, 0}, clicked);
    ok(clicked[0] && !clicked[1] && !clicked[2] && !clicked[3] && !clicked[4], "which may be the first");
    spar__click_simulate(c, 5, grade, (const double[]){.05, .95, .5, .95, .95}, clicked);
    ok(!clicked[0] && !clicked[1] && !clicked[2] && !clicked[3] && !clicked[4], "no luck, no click");
    spar_rng rng = desk_rng(5), copy = rng;
    bool equal = true;
    for (size_t n = 0; n < 100; n++) {
        double u[5];
        for (size_t r = 0; r < 5; r++)
            u[r] = spar_rng_uniform(&copy);
        spar__click_draw(c, 5, grade, &rng, clicked);
        spar__click_simulate(c, 5, grade, u, again);
        equal = equal && memcmp(clicked, again, sizeof again) == 0;
    }
    ok(equal, "drawn clicks take one number a place");
    spar__click_free(c);
}

/* P(click at a place) from the probability of getting there. */
static void check_law(const char *spec, unsigned grades)
{
    enum { DRAWS = 100000 };
    spar__click *c = model(spec, grades);
    spar_rng rng = desk_rng(6);
    uint8_t grade[10];
    double count[10] = {0}, there = 1, worst = 0;
    for (size_t r = 0; r < 10; r++)
        grade[r] = (uint8_t)spar_rng_below(&rng, grades);
    for (size_t n = 0; n < DRAWS; n++) {
        bool clicked[10];
        spar__click_draw(c, 10, grade, &rng, clicked);
        for (size_t r = 0; r < 10; r++)
            count[r] += clicked[r];
    }
    for (size_t r = 0; r < 10; r++) {
        double click = c->examine[r] * c->click[grade[r]], p = there * click;
        worst = fmax(worst, fabs(count[r] - DRAWS * p) / (sqrt(DRAWS * p * (1 - p)) + 1e-9));
        there *= 1 - click * c->stop[grade[r]];
    }
    ok(worst < 5, "%s, %u grades: clicks as often as they should be (%.2f sd)", spec, grades, worst);
    spar__click_free(c);
}

static void check_refusals(void)
{
    spar__click *c;
    spar_error err;
    ok(spar__click_new("cascade", 3, 10, &c, &err) == SPAR_UNKNOWN && !c, "an unknown model");
    same_text(err.text, "unknown click model 'cascade'; known: perfect, navigational, informational, position",
              "in a sentence");
    ok(spar__click_new("perfect", 6, 10, &c, &err) == SPAR_UNSUPPORTED && !c, "a grade without a table");
    ok(spar__click_new("perfect", 0, 10, &c, &err) == SPAR_UNSUPPORTED && !c, "no grades");
    ok(spar__click_new("position", 33, 10, &c, &err) == SPAR_UNSUPPORTED && !c, "too many grades");
    ok(spar__click_new("position(click=0.1:0.2)", 3, 10, &c, &err) == SPAR_INVALID && !c, "too few numbers");
    ok(spar__click_new("position(stop=0.1:0.2:1.5)", 3, 10, &c, &err) == SPAR_INVALID && !c, "no probability");
    ok(spar__click_new("position(gamma=2)", 3, 10, &c, &err) == SPAR_INVALID && !c, "gamma > 1");
    size_t failed = 0;
    for (size_t k = 1;; k++) {
        spar__alloc_fail_at(k);
        spar_status status = spar__click_new("position(click=0.1:0.2:0.3)", 3, 10, &c, &err);
        spar__alloc_fail_at(0);
        if (!status)
            break;
        failed += status == SPAR_NOMEM && !c;
    }
    ok(failed > 5, "each of %zu allocations may fail", failed);
    spar__click_free(c);
    spar__click_free(NULL);
}

int main(void)
{
    check_tables();
    check_position();
    check_given_luck();
    for (size_t i = 0; spar__click_entry(i); i++) {
        check_law(spar__click_entry(i)->name, 3);
        check_law(spar__click_entry(i)->name, 5);
    }
    check_law("position(law=geometric,stop=0.1:0.2:0.3)", 3);
    check_refusals();
    return done();
}
