#include "env/lab.h"

enum { ROUNDS = 100000 };

/* Arms at 0, 1 and 3 with utilities 0.9, 0.5, 0.1: P = 0.7, 0.7 and 0.9. */
static const char env[] = "utility(values=0.9:0.5:0.1,x=0:1:3)";

static void check(const char *feedback, double scale, bool coin)
{
    lab l = lab_open(env, feedback);
    size_t arms[3] = {lab_arm(&l, 0.9), lab_arm(&l, 0.5), lab_arm(&l, 0.1)};
    static const struct {
        size_t j, k;
        double distance, p;
    } pairs[3] = {{0, 1, 1, 0.7}, {0, 2, 3, 0.9}, {1, 2, 2, 0.7}};
    double count[3][4] = {{0}};
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 3, arms);
        for (size_t i = 0; i < 3; i++)
            count[i][lab_answer(&l, pairs[i].j, pairs[i].k)]++;
    }
    for (size_t i = 0; i < 3; i++) {
        double clear = exp(-pairs[i].distance / scale), p[4] = {0};
        p[SPAR_MISSING] = coin ? 0 : 1 - clear;
        p[SPAR_WIN] = clear * pairs[i].p + (coin ? (1 - clear) / 2 : 0);
        p[SPAR_LOSS] = 1 - p[SPAR_WIN] - p[SPAR_MISSING];
        ok(fits(4, count[i], p), "%s: answers at distance %g", feedback, pairs[i].distance);
    }
    lab_close(&l);
}

static void check_same_arm(void)
{
    lab l = lab_open("utility(set=arith,features=utility)", "confusable(scale=1e-9)");
    size_t arms[3] = {4, 4, 7};
    bool seen = true, far = true;
    for (uint64_t t = 1; t <= 1000; t++) {
        (void)lab_ask(&l, t, 3, arms);
        seen = seen && lab_answer(&l, 0, 1) != SPAR_MISSING;
        far = far && lab_answer(&l, 0, 2) == SPAR_MISSING;
    }
    ok(seen, "an arm is at distance 0 from itself and never confused");
    ok(far, "at many scales' distance all is confused");
    lab_close(&l);
}

/* A coin must not be tied to whether the pair is confused, nor a clear answer change: compare with all_pairs. */
static void check_same_luck(void)
{
    lab l = lab_open(env, "confusable(scale=2)"), coin = lab_open(env, "confusable(scale=2,mode=coin)"),
        all = lab_open(env, NULL);
    size_t arms[3] = {0, 1, 2};
    bool same = true;
    double heads[2] = {0};
    for (uint64_t t = 1; t <= 20000; t++) {
        (void)lab_ask(&l, t, 3, arms);
        (void)lab_ask(&coin, t, 3, arms);
        (void)lab_ask(&all, t, 3, arms);
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < k; j++)
                if (lab_answer(&l, j, k) == SPAR_MISSING)
                    heads[lab_answer(&coin, j, k) == SPAR_WIN]++;
                else
                    same = same && lab_answer(&l, j, k) == lab_answer(&all, j, k) &&
                           lab_answer(&coin, j, k) == lab_answer(&all, j, k);
    }
    ok(same, "what is clear is what all_pairs shows, in both modes");
    ok(fits(2, heads, (double[]){0.5, 0.5}), "what is confused is a fair coin");
    lab_close(&l);
    lab_close(&coin);
    lab_close(&all);
}

int main(void)
{
    check("confusable", 1, false);
    check("confusable(scale=2.5,mode=missing)", 2.5, false);
    check("confusable(scale=2.5,mode=coin)", 2.5, true);
    check_same_arm();
    check_same_luck();
    return done();
}
