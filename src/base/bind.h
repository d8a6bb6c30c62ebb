/* bind.h - one name with parameters out of a table. */
#ifndef SPAR_BASE_BIND_H
#define SPAR_BASE_BIND_H

#include "base/spec.h"

/* Finds the entry (entry(i) is NULL behind the last) that text names, and the values of its parameters. `what` says in
 * the sentence that refuses what the name is of, and `family` where 'spar list' shows all; NULL: the sentence does. */
spar_status spar__bind_one(const char *text, const char *what, const char *family, const spar_entry *(*entry)(size_t),
                           size_t *index, spar__values *values, spar_error *err);

#endif
