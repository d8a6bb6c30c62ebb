/* catalog.h - what there is: every policy, bandit, belief, environment, kind of feedback and alias, with its
 * parameters. Help, documents, bindings and tests all follow from these entries. */
#ifndef SPAR_CATALOG_H
#define SPAR_CATALOG_H

#include <spar/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_param_kind {
    SPAR_PARAM_NUMBER,  /* low <= value <= high */
    SPAR_PARAM_INTEGER, /* the same, whole */
    SPAR_PARAM_NUMBERS, /* colon-separated numbers: 0.8:0.5:0.2 */
    SPAR_PARAM_CHOICE,  /* one of the words in choices, separated by | */
    SPAR_PARAM_PATH,    /* a file */
    SPAR_PARAM_PATHS,   /* colon-separated files */
    SPAR_PARAM_TEXT     /* any text */
} spar_param_kind;

/* The only place where a knob is described. A list of them ends with a name of NULL. */
typedef struct spar_param {
    const char *name;
    spar_param_kind kind;
    const char *standard; /* the default as text, NULL for none */
    double low, high;     /* range of numbers, ends included */
    const char *choices;
    const char *help;
} spar_param;

typedef struct spar_entry {
    const char *name;
    const char *brief;        /* one line */
    const char *paper;        /* where it comes from, NULL for none */
    const spar_param *params; /* NULL for none */
} spar_entry;

typedef enum spar_family {
    SPAR_FAMILY_POLICY,
    SPAR_FAMILY_BANDIT,
    SPAR_FAMILY_BELIEF,
    SPAR_FAMILY_ENV,
    SPAR_FAMILY_FEEDBACK,
    SPAR_FAMILY_ALIAS, /* brief is the path it stands for */
    SPAR_FAMILIES
} spar_family;

SPAR_API size_t spar_catalog_count(spar_family family);
SPAR_API const spar_entry *spar_catalog_entry(spar_family family, size_t index); /* NULL when out of range */

/* The library's version, for example "0.1.0". */
SPAR_API const char *spar_version(void);

#ifdef __cplusplus
}
#endif

#endif
