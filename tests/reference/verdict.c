/* verdict.c - are the outcomes of two players samples of one distribution? */
#include "reference/ks.h"
#include "reference/versus.h"
#include "tap.h"

#include <stdlib.h>

/* Two-sided 5 sigma, for the p-value and for z. */
static const double LEAST_P = 5.7e-7, MOST_Z = 5;

outcome outcome_new(size_t runs)
{
    outcome o = {runs, calloc(runs, sizeof *o.regret), calloc(runs, sizeof *o.best_pulls)};
    if (!o.regret || !o.best_pulls)
        abort();
    return o;
}

/* Sums of the same gaps in another order differ in their last bits, which must not break ties: round them away. */
void outcome_put(outcome *o, size_t run, ref_result result)
{
    o->regret[run] = rint(result.regret * 1e6) * 1e-6;
    o->best_pulls[run] = result.best_pulls;
}

void outcome_free(outcome *o)
{
    free(o->regret);
    free(o->best_pulls);
}

typedef struct verdict {
    double mean_a, mean_b, d, p, z;
    bool same;
} verdict;

static verdict judge(const double *a, const double *b, size_t n)
{
    verdict v = {.mean_a = ks_mean(a, n), .mean_b = ks_mean(b, n)};
    v.d = ks_statistic(a, n, b, n);
    v.p = ks_p_value(v.d, n, n);
    v.z = ks_mean_z(a, n, b, n);
    v.same = v.p > LEAST_P && fabs(v.z) < MOST_Z;
    return v;
}

typedef struct contest {
    verdict regret, best_pulls;
} contest;

static contest hold(const match *library, const match *reference)
{
    outcome a = play_library(library), b = play_reference(reference);
    contest c = {judge(a.regret, b.regret, a.runs), judge(a.best_pulls, b.best_pulls, a.runs)};
    outcome_free(&a);
    outcome_free(&b);
    return c;
}

/* "self_sparring(eta=1)/thompson/beta m=2 pair order" */
static void title(const match *m, char *text, size_t size)
{
    char policy[192], feedback[128], ties[32] = "";
    match_policy(m, policy, sizeof policy);
    match_feedback(m, feedback, sizeof feedback);
    if (m->ties > 0)
        (void)snprintf(ties, sizeof ties, " ties=%g", m->ties);
    (void)snprintf(text, size, "%s m=%zu %s %s%s", policy, m->m, feedback, m->arena->name, ties);
}

static void report(bool good, const char *name, const char *what, const verdict *v)
{
    ok(good, "%s: %s %.2f, reference %.2f (z %.2f), KS %.3f (p %.2g)", name, what, v->mean_a, v->mean_b, v->z, v->d,
       v->p);
}

/* With SPAR_SHORT only every third comparison is made, another one of each three in turn. */
static bool is_turn(void)
{
    static size_t n;
    size_t i = n++;
    return !getenv("SPAR_SHORT") || (i + i / 3) % 3 == 0;
}

void expect_same(const match *m)
{
    char name[400];
    if (!is_turn())
        return;
    title(m, name, sizeof name);
    contest c = hold(m, m);
    report(c.regret.same, name, "regret", &c.regret);
    report(c.best_pulls.same, name, "best pulls", &c.best_pulls);
}

void expect_different(const match *library, const match *reference, const char *what)
{
    contest c = hold(library, reference);
    const verdict *v = c.regret.same ? &c.best_pulls : &c.regret;
    report(!v->same, what, c.regret.same ? "sees it in best pulls" : "sees it in regret", v);
}

void expect_less(const match *less, const match *more, double share)
{
    char name[400], other[400];
    title(less, name, sizeof name);
    title(more, other, sizeof other);
    outcome a = play_library(less), b = play_library(more);
    double mean = ks_mean(a.regret, a.runs), limit = ks_mean(b.regret, b.runs);
    ok(mean < share * limit, "%s: regret %.2f is %.3f of that of %s", name, mean, mean / limit, other);
    outcome_free(&a);
    outcome_free(&b);
}

int verdict_done(void)
{
    return done();
}
