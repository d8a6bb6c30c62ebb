/* comparison.h - rankers compared by clicks on their lists, which are mixed: click models, one query exactly or by
 * draws, all queries as a tally, and the file that keeps what is done. */
#ifndef SPAR_RANK_COMPARISON_H
#define SPAR_RANK_COMPARISON_H

#include "base/archive.h"
#include "base/error.h"
#include "base/spec.h"
#include "rank/mix.h"
#include "rank/queries.h"
#include "sampler/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Simulated clicks on a list of graded documents.
 *
 * The user goes down the list. At place r (0 is the top) a document of grade g is clicked with probability
 * examine[r] click[g], and after a click the user leaves with probability stop[g]. Given that the user gets there, the
 * places are independent.
 *
 * perfect, navigational and informational are the cascades used with LETOR data: every place is examined. There are
 * tables for 3 grades and for 5; the smaller one that has all grades is used.
 *
 * position(...): examination falls with the place, as (r + 1)^-eta or gamma^r. click= and stop= give a number for each
 * grade; without them click[g] = noise + (1 - noise) (2^g - 1) / (2^(grades - 1) - 1), and stop[g] = 0. */

enum { SPAR__GRADES = 32 };

typedef struct spar__click {
    unsigned grades; /* 0 .. grades - 1 */
    size_t top;      /* places */
    double click[SPAR__GRADES], stop[SPAR__GRADES];
    double *examine; /* top */
} spar__click;

/* For documents of grades 0 .. grades - 1 in lists of at most `top`. */
spar_status spar__click_new(const char *spec, unsigned grades, size_t top, spar__click **out, spar_error *err);
void spar__click_free(spar__click *click);

/* The clicks on n <= top documents, from one uniform number in [0,1) for each place; draw takes n from the rng. */
void spar__click_simulate(const spar__click *click, size_t n, const uint8_t *grade, const double *u, bool *clicked);
void spar__click_draw(const spar__click *click, size_t n, const uint8_t *grade, spar_rng *rng, bool *clicked);

/* The models by number; NULL behind the last. */
const spar_entry *spar__click_entry(size_t index);

/* Rankers whose lists are mixed and clicked: a data set, a way to mix, and a click model. */

typedef struct spar__interleaving {
    spar__mixer mixer;
    spar__queries *queries; /* at least one */
    spar__click *click;     /* for the grades and lists of the queries */
} spar__interleaving;

/* The specs of the mixer and of the click model are checked before the data are read, which may take long. */
spar_status spar__interleaving_open(const char *mix, const char *click, const spar__queries_options *data,
                                    spar__interleaving *out, spar_error *err);
void spar__interleaving_close(spar__interleaving *interleaving);

/* How two rankers compare on one query under team draft, exactly. */

typedef struct spar__duel_odds {
    double win, loss, tie; /* of the first list; missing comparisons count as ties */
} spar__duel_odds;

typedef struct spar__exact spar__exact;

/* For lists of at most top documents out of at most 65535. Keeps the click model, which must outlive it. */
spar_status spar__exact_new(const spar__click *click, size_t top, spar__exact **out);
void spar__exact_free(spar__exact *exact);

/* A query: the grades of its documents, and how many documents a list has and the mixed list shows. Then a first list,
 * and then any number of second ones. The lists stay the caller's and must be there until the last second one is done.
 * A list names no document twice. */
void spar__exact_query(spar__exact *exact, const uint8_t *grade, size_t depth);
void spar__exact_first(spar__exact *exact, const uint16_t *list);
spar__duel_odds spar__exact_second(spar__exact *exact, const uint16_t *list);

/* P(first beats second), a tie being half a win. */
static inline double spar__duel_odds_p(spar__duel_odds o)
{
    return 0.5 + (o.win - o.loss) / 2;
}

/* How two rankers compare on one query, estimated by random draws: for ways to mix without an exact answer.
 */

typedef struct spar__trial_mean {
    double p;        /* mean of 1 for a win of the first list, 0 for a loss, 1/2 for a tie or a missing comparison */
    double variance; /* of p: the square of its standard error; 0 with a single draw */
} spar__trial_mean;

typedef struct spar__trials spar__trials;

/* Keeps the mixer and the click model, which must outlive it. Duels end with SPAR_INTERRUPTED once stop, which may be
 * NULL, says so. */
