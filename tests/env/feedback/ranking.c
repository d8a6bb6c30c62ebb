#include "env/lab.h"

enum { ROUNDS = 100000 };

/* P(order) by the definition: each place goes to one of the rest with probability proportional to exp(utility). */
static double law(const double *utility, const size_t *order, size_t m)
{
    double p = 1;
    for (size_t i = 0; i < m; i++) {
        double rest = 0;
        for (size_t j = i; j < m; j++)
            rest += exp(utility[order[j]]);
        p *= exp(utility[order[i]]) / rest;
    }
    return p;
}

static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void check_orders(const char *env, const size_t *arms)
{
    lab l = lab_open(env, "ranking");
    double count[7] = {0}, p[7] = {0}, utility[3];
    for (size_t j = 0; j < 3; j++)
        utility[j] = l.world->utility[arms[j]];
    for (size_t i = 0; i < 6; i++)
        p[i] = law(utility, orders[i], 3);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 3, arms);
        size_t i = 0;
        for (; i < 6; i++) {
            const size_t *o = orders[i];
            if (lab_answer(&l, o[0], o[1]) == SPAR_WIN && lab_answer(&l, o[1], o[2]) == SPAR_WIN &&
                lab_answer(&l, o[0], o[2]) == SPAR_WIN && lab_answer(&l, o[2], o[0]) == SPAR_LOSS)
                break;
        }
        count[i]++; /* 6: no order at all */
    }
    ok(fits(7, count, p), "%s: %zu, %zu, %zu come in the order of Plackett and Luce", env, arms[0], arms[1], arms[2]);
    lab_close(&l);
}

int main(void)
{
    check_orders("utility(values=2:0.5:-1,link=logit)", (size_t[]){0, 1, 2});
    check_orders("utility(values=2:0.5:-1,link=logit)", (size_t[]){2, 2, 0});
    check_orders("utility(set=arith)", (size_t[]){3, 9, 12});

    lab l = lab_open("utility(values=2:0.5:-1,link=logit)", "ranking");
    size_t arms[4] = {0, 1, 2, 0};
    bool shared = true;
    for (uint64_t t = 1; t <= 500; t++) {
        (void)lab_ask(&l, t, 4, arms);
        spar_outcome a = lab_answer(&l, 0, 1), b = lab_answer(&l, 0, 2), c = lab_answer(&l, 1, 2);
        (void)lab_ask(&l, t, 3, arms);
        shared = shared && a == lab_answer(&l, 0, 1) && b == lab_answer(&l, 0, 2) && c == lab_answer(&l, 1, 2);
    }
    ok(shared, "slots keep their luck when more slots are asked");
    ok(!l.feedback->rewarded[0], "no slot is rewarded");
    ok(spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_RANKING, "the kind is ranking");
    lab_close(&l);

    l = lab_open("utility(values=-1000:1000,link=logit)", "ranking");
    size_t pair[2] = {lab_arm(&l, 1000), lab_arm(&l, -1000)};
    bool always = true;
    for (uint64_t t = 1; t <= 100; t++) {
        (void)lab_ask(&l, t, 2, pair);
        always = always && lab_answer(&l, 0, 1) == SPAR_WIN;
    }
    ok(always, "utilities whose exp overflows are in order");
    lab_close(&l);
    return done();
}
