/* log_writer.h - writes a log that is somewhere else into a store, event by event: the same bytes, the same chain.
 *
 * Events wait in a batch, each with copies of its texts. A batch is appended under the lock, and only where the log
 * ends with the event that came before: if somebody else has written, nothing is added, and it is said. */
#ifndef SPAR_LIVE_LOG_WRITER_H
#define SPAR_LIVE_LOG_WRITER_H

#include "live/history.h"

enum { SPAR__LOG_BATCH = 1024, SPAR__LOG_TEXTS = 2 /* of an event: its own, and the name of its voter */ };

typedef struct spar__log_writer {
    spar__store *store;
    uint64_t experiment;
    uint64_t end;                        /* the last event that the store has, */
    unsigned char head[SPAR_HASH_SIZE];  /* and its hash */
    unsigned char batch[SPAR_HASH_SIZE]; /* the hash of the last event that waits */
    spar__store_entry *entry;
    spar__store_text *text; /* the bytes are copies */
    size_t n, bytes;        /* events that wait; the length of their texts */
    uint64_t added;
} spar__log_writer;

/* end and head are the caller's to set; store and experiment are only used. */
spar_status spar__log_writer_init(spar__log_writer *writer, spar__store *store, uint64_t experiment, spar_error *err);
void spar__log_writer_fini(spar__log_writer *writer); /* what waits is forgotten; all zero is fine */

/* The next event, with its text and the name of its voter (NULL: none). Appends when the batch is full. */
spar_status spar__log_writer_add(spar__log_writer *writer, const spar__history_entry *entry,
                                 const spar__store_text *name, spar_error *err);

/* Appends what waits. */
spar_status spar__log_writer_flush(spar__log_writer *writer, spar_error *err);

/* Does the log end with the last event that was written? */
spar_status spar__log_writer_check(spar__log_writer *writer, spar_error *err);

#endif
