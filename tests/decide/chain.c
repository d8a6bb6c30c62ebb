/* The moves of the Markov chain, each as alone as it can be, against the posterior of two options by quadrature.
 *
 * A wrong move among right ones is hard to see: the others bring the chain back. The difference of two strengths is
 * N(0, 2 s^2) before the answers, and s is half-normal of scale 2 or fixed. */
#include "decide/decide.h"

#include "tap.h"

#include <stdlib.h>

enum { LOGS = 8, WON = 4, LOST = 1 };

typedef struct summary {
    double mean, deviation, high; /* of the difference: its 97.5 % point */
    double sd;                    /* the mean of s */
} summary;

/* The same answers in another order: other random numbers. */
static spar_standings *standings_of(unsigned order, double sd, unsigned moves)
{
    spar_standings *st = NULL;
    spar_answer *answer = NULL;
    size_t shown[2] = {0, 1};
    if (spar_standings_new(2, &st, NULL) || spar_answer_new(&answer) || spar_standings_set_sd(st, sd, NULL))
        abort();
    for (unsigned i = 0; i < WON + LOST; i++) {
        shown[0] = order >> i & 1;
        shown[1] = 1 - shown[0];
        bool lost = i == order % (WON + LOST); /* else option 0 won */
        spar_answer_set_winner(answer, lost == (shown[0] == 0));
        if (spar_standings_answer(st, 2, shown, NULL, answer, 0, 1, NULL))
            abort();
    }
    st->moves = moves;
    spar_answer_free(answer);
    if (spar_standings_compute(st, NULL))
        abort();
    return st;
}

static summary sampled(double sd, unsigned moves)
{
    summary sum = {0};
    double square = 0;
    for (unsigned log = 0; log < LOGS; log++) {
        double mean, high, spread;
        spar_standings *st = standings_of(5 * log + 3, sd, moves);
        (void)spar_standings_strength(st, 0, &mean, NULL, &high); /* half of the difference */
        (void)spar_standings_spread(st, &spread, NULL, NULL);
        for (size_t i = 0; i < st->draws; i++) {
            double difference = st->draw[i * 3] - st->draw[i * 3 + 1];
            square += difference * difference / (double)(st->draws * LOGS);
        }
        sum.mean += 2 * mean / LOGS;
        sum.high += 2 * high / LOGS;
        sum.sd += spread / LOGS;
        spar_standings_free(st);
    }
    sum.deviation = sqrt(square - sum.mean * sum.mean);
    return sum;
}

/* The density of the difference and s; sd 0: s is free. */
static double density(double difference, double s)
{
    return exp(WON * -log1p(exp(-difference)) + LOST * -log1p(exp(difference)) - difference * difference / (4 * s * s) -
               log(s));
}

static summary exact(double sd)
{
    enum { STEPS = 8000 };
    static double weight[STEPS];
    double step = 40.0 / STEPS, all = 0, below = 0;
    summary sum = {0};
    for (size_t i = 0; i < STEPS; i++)
        weight[i] = 0;
    for (double s = sd > 0 ? sd : 0.005; s < (sd > 0 ? sd + 1e-9 : 12); s += 0.01)
        for (size_t i = 0; i < STEPS; i++) {
            double w = density(((double)i + 0.5) * step - 20, s) * (sd > 0 ? 1 : exp(-s * s / 8));
            weight[i] += w;
            all += w;
            sum.sd += w * s;
        }
    sum.sd /= all;
    for (size_t i = 0; i < STEPS; i++) {
        double x = ((double)i + 0.5) * step - 20, w = weight[i] / all;
        sum.mean += w * x;
        sum.deviation += w * x * x;
        sum.high = below < 0.975 ? x : sum.high;
        below += w;
    }
    sum.deviation = sqrt(sum.deviation - sum.mean * sum.mean);
    return sum;
}

static void check(const char *what, double sd, unsigned moves)
{
    summary got = sampled(sd, moves), wanted = exact(sd);
    bool good = fabs(got.mean - wanted.mean) < 0.05 * wanted.deviation &&
                fabs(got.deviation / wanted.deviation - 1) < 0.05 && fabs(got.high / wanted.high - 1) < 0.06 &&
                fabs(got.sd / wanted.sd - 1) < 0.05;
    ok(good, "%s: mean %.3f (%.3f), deviation %.3f (%.3f), 97.5 %% %.2f (%.2f), s %.3f (%.3f)", what, got.mean,
       wanted.mean, got.deviation, wanted.deviation, got.high, wanted.high, got.sd, wanted.sd);
}

int main(void)
{
    check("around the mode, s = 1.5", 1.5, SPAR__MOVE_MODE);
    check("around the prior, s = 1.5", 1.5, SPAR__MOVE_PRIOR);
    check("around the mode, s = 0.3", 0.3, SPAR__MOVE_MODE);
    check("as for many answers", 0, SPAR__MOVE_MODE | SPAR__MOVE_SD | SPAR__MOVE_SCALE);
    check("around the prior, and s", 0, SPAR__MOVE_PRIOR | SPAR__MOVE_SD);
    check("around the mode, and both together", 0, SPAR__MOVE_MODE | SPAR__MOVE_SCALE);
    check("around the prior, and both together", 0, SPAR__MOVE_PRIOR | SPAR__MOVE_SCALE);
    check("all", 0, 0);
    return done();
}
