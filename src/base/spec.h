/* spec.h - names with parameters: how a class describes itself, the strings that name one, and the values they give it.
 */
#ifndef SPAR_BASE_SPEC_H
#define SPAR_BASE_SPEC_H

#include "base/error.h"

#include <spar/catalog.h>

#include <stdbool.h>

/* The only place where a parameter is described. A list of them ends with a name of NULL. */
struct spar_param {
    const char *name;
    spar_param_kind kind;
    const char *standard; /* the default as text, NULL for none */
    double low, high;     /* range of numbers, ends included */
    const char *choices;
    const char *help;
};

struct spar_entry {
    const char *name;
    const char *brief;        /* one line */
    const char *paper;        /* where it comes from, NULL for none */
    const spar_param *params; /* NULL for none */
};

/* The strings that name things: "self_sparring(eta=3.5)/thompson/beta(a=1,b=1)".
 *
 * A spec is stages separated by '/', each a name with optional parameters in parentheses. Values run to the next ','
 * or ')'; a value in double quotes may hold anything but a double quote. */

typedef struct spar__arg {
    char *name, *value;
} spar__arg;

typedef struct spar__stage {
    char *name;
    spar__arg *arg;
    size_t n_args;
} spar__stage;

typedef struct spar__spec {
    spar__stage *stage;
    size_t n;
} spar__spec;

spar_status spar__spec_parse(const char *text, spar__spec *out, spar_error *err);
void spar__spec_free(spar__spec *spec);

/* Replaces the last stage by those of `path`, which is empty afterwards. On failure nothing has changed. */
spar_status spar__spec_replace_last(spar__spec *spec, spar__spec *path);

/* Adds a copy of an argument to a stage. */
spar_status spar__stage_add(spar__stage *stage, const char *name, const char *value);

/* The values of an entry's parameters: those of the stage, and defaults for the rest. */
typedef struct spar__value {
    bool given;
    char *text;      /* NULL when not given and without default */
    double number;   /* NUMBER, INTEGER */
    size_t choice;   /* CHOICE: which of the words */
    double *numbers; /* NUMBERS */
    size_t n;        /* how many of them */
} spar__value;

typedef struct spar__values {
    const spar_entry *entry;
    spar__value *value; /* one per parameter of the entry */
} spar__values;

/* Refuses unknown parameters (naming the nearest known one), repeated ones, and values outside their range. */
spar_status spar__values_bind(const spar_entry *entry, const spar__stage *stage, spar__values *out, spar_error *err);
void spar__values_free(spar__values *values);

/* Look-up by name; the name must be one of the entry's parameters. */
const spar__value *spar__value_of(const spar__values *values, const char *name);
double spar__number(const spar__values *values, const char *name);
size_t spar__integer(const spar__values *values, const char *name);
size_t spar__choice(const spar__values *values, const char *name);
const char *spar__text(const spar__values *values, const char *name); /* may be NULL */
bool spar__given(const spar__values *values, const char *name);

/* Which of the words in choices ("sd|quantile|none") the text is; false when it is none of them. */
bool spar__choice_find(const char *choices, const char *text, size_t *index);

const spar_param *spar__param_find(const spar_entry *entry, const char *name);

/* One name with parameters out of a table. */

/* Finds the entry that text names (entry(i) is NULL behind the last) and the values of its parameters. `kind` says in
 * messages what the name stands for. */
spar_status spar__bind_one(const char *text, const char *kind, const spar_entry *(*entry)(size_t), size_t *index,
                           spar__values *values, spar_error *err);

#endif
