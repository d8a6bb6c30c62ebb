/* users.c - the users: who wins a duel, and which duels of a round are seen. */
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

ref_round ref_round_open(size_t m)
{
    ref_round round = {.m = m, .arm = calloc(m ? m : 1, sizeof *round.arm), .answer = ref_zeros(m * m)};
    if (!round.arm)
        abort();
    return round;
}

void ref_round_close(ref_round *round)
{
    free(round->arm);
    free(round->answer);
}

bool ref_answered(const ref_round *round, size_t j, size_t k)
{
    return round->answer[j * round->m + k] >= 0;
}

double ref_answer(const ref_round *round, size_t j, size_t k)
{
    return round->answer[j * round->m + k];
}

static void set_answer(ref_round *round, size_t j, size_t k, double r)
{
    round->answer[j * round->m + k] = r;
    round->answer[k * round->m + j] = 1 - r;
}

static double coin(gsl_rng *rng)
{
    return gsl_rng_uniform(rng) < 0.5 ? 1 : 0;
}

/* 1 when the arm in slot j wins, 0 when that in slot k does, 1/2 for a tie. */
static double duel(const ref_world *world, const ref_round *round, size_t j, size_t k, gsl_rng *rng)
{
    double p = world->p[round->arm[j] * world->k + round->arm[k]];
    double q = 1 - p;
    double tie = world->ties * sqrt(p * q) / (1 + world->ties * sqrt(p * q));
    if (gsl_rng_uniform(rng) < tie)
        return 0.5;
    return gsl_rng_uniform(rng) < p ? 1 : 0;
}

static double distance(const ref_world *world, size_t a, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < world->dim; i++) {
        double difference = world->x[a * world->dim + i] - world->x[b * world->dim + i];
        sum += difference * difference;
    }
    return sqrt(sum);
}

/* The chance that a pair is unseen (or answered by a coin). */
static double trouble(const ref_world *world, const ref_round *round, size_t j, size_t k)
{
    switch (world->feedback) {
    case REF_MISSING:
        return world->param;
    case REF_CONFUSABLE_MISSING:
    case REF_CONFUSABLE_COIN:
        return 1 - exp(-distance(world, round->arm[j], round->arm[k]) / world->param);
    default:
        return 0;
    }
}

static void answer_each_pair(const ref_world *world, ref_round *round, gsl_rng *rng)
{
    for (size_t j = 0; j < round->m; j++) {
        for (size_t k = j + 1; k < round->m; k++) {
            bool troubled = gsl_rng_uniform(rng) < trouble(world, round, j, k);
            if (!troubled)
                set_answer(round, j, k, duel(world, round, j, k, rng));
            else if (world->feedback == REF_CONFUSABLE_COIN)
                set_answer(round, j, k, coin(rng));
        }
    }
}

/* weight[j] = exp(utility) of the arm in slot j */
static double *luce_weights(const ref_world *world, const ref_round *round)
{
    double *weight = ref_zeros(round->m);
    for (size_t j = 0; j < round->m; j++)
        weight[j] = exp(world->utility[round->arm[j]]);
    return weight;
}

static size_t winner_by_most_wins(const ref_world *world, const ref_round *round, gsl_rng *rng)
{
    double *points = ref_zeros(round->m);
    for (size_t j = 0; j < round->m; j++) {
        for (size_t k = j + 1; k < round->m; k++) {
            double r = duel(world, round, j, k, rng);
            points[j] += r;
            points[k] += 1 - r;
        }
    }
    size_t winner = ref_pick_best(points, round->m, rng);
    free(points);
    return winner;
}

static size_t winner_by_pair(const ref_world *world, const ref_round *round, gsl_rng *rng)
{
    size_t j, k;
    ref_pick_two(round->m, &j, &k, rng);
    double r = duel(world, round, j, k, rng);
    if (r == 0.5)
        r = coin(rng);
    return r == 1 ? j : k;
}

static size_t winner_by_luce(const ref_world *world, const ref_round *round, gsl_rng *rng)
{
    double *weight = luce_weights(world, round);
    size_t winner = ref_pick(weight, round->m, rng);
    free(weight);
    return winner;
}

