/* settings.c - every setting of the paper: one environment and the policies that are compared in it.
 *
 * Figures and claims name the settings that they need by how their names begin ("kernel/"). A setting without quick
 * runs is left out with --quick: few runs would not show what it is for. `nanoseconds` is an estimate of what a round
 * takes, for the order in which cells are played and for progress. */
#include "base/alloc.h"
#include "env/env.h"
#include "paper/paper.h"

#include <stdio.h>
#include <string.h>

const char *const spar__scenario_sets[SPAR__SCENARIO_SETS] = {"1good", "2good", "6good", "arith", "geom"};
const char *const spar__scenario_links[SPAR__SCENARIO_LINKS] = {"linear", "logit", "natural"};

const spar__paper_policy spar__vanilla_policies[SPAR__VANILLA_POLICIES] = {
    {"IndSelfSparring", "ind_self_sparring(eta=3.5)"},
    {"DTS", "dts(eta=2.5)"},
    {"RMED1", "rmed1"},
    {"RUCB", "rucb"},
    {"MergeRUCB", "merge_rucb"},
    {"Sparring-UCB1", "sparring/ucb1"},
    {"Sparring-EXP3", "sparring/exp3"},
    {"BTM", "beat_the_mean"},
    {"IF", "interleaved_filter"},
};

const spar__paper_policy spar__multi_policies[SPAR__MULTI_POLICIES] = {
    {"IndSelfSparring", "ind_self_sparring"},
    {"MultiSparring", "sparring/ucb1"},
    {"MDB", "mdb"},
};

const spar__paper_policy spar__kernel_policies[SPAR__KERNEL_POLICIES] = {
    {"KernelSelfSparring", "kernel_self_sparring"},
    {"GP-Sparring", "gp_sparring"},
    {"BOPPER", "bopper"},
};

static const spar__paper_policy plain[] = {{"IndSelfSparring", "ind_self_sparring"}, {"random", "random"}};
static const spar__paper_policy rate[] = {{"IndSelfSparring", "ind_self_sparring(eta=3.5)"}};
static const spar__paper_policy thompson[] = {{"Thompson", "thompson/beta"}};

/* By length, in the order of the second study of dimension; the first study has the length of FIRST. */
enum { FIRST = 3 };
static const spar__paper_policy by_length[SPAR__DIMENSION_CASES][2] = {
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.05)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.1)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.15)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.2)"}, {"IndSelfSparring", "ind_self_sparring"}},
    {{"KernelSelfSparring", "kernel_self_sparring(length=0.4)"}, {"IndSelfSparring", "ind_self_sparring"}},
};

const double spar__shown_m[SPAR__SHOWN_STEPS] = {2, 4, 8, 16};
const double spar__offered_arms[SPAR__OFFERED_STEPS] = {16, 64, 256, 1024};
const double spar__confusable_scales[SPAR__CONFUSABLE_STEPS] = {0.05, 0.1, 0.25, 0.5, 1, 2, 10};
const char *const spar__confusable_modes[SPAR__CONFUSABLE_MODES] = {"missing", "coin"};
const spar__plain_case spar__plain_cases[SPAR__PLAIN_CASES] = {{2, 0.1}, {10, 0.1}, {50, 0.1}, {10, 0.05}, {10, 0.2}};
const spar__dimension_study spar__dimension_studies[SPAR__DIMENSION_STUDIES] = {
    {"Number of points, at length 0.2", "points", {30, 100, 300, 1000, 3000}, {0.2, 0.2, 0.2, 0.2, 0.2}},
    {"Length, at 300 points", "length", {300, 300, 300, 300, 300}, {0.05, 0.1, 0.15, 0.2, 0.4}},
};

#define FORRESTER "function(name=forrester,points=30)"
#define CAMEL "function(name=camel,points=8)"
#define GP "function(name=gp,points=30,length=0.2)"
#define UTILITY(SET, LINK) "utility(set=" SET ",link=" LINK ")"
#define MILLION 1000000

/* A setting as it stands in a table; what is seldom needed comes last. */
struct row {
    const char *name, *title, *env;
    size_t m;
    uint64_t rounds, runs, quick_runs;
    const spar__paper_policy *policy;
    size_t n_policies;
    double ns; /* of a round */
    const char *feedback;
    uint64_t quick_rounds;
    const spar__cell_probe *probe;
    const uint64_t *mark;
    size_t n_marks;
    const spar__opponent *opponent;
};

static const uint64_t early[SPAR__EVOLUTION_MARKS] = {5, 20, 100};
static const uint64_t decades[SPAR__LONG_MARKS] = {1000, 10000, 100000, MILLION};

