/* list.h - the catalog in the formats of `spar list`. */
#ifndef SPAR_CLI_LIST_H
#define SPAR_CLI_LIST_H

#include "base/buf.h"
#include "base/spec.h"

/* A family of the catalog and its name on the command line. */
typedef struct spar__list_family {
    const char *name, *brief;
    const char *unknown; /* how the sentence of spar__fail_unknown begins */
    spar_family family;
    const char *only; /* the one entry that is meant; NULL: all */
} spar__list_family;

const spar__list_family *spar__list_families(size_t *n);

/* The name of the family in which such a sentence misses a name; NULL: none. */
const char *spar__list_asked(const char *sentence);

/* The names of a family on one line. */
void spar__list_line(const spar__list_family *family, spar__buf *out);

#endif
