/* selftest_users.c - the answers of the reference users against their exact probabilities. */
#include "tap.h"

#include "reference/parts.h"
#include "reference/share.h"

enum { MANY = 200000 };

/* Arms 0, 1, 2 beat each other in a circle; in order; all are equal. */
static const double CIRCLE[] = {0.5, 1, 0, 0, 0.5, 1, 1, 0, 0.5};
static const double ORDER[] = {0.5, 1, 1, 0, 0.5, 1, 0, 0, 0.5};
static const double EQUAL[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};

static void test_duel(void)
{
    static const double p[] = {0.5, 0.8, 0.2, 0.5};
    ref_world world = {.k = 2, .p = p, .ties = 2};
    ref_round round = ref_round_open(2);
    gsl_rng *rng = ref_rng_open(1);
    size_t wins = 0, ties = 0, bad = 0;
    round.arm[1] = 1;
    for (size_t i = 0; i < MANY; i++) {
        ref_users_answer(&world, &round, rng);
        wins += ref_answer(&round, 0, 1) == 1;
        ties += ref_answer(&round, 0, 1) == 0.5;
        bad += ref_answer(&round, 0, 1) + ref_answer(&round, 1, 0) != 1 || ref_answered(&round, 0, 0);
    }
    /* nu sqrt(pq) = 0.8; tie 0.8/1.8, win (1/1.8) 0.8 */
    share(ties, MANY, 4.0 / 9, "Davidson tie");
    share(wins, MANY, 4.0 / 9, "Davidson win");
    ok(bad == 0, "the two sides of a duel add up to one, no slot duels itself");
    gsl_rng_free(rng);
    ref_round_close(&round);
}

/* How often slot j beat slot k, and how often the pair was answered, over MANY rounds of arms 0, 1, 2. */
typedef struct tally {
    size_t beat[3][3], seen[3][3], rounds_with[4]; /* rounds with this many answered pairs */
} tally;

static tally watch(ref_world world, const double *p, ref_feedback_kind feedback, uint64_t seed)
{
    tally seen = {0};
    ref_round round = ref_round_open(3);
    gsl_rng *rng = ref_rng_open(seed);
    world.p = p;
    world.feedback = feedback;
    for (size_t i = 0; i < MANY; i++) {
        size_t pairs = 0;
        for (size_t j = 0; j < 3; j++)
            round.arm[j] = j;
        ref_users_answer(&world, &round, rng);
        for (size_t j = 0; j < 3; j++) {
            for (size_t k = 0; k < 3; k++) {
                seen.seen[j][k] += ref_answered(&round, j, k);
                seen.beat[j][k] += ref_answer(&round, j, k) == 1;
                pairs += j < k && ref_answered(&round, j, k);
            }
        }
        seen.rounds_with[pairs]++;
    }
    gsl_rng_free(rng);
    ref_round_close(&round);
    return seen;
}

static void test_winner(void)
{
    static const double utility[] = {1, 0, -1};
    ref_world world = {.k = 3, .utility = utility};
    tally got = watch(world, CIRCLE, REF_WINNER_MOST_WINS, 2);
    share(got.rounds_with[2], MANY, 1, "winner answers m - 1 pairs");
    for (size_t j = 0; j < 3; j++)
        share(got.beat[j][(j + 1) % 3], MANY, 1.0 / 3, "most_wins on a circle");
    got = watch(world, ORDER, REF_WINNER_MOST_WINS, 3);
    share(got.beat[0][1], MANY, 1, "most_wins on an order");
    share(got.beat[0][2], MANY, 1, "most_wins on an order");
    share(got.seen[1][2], MANY, 0, "nothing known among the losers");
    got = watch(world, ORDER, REF_WINNER_PAIR, 4);
    share(got.rounds_with[2], MANY, 1, "winner(pair) answers m - 1 pairs");
    share(got.beat[0][2], MANY, 2.0 / 3, "winner(pair), first slot");
    share(got.beat[1][0], MANY, 1.0 / 3, "winner(pair), second slot");
    share(got.beat[2][0], MANY, 0, "winner(pair), third slot");
    world.ties = 1e9;
    got = watch(world, ORDER, REF_WINNER_PAIR, 5);
    share(got.beat[0][2], MANY, 2.0 / 3, "winner(pair): no tie between sure duels");
    got = watch(world, EQUAL, REF_WINNER_PAIR, 6);
    share(got.beat[0][2], MANY, 1.0 / 3, "winner(pair): a tie is a fair coin");
    got = watch(world, EQUAL, REF_WINNER_LUCE, 7);
    share(got.beat[0][1], MANY, exp(1) / (exp(1) + 1 + exp(-1)), "winner(luce), best slot");
    share(got.beat[2][1], MANY, exp(-1) / (exp(1) + 1 + exp(-1)), "winner(luce), worst slot");
}

