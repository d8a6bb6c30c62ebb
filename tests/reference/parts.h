/* parts.h - what the references share among themselves: chance, the round with its answers, and a bandit player. */
#ifndef SPAR_TESTS_REFERENCE_PARTS_H
#define SPAR_TESTS_REFERENCE_PARTS_H

#include "reference/reference.h"

#include <gsl/gsl_rng.h>

/* chance.c */
gsl_rng *ref_rng_open(uint64_t seed);
double *ref_zeros(size_t n);                                       /* n zeros to free(), or abort */
bool *ref_falses(size_t n);                                        /* n falses to free(), or abort */
size_t ref_pick(const double *weight, size_t n, gsl_rng *rng);     /* i with probability weight[i] / sum */
size_t ref_pick_best(const double *score, size_t n, gsl_rng *rng); /* an argmax, ties uniformly at random */
size_t ref_pick_near(const double *score, size_t n, gsl_rng *rng); /* likewise, scores within 1e-7 being ties */
void ref_pick_two(size_t m, size_t *j, size_t *k, gsl_rng *rng);   /* a uniformly random pair of slots, j != k */

/* users.c: answer[j * m + k] is 1 when slot j beat slot k, 0 when it lost, 1/2 after a tie, REF_UNSEEN without an
 * answer (always so for j = k). */
#define REF_UNSEEN (-1.0)

typedef struct ref_round {
    size_t m;
    size_t *arm;
    double *answer;
} ref_round;

ref_round ref_round_open(size_t m);
void ref_round_close(ref_round *round);
bool ref_answered(const ref_round *round, size_t j, size_t k);
double ref_answer(const ref_round *round, size_t j, size_t k);
void ref_users_answer(const ref_world *world, ref_round *round, gsl_rng *rng);
/* What self-sparring learns: where one choice was made of all slots an arm counts once, so the answers of its other
 * slots go. */
void ref_arms_once(const ref_world *world, ref_round *round);
void ref_count_round(const ref_world *world, const ref_round *round, ref_result *total);

/* likewise, counting every arm within 1e-9 of the best one as best */
void ref_count_near(const ref_world *world, const ref_round *round, ref_result *total);

/* game.c: a run of two-slot rounds */
typedef struct ref_game {
    const ref_world *world;
    gsl_rng *rng;
    ref_round round;
    ref_result total;
    size_t left; /* rounds to play */
} ref_game;

ref_game ref_game_open(const ref_world *world, size_t rounds, uint64_t seed);
ref_result ref_game_close(ref_game *game);
double ref_game_duel(ref_game *game, size_t first, size_t second);   /* what the first arm got, or REF_UNSEEN */
double ref_game_insist(ref_game *game, size_t first, size_t second); /* again until answered or no round is left */
void ref_game_shuffle(ref_game *game, size_t *list, size_t n);
/* Adds weight wins to w (k * k), shared by the answer; an arm against itself counts nowhere. */
void ref_game_count(const ref_game *game, double *w, size_t first, size_t second, double answer, double weight);

/* bandit.c: one player of a plain bandit */
typedef struct ref_player {
    ref_bandit kind;
    size_t k;
    double alpha;        /* UCB1 */
    double horizon;      /* EXP3 */
    double *won, *lost;  /* Thompson: S and F */
    double *sum, *pulls; /* UCB1: rewards and how many of them */
    double *w, *p;       /* EXP3: weights, and the probabilities of the latest choice */
} ref_player;

ref_player ref_player_open(ref_bandit kind, size_t k, double alpha, size_t horizon);
void ref_player_reset(ref_player *player);
void ref_player_close(ref_player *player);
size_t ref_player_choose(ref_player *player, gsl_rng *rng);
void ref_player_learn(ref_player *player, size_t arm, double reward);

/* kernel.c: in the player's round t = 1, 2, ... */
double ref_gp_ucb_beta(size_t k, size_t t, double delta);

#endif
