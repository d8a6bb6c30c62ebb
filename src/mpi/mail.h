/* mail.h - messages between rank 0, which hands out cells and has the results, and the others, its helpers.
 *
 * All calls come from the main thread. None of them waits in MPI, which would keep a core busy that has cells to play:
 * who waits sleeps between two looks. Messages from one rank to another arrive in the order in which they were sent. */
#ifndef SPAR_MPI_MAIL_H
#define SPAR_MPI_MAIL_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum spar__mail_kind {
    /* From a helper; the first word is the number of the list of cells, as a command may have several: */
    SPAR__MAIL_HELLO = 1, /* hash of the plan, number of threads */
    SPAR__MAIL_CELLS,     /* work of unfinished cells, then cells that are complete (sim/sweep.h) */
    SPAR__MAIL_LEFT,      /* stops, 1 if it was asked to by a signal; its last word about this list of cells */
    SPAR__MAIL_FAIL,      /* status and a sentence; without a list */
    SPAR__MAIL_WORK,      /* rank 0: numbers of cells to play */
    SPAR__MAIL_END,       /* rank 0: 1 to stop, 0 when all is done; then all cells, if they are shared */
    SPAR__MAIL_QUIT,      /* rank 0: the command is over */
    SPAR__MAIL_BYE        /* helper: so it is here */
} spar__mail_kind;

typedef struct spar__mail {
    spar__mail_kind kind;
    int rank; /* from whom */
    spar__buf bytes;
} spar__mail;

int spar__mail_rank(void);
int spar__mail_ranks(void);

/* Takes the next message, if one has come; free its bytes. `patient`: sleep a little if not; the longer, the longer
 * nothing came. */
bool spar__mail_next(spar__mail *mail, bool patient);

/* Sends words and bytes, without waiting. Without memory the job ends. */
void spar__mail_send(int rank, spar__mail_kind kind, const uint64_t *word, size_t n_words, const spar__buf *bytes);

/* The word of a message; 0 if it has fewer. The bytes behind n of them. */
uint64_t spar__mail_word(const spar__mail *mail, size_t i);
const unsigned char *spar__mail_rest(const spar__mail *mail, size_t n, size_t *length);

/* Has everything been received that was sent? Frees what has. */
bool spar__mail_settled(void);

#endif
