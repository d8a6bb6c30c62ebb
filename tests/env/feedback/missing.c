#include "env/lab.h"

enum { ROUNDS = 40000 };

static void check_rate(const char *feedback, double p)
{
    lab l = lab_open("utility(set=arith)", feedback), all = lab_open("utility(set=arith)", "all_pairs");
    size_t arms[3] = {1, 2, 2};
    double count[8] = {0}, expected[8];
    bool same = true;
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 3, arms);
        (void)lab_ask(&all, t, 3, arms);
        size_t code = 0;
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < k; j++) {
                bool unseen = lab_answer(&l, j, k) == SPAR_MISSING;
                code = 2 * code + unseen;
                same = same && unseen == (lab_answer(&l, k, j) == SPAR_MISSING) &&
                       (unseen || lab_answer(&l, j, k) == lab_answer(&all, j, k));
            }
        count[code]++;
    }
    for (size_t i = 0; i < 8; i++) {
        size_t unseen = (i & 1) + (i >> 1 & 1) + (i >> 2);
        expected[i] = pow(p, (double)unseen) * pow(1 - p, 3 - (double)unseen);
    }
    ok(fits(8, count, expected), "%s: pairs are unseen at their rate, independently", feedback);
    ok(same, "%s: what is seen is what all_pairs shows", feedback);
    lab_close(&l);
    lab_close(&all);
}

/* Whether a pair is seen must tell nothing about who won. */
static void check_independent(void)
{
    lab l = lab_open("utility(values=0.9:0.5)", "missing(p=0.5)");
    size_t arms[2] = {lab_arm(&l, 0.9), lab_arm(&l, 0.5)};
    double count[4] = {0};
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 2, arms);
        count[lab_answer(&l, 0, 1)]++;
    }
    ok(fits(4, count, (double[]){0.5, 0.15, 0, 0.35}), "missing(p=0.5): seen pairs win at their rate");
    lab_close(&l);
}

int main(void)
{
    check_rate("missing", 0.3);
    check_rate("missing(p=0)", 0);
    check_rate("missing(p=0.75)", 0.75);
    check_rate("missing(p=1)", 1);
    check_independent();
    return done();
}
