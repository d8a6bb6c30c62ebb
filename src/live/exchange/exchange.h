/* exchange.h - experiments and answers from one place to another: exported, imported, restored, copied.
 *
 * An export is a file: jsonl (the log, nothing lost), csv (a row an answer), arena (a row a duel), preflib (orders),
 * dpo (a row a preferred output). What a format cannot say is counted in notes. doc/exchange.md describes the formats.
 */
#ifndef SPAR_LIVE_EXCHANGE_EXCHANGE_H
#define SPAR_LIVE_EXCHANGE_EXCHANGE_H

#include "base/buf.h"
#include "live/exchange/history.h"
#include "store/store.h"
#include "text/json.h"
#include "text/json_read.h"
#include "text/votes.h"

#include <spar/experiment.h>
#include <spar/option.h>

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

/* For those: writes out and empties it; and a step of the progress. */
spar_status spar__export_put(spar__export *export, spar__buf *out, spar_error *err);
spar_status spar__export_step(spar__export *export, uint64_t sequence, spar_error *err);

/* Answers from a file into an experiment, once only.
 *
 * A file is read twice: first all of it is checked and the names of options are collected, then its rows are added. So
 * a file with a fault changes nothing. The key of a row is that of its own id, else a hash of what it says and of how
 * many rows before it say the same: the same file again changes nothing, and a longer one adds what is new. */

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

/* What it did, as an object. */
void spar__import_json(const spar__import_job *job, spar__json *json);

/* A log from a file into a store, event by event: the same bytes, the same chain, the same texts. */

typedef enum spar__restore_target {
    SPAR__RESTORE_NEW,  /* there is no experiment of that name, or one without events */
    SPAR__RESTORE_SAME, /* the experiment of the file: the two begin with the same event */
    SPAR__RESTORE_OTHER /* another experiment */
} spar__restore_target;

/* What is at the place? Nothing is made. */
spar_status spar__restore_look(const char *place, spar__history *history, spar__restore_target *target,
                               spar_error *err);

typedef struct spar__restore_job {
    bool all_names; /* also of voters who are there without a name */
    bool as_is;     /* the history is one of a store, and frozen: its chain is checked, not what it says; names go with
                     * the first event of their voter */
    spar__exchange_progress progress;
    void *context;
    uint64_t events, added, names; /* out: in the file; new ones; names of voters that are new */
    uint64_t left_out;             /* out: names of voters who are there without one: they may have been forgotten */
    bool whole;                    /* out: the file has its last line, and it fits */
} spar__restore_job;

/* Into a new experiment, or into the same one, to which the events are added that it does not have yet. The file is
 * checked before the first event is written: chain, texts, and whether the log can be folded. SPAR_CONFLICT if the
 * experiment has gone another way. SPAR_INTERRUPTED: what was added stays, and the same file goes on from there. */
spar_status spar__restore(spar__restore_job *job, const char *place, spar__history *history, spar_error *err);

/* What it did, as an object. */
void spar__restore_json(const spar__restore_job *job, spar__json *json);

/* Experiments from one store to another, of whatever kind: the same events, hashes, texts, salts and voters.
 */

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

/* A text that belongs to an event, as a JSON object and back: its salt, and
 *
 *   text                              where the bytes are UTF-8
 *   id, title, body, image, features  of an option
 *   id, prompt, group, outputs        of an item; outputs is a list of {arm, text}
 *   base64                            the bytes themselves, where the above would not give them back
 *
 * The hash that the event has is HMAC(salt, bytes), so the bytes must come back as they were. */

/* The member "features" of an option, where it has any. */
void spar__features_json(spar__json *json, const spar_option *option);

/* Adds the member `key`. */
spar_status spar__text_json_add(spar__json *json, const char *key, const spar__store_text *text);

/* The salt into text->salt, the bytes into out (replaced), to which text->bytes then points. Kind, owner and version of
 * the text must be set. SPAR_PARSE: a sentence without file and line. */
spar_status spar__text_json_read(const spar__json_tree *tree, const spar__json_node *node, spar__store_text *text,
                                 spar__buf *out, spar_error *err);

/* A part of the log of an open experiment, event by event, as `spar export` prints it. */

/* line: the event as a JSON object, without the end of the line. */
typedef void (*spar__line_fn)(void *context, uint64_t sequence, const spar__buf *line);

/* Events `from`, from + 1, ...: as many as make `bytes` bytes, at least one if there is one, at most `most`. *next is
 * the first one that was not given. */
spar_status spar__live_lines(spar_experiment *experiment, uint64_t from, size_t most, size_t bytes, spar__line_fn fn,
                             void *context, uint64_t *next, spar_error *err);

#endif
