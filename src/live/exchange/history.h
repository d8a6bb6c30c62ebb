/* history.h - a log, wherever it is: in a store, or in an exported file. Its events in order, each with the hash of the
 * chain and the text that belongs to it; then the names of voters. */
#ifndef SPAR_LIVE_EXCHANGE_HISTORY_H
#define SPAR_LIVE_EXCHANGE_HISTORY_H

#include "store/store.h"
#include "text/json_read.h"

#include <spar/answer.h>
#include <spar/experiment.h>
#include <spar/round.h>

/* Called now and then with how much is done; false stops the work (SPAR_INTERRUPTED). */
typedef bool (*spar__exchange_progress)(void *context, uint64_t done, uint64_t total);

typedef struct spar__history_entry {
    uint64_t sequence;
    const spar_event *event;
    const unsigned char *bytes; /* its encoding */
    size_t length;
    const unsigned char *hash;
    const spar__store_text *text; /* NULL: none, or removed */
    size_t line;                  /* of the file; 0 in a store */
} spar__history_entry;

typedef spar_status (*spar__history_fn)(void *context, const spar__history_entry *entry, spar_error *err);

/* What is damaged, as a sentence. */
typedef void (*spar__history_fault)(void *context, const char *sentence);

typedef struct spar__history spar__history;

/* The log of an experiment in a store, which is opened for reading. With `fault` what is damaged is told and left out,
 * and reading goes on; without it is an error. */
spar_status spar__history_open(const char *place, spar__history_fault fault, void *context, spar__history **out,
                               spar_error *err);

/* The log in text[length], JSON lines as export wrote them; path is for errors, text must stay. */
spar_status spar__history_of_text(const char *text, size_t length, const char *path, spar__history **out,
                                  spar_error *err);
void spar__history_free(spar__history *history); /* NULL is fine */

/* Is the text such a log? Its first line says so. */
bool spar__history_is_log(const char *text, size_t length);

/* All events. Stops when fn fails. May be called again. */
spar_status spar__history_each(spar__history *history, spar__history_fn fn, void *context, spar_error *err);

/* The names of voters; version 1, the owner is the voter. */
spar_status spar__history_voters(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err);

/* The end of the log as the store, or the last line of the file, has it; *sequence 0 and zeros if the file has none. */
spar_status spar__history_end(spar__history *history, uint64_t *sequence, unsigned char hash[SPAR_HASH_SIZE],
                              spar_error *err);

/* Of a log in a store. From now on it ends where it ends now, whatever others add. The name of a voter: *bytes, which
 * is new, NULL where there is none. */
spar_status spar__history_freeze(spar__history *history, spar_error *err);
spar_status spar__history_name(spar__history *history, uint64_t voter, spar__store_text *text, unsigned char **bytes,
                               spar_error *err);

/* Which text belongs to an event: its kind (0: none), owner and version. settings counts the settings events, this one
 * included. */
spar__store_text spar__history_text_of(const spar_event *event, uint32_t settings);

/* Of one kind of history. */
typedef struct spar__history_class {
    void (*free)(spar__history *history);
    spar_status (*each)(spar__history *history, spar__history_fn fn, void *context, spar_error *err);
    spar_status (*voters)(spar__history *history, spar__store_text_fn fn, void *context, spar_error *err);
    spar_status (*end)(spar__history *history, uint64_t *sequence, unsigned char *hash, spar_error *err);
} spar__history_class;

struct spar__history {
    const spar__history_class *cls;
    spar_event *event; /* working memory */
};

/* The answers of a log, in its order, each with what was shown. Those that were undone are left out and
 * counted. */

/* What was answered to one screen, or an import. */
typedef struct spar__answered {
    const spar__history_entry *entry;
    const unsigned char *id; /* 32 bytes: the key of an import; else the hash of the chain, which no other answer has */
    uint64_t screen;         /* 0: an import */
    uint32_t item;           /* SPAR_NO_ITEM: none */
    const spar_round *round; /* what was shown, slot by slot, */
    const spar_answer *given; /* and the answer in these terms */
    size_t m;
    const size_t *arm;         /* the same by places: what was shown, */
    const spar_answer *placed; /* and the answer */
    bool point;                /* points of a continuous space were shown: arm says SPAR_FRESH */
} spar__answered;

typedef struct spar__answers {
    /* event may be NULL; it gets every event, before the answer in it. */
    spar_status (*event)(void *context, const spar__history_entry *entry, spar_error *err);
    spar_status (*answer)(void *context, const spar__answered *answered, spar_error *err);
    void *context;
    uint64_t undone; /* out: answers that were taken back */
    uint64_t lost;   /* out: answers to screens that are not in the log, which must be damaged */
} spar__answers;

/* Reads the log twice. */
spar_status spar__answers_each(spar__history *history, spar__answers *answers, spar_error *err);

/* Those of the log as this experiment has folded it, without texts. */
spar_status spar__live_answers_each(spar_experiment *experiment, spar__answers *answers, spar_error *err);

/* The numbers 0, 1, 2, ...: at least m of them, in place[]. */
spar_status spar__places_reserve(size_t **place, size_t *room, size_t m);

#endif
