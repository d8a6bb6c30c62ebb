/* catalog.h - what there is: every policy, bandit, belief, environment, kind of feedback and alias, with its
 * parameters. Help, documents, bindings and tests all follow from these entries.
 *
 * Threads: everything here is constant. NULL is refused: see status.h. */
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

typedef struct spar_param spar_param;
typedef struct spar_entry spar_entry;

typedef enum spar_family {
    SPAR_FAMILY_POLICY,
    SPAR_FAMILY_BANDIT,
    SPAR_FAMILY_BELIEF,
    SPAR_FAMILY_ENV,
    SPAR_FAMILY_FEEDBACK,
    SPAR_FAMILY_ALIAS, /* brief is the path it stands for */
    SPAR_FAMILIES
} spar_family;

SPAR_API size_t spar_catalog_count(spar_family family);                          /* how many entries it has */
SPAR_API const spar_entry *spar_catalog_entry(spar_family family, size_t index); /* NULL when out of range */

/* Of an entry; never NULL unless said. */
SPAR_API const char *spar_entry_name(const spar_entry *entry);
SPAR_API const char *spar_entry_brief(const spar_entry *entry); /* one line; of an alias the path it stands for */
SPAR_API const char *spar_entry_paper(const spar_entry *entry); /* where it comes from, NULL for none */
SPAR_API size_t spar_entry_params(const spar_entry *entry);     /* how many parameters it has */
SPAR_API const spar_param *spar_entry_param(const spar_entry *entry, size_t index); /* NULL when out of range */

/* Of a parameter. */
SPAR_API const char *spar_param_name(const spar_param *param);
SPAR_API spar_param_kind spar_param_kind_of(const spar_param *param);
SPAR_API const char *spar_param_default(const spar_param *param); /* as text, NULL for none */
SPAR_API double spar_param_low(const spar_param *param);          /* range of numbers, ends included */
SPAR_API double spar_param_high(const spar_param *param);
SPAR_API const char *spar_param_choices(const spar_param *param); /* the words, separated by |; NULL for none */
SPAR_API const char *spar_param_help(const spar_param *param);

/* The library's version, for example "0.1.0". */
SPAR_API const char *spar_version(void);

#ifdef __cplusplus
}
#endif

#endif
