/* bandit.c - Thompson sampling with Beta(1, 1), UCB1 and EXP3 with a horizon. */
#include "reference/parts.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

ref_player ref_player_open(ref_bandit kind, size_t k, double alpha, size_t horizon)
{
    ref_player player = {.kind = kind, .k = k, .alpha = alpha, .horizon = (double)horizon};
    player.won = ref_zeros(k);
    player.lost = ref_zeros(k);
    player.sum = ref_zeros(k);
    player.pulls = ref_zeros(k);
    player.w = ref_zeros(k);
    player.p = ref_zeros(k);
    ref_player_reset(&player);
    return player;
}

void ref_player_reset(ref_player *player)
{
    for (size_t i = 0; i < player->k; i++) {
        player->won[i] = player->lost[i] = 0;
        player->sum[i] = player->pulls[i] = 0;
        player->w[i] = 1;
    }
}

void ref_player_close(ref_player *player)
{
    free(player->won);
    free(player->lost);
    free(player->sum);
    free(player->pulls);
    free(player->w);
    free(player->p);
}

static size_t thompson_choose(const ref_player *player, gsl_rng *rng)
{
    double *theta = ref_zeros(player->k);
    for (size_t i = 0; i < player->k; i++)
        theta[i] = gsl_ran_beta(rng, player->won[i] + 1, player->lost[i] + 1);
    size_t arm = ref_pick_best(theta, player->k, rng);
    free(theta);
    return arm;
}

/* An arm without a pull comes first; several such arms are a tie. */
static size_t ucb1_choose(const ref_player *player, gsl_rng *rng)
{
    double *bound = ref_zeros(player->k);
    double n = 0;
    for (size_t i = 0; i < player->k; i++)
        n += player->pulls[i];
    for (size_t i = 0; i < player->k; i++) {
        if (player->pulls[i] == 0)
            bound[i] = INFINITY;
        else
            bound[i] = player->sum[i] / player->pulls[i] + sqrt(player->alpha * log(n) / player->pulls[i]);
    }
    size_t arm = ref_pick_best(bound, player->k, rng);
    free(bound);
    return arm;
}

static double exp3_gamma(const ref_player *player)
{
    double k = (double)player->k;
    double g = sqrt(k * log(k) / ((exp(1) - 1) * player->horizon));
    return g < 1 ? g : 1;
}

static size_t exp3_choose(ref_player *player, gsl_rng *rng)
{
    double g = exp3_gamma(player);
    double sum = 0;
    for (size_t i = 0; i < player->k; i++)
        sum += player->w[i];
    for (size_t i = 0; i < player->k; i++)
        player->p[i] = (1 - g) * player->w[i] / sum + g / (double)player->k;
    return ref_pick(player->p, player->k, rng);
}

size_t ref_player_choose(ref_player *player, gsl_rng *rng)
{
    switch (player->kind) {
    case REF_THOMPSON:
        return thompson_choose(player, rng);
    case REF_UCB1:
        return ucb1_choose(player, rng);
    case REF_EXP3:
        return exp3_choose(player, rng);
    }
    abort();
}

void ref_player_learn(ref_player *player, size_t arm, double reward)
{
    switch (player->kind) {
    case REF_THOMPSON:
        player->won[arm] += reward;
        player->lost[arm] += 1 - reward;
        break;
    case REF_UCB1:
        player->sum[arm] += reward;
        player->pulls[arm] += 1;
        break;
    case REF_EXP3:
        player->w[arm] *= exp(exp3_gamma(player) * reward / (player->p[arm] * (double)player->k));
        break;
    }
}

static ref_result play_plain(ref_bandit kind, const double *mu, size_t k, size_t rounds, uint64_t seed)
{
    gsl_rng *rng = ref_rng_open(seed);
    ref_player player = ref_player_open(kind, k, 2, rounds);
    ref_result total = {0, 0};
    double best = mu[0];
    for (size_t i = 0; i < k; i++)
        if (mu[i] > best)
            best = mu[i];
    for (size_t t = 0; t < rounds; t++) {
        size_t arm = ref_player_choose(&player, rng);
        double reward = gsl_rng_uniform(rng) < mu[arm] ? 1 : 0;
        ref_player_learn(&player, arm, reward);
        total.regret += best - mu[arm];
        if (mu[arm] == best)
            total.best_pulls++;
    }
    ref_player_close(&player);
    gsl_rng_free(rng);
    return total;
}

ref_result ref_thompson_plain(const double *mu, size_t k, size_t rounds, uint64_t seed)
{
    return play_plain(REF_THOMPSON, mu, k, rounds, seed);
}

ref_result ref_ucb1_plain(const double *mu, size_t k, size_t rounds, uint64_t seed)
{
    return play_plain(REF_UCB1, mu, k, rounds, seed);
}

ref_result ref_exp3_plain(const double *mu, size_t k, size_t rounds, uint64_t seed)
{
    return play_plain(REF_EXP3, mu, k, rounds, seed);
}