#define LONG .probe = &spar__long_probe, .mark = decades, .n_marks = SPAR__LONG_MARKS

/* Those that have a name of their own. */
static const struct row fixed[] = {
    {"multi/linear-1good", "linear / 1good", UTILITY("1good", "linear"), 4, 20000, 100, 10, spar__multi_policies, 3,
     .ns = 900},
    {"multi/linear-arith", "linear / arith", UTILITY("arith", "linear"), 4, 20000, 100, 10, spar__multi_policies, 3,
     .ns = 900},
    {"kernel/gp", "Draws of a GP", GP, 2, 100, 100, 100, spar__kernel_policies, 2, .ns = 20000},
    {"kernel/forrester", "Forrester", FORRESTER, 2, 100, 20, 20, spar__kernel_policies, 3, .ns = 1e6},
    {"kernel/camel", "Six-hump camel", CAMEL, 2, 500, 100, 20, spar__kernel_policies, 2, .ns = 50000},
    {"kernel-multi/forrester", "Forrester", FORRESTER, 4, 100, 50, 50, spar__kernel_policies, 2, .ns = 50000},
    {"kernel-multi/camel", "Six-hump camel", CAMEL, 4, 100, 50, 50, spar__kernel_policies, 2, .ns = 50000},
    {"evolution", "KernelSelfSparring on a draw of a GP", GP, 2, 100, 1, 1, spar__kernel_policies, 1,
     .probe = &spar__evolution_probe, .mark = early, .n_marks = SPAR__EVOLUTION_MARKS},
    {"long/linear-arith", "linear / arith", UTILITY("arith", "linear"), 2, MILLION, 60, 6, plain, 1, LONG},
    {"long/logit-arith", "logit / arith", UTILITY("arith", "logit"), 2, MILLION, 60, 6, plain, 1, LONG},
    {"long/natural-arith", "natural / arith", UTILITY("arith", "natural"), 2, MILLION, 60, 6, plain, 1, LONG},
    {"long/linear-arith-4", "linear / arith with m = 4", UTILITY("arith", "linear"), 4, MILLION, 60, 0, plain, 1, LONG},
    {"eta/linear-arith", "linear / arith", UTILITY("arith", "linear"), 2, MILLION, 60, 0, rate, 1, .ns = 600},
    {"eta/logit-arith", "logit / arith", UTILITY("arith", "logit"), 2, MILLION, 60, 0, rate, 1, .ns = 600},
    {"eta/natural-arith", "natural / arith", UTILITY("arith", "natural"), 2, MILLION, 60, 0, rate, 1, .ns = 600},
};

/* --- a setting is added if it is asked for --- */

/* Whose names begin with this. */
struct wish {
    spar__paper *paper;
    const char *begin;
    spar_error *err;
};

static spar_status offer(const struct wish *wish, const struct row *row)
{
    bool wanted = strncmp(row->name, wish->begin, strlen(wish->begin)) == 0;
    if (!wanted || (wish->paper->options.quick && !row->quick_runs))
        return SPAR_OK;
    const spar__paper_setting setting = {.name = row->name,
                                         .title = row->title,
                                         .env = row->env,
                                         .feedback = row->feedback,
                                         .m = row->m,
                                         .rounds = row->rounds,
                                         .runs = row->runs,
                                         .quick_runs = row->quick_runs,
                                         .quick_rounds = row->quick_rounds,
                                         .policy = row->policy,
                                         .n_policies = row->n_policies,
                                         .probe = row->probe,
                                         .mark = row->mark,
                                         .n_marks = row->n_marks,
                                         .custom = row->opponent ? row->opponent->run : NULL,
                                         .custom_name = row->opponent ? row->opponent->name : NULL,
                                         .nanoseconds = row->ns};
    return spar__paper_add(wish->paper, &setting, wish->err);
}

static spar_status offer_fixed(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < sizeof fixed / sizeof *fixed; i++)
        status = offer(wish, &fixed[i]);
    return status;
}

/* Two arms a round in the fifteen scenarios: grid/LINK-SET. */
static spar_status offer_grid(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SPAR__SCENARIO_SETS * SPAR__SCENARIO_LINKS; i++) {
        const char *link = spar__scenario_links[i % SPAR__SCENARIO_LINKS];
        const char *set = spar__scenario_sets[i / SPAR__SCENARIO_LINKS];
        char name[80], title[80], env[80];
        (void)snprintf(name, sizeof name, "grid/%s-%s", link, set);
        (void)snprintf(title, sizeof title, "%s / %s", link, set);
        (void)snprintf(env, sizeof env, "utility(set=%s,link=%s)", set, link);
        status = offer(wish, &(struct row){name, title, env, 2, 20000, 100, 8, spar__vanilla_policies,
                                           SPAR__VANILLA_POLICIES, .ns = 900});
    }
    return status;
}

