/* peeking.c - why a belief must not stop an experiment: two options that are exactly equal, and somebody who looks
 * after every vote and stops as soon as one of them seems better.
 *
 * The belief is that of a bandit: with w votes for one and l for the other the share p of the first has the law
 * Beta(w + 1, l + 1), and it 'wins' when p > 1/2 with probability 0.95. The verdict is that of spar/decide.h at the
 * same error, 5 %. Any winner is a false one.
 *
 *     cc peeking.c $(pkg-config --cflags --libs spar) -o peeking && ./peeking */
#include <spar/spar.h>

#include <stdio.h>

enum { EXPERIMENTS = 1000, LOOKS = 5 };

static const int votes_at[LOOKS] = {10, 30, 100, 300, 1000};

/* P(Beta(w + 1, l + 1) > 1/2) = P(Bin(w + l + 1, 1/2) <= w), kept up vote by vote. */
typedef struct belief {
    double won, tosses, at, below; /* w; w + l + 1; P(Bin = w), P(Bin <= w) */
} belief;

static void belief_vote(belief *b, int win)
{
    double next = b->at * (b->tosses + 1) / 2; /* P(Bin = w) of one toss more, times what is left to divide by */
    b->below -= b->at / 2;
    b->tosses++;
    if (win) {
        b->won++;
        b->at = next / b->won;
        b->below += b->at;
    } else {
        b->at = next / (b->tosses - b->won);
    }
}

/* One experiment: when, in votes, did each of the two name a winner? 0: never. */
static spar_status play(spar_rng *rng, int *believed, int *decided, spar_error *err)
{
    size_t shown[] = {0, 1};
    unsigned char outcome[2][4] = {{SPAR_MISSING, SPAR_LOSS, SPAR_WIN, SPAR_MISSING},
                                   {SPAR_MISSING, SPAR_WIN, SPAR_LOSS, SPAR_MISSING}};
    belief b = {0, 1, 0.5, 0.5};
    spar_decision *decision;
    spar_status status = spar_decision_new(2, NULL, &decision, err);
    *believed = *decided = 0;
    for (int t = 1; t <= votes_at[LOOKS - 1] && !(*believed && *decided) && !status; t++) {
        int win = spar_rng_below(rng, 2) == 1;
        spar_ballot ballot = {.size = sizeof ballot, .m = 2, .option = shown, .outcome = outcome[win]};
        status = spar_decision_answer(decision, &ballot, err);
        belief_vote(&b, win);
        if (!*believed && t >= 10 && (b.below >= 0.95 || b.below <= 0.05))
            *believed = t;
        if (!*decided && !status && spar_decision_verdict(decision) == SPAR_VERDICT_BEST)
            *decided = t;
    }
    spar_decision_free(decision);
    return status;
}

int main(void)
{
    int believed[LOOKS] = {0}, decided[LOOKS] = {0};
    spar_rng *rng;
    spar_error err;
    if (spar_rng_new(1, 0, 0, &rng))
        return 1;
    for (int i = 0; i < EXPERIMENTS; i++) {
        int b, d;
        if (play(rng, &b, &d, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        for (int k = 0; k < LOOKS; k++) {
            believed[k] += b && b <= votes_at[k];
            decided[k] += d && d <= votes_at[k];
        }
    }
    spar_rng_free(rng);
    printf("false winners of two equal options, looked at after every vote\nvotes  belief at 95 %%  spar decide\n");
    for (int k = 0; k < LOOKS; k++)
        printf("%5d  %12.1f %%  %9.1f %%\n", votes_at[k], 100.0 * believed[k] / EXPERIMENTS,
               100.0 * decided[k] / EXPERIMENTS);
    return 0;
}
