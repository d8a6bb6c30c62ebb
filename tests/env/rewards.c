#include "env/lab.h"

int main(void)
{
    lab l = lab_open("rewards(mu=0.8:0.5:0.3:1:0)", "all_pairs");
    ok(spar_env_plain(l.env), "rewards are plain");
    double count[5][2] = {{0}};
    bool good = true, empty = true;
    for (uint64_t t = 1; t <= 20000; t++)
        for (size_t i = 0; i < 5; i++) {
            good = good && lab_ask(&l, 5 * t + i, 1, &i) == SPAR_OK && l.feedback->rewarded[0];
            empty = empty && lab_answer(&l, 0, 0) == SPAR_MISSING;
            count[i][l.feedback->reward[0] > 0.5]++;
        }
    ok(good, "every slot is rewarded");
    ok(empty, "and not compared");
    const double *mu = spar_world_utilities(l.world);
    size_t best = spar_world_best(l.world, 1);
    ok(mu[best] == 1 && spar_world_gap(l.world, 1, best) == 0, "the best arm has the highest mean");
    for (size_t i = 0; i < 5; i++) {
        ok(fits(2, count[i], (double[]){1 - mu[i], mu[i]}), "arm of mean %g", mu[i]);
        near(spar_world_gap(l.world, 1, i), 1 - mu[i], 1e-15, "its gap is in mean reward");
        near(spar_world_prefer(l.world, 1, best, i), 1 - mu[i] / 2, 1e-15, "its preference is half of that over 1/2");
    }
    size_t slots[2] = {0, 0}, differ = 0;
    for (uint64_t t = 1; t <= 1000; t++) {
        slots[0] = slots[1] = lab_arm(&l, 0.5);
        (void)lab_ask(&l, t, 2, slots);
        differ += l.feedback->reward[0] != l.feedback->reward[1];
    }
    ok(differ > 400 && differ < 600, "slots have luck of their own");
    lab_close(&l);

    static const char *const cases[][3] = {
        {"rewards", "all_pairs", "rewards: mu= is needed, for example rewards(mu=0.8:0.5)"},
        {"rewards(mu=0.5:1.2)", "all_pairs", "rewards: mu=1.2 is out of range, expected 0 to 1"},
        {"rewards(mu=0.5)", "winner", "winner: slots of rewards have rewards and are not compared"},
        {"rewards(mu=0.5)", "ranking", "ranking: slots of rewards have rewards and are not compared"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        same_text(lab_refusal(cases[c][0], cases[c][1]), cases[c][2], "%s with %s is refused", cases[c][0],
                  cases[c][1]);
    lab_starve("rewards(mu=0.5:0.1)", "all_pairs");
    return done();
}
