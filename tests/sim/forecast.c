#include "sim/forecast.h"

static const char focus[] = "focus/self_sparring(distinct=1)/thompson/beta";

static spar_forecast *forecast_of(size_t options, size_t truths)
{
    spar_forecast *f = NULL;
    if (spar_forecast_new(options, &f, NULL) || spar_forecast_set_truths(f, truths, NULL))
        abort();
    spar_forecast_set_threads(f, 1);
    return f;
}

/* Steps are one truth: the median is that of the simulator. */
static void one_truth(void)
{
    static const double truth[PILOT_OPTIONS] = {0, -0.6, -1.2, -1.8, -2.4};
    uint64_t state = 31;
    spar_forecast *f = forecast_of(PILOT_OPTIONS, 150);
    (void)spar_forecast_set_steps(f, 0.6, NULL);
    (void)spar_forecast_add(f, focus, 2, NULL);
    (void)spar_forecast_add(f, focus, 3, NULL);
    ok(spar_forecast_run(f, NULL, NULL, NULL) == SPAR_OK && spar_forecast_played(f) == 150, "a forecast of steps");
    for (size_t i = 0; i < 2; i++) {
        double got = spar_forecast_screens(f, i, 0.5), wanted = realised(truth, focus, i + 2, 150, &state);
        ok(fabs(log(got / wanted)) < 0.25, "m = %zu: median %.0f, in experiments %.0f", i + 2, got, wanted);
        ok(spar_forecast_screens(f, i, 0.1) < got && got < spar_forecast_screens(f, i, 0.9), "within its range");
        near(spar_forecast_decided(f, i, got), 0.5, 0.05, "half are decided by the median");
    }
    ok(spar_forecast_wrong(f, 0) < 0.05 && spar_forecast_slots(f, 1) == 3 && spar_forecast_cases(f) == 2 &&
           !spar_forecast_policy(f, 2) && isnan(spar_forecast_screens(f, 2, 0.5)),
       "cases are told apart");
    double silent = spar_forecast_screens(f, 0, 0.5);
    (void)spar_forecast_set_silent(f, 0.5, NULL);
    (void)spar_forecast_run(f, NULL, NULL, NULL);
    near(spar_forecast_screens(f, 0, 0.5), 2 * silent, 1e-9, "half of the answers silent: twice the screens");
    spar_forecast_free(f);
}

static void same_for_threads(void)
{
    double first[3] = {0};
    bool same = true;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        spar_forecast *f = forecast_of(4, 30);
        spar_forecast_set_threads(f, threads);
        (void)spar_forecast_add(f, focus, 2, NULL);
        (void)spar_forecast_set_limit(f, 3000, NULL);
        if (spar_forecast_run(f, NULL, NULL, NULL))
            abort();
        for (size_t k = 0; k < 3; k++) {
            double at = spar_forecast_screens(f, 0, 0.2 + 0.3 * (double)k);
            same &= threads == 1 || at == first[k];
            first[k] = at;
        }
        spar_forecast_free(f);
    }
    ok(same, "the same for any number of threads");
}

static void from_standings(void)
{
    static const double truth[PILOT_OPTIONS] = {0.8, 0, -0.4, -0.8, 0.1};
    uint64_t state = 99;
    spar_standings *st = pilot_of(truth, 4000, &state);
    spar_forecast *f = forecast_of(2, 60);
    ok(spar_forecast_set_standings(f, st, NULL) == SPAR_OK, "truths from a pilot");
    (void)spar_forecast_add(f, focus, 2, NULL);
    (void)spar_forecast_run(f, NULL, NULL, NULL);
    double got = spar_forecast_screens(f, 0, 0.5), wanted = realised(truth, focus, 2, 60, &state);
    ok(fabs(log(got / wanted)) < log(2), "a pilot of 4,000 forecasts %.0f, it is %.0f", got, wanted);
    (void)spar_standings_retire(st, 0, NULL);
    (void)spar_forecast_set_standings(f, st, NULL);
    (void)spar_forecast_set_truths(f, 5, NULL);
    ok(spar_forecast_run(f, NULL, NULL, NULL) == SPAR_OK, "without an option that is retired");
    spar_forecast_free(f);
    spar_standings_free(st);
}

