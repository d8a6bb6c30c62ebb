/* export.h - an experiment as a file: jsonl (the log, nothing lost), csv (a row an answer), arena (a row a duel),
 * preflib (orders), dpo (a row a preferred output). What a format cannot say is counted in notes. doc/exchange.md
 * describes the formats. */
#ifndef SPAR_LIVE_EXPORT_H
#define SPAR_LIVE_EXPORT_H

#include "live/history.h"

#include <stdio.h>

typedef struct spar__export {
    spar__history *history;
    FILE *stream;
    bool names; /* of voters: personal data */
    spar__exchange_progress progress;
    void *context;
    uint64_t rows;   /* out: written */
    spar__buf notes; /* out: a sentence a line */
} spar__export;

spar_status spar__export_jsonl(spar__export *export, spar_error *err);
spar_status spar__export_csv(spar__export *export, spar_error *err);
spar_status spar__export_arena(spar__export *export, spar_error *err);
spar_status spar__export_dpo(spar__export *export, spar_error *err);
spar_status spar__export_preflib(spar__export *export, spar_error *err);

/* An event as jsonl has it, an object without the end of the line. */
spar_status spar__event_line(const spar__history_entry *entry, spar__buf *out, spar_error *err);

/* For those: writes out and empties it; and a step of the progress. */
spar_status spar__export_put(spar__export *export, spar__buf *out, spar_error *err);
spar_status spar__export_step(spar__export *export, uint64_t sequence, spar_error *err);

/* Notes that so many of this are not in the format; nothing for 0. At the end: could all be noted? */
void spar__export_note(spar__export *export, uint64_t count, const char *one, const char *many);
spar_status spar__export_end(const spar__export *export, spar_status status, spar_error *err);

#endif