/* Thompson sampling against an opponent: one-sided/OPPONENT-LINK. */
static spar_status offer_one_sided(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < 2 * SPAR__SCENARIO_LINKS; i++) {
        const char *link = spar__scenario_links[i % SPAR__SCENARIO_LINKS];
        const spar__opponent *opponent = &spar__opponents[i / SPAR__SCENARIO_LINKS];
        char name[64], title[64], env[64];
        (void)snprintf(name, sizeof name, "one-sided/%s-%s", opponent->name, link);
        (void)snprintf(title, sizeof title, "%s / arith", link);
        (void)snprintf(env, sizeof env, "utility(set=arith,link=%s)", link);
        status = offer(wish, &(struct row){name, title, env, 1, MILLION, 20, i % SPAR__SCENARIO_LINKS ? 0 : 10,
                                           thompson, 1, .opponent = opponent});
    }
    return status;
}

/* Thompson sampling on a plain bandit, one arm better than all others by Delta: plain/ARMS-DELTA. */
static spar_status offer_plain(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SPAR__PLAIN_CASES; i++) {
        const spar__plain_case *one = &spar__plain_cases[i];
        char name[64], title[64];
        spar__buf env = {0};
        (void)snprintf(name, sizeof name, "plain/%zu-%g", one->arms, one->delta);
        (void)snprintf(title, sizeof title, "%zu arms, Delta = %g", one->arms, one->delta);
        spar__buf_printf(&env, "rewards(mu=%g", 0.5 + one->delta);
        for (size_t k = 1; k < one->arms; k++)
            spar__buf_adds(&env, ":0.5");
        spar__buf_adds(&env, ")");
        const struct row row = {name, title, env.text, 1, MILLION, 20, 12, thompson, 1, .quick_rounds = 100000};
        status = env.failed ? spar__fail_memory(wish->err) : offer(wish, &row);
        spar__buf_free(&env);
    }
    return status;
}

/* More arms a round: shown/CASE-M. With m = 4 it is as in a figure, which has this many runs. */
static spar_status offer_shown(const struct wish *wish)
{
    static const struct {
        const char *name, *title, *env;
        const spar__paper_policy *policy;
        size_t n_policies;
        bool kernel;
    } cases[] = {{"linear-1good", "linear / 1good", UTILITY("1good", "linear"), spar__multi_policies, 3, false},
                 {"linear-arith", "linear / arith", UTILITY("arith", "linear"), spar__multi_policies, 3, false},
                 {"forrester", "Forrester", FORRESTER, spar__kernel_policies, 2, true}};
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SPAR__SHOWN_STEPS * sizeof cases / sizeof *cases; i++) {
        size_t c = i / SPAR__SHOWN_STEPS;
        double m = spar__shown_m[i % SPAR__SHOWN_STEPS];
        bool shared = m == 4 && !cases[c].kernel;
        char name[64], title[80];
        (void)snprintf(name, sizeof name, "shown/%s-%.0f", cases[c].name, m);
        (void)snprintf(title, sizeof title, "%s, m = %.0f", cases[c].title, m);
        status = offer(
            wish, &(struct row){name, title, cases[c].env, (size_t)m, cases[c].kernel ? 100 : 20000, shared ? 100 : 50,
                                shared            ? 10
                                : cases[c].kernel ? 50
                                                  : 5,
                                cases[c].policy, cases[c].n_policies, .ns = cases[c].kernel ? 3000 * m : 200 * m});
    }
    return status;
}

/* More arms to choose from: offered/linear-arith-K. */
static spar_status offer_offered(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SPAR__OFFERED_STEPS; i++) {
        double arms = spar__offered_arms[i];
        char name[64], title[64], env[64];
        (void)snprintf(name, sizeof name, "offered/linear-arith-%.0f", arms);
        (void)snprintf(title, sizeof title, "linear / arith, K = %.0f", arms);
        (void)snprintf(env, sizeof env, "utility(set=arith,link=linear,k=%.0f)", arms);
        status = offer(wish, &(struct row){name, title, env, 4, 20000, arms > 256 ? 10 : 20, arms > 256 ? 0 : 4, plain,
                                           2, .ns = 25 * arms});
    }
    return status;
}

