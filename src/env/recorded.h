/* recorded.h - answers that people gave once, as users of a simulation: ballots, and counts of votes on pairs. */
#ifndef SPAR_ENV_RECORDED_H
#define SPAR_ENV_RECORDED_H

#include "env/env.h"
#include "env/matrix_read.h"
#include "text/votes.h"

/* Pairs of options: how often one came before the other. */
typedef struct spar__pair_record {
    spar__matrix matrix; /* P = share of wins, a tie half to each side; 1/2 without an answer; with names */
    double *tie;         /* n x n: the share of ties; -1 where the pair has no answer */
    char *cycle;         /* where no option beats all others: spar__cycle_text, for the environment to set */
} spar__pair_record;

/* From n x n counts: won[i][j] how often i came before j, ties[i][j] = ties[j][i]. names are copied. */
spar_status spar__pair_record_make(size_t n, const double *won, const double *ties, const spar__names *names,
                                   const size_t *option, spar__pair_record *out);
void spar__pair_record_free(spar__pair_record *record);

/* The world of a run: all options, labels at random. */
spar_status spar__pair_record_start(const spar__pair_record *record, uint64_t seed, uint64_t run, spar_world *world,
                                    spar_error *err);

/* Reads a file as what it looks like; *form says as what. `path` may be "-". */
spar_status spar__recorded_read(const char *path, const spar__votes_columns *columns, spar__votes *out,
                                spar__votes_form *form, spar_error *err);

#define SPAR__UNRANKED UINT32_MAX

/* Whole orders, each by one person or several. */
struct spar__ballots {
    size_t n, count;
    uint32_t *place; /* count x n: the place of each option, from 0; SPAR__UNRANKED */
    uint64_t *upto;  /* count: people with this ballot or one before it */
};

/* The ballot of round t: n places. */
const uint32_t *spar__ballot_of(const struct spar__ballots *ballots, spar__luck luck, uint64_t t);

/* clique.c: of the sets of options in which every pair has an answer, the largest; of several one in which an option
 * beats all others; of several the one with most answers. Its options go to member[n], in order; returns how many, or 0
 * when out of memory or after `most` steps. */
size_t spar__largest_complete(size_t n, const double *won, const double *ties, size_t most, size_t *member,
                              spar_status *status);

#endif
