/* compare_focus.c - focus against its reference: the law of the next screen after logs of answers, and the number of
 * screens to a decision. */
#include "reference/focus.h"

#include "decide/power.h"
#include "posterior/stat.h"
#include "reference/ks.h"

/* What both have learned: the same screens with the same answers. */
static void teach(power_run *x, ref_focus *reference, const ref_world *world, ref_round *round, size_t screens,
                  gsl_rng *rng)
{
    for (size_t t = 0; t < screens; t++) {
        ref_focus_choose(reference, round, rng);
        ref_users_answer(world, round, rng);
        ref_focus_learn(reference, round);
        (void)spar_round_set(x->round, round->m, round->arm);
        (void)spar_feedback_reset(x->feedback, round->m);
        for (size_t j = 0; j < round->m; j++)
            for (size_t k = j + 1; k < round->m; k++)
                if (ref_answered(round, j, k))
                    (void)spar_feedback_set(x->feedback, j, k, (spar_outcome)(SPAR_LOSS + 2 * ref_answer(round, j, k)));
        if (spar_policy_learn(x->policy, x->round, x->feedback, NULL))
            abort();
    }
}

static size_t code(const size_t *arm, size_t m, size_t k)
{
    size_t number = 0;
    for (size_t j = 0; j < m; j++)
        number = number * k + arm[j];
    return number;
}

enum { K = 6, CELLS = K * K * K, DRAWS = 100000 };

typedef struct screen_law {
    const char *spec;
    double p, delta, gap, ties;
    ref_feedback_kind kind;
    size_t screens;
} screen_law;

/* Screens of both after the same log. */
static void same_screens(const screen_law *s)
{
    static double ours[CELLS], theirs[CELLS];
    double utility[K], p[K * K];
    for (size_t i = 0; i < K; i++)
        utility[i] = -s->gap * (double)i;
    for (size_t i = 0; i < K * K; i++)
        p[i] = 1 / (1 + exp(utility[i % K] - utility[i / K]));
    ref_world world = {.k = K, .p = p, .utility = utility, .feedback = s->kind, .ties = s->ties};
    power_setting setting = {.spec = s->spec, .k = K, .m = 3};
    power_run x = power_open(&setting, 5, 0);
    ref_focus reference = {.k = K, .p = s->p, .delta = s->delta};
    ref_round round = ref_round_open(3);
    gsl_rng *rng = ref_rng_open(17 + s->screens);
    teach(&x, &reference, &world, &round, s->screens, rng);
    memset(ours, 0, sizeof ours);
    memset(theirs, 0, sizeof theirs);
    for (int t = 0; t < DRAWS; t++) {
        if (spar_policy_choose(x.policy, x.scratch, &x.rng, x.round, NULL))
            abort();
        ours[code(x.round->arm, 3, K)]++;
        ref_focus_choose(&reference, &round, rng);
        theirs[code(round.arm, 3, K)]++;
    }
    double sigma = same_sigma(CELLS, ours, theirs);
    size_t settled = 0;
    for (size_t i = 0; i < K * K; i++)
        settled += reference.log_m[i / K][i % K] >= log(K / s->delta);
    ok(sigma < 5, "%s after %zu screens, %zu pairs settled: %.1f sigma", s->spec, s->screens, settled, sigma);
    gsl_rng_free(rng);
    ref_round_close(&round);
    power_close(&x);
}

/* Screens to a decision at delta = 0.05, by the library and by the reference: are they two samples of one law? */
static double screens_differ(const char *spec, double p, size_t k, size_t m, double gap, bool ranking, size_t runs,
                             const char *name)
{
    double utility[REF_FOCUS_ARMS];
    for (size_t i = 0; i < k; i++)
        utility[i] = -gap * (double)i;
    ref_world world = {.k = k, .utility = utility, .feedback = ranking ? REF_RANKING : REF_WINNER_LUCE};
    power_setting setting = {.spec = spec, .k = k, .m = m, .gap = gap, .ranking = ranking};
    double *ours = ref_zeros(runs), *theirs = ref_zeros(runs);
    for (size_t r = 0; r < runs; r++) {
        size_t best;
        ours[r] = (double)power_screens(&setting, 8, r, &best);
        theirs[r] = (double)ref_focus_run(&world, m, p, 0.05, POWER_MOST, 1000 + r, &best);
    }
    double distance = ks_statistic(ours, runs, theirs, runs), value = ks_p_value(distance, runs, runs);
    printf("# %s: means %.1f and %.1f, KS %.3f, p = %.2g\n", name, ks_mean(ours, runs), ks_mean(theirs, runs), distance,
           value);
    free(ours);
    free(theirs);
    return value;
}

int main(void)
{
    static const screen_law laws[] = {
        {"focus/self_sparring(distinct=1)", 0.5, 0.05, 0.5, 0, REF_WINNER_LUCE, 0},
        {"focus/self_sparring(distinct=1)", 0.5, 0.05, 0.5, 0, REF_WINNER_LUCE, 3},
        {"focus(p=1)/self_sparring(distinct=1)", 1, 0.05, 0.5, 0, REF_WINNER_LUCE, 25},
        {"focus(p=1)/self_sparring(distinct=1)", 1, 0.05, 0.6, 0, REF_RANKING, 120},
        {"focus(p=0.8,delta=0.5)/self_sparring(distinct=1)", 0.8, 0.5, 0.6, 0, REF_RANKING, 60},
        {"focus(p=0.3,delta=0.2)/ind_self_sparring(distinct=1)", 0.3, 0.2, 0.4, 0.5, REF_ALL_PAIRS, 150},
        {"focus(p=0)/self_sparring(distinct=1)", 0, 0.05, 0.5, 0, REF_RANKING, 10},
    };
    const double least = 5.7e-7; /* two-sided 5 sigma */
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        same_screens(&laws[i]);
    ok(screens_differ(POWER_FOCUS, 0.5, 4, 2, 0.5, false, 400, "K = 4, m = 2, winner") > least, "screens to decision");
    ok(screens_differ(POWER_FOCUS, 0.5, 8, 4, 0.5, false, 200, "K = 8, m = 4, winner") > least, "of four options");
    ok(screens_differ(POWER_FOCUS, 0.5, 8, 4, 0.5, true, 200, "K = 8, m = 4, ranking") > least, "ranked");
    ok(screens_differ("focus(p=0.05)/self_sparring(distinct=1)", 0.5, 8, 4, 0.5, true, 400, "p = 0.05, not 0.5") <
           least,
       "another p is seen");
    return done();
}
