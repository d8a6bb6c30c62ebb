/* list.h - the catalog in the forms `spar list` can give it. */
#ifndef SPAR_CLI_LIST_H
#define SPAR_CLI_LIST_H

#include "base/buf.h"

#include <spar/catalog.h>

/* A family under the name the command line gives it. */
typedef struct spar__shelf {
    const char *name, *brief;
    spar_family family;
} spar__shelf;

/* All of them. */
const spar__shelf *spar__list_shelves(size_t *n);

/* The name of the shelf and of everything on it, wrapped to 100 columns. */
void spar__list_line(const spar__shelf *shelf, spar__buf *out);

void spar__list_text(const spar__shelf *shelves, size_t n, bool styled, spar__buf *out);
void spar__list_names(const spar__shelf *shelves, size_t n, spar__buf *out);
void spar__list_markdown(const spar__shelf *shelves, size_t n, spar__buf *out);
void spar__list_json(const spar__shelf *shelves, size_t n, spar__buf *out); /* an object with a list per family */

#endif
