#include "env/lab.h"

enum { ROUNDS = 100000 };

/* Three slots: P(win, tie, loss) of the pairs 0-1, 0-2, 1-2. */
typedef struct duels {
    double p[3][3];
} duels;

static duels make_duels(const lab *l, const size_t *arms, double nu)
{
    static const size_t pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    duels d;
    for (size_t i = 0; i < 3; i++) {
        double p = spar_world_prefer(l->world, 1, arms[pair[i][0]], arms[pair[i][1]]);
        double odds = nu * sqrt(p * (1 - p)), tie = odds / (1 + odds);
        d.p[i][0] = p * (1 - tie);
        d.p[i][1] = tie;
        d.p[i][2] = (1 - p) * (1 - tie);
    }
    return d;
}

static void expect_most_wins(const duels *d, double *p)
{
    memset(p, 0, 3 * sizeof *p);
    for (size_t code = 0; code < 27; code++) {
        size_t a = code / 9, b = code / 3 % 3, c = code % 3; /* 0 win, 1 tie, 2 loss of the pair's first */
        double score[3] = {(double)(2 - a + 2 - b), (double)(a + 2 - c), (double)(b + c)};
        double top = fmax(score[0], fmax(score[1], score[2])), equal = 0;
        for (size_t j = 0; j < 3; j++)
            equal += score[j] == top;
        for (size_t j = 0; j < 3; j++)
            if (score[j] == top)
                p[j] += d->p[0][a] * d->p[1][b] * d->p[2][c] / equal;
    }
}

static void expect_pair(const duels *d, double *p)
{
    static const size_t pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    memset(p, 0, 3 * sizeof *p);
    for (size_t i = 0; i < 3; i++) {
        p[pair[i][0]] += (d->p[i][0] + d->p[i][1] / 2) / 3;
        p[pair[i][1]] += (d->p[i][2] + d->p[i][1] / 2) / 3;
    }
}

static void expect_luce(const lab *l, const size_t *arms, double *p)
{
    double sum = 0;
    for (size_t j = 0; j < 3; j++)
        sum += p[j] = exp(l->world->utility[arms[j]]);
    for (size_t j = 0; j < 3; j++)
        p[j] /= sum;
}

/* One person: an arm counts once, and its slots share what it gets. */
static void expect_voter(const lab *l, const size_t *arms, double *p)
{
    double sum = 0;
    for (size_t j = 0; j < 3; j++) {
        double copies = 0;
        for (size_t k = 0; k < 3; k++)
            copies += arms[k] == arms[j];
        sum += p[j] = exp(l->world->utility[arms[j]]) / copies;
    }
    for (size_t j = 0; j < 3; j++)
        p[j] /= sum;
}

/* The slot that beat both others, 3 when the feedback is anything else. */
static size_t only_winner(const lab *l)
{
    for (size_t j = 0; j < 3; j++) {
        size_t a = (j + 1) % 3, b = (j + 2) % 3;
        if (lab_answer(l, j, a) == SPAR_WIN && lab_answer(l, j, b) == SPAR_WIN && lab_answer(l, a, b) == SPAR_MISSING &&
            lab_answer(l, b, a) == SPAR_MISSING && lab_answer(l, a, j) == SPAR_LOSS && lab_answer(l, b, j) == SPAR_LOSS)
            return j;
    }
    return 3;
}

static void check(const char *env, double nu)
{
    static const char *const rules[] = {"winner(rule=most_wins)", "winner(rule=pair)", "winner(rule=luce)",
                                        "winner(rule=voter)"};
    for (size_t rule = 0; rule < 4; rule++) {
        lab l = lab_open(env, rules[rule]);
        size_t best = lab_arm(&l, 0.9), middle = lab_arm(&l, 0.5), worst = lab_arm(&l, 0.1);
        size_t rounds[2][3] = {{middle, best, worst}, {best, worst, best}};
        for (size_t r = 0; r < 2; r++) {
            double count[4] = {0}, p[4] = {0};
            bool rewarded = false, kind = true;
            for (uint64_t t = 1; t <= ROUNDS; t++) {
                (void)lab_ask(&l, t, 3, rounds[r]);
                count[only_winner(&l)]++;
                rewarded = rewarded || l.feedback->rewarded[0];
                kind = kind && spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_WINNER;
            }
            duels d = make_duels(&l, rounds[r], nu);
            if (rule == 0)
                expect_most_wins(&d, p);
            else if (rule == 1)
                expect_pair(&d, p);
            else if (rule == 2)
                expect_luce(&l, rounds[r], p);
            else
                expect_voter(&l, rounds[r], p);
            ok(fits(4, count, p), "%s, %s: slots win as defined (%zu)", env, rules[rule], r);
            ok(!rewarded && kind, "%s: no slot is rewarded, and it is one choice", rules[rule]);
        }
        lab_close(&l);
    }
}

static void check_same_luck(void)
{
    lab l = lab_open("utility(set=arith)", "winner"), all = lab_open("utility(set=arith)", "all_pairs");
    size_t arms[3] = {0, 5, 9}, clear = 0, agree = 0;
    for (uint64_t t = 1; t <= 1000; t++) {
        (void)lab_ask(&l, t, 3, arms);
        (void)lab_ask(&all, t, 3, arms);
        for (size_t j = 0; j < 3; j++)
            if (lab_answer(&all, j, (j + 1) % 3) == SPAR_WIN && lab_answer(&all, j, (j + 2) % 3) == SPAR_WIN) {
                clear++;
                agree += only_winner(&l) == j;
            }
    }
    ok(spar_feedback_kind_of(l.feedback) == SPAR_FEEDBACK_WINNER &&
           spar_feedback_kind_of(all.feedback) == SPAR_FEEDBACK_PAIRS,
       "the kind is winner, that of all_pairs is pairs");
    ok(clear > 500 && agree == clear, "most_wins plays the very duels of all_pairs");
    ok(lab_ask(&l, 1, 1, arms) == SPAR_OK && spar_feedback_empty(l.feedback), "one slot: nobody wins");
    lab_close(&l);
    lab_close(&all);
}

/* The taste of round t does not depend on what else is shown, nor where. */
static void check_same_taste(void)
{
    lab l = lab_open("utility(set=arith)", "winner(rule=voter)");
    size_t few[2] = {3, 7}, more[3] = {7, 9, 3}, agree = 0, clear = 0;
    for (uint64_t t = 1; t <= 1000; t++) {
        (void)lab_ask(&l, t, 2, few);
        bool first = lab_answer(&l, 0, 1) == SPAR_WIN;
        (void)lab_ask(&l, t, 3, more);
        size_t best = only_winner(&l);
        clear += best != 1;
        agree += best != 1 && (best == 2) == first;
    }
    ok(clear > 400 && agree == clear, "voter: who prefers 3 to 7 does so on every screen");
    lab_close(&l);
}

int main(void)
{
    check("utility(values=0.9:0.5:0.1)", 0);
    check("utility(values=0.9:0.5:0.1,ties=1.5)", 1.5);
    check_same_luck();
    check_same_taste();
    lab_starve("utility(values=0.9:0.5)", "winner(rule=luce)");
    return done();
}
