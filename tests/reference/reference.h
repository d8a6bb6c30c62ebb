/* reference.h - slow and obvious versions of the policies, transcribed from their definitions, to test the
 * library against. They share no code with it: random numbers and Beta variates come from GSL. Every function plays
 * one run with its own seed (any 64-bit number) and gives its totals. */
#ifndef SPAR_TESTS_REFERENCE_H
#define SPAR_TESTS_REFERENCE_H

#include "reference/gp_textbook.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    REF_ALL_PAIRS,
    REF_WINNER_MOST_WINS,
    REF_WINNER_PAIR,
    REF_WINNER_LUCE,
    REF_RANKING,
    REF_PAIR,
    REF_MISSING,
    REF_CONFUSABLE_MISSING,
    REF_CONFUSABLE_COIN
} ref_feedback_kind;

typedef struct ref_world {
    size_t k;
    const double *p;       /* k * k, p[i * k + j] = P(i beats j) when there is no tie; 1/2 on the diagonal */
    const double *utility; /* k, for winner(luce) and ranking */
    const double *x;       /* k * dim features, for confusable and for kernels */
    size_t dim;
    double ties; /* Davidson's nu */
    ref_feedback_kind feedback;
    double param; /* p of missing, scale of confusable */
    size_t best;
} ref_world;

typedef struct ref_result {
    double regret;     /* sum over rounds and slots of P[best][arm] - 1/2; of mu* - mu for a plain bandit */
    double best_pulls; /* slots that showed the best arm */
} ref_result;

/* One run of a policy with all its parameters. */
typedef ref_result direct_run(const ref_world *world, size_t rounds, uint64_t seed);

#define REFERENCE(file, run, spec) direct_run run;
#include "reference/references.def"
#undef REFERENCE

/* Defines such a run; `call` may use world, rounds and seed. */
#define DIRECT_RUN(run, call)                                                                                          \
    ref_result run(const ref_world *world, size_t rounds, uint64_t seed)                                               \
    {                                                                                                                  \
        return call;                                                                                                   \
    }

typedef enum { REF_COUNT, REF_IGNORE, REF_DISTINCT } ref_self_duels;
typedef enum { REF_THOMPSON, REF_UCB1, REF_EXP3 } ref_bandit;
typedef enum { REF_MEAN, REF_EACH } ref_reward;

ref_result ref_ind_self_sparring(const ref_world *world, size_t m, size_t rounds, double eta, ref_self_duels mode,
                                 uint64_t seed);

/* alpha is that of UCB1; the horizon of EXP3 is the number of rounds. */
ref_result ref_sparring(const ref_world *world, size_t m, size_t rounds, ref_bandit kind, double alpha, ref_reward mode,
                        uint64_t seed);
ref_result ref_multi_sbm(const ref_world *world, size_t rounds, ref_bandit kind, double alpha, uint64_t seed);
ref_result ref_doubler(const ref_world *world, size_t rounds, ref_bandit kind, double alpha, uint64_t seed);

/* Policies with their own pair counts. Two slots a round, but mdb shows as many as it likes; the number of rounds is
 * the horizon of those that need one. */
ref_result ref_interleaved_filter(const ref_world *world, size_t rounds, int variant, uint64_t seed);
ref_result ref_beat_the_mean(const ref_world *world, size_t rounds, double gamma, double factor, bool self,
                             uint64_t seed);
ref_result ref_savage(const ref_world *world, size_t rounds, uint64_t seed);
ref_result ref_rucb(const ref_world *world, size_t rounds, double alpha, uint64_t seed);
ref_result ref_merge_rucb(const ref_world *world, size_t rounds, double alpha, size_t batch, double c, uint64_t seed);
ref_result ref_rmed1(const ref_world *world, size_t rounds, double f, double power, uint64_t seed);
ref_result ref_dts(const ref_world *world, size_t rounds, double alpha, double eta, uint64_t seed);
ref_result ref_mdb(const ref_world *world, size_t rounds, double alpha, double beta, uint64_t seed);

/* Policies with a Gaussian process over the features of the arms. Any arm within 1e-9 of the best counts as best. */
typedef struct ref_gp {
    textbook_kind kind;
    double length, variance, noise;
    bool centre;  /* observe r - 1/2 instead of r */
    double delta; /* GP-UCB */
} ref_gp;

#define REF_GP_USUAL ((ref_gp){.kind = TEXTBOOK_SE, .length = 0.2, .variance = 1, .noise = 0.025, .delta = 0.1})

ref_result ref_kernel_self_sparring(const ref_world *world, size_t m, size_t rounds, const ref_gp *gp, uint64_t seed);
ref_result ref_gp_sparring(const ref_world *world, size_t m, size_t rounds, const ref_gp *gp, uint64_t seed);
/* Two slots; SE of this length and variance 1 over ordered pairs of arms. */
ref_result ref_bopper(const ref_world *world, size_t rounds, double length, uint64_t seed);

/* One arm a round with a Bernoulli(mu) reward; UCB1 with alpha = 2. Any arm with the highest mu counts as best. */
ref_result ref_thompson_plain(const double *mu, size_t k, size_t rounds, uint64_t seed);
ref_result ref_ucb1_plain(const double *mu, size_t k, size_t rounds, uint64_t seed);
ref_result ref_exp3_plain(const double *mu, size_t k, size_t rounds, uint64_t seed);

#endif
