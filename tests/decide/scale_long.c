/* Does one scale fit? False alarms where it does, and how often circles are found, looking every 50 screens up to 600
 * at delta = 0.05. Screens by self_sparring(distinct=1). */
#include "sampler/sampler.h"

#include <spar/spar.h>

#include "tap.h"

#include <stdlib.h>

enum { MOST = 8, SCREENS = 600, LOOK = 50 };

typedef struct people {
    const char *what;
    size_t k, m;
    double step;   /* log-strengths 0, -step, ...; */
    double circle; /* or, above 0: P(i before i + 1), in a circle; other pairs are even. m = 2. */
} people;

static size_t choose_slot(const people *p, const size_t *shown, spar_rng *rng)
{
    double weight[MOST];
    for (size_t j = 0; j < p->m; j++)
        weight[j] = exp(-p->step * (double)shown[j]);
    if (p->circle > 0) {
        bool next = (shown[0] + 1) % p->k == shown[1], last = (shown[1] + 1) % p->k == shown[0];
        weight[0] = next ? p->circle : last ? 1 - p->circle : 0.5;
        weight[1] = 1 - weight[0];
    }
    return spar__choose_weighted(rng, p->m, weight);
}

/* Does a run say that no scale fits? */
static bool fires(const people *p, uint64_t run)
{
    spar_rng rng;
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_answer *answer = NULL;
    spar_standings *st = NULL;
    bool fired = false;
    spar_rng_seed(&rng, 5, run, 1);
    if (spar_arms_new(p->k, 0, NULL, NULL, &arms) ||
        spar_policy_new("self_sparring(distinct=1)", arms, p->m, 0, &rng, &policy, NULL) ||
        spar_scratch_new(&scratch) || spar_round_new(p->m, &round) || spar_feedback_new(p->m, &feedback) ||
        spar_answer_new(&answer) || spar_standings_new(p->k, &st, NULL))
        abort();
    for (size_t t = 1; t <= SCREENS && !fired; t++) {
        size_t shown[MOST], cycle[MOST], n;
        double evidence;
        if (spar_policy_choose(policy, scratch, &rng, round, NULL))
            abort();
        for (size_t j = 0; j < p->m; j++)
            shown[j] = spar_round_arm(round, j);
        spar_answer_set_winner(answer, choose_slot(p, shown, &rng));
        if (spar_answer_feedback(answer, p->m, feedback, NULL) || spar_policy_learn(policy, round, feedback, NULL) ||
            spar_standings_answer(st, p->m, shown, NULL, answer, 0, 1, NULL))
            abort();
        if (t % LOOK == 0 && spar_standings_scale(st, &evidence, MOST, cycle, &n, NULL))
            abort();
        fired = t % LOOK == 0 && evidence >= log(20);
    }
    spar_arms_free(arms);
    spar_policy_free(policy);
    spar_scratch_free(scratch);
    spar_round_free(round);
    spar_feedback_free(feedback);
    spar_answer_free(answer);
    spar_standings_free(st);
    return fired;
}

int main(int argc, char **argv)
{
    static const people cells[] = {
        {"one scale", 4, 2, 0.5, 0},    {"one scale", 4, 4, 0.5, 0},    {"one scale", 8, 2, 0.3, 0},
        {"one scale", 8, 4, 0.3, 0},    {"equal", 4, 2, 0, 0},          {"circle of .7", 3, 2, 0, 0.7},
        {"circle of .7", 4, 2, 0, 0.7}, {"circle of .6", 4, 2, 0, 0.6},
    };
    size_t runs = argc > 1 ? (size_t)atoi(argv[1]) : 1000;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        size_t count = 0;
        for (uint64_t run = 0; run < runs; run++)
            count += fires(&cells[i], run);
        double share = (double)count / (double)runs;
        if (cells[i].circle == 0)
            ok(share <= 0.05, "%s, K = %zu, m = %zu: false alarms in %.1f %% of runs", cells[i].what, cells[i].k,
               cells[i].m, 100 * share);
        else
            ok(cells[i].circle < 0.7 || share > 0.85, "%s, K = %zu: found in %.1f %% of runs", cells[i].what,
               cells[i].k, 100 * share);
    }
    return done();
}
