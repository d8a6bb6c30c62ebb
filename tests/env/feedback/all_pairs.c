#include "env/lab.h"

enum { ROUNDS = 100000 };

/* Slots 0, 1, 2 show the arms of utility 0.9, 0.5, 0.9: duels 0-1 at 0.7, 0-2 at 1/2, 1-2 at 0.3. */
static void check_rates(const char *spec, double nu)
{
    lab l = lab_open(spec, "all_pairs");
    size_t good = lab_arm(&l, 0.9), bad = lab_arm(&l, 0.5), arms[3] = {good, bad, good};
    double count[3][3] = {{0}}, joint[27] = {0}, joint_p[27];
    bool opposite = true, diagonal = true;
    static const size_t pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        (void)lab_ask(&l, t, 3, arms);
        size_t code = 0;
        for (size_t i = 0; i < 3; i++) {
            spar_outcome a = lab_answer(&l, pair[i][0], pair[i][1]);
            opposite = opposite && a != SPAR_MISSING && a + lab_answer(&l, pair[i][1], pair[i][0]) == 4;
            diagonal = diagonal && lab_answer(&l, i, i) == SPAR_MISSING;
            count[i][(size_t)a - 1]++;
            code = code * 3 + (size_t)a - 1;
        }
        joint[code]++;
    }
    static const double wins[3] = {0.7, 0.5, 0.3};
    double p[3][3];
    for (size_t i = 0; i < 3; i++) {
        double odds = nu * sqrt(wins[i] * (1 - wins[i])), tie = odds / (1 + odds);
        p[i][SPAR_WIN - 1] = (1 - tie) * wins[i];
        p[i][SPAR_TIE - 1] = tie;
        p[i][SPAR_LOSS - 1] = (1 - tie) * (1 - wins[i]);
        ok(fits(3, count[i], p[i]), "%s: duel %zu wins, ties and loses as defined", spec, i);
    }
    for (size_t i = 0; i < 27; i++)
        joint_p[i] = p[0][i / 9] * p[1][i / 3 % 3] * p[2][i % 3];
    ok(fits(27, joint, joint_p), "%s: the duels of a round are independent", spec);
    ok(opposite, "%s: the two sides of a pair agree", spec);
    ok(diagonal, "%s: no slot duels itself", spec);
    lab_close(&l);
}

static void check_luck(void)
{
    lab l = lab_open("utility(set=arith,ties=0.5)", "all_pairs");
    size_t arms[30];
    for (size_t j = 0; j < 30; j++)
        arms[j] = j * 7 % 16;
    unsigned char four[16], again[16];
    bool shared = true, repeated = true, moves = false;
    for (uint64_t t = 1; t <= 200; t++) {
        (void)lab_ask(&l, t, 4, arms);
        memcpy(four, l.feedback->outcome, 16);
        (void)lab_ask(&l, t, 30, arms); /* more pairs than are drawn at once */
        for (size_t j = 0; j < 4; j++)
            for (size_t k = 0; k < 4; k++)
                shared = shared && lab_answer(&l, j, k) == four[j * 4 + k];
        (void)lab_ask(&l, t, 4, arms);
        memcpy(again, l.feedback->outcome, 16);
        repeated = repeated && memcmp(four, again, 16) == 0;
        (void)lab_ask(&l, t + 1, 4, arms);
        moves = moves || memcmp(four, l.feedback->outcome, 16) != 0;
    }
    ok(shared, "slots keep their luck when more slots are asked");
    ok(repeated, "a round asked again is answered the same");
    ok(moves, "another round has other luck");
    lab_close(&l);
}

/* All pairs of 30 slots: wins must be right beyond the part of the luck that is drawn at once. */
static void check_many(void)
{
    lab l = lab_open("utility(values=0.9:0.5)", "all_pairs");
    size_t arms[30], good = lab_arm(&l, 0.9), bad = 1 - good;
    for (size_t j = 0; j < 30; j++)
        arms[j] = j < 15 ? good : bad;
    double count[2] = {0};
    for (uint64_t t = 1; t <= 1000; t++) {
        (void)lab_ask(&l, t, 30, arms);
        for (size_t j = 0; j < 15; j++)
            for (size_t k = 15; k < 30; k++)
                count[lab_answer(&l, j, k) == SPAR_WIN]++;
    }
    ok(fits(2, count, (double[]){0.3, 0.7}), "30 slots: 225 duels a round at 0.7");
    lab_close(&l);
}

/* No two of the 435 pairs of 30 slots share their luck: as fair coins they agree half of the time. */
static void check_apart(void)
{
    enum { SLOTS = 30, PAIRS = SLOTS * (SLOTS - 1) / 2, TOSSES = 2000 };
    static unsigned char toss[PAIRS][TOSSES];
    lab l = lab_open("utility(k=1)", "all_pairs");
    size_t arms[SLOTS] = {0};
    for (size_t t = 0; t < TOSSES; t++) {
        (void)lab_ask(&l, t + 1, SLOTS, arms);
        for (size_t k = 1; k < SLOTS; k++)
            for (size_t j = 0; j < k; j++)
                toss[k * (k - 1) / 2 + j][t] = lab_answer(&l, j, k) == SPAR_WIN;
    }
    double worst = 0;
    for (size_t a = 0; a < PAIRS; a++)
        for (size_t b = 0; b < a; b++) {
            int agree = 0;
            for (size_t t = 0; t < TOSSES; t++)
                agree += toss[a][t] == toss[b][t];
            worst = fmax(worst, fabs(agree - TOSSES / 2.0));
        }
    ok(worst < 6 * sqrt(TOSSES / 4.0), "30 slots: no two pairs share their luck");
    lab_close(&l);
}

static void check_edges(void)
{
    lab l = lab_open("utility(values=1:0)", NULL);
    size_t best = spar_world_best(l.world, 1), arms[2] = {best, 1 - best};
    bool always = true;
    for (uint64_t t = 1; t <= 1000; t++) {
        (void)lab_ask(&l, t, 2, arms);
        always = always && lab_answer(&l, 0, 1) == SPAR_WIN;
    }
    ok(always, "P = 1 always wins, and no feedback named means all pairs");
    ok(lab_ask(&l, 1, 1, arms) == SPAR_OK && spar_feedback_empty(l.feedback), "one slot: nothing to compare");
    ok(lab_ask(&l, 1, 0, arms) == SPAR_OK && l.feedback->m == 0, "no slot: nothing at all");
    arms[1] = 2;
    ok(lab_ask(&l, 1, 2, arms) == SPAR_INVALID, "an arm out of range is refused");
    lab_close(&l);
}

int main(void)
{
    check_rates("utility(values=0.9:0.5)", 0);
    check_rates("utility(values=0.9:0.5,ties=0.8)", 0.8);
    check_luck();
    check_many();
    check_apart();
    check_edges();
    return done();
}
