/* import_rows.h - answers from a file into an experiment, once only.
 *
 * A file is read twice: first all of it is checked and the names of options are collected, then its rows are added. So
 * a file with a fault changes nothing. The key of a row is that of its own id, else a hash of what it says and of how
 * many rows before it say the same: the same file again changes nothing, and a longer one adds what is new. */
#ifndef SPAR_LIVE_IMPORT_ROWS_H
#define SPAR_LIVE_IMPORT_ROWS_H

#include "live/history.h"
#include "text/json.h"
#include "text/votes.h"

#include <spar/experiment.h>

/* One answer. */
typedef struct spar__import_row {
    unsigned char key[SPAR_HASH_SIZE];
    size_t m;
    const size_t *shown; /* numbers of names */
    const spar_answer *answer;
    const char *voter; /* NULL or "": not known */
    int64_t time;      /* 0: not known */
    const char *source;
    size_t line;
} spar__import_row;

typedef spar_status (*spar__import_row_fn)(void *context, const spar__import_row *row, spar_error *err);

/* A file of some form: gives all its rows; options are numbered in names as they come. */
typedef struct spar__import_reader {
    const char *path;
    spar_status (*each)(const void *context, spar__names *names, spar__import_row_fn fn, void *fn_context,
                        spar_error *err);
    const void *context;
} spar__import_reader;

typedef struct spar__import_job {
    spar_experiment *experiment;
    bool add_options; /* that the experiment does not have */
    spar__exchange_progress progress;
    void *context;
    uint64_t rows, added, known, options; /* out: in the file; new; there before; options that were added */
} spar__import_job;

/* SPAR_INTERRUPTED: what was added stays, and the same file goes on from there. */
spar_status spar__import_run(spar__import_job *job, const spar__import_reader *reader, spar_error *err);

/* The readers. What they are made of must stay. */
typedef struct spar__import_ballots {
    const spar__votes *votes;
    const char *path;
} spar__import_ballots;
spar__import_reader spar__import_votes(const spar__import_ballots *ballots);

typedef struct spar__import_text {
    const char *text, *path;
    size_t length;
} spar__import_text;
spar__import_reader spar__import_csv(const spar__import_text *text); /* as export wrote it */
bool spar__import_is_csv(const char *text, size_t length);           /* is that its header? */

/* The answers of the log of another experiment. */
typedef struct spar__import_log {
    spar__history *history;
    const char *path;
} spar__import_log;
spar__import_reader spar__import_answers(const spar__import_log *log);

/* Keys of rows: of an id, and of what a row says; seen counts rows that say the same. */
void spar__import_id_key(const char *id, unsigned char key[SPAR_HASH_SIZE]);
spar_status spar__import_row_key(spar__key_table *seen, const spar__buf *row, unsigned char key[SPAR_HASH_SIZE]);

/* What it did, as an object. */
void spar__import_json(const spar__import_job *job, spar__json *json);

#endif