spar_status spar__trials_new(const spar__mixer *mixer, const spar__click *click, bool (*stop)(void),
                             spar__trials **out);
void spar__trials_free(spar__trials *trials);

/* Mixes the lists down to `depth` documents and has the mix clicked, `draws` times; document d has grade[d]. */
spar_status spar__trials_duel(spar__trials *trials, const uint8_t *grade, size_t depth, const uint64_t *first,
                              const uint64_t *second, size_t draws, spar_rng *rng, spar__trial_mean *out);

/* The preference matrix of all rankers of a data set, query by query.
 *
 *     P[i][j] = mean over queries of P(i wins an interleaving of the two) + P(tie) / 2
 *
 * A tally is sums over queries. They are whole numbers, in units of 2^-42, so that the order of the queries does not
 * matter: any blocks, any number of threads, and a run that was interrupted and resumed give the same bytes. */

/* How rankers are compared on a query. */
typedef struct spar__comparison {
    const spar__interleaving *of;
    size_t draws;       /* of each pair on each query; 0: exact, which only team draft can be */
    uint64_t seed;      /* of the draws */
    size_t threads;     /* 0: one per core */
    bool (*stop)(void); /* called by all threads; true ends the work with SPAR_INTERRUPTED. NULL: never */
} spar__comparison;

typedef struct spar__tally {
    size_t rankers, pairs;
    uint64_t queries;
    /* For each pair i < j, at j (j - 1) / 2 + i, with x = P(i beats j) - 1/2 on a query: */
    uint64_t *sum;    /* of x, in two's complement */
    uint64_t *square; /* of x^2 */
    uint64_t *noise;  /* of the variance of x that comes from drawing */
} spar__tally;

enum { SPAR__TALLY_QUERIES = 1 << 22 }; /* as many as the sums can hold */

spar_status spar__tally_new(size_t rankers, spar__tally **out);
void spar__tally_free(spar__tally *tally);
void spar__tally_clear(spar__tally *tally); /* no queries */

/* Adds the queries from <= q < to. A failure leaves the tally as it was. */
spar_status spar__tally_add(spar__tally *tally, const spar__comparison *how, size_t from, size_t to, spar_error *err);

/* Adds the queries of another tally of as many rankers. */
void spar__tally_join(spar__tally *tally, const spar__tally *other);

/* Saves, or loads into a tally of the same number of rankers. */
void spar__tally_archive(spar__tally *tally, spar__archive *ar);

/* rankers x rankers each; any may be NULL. p[i][j] + p[j][i] is 1 and p[i][i] 1/2. query_se is the standard error that
 * comes from the choice of queries (it includes the error of the draws), draw_se the part that comes from drawing.
 * Without queries p is 1/2 everywhere; a standard error takes two. */
void spar__tally_read(const spar__tally *tally, double *p, double *query_se, double *draw_se);

/* All pairs of rankers compared on all queries, and the file that keeps what is done. */

typedef struct spar__comparison_options {
    spar__comparison how;
    const char *mix, *click;  /* the specs of how.of, as they were written */
    const char *file;         /* where the tally is kept, every few seconds and at the end; NULL: nowhere */
    bool must_keep;           /* a file that cannot be written is a failure; else it is a note */
    spar__progress *progress; /* queries done, of those that the file does not have; false stops. May be NULL */
    void (*note)(void *context, const char *sentence); /* what happens to the file; may be NULL */
    void *context;
} spar__comparison_options;

/* Continues with the tally of the file, if that was made in the same way from the same data, and adds the queries that
 * it lacks. If stopped, the tally has fewer queries than there are, which
 * is no failure. */
spar_status spar__comparison_run(const spar__comparison_options *options, spar__tally **out, spar_error *err);

/* More features than this are refused as rankers unless the user says how many to take. */
enum { SPAR__RANKERS_UNASKED = 1000 };

/* Gigabytes that the sums of the threads and the matrices of a result take. */
double spar__comparison_memory(size_t rankers, size_t threads);

/* The file. Load fills an empty tally if the file has one that was made in the same way from the same data; a
 * note says why not, or how far it is. data is the hash of the queries. */
uint64_t spar__state_hash(const spar__queries *queries);
spar_status spar__state_load(const spar__comparison_options *options, uint64_t data, spar__tally *tally,
                             spar_error *err);
spar_status spar__state_save(const spar__comparison_options *options, uint64_t data, spar__tally *tally,
                             spar_error *err);

#endif
