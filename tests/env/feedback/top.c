#include "env/lab.h"

enum { ROUNDS = 60000 };

int main(void)
{
    lab l = lab_open("utility(values=2:0.5:-1:0,link=logit)", "top(k=2)");
    size_t arms[4] = {0, 1, 2, 3};
    double count[13] = {0}, p[13] = {0}, weight[4], sum = 0;
    for (size_t j = 0; j < 4; j++)
        sum += weight[j] = exp(l.world->utility[arms[j]]);
    for (size_t first = 0, i = 0; first < 4; first++)
        for (size_t second = 0; second < 4; second++)
            if (second != first)
                p[i++] = weight[first] / sum * weight[second] / (sum - weight[first]);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 4, arms);
        size_t i = 0, seen = 12;
        for (size_t first = 0; first < 4; first++)
            for (size_t second = 0; second < 4; second++) {
                if (second == first)
                    continue;
                bool good = lab_answer(&l, first, second) == SPAR_WIN;
                for (size_t k = 0; k < 4; k++)
                    if (k != first && k != second)
                        good &= lab_answer(&l, first, k) == SPAR_WIN && lab_answer(&l, second, k) == SPAR_WIN;
                seen = good ? i : seen;
                i++;
            }
        count[seen]++;
    }
    ok(fits(13, count, p), "the first two come by the law of Plackett and Luce");
    size_t missing = 0;
    for (size_t j = 0; j < 4; j++)
        for (size_t k = 0; k < 4; k++)
            missing += lab_answer(&l, j, k) == SPAR_MISSING;
    ok(missing == 6, "the order of the other two is missing");
    ok(spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_RANKING, "the kind is ranking");
    lab_close(&l);
    return done();
}