static void answer_winner(ref_round *round, size_t winner)
{
    for (size_t k = 0; k < round->m; k++)
        if (k != winner)
            set_answer(round, winner, k, 1);
}

/* Plackett-Luce: first place by weight among all slots, second among the rest, and so on. */
static void answer_ranking(const ref_world *world, ref_round *round, gsl_rng *rng)
{
    double *weight = luce_weights(world, round);
    for (size_t place = 0; place < round->m; place++) {
        size_t next = ref_pick(weight, round->m, rng);
        weight[next] = 0;
        for (size_t k = 0; k < round->m; k++)
            if (weight[k] > 0)
                set_answer(round, next, k, 1);
    }
    free(weight);
}

static void answer_one_pair(const ref_world *world, ref_round *round, gsl_rng *rng)
{
    size_t j, k;
    ref_pick_two(round->m, &j, &k, rng);
    set_answer(round, j, k, duel(world, round, j, k, rng));
}

void ref_users_answer(const ref_world *world, ref_round *round, gsl_rng *rng)
{
    for (size_t i = 0; i < round->m * round->m; i++)
        round->answer[i] = REF_UNSEEN;
    if (round->m < 2)
        return; /* nobody to beat */
    switch (world->feedback) {
    case REF_ALL_PAIRS:
    case REF_MISSING:
    case REF_CONFUSABLE_MISSING:
    case REF_CONFUSABLE_COIN:
        answer_each_pair(world, round, rng);
        break;
    case REF_WINNER_MOST_WINS:
        answer_winner(round, winner_by_most_wins(world, round, rng));
        break;
    case REF_WINNER_PAIR:
        answer_winner(round, winner_by_pair(world, round, rng));
        break;
    case REF_WINNER_LUCE:
        answer_winner(round, winner_by_luce(world, round, rng));
        break;
    case REF_RANKING:
        answer_ranking(world, round, rng);
        break;
    case REF_PAIR:
        answer_one_pair(world, round, rng);
        break;
    }
}

/* Was one choice made of all slots? Then an arm that stands in several of them counts once. */
static bool one_choice(const ref_world *world)
{
    return world->feedback == REF_WINNER_MOST_WINS || world->feedback == REF_WINNER_PAIR ||
           world->feedback == REF_WINNER_LUCE || world->feedback == REF_RANKING;
}

static int wins(const ref_round *round, size_t slot)
{
    int sum = 0;
    for (size_t k = 0; k < round->m; k++)
        sum += k != slot && ref_answered(round, slot, k) && ref_answer(round, slot, k) == 1;
    return sum;
}

/* Does another slot with the same arm speak for it, with more wins or as many and standing before? */
static bool represented(const ref_round *round, size_t slot)
{
    for (size_t k = 0; k < round->m; k++)
        if (k != slot && round->arm[k] == round->arm[slot] &&
            (wins(round, k) > wins(round, slot) || (wins(round, k) == wins(round, slot) && k < slot)))
            return true;
    return false;
}

void ref_arms_once(const ref_world *world, ref_round *round)
{
    bool *drop = ref_falses(round->m);
    for (size_t j = 0; j < round->m; j++)
        drop[j] = one_choice(world) && represented(round, j);
    for (size_t j = 0; j < round->m; j++)
        for (size_t k = 0; k < round->m; k++)
            if (drop[j] || drop[k])
                round->answer[j * round->m + k] = REF_UNSEEN;
    free(drop);
}

void ref_count_round(const ref_world *world, const ref_round *round, ref_result *total)
{
    for (size_t j = 0; j < round->m; j++) {
        total->regret += world->p[world->best * world->k + round->arm[j]] - 0.5;
        if (round->arm[j] == world->best)
            total->best_pulls++;
    }
}

void ref_count_near(const ref_world *world, const ref_round *round, ref_result *total)
{
    for (size_t j = 0; j < round->m; j++) {
        double gap = world->p[world->best * world->k + round->arm[j]] - 0.5;
        total->regret += gap;
        if (gap < 1e-9)
            total->best_pulls++;
    }
}
