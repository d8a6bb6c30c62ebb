/* verbs.h - commands of the form "spar token VERB FILE ...", on the secrets of a store. */
#ifndef SPAR_CLI_VERBS_H
#define SPAR_CLI_VERBS_H

#include "cli/options.h"
#include "store/store.h"
#include "text/json.h"

/* What a verb works on. */
typedef struct spar__verb_call {
    const spar__settings *settings;
    spar__store *store;
    const char *name;           /* of the experiment, NULL: none was given */
    const char *const *operand; /* after the file */
    size_t n_operands;
    bool json;
} spar__verb_call;

typedef spar_status spar__verb_fn(const spar__verb_call *call, spar__buf *out, spar_error *err);

/* A table ends with a name of NULL. */
typedef struct spar__verb {
    const char *name;
    bool whole;   /* it is about the whole store: FILE#NAME is refused */
    bool numbers; /* operands follow the file, else none do */
    spar__store_mode mode;
    spar__verb_fn *run;
    const char *options; /* those that it takes, beside --json, separated by blanks */
} spar__verb;

/* Finds the verb, checks operands and options, opens the store. standard: the verb that is meant where none is given;
 * NULL: one is needed. */
spar_status spar__verb_run(const spar__settings *settings, const spar__verb *verbs, const char *standard,
                           spar__buf *out, spar_error *err);

/* Ends those whose numbers are the operands. what: "token". */
typedef spar_status spar__verb_end(spar__store *store, uint64_t number, spar_error *err);
spar_status spar__verb_revoke(const spar__verb_call *call, spar__verb_end *end, const char *what, spar__buf *out,
                              spar_error *err);

/* A time in seconds as a member of a JSON object; 0: null. */
void spar__verb_time(spar__json *json, const char *key, int64_t seconds);

#endif