/* An experiment after some screens. */
typedef struct begun {
    spar_rng *rng;
    spar_policy *policy;
    spar_decision *decision;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
} begun;

static void begun_free(begun *x)
{
    spar_rng_free(x->rng);
    spar_policy_free(x->policy);
    spar_decision_free(x->decision);
    spar_scratch_free(x->scratch);
    spar_round_free(x->round);
    spar_feedback_free(x->feedback);
}

static void begun_tools(begun *x, uint64_t run)
{
    if (spar_rng_new(12, run, 3, &x->rng) || spar_scratch_new(&x->scratch) || spar_round_new(2, &x->round) ||
        spar_feedback_new(2, &x->feedback))
        abort();
}

/* Plays until a decision, or so many screens; returns how many. */
static double begun_play(begun *x, const double *truth, size_t most, uint64_t *state)
{
    for (size_t t = 1; t <= most; t++) {
        if (spar_policy_choose(x->policy, x->scratch, x->rng, x->round, NULL))
            abort();
        size_t shown[2] = {spar_round_arm(x->round, 0), spar_round_arm(x->round, 1)};
        bool first = pilot_uniform(state) < 1 / (1 + exp(truth[shown[1]] - truth[shown[0]]));
        unsigned char outcome[4] = {SPAR_MISSING, first ? SPAR_WIN : SPAR_LOSS, first ? SPAR_LOSS : SPAR_WIN,
                                    SPAR_MISSING};
        spar_ballot ballot = {.size = sizeof ballot, .m = 2, .option = shown, .outcome = outcome};
        (void)spar_feedback_winner(x->feedback, first ? 0 : 1);
        if (spar_policy_learn(x->policy, x->round, x->feedback, NULL) ||
            spar_decision_answer(x->decision, &ballot, NULL))
            abort();
        spar_verdict verdict = spar_decision_verdict(x->decision);
        if (verdict == SPAR_VERDICT_BEST || verdict == SPAR_VERDICT_EQUAL)
            return (double)t;
    }
    return INFINITY;
}

static begun begun_new(const double *truth, size_t screens, uint64_t *state)
{
    begun x = {0};
    spar_arms *arms = NULL;
    begun_tools(&x, 0);
    if (spar_arms_new(PILOT_OPTIONS, 0, NULL, NULL, &arms) ||
        spar_policy_new(focus, arms, 2, 0, x.rng, &x.policy, NULL) ||
        spar_decision_new(PILOT_OPTIONS, NULL, &x.decision, NULL))
        abort();
    spar_arms_free(arms);
    (void)begun_play(&x, truth, screens, state);
    return x;
}

/* The same start, played on by the public functions. */
static double begun_median(const begun *from, const double *truth, size_t runs, uint64_t *state)
{
    double at[400];
    for (size_t i = 0; i < runs; i++) {
        begun x = {0};
        unsigned char *bytes = NULL;
        size_t length = 0, k = i;
        begun_tools(&x, i + 1);
        if (spar_policy_dup(from->policy, &x.policy, NULL) || spar_decision_save(from->decision, &bytes, &length) ||
            spar_decision_load(bytes, length, &x.decision, NULL))
            abort();
        spar_bytes_free(bytes);
        double screens = begun_play(&x, truth, 20000, state);
        for (; k > 0 && at[k - 1] > screens; k--)
            at[k] = at[k - 1];
        at[k] = screens;
        begun_free(&x);
    }
    return at[(runs - 1) / 2];
}

/* What is counted are the screens from now on. */
static void going_on(void)
{
    static const double truth[PILOT_OPTIONS] = {0.6, 0, -0.4, -0.8, 0.1};
    uint64_t state = 77;
    double medians[3];
    for (size_t i = 0; i < 3; i++) {
        begun x = begun_new(truth, i * 100, &state);
        spar_forecast *f = forecast_of(PILOT_OPTIONS, 150);
        if (spar_forecast_set_values(f, truth, NULL) || spar_forecast_set_start(f, x.decision, x.policy, NULL) ||
            spar_forecast_run(f, NULL, NULL, NULL))
            abort();
        double got = medians[i] = spar_forecast_screens(f, 0, 0.5), wanted = begun_median(&x, truth, 151, &state);
        ok(fabs(log(got / wanted)) < 0.25, "after %zu screens: median %.0f more, in experiments %.0f", i * 100, got,
           wanted);
        ok(spar_forecast_decided(f, 0, 1e300) >= 0.9 && spar_forecast_wrong(f, 0) < 0.08, "most are decided, rightly");
        spar_forecast_free(f);
        begun_free(&x);
    }
    ok(medians[0] > medians[1] && medians[1] > medians[2], "the more there are, the fewer it takes");
}

