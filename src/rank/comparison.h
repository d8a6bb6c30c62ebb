/* comparison.h - all pairs of rankers compared on all queries, and the file that keeps what is done. */
#ifndef SPAR_RANK_COMPARISON_H
#define SPAR_RANK_COMPARISON_H

#include "rank/tally.h"

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

/* state.c: the file. Load fills an empty tally if the file has one that was made in the same way from the same data; a
 * note says why not, or how far it is. data is the hash of the queries. */
uint64_t spar__state_hash(const spar__queries *queries);
spar_status spar__state_load(const spar__comparison_options *options, uint64_t data, spar__tally *tally,
                             spar_error *err);
spar_status spar__state_save(const spar__comparison_options *options, uint64_t data, spar__tally *tally,
                             spar_error *err);
void spar__comparison_note(const spar__comparison_options *options, const char *format, ...) SPAR__PRINTF(2, 3);

#endif
