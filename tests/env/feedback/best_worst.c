#include "env/lab.h"

enum { ROUNDS = 60000 };

int main(void)
{
    lab l = lab_open("utility(values=1:0.5:-1:0,link=logit)", "best_worst");
    size_t arms[4] = {0, 1, 2, 3};
    double count[13] = {0}, p[13] = {0}, weight[4], sum = 0, rest;
    for (size_t j = 0; j < 4; j++)
        sum += weight[j] = exp(l.world->utility[arms[j]]);
    for (size_t best = 0, i = 0; best < 4; best++)
        for (size_t worst = 0; worst < 4; worst++) {
            if (worst == best)
                continue;
            rest = 0;
            for (size_t k = 0; k < 4; k++)
                rest += k == best ? 0 : 1 / weight[k];
            p[i++] = weight[best] / sum / weight[worst] / rest;
        }
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 4, arms);
        size_t i = 0, seen = 12;
        for (size_t best = 0; best < 4; best++)
            for (size_t worst = 0; worst < 4; worst++) {
                if (worst == best)
                    continue;
                bool good = true;
                for (size_t k = 0; k < 4; k++) {
                    good &= k == best || lab_answer(&l, best, k) == SPAR_WIN;
                    good &= k == worst || lab_answer(&l, k, worst) == SPAR_WIN;
                }
                seen = good ? i : seen;
                i++;
            }
        count[seen]++;
    }
    ok(fits(13, count, p), "the best with exp(u), the worst of the rest with exp(-u)");
    size_t missing = 0;
    for (size_t j = 0; j < 4; j++)
        for (size_t k = 0; k < 4; k++)
            missing += lab_answer(&l, j, k) == SPAR_MISSING;
    ok(missing == 6, "the order of the other two is missing");
    ok(spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_BEST_WORST, "the kind is best and worst");
    (void)lab_ask(&l, 1, 2, arms);
    ok(lab_answer(&l, 0, 1) != SPAR_MISSING, "two slots are a duel");
    lab_close(&l);
    return done();
}
