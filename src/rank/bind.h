/* bind.h - one name with parameters out of a small table. */
#ifndef SPAR_RANK_BIND_H
#define SPAR_RANK_BIND_H

#include "base/spec.h"

/* Finds the entry (entry(i) is NULL behind the last) that text names, and the values of its parameters. `what` names
 * the family in the sentence that refuses. */
spar_status spar__rank_bind(const char *text, const char *what, const spar_entry *(*entry)(size_t), size_t *index,
                            spar__values *values, spar_error *err);

#endif
