/* beat_the_mean.c - Yue and Joachims 2011: arms are measured by their wins over the average active arm. */
#include "reference/parts.h"

#include <math.h>
#include <stdlib.h>

typedef struct tally {
    size_t k;
    bool *active;
    double *won, *played; /* k * k: by the first arm of the duel, against the second */
} tally;

static double sum_row(const tally *table, const double *of, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < table->k; j++)
        sum += of[i * table->k + j];
    return sum;
}

/* A uniform active arm; other than not, unless that is k. */
static size_t pick_active(const tally *table, size_t not, gsl_rng *rng)
{
    double *weight = ref_zeros(table->k);
    for (size_t i = 0; i < table->k; i++)
        weight[i] = table->active[i] && i != not ;
    size_t arm = ref_pick(weight, table->k, rng);
    free(weight);
    return arm;
}

static size_t least_played(const tally *table, gsl_rng *rng)
{
    double *score = ref_zeros(table->k);
    for (size_t i = 0; i < table->k; i++)
        score[i] = table->active[i] ? -sum_row(table, table->played, i) : -INFINITY;
    size_t arm = ref_pick_best(score, table->k, rng);
    free(score);
    return arm;
}

/* The worst active arm leaves if it is surely worse than the best one. spread * sqrt(1 / n) is the radius. */
static void remove_worst(tally *table, double spread, gsl_rng *rng)
{
    size_t k = table->k;
    double least = INFINITY, best = -INFINITY;
    double *badness = ref_zeros(k);
    for (size_t i = 0; i < k; i++) {
        badness[i] = -INFINITY;
        if (!table->active[i])
            continue;
        double n = sum_row(table, table->played, i);
        least = fmin(least, n);
        if (n == 0)
            break;
        badness[i] = -sum_row(table, table->won, i) / n;
        best = fmax(best, -badness[i]);
    }
    if (least > 0) {
        size_t worst = ref_pick_best(badness, k, rng);
        double radius = spread * sqrt(1 / least);
        if (-badness[worst] + radius <= best - radius) {
            table->active[worst] = false;
            for (size_t i = 0; i < k; i++)
                table->won[i * k + worst] = table->played[i * k + worst] = 0;
        }
    }
    free(badness);
}

static size_t count_active(const tally *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->k; i++)
        n += table->active[i];
    return n;
}

ref_result ref_beat_the_mean(const ref_world *world, size_t rounds, double gamma, double factor, bool self,
                             uint64_t seed)
{
    size_t k = world->k;
    double delta = 1 / (2 * (double)rounds * (double)k);
    double spread = factor * gamma * gamma * sqrt(log(1 / delta));
    ref_game game = ref_game_open(world, rounds, seed);
    tally table = {.k = k, .active = ref_falses(k), .won = ref_zeros(k * k), .played = ref_zeros(k * k)};
    for (size_t i = 0; i < k; i++)
        table.active[i] = true;
    while (game.left > 0 && count_active(&table) > 1) {
        size_t first = least_played(&table, game.rng);
        size_t second = pick_active(&table, self ? k : first, game.rng);
        double answer = ref_game_duel(&game, first, second);
        if (answer == REF_UNSEEN)
            continue;
        table.won[first * k + second] += answer;
        table.played[first * k + second]++;
        remove_worst(&table, spread, game.rng);
    }
    size_t last = pick_active(&table, k, game.rng);
    while (game.left > 0)
        (void)ref_game_duel(&game, last, last);
    free(table.played);
    free(table.won);
    free(table.active);
    return ref_game_close(&game);
}
