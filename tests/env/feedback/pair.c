#include "env/lab.h"

enum { ROUNDS = 60000 };

int main(void)
{
    static const char env[] = "utility(set=arith,ties=0.5)";
    lab l = lab_open(env, "pair"), all = lab_open(env, "all_pairs");
    size_t arms[5] = {3, 8, 1, 1, 15};
    double count[10] = {0}, tenth[10];
    bool one = true, same = true;
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 5, arms);
        (void)lab_ask(&all, t, 5, arms);
        size_t seen = 0;
        for (size_t k = 0; k < 5; k++)
            for (size_t j = 0; j < k; j++)
                if (lab_answer(&l, j, k) != SPAR_MISSING) {
                    seen++;
                    count[k * (k - 1) / 2 + j]++;
                    same = same && lab_answer(&l, j, k) == lab_answer(&all, j, k) &&
                           lab_answer(&l, k, j) == lab_answer(&all, k, j);
                }
        one = one && seen == 1;
    }
    for (size_t i = 0; i < 10; i++)
        tenth[i] = 0.1;
    ok(one, "one pair is seen in every round");
    ok(same, "its answer is the one all_pairs gives");
    ok(fits(10, count, tenth), "each of 10 pairs alike");
    ok(lab_ask(&l, 1, 1, arms) == SPAR_OK && spar_feedback_empty(l.feedback), "one slot: nothing to compare");
    ok(lab_ask(&l, 1, 0, arms) == SPAR_OK, "no slot: nothing at all");
    lab_close(&l);
    lab_close(&all);
    return done();
}
