/* The scores of the belief pair_gp: draws, moments and what a round teaches. tests/policy/direct/bopper.c compares the
 * posterior with a dense one. */
#include "posterior/gp/gp.h"

#include "posterior/belief.h"
#include "posterior/stat.h"

enum { K = 6, DRAWS = 20000 };

static void settle(belief *b)
{
    b->self->cls->settle(b->self);
}

/* Arms are better to the right. */
static belief taught(const char *spec, size_t rounds)
{
    belief b = belief_open(spec, K);
    spar_rng rng;
    spar_rng_seed(&rng, 3, 1, 1);
    for (size_t t = 0; t < rounds; t++) {
        size_t arm = (size_t)spar_rng_below(&rng, K), other = (size_t)spar_rng_below(&rng, K);
        observe_either(b.self, arm, other, arm == other ? 0.5 : arm > other);
        settle(&b);
    }
    return b;
}

/* The deviations of the scores are those of draws, for narrow laws and for wide ones. */
static void check_spread(const char *spec, size_t rounds)
{
    belief b = taught(spec, rounds);
    double mean[K], sd[K], only[K], theta[K], sum[K] = {0}, square[K] = {0}, worst = 0, off = 0;
    bool good =
        !b.self->cls->moments(b.self, b.scratch, mean, sd) && !b.self->cls->moments(b.self, b.scratch, only, NULL);
    for (int t = 0; t < DRAWS; t++) {
        good &= !b.self->cls->draw(b.self, b.scratch, &b.rng, theta);
        for (size_t i = 0; i < K; i++) {
            sum[i] += theta[i] - mean[i];
            square[i] += (theta[i] - mean[i]) * (theta[i] - mean[i]);
        }
    }
    for (size_t i = 0; i < K; i++) {
        good &= only[i] == mean[i];
        off = fmax(off, fabs(sum[i]) / (sd[i] * sqrt(DRAWS)));
        worst = fmax(worst, fabs(sqrt(square[i] / DRAWS) / sd[i] - 1));
    }
    ok(good && off < 5, "%s after %zu rounds: means are those of draws (%.1f sigma)", spec, rounds, off);
    ok(worst < 0.1, "and deviations, within %.1f %%", 100 * worst);
    belief_close(&b);
}

/* A round of several slots is the answered ones of its pairs j < k, with the weight it is given. */
static void check_rounds(void)
{
    belief a = belief_open("pair_gp(length=0.3)", K), b = belief_open("pair_gp(length=0.3)", K);
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    static const size_t arm[4] = {1, 4, 4, 0};
    if (spar_round_new(4, &round) || spar_feedback_new(4, &feedback) || a.self->cls->reserve(a.self, 4))
        abort();
    round->m = 4;
    memcpy(round->arm, arm, sizeof arm);
    (void)spar_feedback_set(feedback, 0, 1, SPAR_LOSS);
    (void)spar_feedback_set(feedback, 2, 1, SPAR_WIN);
    (void)spar_feedback_set(feedback, 3, 0, SPAR_TIE);
    a.self->cls->observe_round(a.self, round, feedback, 2);
    settle(&a);
    for (int twice = 0; twice < 2; twice++) {
        observe_either(b.self, 1, 4, 0);
        observe_either(b.self, 1, 0, 0.5);
        observe_either(b.self, 4, 4, 0);
    }
    settle(&b);
    double x[K], y[K], worst = 0;
    (void)a.self->cls->moments(a.self, a.scratch, x, NULL);
    (void)b.self->cls->moments(b.self, b.scratch, y, NULL);
    for (size_t i = 0; i < K; i++)
        worst = fmax(worst, fabs(x[i] - y[i]));
    ok(worst < 1e-9, "a round of four slots is its answered pairs (%.0e)", worst);
    double saved[5];
    (void)belief_numbers(&a, 5, saved);
    ok(saved[3] + saved[4] == 2, "each counted by its weight");
    belief_close(&a);
    belief_close(&b);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

static void check_refusal(void)
{
    belief b;
    spar_arms *arms = NULL;
    spar_error err = {0};
    if (spar_arms_new(3, 0, NULL, NULL, &arms))
        abort();
    ok(belief_over(&b, "pair_gp", arms, &err) == SPAR_UNSUPPORTED && strstr(err.text, "features"), "%s", err.text);
}

int main(void)
{
    check_spread("pair_gp", 0);
    check_spread("pair_gp(length=0.3,variance=4)", 40);
    check_spread("pair_gp(length=0.2,variance=30)", 6);
    check_rounds();
    check_refusal();
    return done();
}
