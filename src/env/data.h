/* data.h - what environments read from files: matrices, tables of arms, recorded answers. First, preference matrices:
 *
 * A square of numbers, one row a line, separated by white space or by commas; P[i][j] = P(i beats j). '#' starts a
 * comment; blank lines, CRLF and a byte order mark are fine. The first line may be the size (one whole number) or the
 * names of the arms; with names, each row may begin with its own, and the first line with a cell above these (empty or
 * not), as spreadsheets write it. A refusal names the line. */
#ifndef SPAR_ENV_DATA_H
#define SPAR_ENV_DATA_H

#include "base/error.h"
#include "env/env.h"
#include "text/votes.h"

#include <stdbool.h>
#include <stddef.h>

enum { SPAR__MATRIX_MOST = 20000 }; /* arms; the numbers alone are 3 GB then */

typedef struct spar__matrix {
    size_t n;
    double *p;    /* n x n; P + P^T is exactly 1, and the diagonal exactly 1/2 */
    char **names; /* n, or NULL */
} spar__matrix;

/* counts: the numbers are wins W, and P = W / (W + W^T), 1/2 for pairs that never met. Otherwise P + P^T may be off 1,
 * and the diagonal off 1/2, by tol, and the two sides are averaged. There need not be a Condorcet winner. */
spar_status spar__matrix_read(const char *path, bool counts, double tol, spar__matrix *out, spar_error *err);

/* The same from a terminated text of `length` bytes; `path` is only for the error. */
spar_status spar__matrix_parse(const char *text, size_t length, const char *path, bool counts, double tol,
                               spar__matrix *out, spar_error *err);

/* The counts themselves in p: whole numbers, 0 on the diagonal. */
spar_status spar__wins_parse(const char *text, size_t length, const char *path, spar__matrix *out, spar_error *err);

void spar__matrix_free(spar__matrix *matrix);

/* --- arms with features and utilities, from a file of comma-separated values ---
 *
 * The first row names the columns. One of them is the utility; one called "name", which may be absent, names the arm;
 * every other is a feature. A column is of numbers or of texts, as its first cell says. Numbers are scaled to [0,1], or
 * left as they are. Texts are categories: each gets a column of its own, in the order in which they first appear, which
 * is sqrt(1/2) for the arms in it and 0 for the others, so that two different categories are at distance 1, as far
 * apart as the ends of a scaled number. What is the same in all rows becomes 0. No cell may be missing. A refusal names
 * the line. */

enum {
    SPAR__TABLE_MOST_ROWS = 10000000,
    SPAR__TABLE_MOST_FEATURES = 1000,    /* after categories became columns */
    SPAR__TABLE_MOST_NUMBERS = 100000000 /* rows x columns, before and after: 0.8 GB */
};

typedef struct spar__arm_table {
    size_t n;   /* rows, at least 2 */
    size_t dim; /* features; may be 0 */
    double *x;  /* n x dim, row by row; NULL when dim is 0 */
    double *utility;
    char **names; /* n, or NULL */
} spar__arm_table;

/* `utility` is the name of its column; scale: numbers become [0,1]. */
spar_status spar__arm_table_read(const char *path, const char *utility, bool scale, spar__arm_table *out,
                                 spar_error *err);

/* The same from text[length]; `path` is only for the error. */
spar_status spar__arm_table_parse(const char *text, size_t length, const char *path, const char *utility, bool scale,
                                  spar__arm_table *out, spar_error *err);

void spar__arm_table_free(spar__arm_table *table);

/* --- answers that people gave once, as users of a simulation: ballots, and counts of votes on pairs --- */

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

/* Of the sets of options in which every pair has an answer, the largest; of several one in which an option
 * beats all others; of several the one with most answers. Its options go to member[n], in order; returns how many, or 0
 * when out of memory or after `most` steps. */
size_t spar__largest_complete(size_t n, const double *won, const double *ties, size_t most, size_t *member,
                              spar_status *status);

/* --- the arms of a run that come from a matrix: a fresh random subset in which one beats all others, or all --- */

/* The arms of a run: k of the matrices' arms, one phase a matrix, drawn from (seed, run). Where a `winner` is wanted
 * they are drawn until each matrix has a Condorcet winner; world->redrawn counts the others. order, with room for all
 * arms, says which arm of the matrices each of the k is. `what` is for the sentence that gives up. */
spar_status spar__subset_start(const spar__matrix *matrix, size_t matrices, size_t k, uint64_t every, uint64_t seed,
                               uint64_t run, bool winner, const char *what, size_t *order, spar_world *world,
                               spar_error *err);

/* The share of all subsets of k arms that have a Condorcet winner: a subset has when the winner's company is k - 1 of
 * the w arms that it beats, so that the share is the sum over arms of C(w, k - 1) / C(n, k). */
double spar__subset_share(const spar__matrix *matrix, size_t k);

/* Where no arm beats all others: a clause that says so and names the top cycle, which the caller frees; else NULL. */
spar_status spar__cycle_text(const char *what, const spar__matrix *matrix, char **out, spar_error *err);

#endif
