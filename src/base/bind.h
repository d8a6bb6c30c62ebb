/* bind.h - one name with parameters out of a table. */
#ifndef SPAR_BASE_BIND_H
#define SPAR_BASE_BIND_H

#include "base/spec.h"

/* Finds the entry that text names (entry(i) is NULL behind the last) and the values of its parameters. `kind` says in
 * messages what the name stands for. */
spar_status spar__bind_one(const char *text, const char *kind, const spar_entry *(*entry)(size_t), size_t *index,
                           spar__values *values, spar_error *err);

#endif
