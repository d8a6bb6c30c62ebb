/* rank.h - the work and the results of `spar rank`. */
#ifndef SPAR_CLI_RANK_H
#define SPAR_CLI_RANK_H

#include "base/buf.h"
#include "cli/sweeping.h"
#include "plot/drawing.h"
#include "rank/generate.h"
#include "rank/tally.h"

/* The matrix of all rankers, or as much of it as there is. */
typedef struct spar__rank_work {
    const char *click, *mix; /* as they were written */
    size_t draws;            /* of each pair on each query; 0: exact */
    uint64_t seed;
    spar__interleaving lists;
    spar__tally *tally; /* of tally->queries of the queries */
    size_t of_one;      /* of these, with one document */
} spar__rank_work;

/* read.c: opens the data and checks that there can be a matrix. Free the work even after a failure. */
spar_status spar__rank_open(spar__rank_work *work, spar__queries_options options, spar_error *err);
void spar__rank_free(spar__rank_work *work);

/* cells.c: makes the tally of all queries, or of fewer if the user wants to stop or others play the rest. */
spar_status spar__rank_compare(spar__rank_work *work, spar__sweeping *sweeping, spar_error *err);

/* How a ranker does against all others. */
typedef struct spar__rank_standing {
    size_t ranker, beats, ties;
    double mean;            /* of P(ranker beats another) over the others */
    size_t hardest;         /* the one it does worst against: itself if it is alone */
    double margin;          /* P - 1/2 against that one */
    double error, of_draws; /* of the margin: standard errors of query sampling, and of drawing alone */
} spar__rank_standing;

typedef struct spar__rank_result {
    const spar__rank_work *work;
    size_t n, of_one; /* rankers; queries with one document */
    double *p;        /* n x n each */
    double *error;
    double *of_draws;              /* NULL when the work was exact */
    spar__rank_standing *standing; /* n, best first: by the number of rankers beaten, then by mean */
    bool has_winner;               /* the first of them beats all others */
    size_t cycle;                  /* size of the top cycle */
} spar__rank_result;

/* Is the first of the standings shown to be better than this ranker: by more than two standard errors? Never with one
 * query, whose error is unknown. */
bool spar__rank_told_apart(const spar__rank_result *result, size_t ranker);

/* result.c */
spar_status spar__rank_result_make(const spar__rank_work *work, spar__rank_result *out, spar_error *err);
void spar__rank_result_free(spar__rank_result *result);

/* text.c: numbers in the format of matrix(file=), names in the first line; a table of the best rankers; and who
 * wins in a sentence. A large matrix is given up (SPAR_INTERRUPTED) when the user has waited too long for the end. */
spar_status spar__rank_check_names(const spar__queries *queries, const char *file, spar_error *err);
spar_status spar__rank_matrix(const spar__rank_result *result, const double *values, const char *what, spar__buf *out);
void spar__rank_table(const spar__rank_result *result, bool styled, size_t width, spar__buf *out); /* 0: any width */
void spar__rank_verdict(const spar__rank_result *result, spar__buf *out);

/* plot.c */
spar_status spar__rank_plot(const spar__rank_result *result, spar__drawing *out);

/* json.c: given up like a matrix */
spar_status spar__rank_json(const spar__rank_result *result, spar__buf *out);

/* generate.c: random data to a file, or to standard output when that is NULL or "-". */
spar_status spar__rank_generate(const spar__generate_options *options, const char *file, spar_error *err);

#endif
