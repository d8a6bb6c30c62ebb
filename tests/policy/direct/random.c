#include "policy/setup.h"

enum { K = 4, DRAWS = 80000 };

static void uniform(setup *d, const double *p, const char *what)
{
    double count[K * K] = {0}, joint[K * K];
    for (size_t i = 0; i < K * K; i++)
        joint[i] = p[i / K] * p[i % K];
    for (int t = 0; t < DRAWS; t++) {
        const size_t *arm = setup_choose(d);
        count[arm[0] * K + arm[2]]++;
    }
    double sigma = fit_sigma(K * K, count, joint);
    ok(sigma < 5, "%s (%.1f sigma)", what, sigma);
}

int main(void)
{
    double score[K];
    setup d = setup_new("random", K, 3, 0, 1);
    uniform(&d, (double[]){0.25, 0.25, 0.25, 0.25}, "uniform, slots independent");
    setup_teach(&d, (size_t[]){0, 1, 2}, "wt-");
    setup_teach(&d, (size_t[]){0, 0, 2}, "wwl");
    setup_score(&d, score);
    ok(score[0] == (1 + 0.5 + 1 + 0) / 4 && score[1] == 0 && score[2] == (0.5 + 0 + 1) / 3 && score[3] == 0.5,
       "the score is the share of duels won, those with itself left out");
    uniform(&d, (double[]){0.25, 0.25, 0.25, 0.25}, "and plays on as if nothing had been answered");
    spar_error err;
    (void)spar_policy_retire_arm(d.policy, 1, &err);
    uniform(&d, (double[]){1.0 / 3, 0, 1.0 / 3, 1.0 / 3}, "uniform over the live arms");
    setup_free(&d);
    return done();
}
