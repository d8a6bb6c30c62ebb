/* stated.h - what one answer says about pairs of options.
 *
 * An answer is a matrix over the m slots of a screen: 0 missing, 1 loss, 2 tie, 3 win of the row's slot against the
 * column's. Where a person chose, a pair counts only if each of the two options stands in one slot: choices among
 * copies say less than they seem to. Independent duels all count, but for those of an option with itself. */
#ifndef SPAR_PREFER_STATED_H
#define SPAR_PREFER_STATED_H

#include <stdbool.h>
#include <stddef.h>

/* Options a < b. */
typedef struct spar__stated {
    size_t a, b;
    double won[2]; /* a before b, b before a: the weight of the answer, times the duels */
    double ties;
} spar__stated;

/* Of all that it says about the pair. */
static inline double spar__stated_weight(const spar__stated *s)
{
    return s->won[0] + s->won[1] + s->ties;
}

/* Each pair once, in no special order. `out` has room for m (m - 1) / 2. */
size_t spar__stated_of(size_t m, const size_t *arm, const unsigned char *outcome, bool independent, double weight,
                       spar__stated *out);

#endif