static void going_on_within_limits(void)
{
    static const double equal[PILOT_OPTIONS] = {0, 0, -1, -1, -1};
    uint64_t state = 78;
    spar_error err;
    double first[2] = {0};
    begun x = begun_new(equal, 100, &state);
    for (size_t threads = 1; threads <= 3; threads += 2) {
        spar_forecast *f = forecast_of(PILOT_OPTIONS, 20);
        spar_forecast_set_threads(f, threads);
        if (spar_forecast_set_values(f, equal, NULL) || spar_forecast_set_start(f, x.decision, x.policy, NULL) ||
            spar_forecast_set_work(f, 20 * 400, NULL) || spar_forecast_run(f, NULL, NULL, NULL))
            abort();
        double seen[2] = {(double)spar_forecast_horizon(f), spar_forecast_decided(f, 0, 1e300)};
        ok(seen[0] >= 400 && seen[0] < 800 && isinf(spar_forecast_screens(f, 0, 0.9)),
           "work ends it: given up after %.0f screens, %.2f decided", seen[0], seen[1]);
        ok(threads == 1 || (seen[0] == first[0] && seen[1] == first[1]), "the same for any number of threads");
        first[0] = seen[0];
        first[1] = seen[1];
        (void)spar_forecast_set_silent(f, 0.5, NULL);
        (void)spar_forecast_run(f, NULL, NULL, NULL);
        near((double)spar_forecast_horizon(f), 2 * seen[0], 1e-9, "silent answers count");
        ok(spar_forecast_add(f, focus, 2, &err) == SPAR_INVALID, "refused: %s", err.text);
        spar_forecast_free(f);
    }
    spar_forecast *f = forecast_of(3, 20);
    ok(spar_forecast_set_start(f, x.decision, x.policy, NULL) == SPAR_OK &&
           spar_forecast_run(f, NULL, NULL, &err) == SPAR_INVALID && strstr(err.text, "5 options"),
       "refused: %s", err.text);
    spar_forecast_free(f);
    begun_free(&x);
}

static bool stop_soon(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    return done < 10;
}

static void refuses(void)
{
    spar_error err;
    spar_forecast *f = NULL;
    spar_standings *st = NULL;
    ok(spar_forecast_new(1, &f, &err) == SPAR_INVALID && !f, "refused: %s", err.text);
    f = forecast_of(4, 20);
    ok(spar_forecast_run(f, NULL, NULL, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_forecast_set_sd(f, -1, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_forecast_set_silent(f, 1, &err) == SPAR_INVALID, "refused: %s", err.text);
    if (spar_standings_new(3, &st, NULL))
        abort();
    ok(spar_forecast_set_standings(f, st, &err) == SPAR_INVALID, "refused: %s", err.text);
    (void)spar_forecast_add(f, focus, 9, NULL);
    ok(spar_forecast_run(f, NULL, NULL, &err) == SPAR_INVALID && strstr(err.text, "m = 9"), "refused: %s", err.text);
    spar_forecast_free(f);
    f = forecast_of(4, 20);
    (void)spar_forecast_add(f, "no_such_policy", 2, NULL);
    ok(spar_forecast_run(f, NULL, NULL, &err) != SPAR_OK && strstr(err.text, "no_such_policy"), "refused: %s",
       err.text);
    spar_forecast_free(f);
    f = forecast_of(4, 20);
    (void)spar_forecast_add(f, focus, 2, NULL);
    ok(spar_forecast_run(f, stop_soon, NULL, NULL) == SPAR_OK && spar_forecast_played(f) == 10, "ended early");
    spar_forecast_free(f);
    spar_standings_free(st);
}

int main(void)
{
    one_truth();
    same_for_threads();
    from_standings();
    going_on();
    going_on_within_limits();
    refuses();
    return done();
}