static void test_ranking(void)
{
    static const double utility[] = {1, 0, -1};
    ref_world world = {.k = 3, .p = EQUAL, .utility = utility, .feedback = REF_RANKING};
    double e = exp(1);
    tally got = watch(world, EQUAL, REF_RANKING, 8);
    share(got.rounds_with[3], MANY, 1, "ranking answers every pair");
    share(got.beat[0][1], MANY, e / (e + 1), "ranking, neighbours");
    share(got.beat[0][2], MANY, e * e / (e * e + 1), "ranking, ends");
    ref_round round = ref_round_open(3);
    gsl_rng *rng = ref_rng_open(9);
    size_t reversed = 0, circles = 0;
    for (size_t j = 0; j < 3; j++)
        round.arm[j] = j;
    for (size_t i = 0; i < MANY; i++) {
        ref_users_answer(&world, &round, rng);
        double first = ref_answer(&round, 0, 1), second = ref_answer(&round, 1, 2), third = ref_answer(&round, 2, 0);
        reversed += first == 0 && second == 0 && third == 1;
        circles += first == second && second == third;
    }
    share(reversed, MANY, 1 / e / (e + 1 + 1 / e) / (e + 1), "ranking, the whole order reversed");
    share(circles, MANY, 0, "ranking is an order");
    gsl_rng_free(rng);
    ref_round_close(&round);
}

static void test_partial(void)
{
    static const double x[] = {0, 0, 3, 4, 3, 4}; /* arm 0 at distance 5 from arms 1 and 2, which are together */
    ref_world world = {.k = 3, .x = x, .dim = 2, .param = 0.3};
    tally got = watch(world, ORDER, REF_PAIR, 10);
    share(got.rounds_with[1], MANY, 1, "pair answers one pair");
    share(got.beat[0][1], MANY, 1.0 / 3, "pair, first");
    share(got.beat[1][2], MANY, 1.0 / 3, "pair, last");
    got = watch(world, ORDER, REF_MISSING, 11);
    share(got.seen[0][1], MANY, 0.7, "missing(0.3)");
    share(got.beat[0][1], MANY, 0.7, "missing(0.3), what is seen is true");
    share(got.rounds_with[0], MANY, 0.027, "missing(0.3), pairs are independent");
    world.param = 4;
    double seen = exp(-5.0 / 4);
    got = watch(world, ORDER, REF_CONFUSABLE_MISSING, 12);
    share(got.beat[0][1], MANY, seen, "confusable(missing), far pair");
    share(got.seen[0][2], MANY, seen, "confusable(missing), far pair");
    share(got.beat[1][2], MANY, 1, "confusable(missing), pair at one place");
    got = watch(world, ORDER, REF_CONFUSABLE_COIN, 13);
    share(got.rounds_with[3], MANY, 1, "confusable(coin) answers all");
    share(got.beat[0][1], MANY, seen + (1 - seen) / 2, "confusable(coin), far pair");
    share(got.beat[1][2], MANY, 1, "confusable(coin), pair at one place");
}

int main(void)
{
    test_duel();
    test_winner();
    test_ranking();
    test_partial();
    return done();
}
