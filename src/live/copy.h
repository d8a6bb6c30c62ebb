/* copy.h - experiments from one store to another, of whatever kind: the same events, hashes, texts, salts and voters.
 */
#ifndef SPAR_LIVE_COPY_H
#define SPAR_LIVE_COPY_H

#include "live/history.h"

/* What became of one experiment. */
typedef struct spar__copied {
    const char *name;       /* in the store that it came from */
    const char *to;         /* in the other */
    uint64_t events, added; /* of the log; those that were not there yet */
    uint64_t names;         /* of voters, that came with them */
    uint64_t ahead;         /* events that the other store has beyond the log */
    unsigned char head[SPAR_HASH_SIZE];
} spar__copied;

typedef void (*spar__copied_fn)(void *context, const spar__copied *copied);

typedef struct spar__copy_job {
    const char *from, *to; /* places; from without #NAME: all experiments */
    bool secrets;          /* keys, tokens and invitations, too */
    spar__exchange_progress progress;
    void *progress_context;
    spar__copied_fn report; /* after each experiment */
    void *context;
    bool has_secrets; /* out: there are some that were not copied */
} spar__copy_job;

/* Nothing is written if the other store has another experiment under one of the names, or other keys. What is there
 * already is not copied again, so an interrupted copy goes on. Others may write to `from` meanwhile: the log is copied
 * as it was when its turn came. Who writes to the same experiment in `to` makes it fail. */
spar_status spar__copy(spar__copy_job *job, spar_error *err);

/* copy_secrets.c. address: where the experiment without a name was served, which is kept where keys are; NULL: it is
 * the same in `to`, or there is no such experiment. */
spar_status spar__copy_secrets(spar__store *from, spar__store *to, const char *address, spar_error *err);

#endif