/* Draws of the kernel's own prior: dimension/POINTS-LENGTH. */
static spar_status offer_dimension(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < SPAR__DIMENSION_STUDIES * SPAR__DIMENSION_CASES; i++) {
        size_t s = i / SPAR__DIMENSION_CASES, c = i % SPAR__DIMENSION_CASES;
        double points = spar__dimension_studies[s].points[c], length = spar__dimension_studies[s].length[c];
        char name[64], title[64], env[80];
        (void)snprintf(name, sizeof name, "dimension/%.0f-%g", points, length);
        (void)snprintf(title, sizeof title, "%.0f points, length %g", points, length);
        (void)snprintf(env, sizeof env, "function(name=gp,points=%.0f,length=%g)", points, length);
        status = offer(wish, &(struct row){name, title, env, 2, SPAR__DIMENSION_ROUNDS, 100, 30,
                                           by_length[s == 0 ? FIRST : c], 2, .ns = 3000 + 25 * points});
    }
    return status;
}

/* Answers that are missing or coin flips: confusable/none, then confusable/MODE-SCALE. */
static spar_status offer_confusable(const struct wish *wish)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < 1 + SPAR__CONFUSABLE_MODES * SPAR__CONFUSABLE_STEPS; i++) {
        const char *mode = i ? spar__confusable_modes[(i - 1) / SPAR__CONFUSABLE_STEPS] : NULL;
        double scale = i ? spar__confusable_scales[(i - 1) % SPAR__CONFUSABLE_STEPS] : 0;
        char name[64] = "confusable/none", title[64] = "Forrester", feedback[64];
        if (mode) {
            (void)snprintf(name, sizeof name, "confusable/%s-%g", mode, scale);
            (void)snprintf(title, sizeof title, "Forrester, %s, scale %g", mode, scale);
            (void)snprintf(feedback, sizeof feedback, "confusable(scale=%g,mode=%s)", scale, mode);
        }
        status = offer(wish, &(struct row){name, title, FORRESTER, 2, 500, 50, 30, spar__kernel_policies, 2, .ns = 6000,
                                           .feedback = mode ? feedback : NULL});
    }
    return status;
}

/* Four rankers of a search engine a round, out of random subsets of sixteen: data.c. */
static spar_status offer_rankers(const struct wish *wish)
{
    static const spar__paper_setting wanted = {.m = 4,
                                               .rounds = 20000,
                                               .runs = 50,
                                               .quick_runs = 5,
                                               .policy = spar__multi_policies,
                                               .n_policies = SPAR__MULTI_POLICIES,
                                               .nanoseconds = 3000};
    return strcmp(wish->begin, "rankers/") == 0 ? spar__paper_add_rankers(wish->paper, &wanted, wish->err) : SPAR_OK;
}

spar_status spar__paper_need(spar__paper *paper, const char *begin, spar_error *err)
{
    static spar_status (*const offers[])(const struct wish *wish) = {offer_fixed,     offer_grid,       offer_one_sided,
                                                                     offer_plain,     offer_shown,      offer_offered,
                                                                     offer_dimension, offer_confusable, offer_rankers};
    const struct wish wish = {paper, begin, err};
    spar_status status = SPAR_OK;
    for (size_t i = 0; begin && !status && i < sizeof offers / sizeof *offers; i++)
        status = offers[i](&wish);
    return status;
}

/* --- preferences in an environment --- */

spar_status spar__env_arms(const char *env, size_t *n, double **p, size_t *best, spar_error *err)
{
    spar_env *made = NULL;
    spar_world *world = NULL;
    *p = NULL;
    spar_status status = spar_env_new(env, &made, err);
    if (!status)
        status = spar_world_new(made, 1, 0, &world, err);
    if (!status) {
        *n = spar_world_arms(world)->n;
        *p = spar__alloc(*n * *n, sizeof **p);
        status = *p ? SPAR_OK : spar__fail_memory(err);
    }
    if (!status) {
        spar__world_matrix(world, 1, *p);
        *best = spar_world_best(world, 1);
    }
    spar_world_free(world);
    spar_env_free(made);
    return status;
}

spar_status spar__scenario_measure(const char *link, const char *set, spar__transitivity *out, spar_error *err)
{
    char env[64];
    double *p;
    size_t n, best;
    (void)snprintf(env, sizeof env, "utility(set=%s,link=%s)", set, link);
    spar_status status = spar__env_arms(env, &n, &p, &best, err);
    if (!status && spar__transitivity_measure(n, p, out))
        status = spar__fail_memory(err);
    spar__free(p);
    return status;
}
