/* ranker_matrix.h - the preferences among all rankers of a data set: computed once, then kept in a file. */
#ifndef SPAR_ENV_RANKER_MATRIX_H
#define SPAR_ENV_RANKER_MATRIX_H

#include "env/rankers.h"
#include "rank/matrix.h"

typedef struct spar__ranker_matrix_options {
    const spar__desk *desk;
    size_t draws; /* of each pair on each query, where there is no exact answer */
    uint64_t seed;
    size_t threads;
    const char *keep; /* the file is called this, and a number that tells click models and mixes apart; NULL: none */
    bool must_keep;   /* or fail */
} spar__ranker_matrix_options;

typedef struct spar__ranker_matrix {
    spar__tally *tally;
    bool exact;
    bool kept;  /* in the file */
    char *file; /* NULL: none */
} spar__ranker_matrix;

/* Takes it from the file if that is what computing it would give, else computes it and writes the file. */
spar_status spar__ranker_matrix_make(const spar__ranker_matrix_options *options, spar__ranker_matrix *out,
                                     spar_error *err);
void spar__ranker_matrix_free(spar__ranker_matrix *matrix);

#endif
