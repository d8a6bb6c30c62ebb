/* describe.h - the report of `spar describe` about a preference matrix. Arms are counted from 0. */
#ifndef SPAR_CLI_DESCRIBE_H
#define SPAR_CLI_DESCRIBE_H

#include "base/buf.h"
#include "prefer/prefer.h"

#include <spar/decide.h>

typedef struct spar__description {
    const char *source; /* as given on the command line */
    size_t n;
    bool counts;             /* from win counts */
    char *note;              /* of the environment, or NULL */
    double *p;               /* n x n, P(row beats column) */
    char **name;             /* of each arm, or NULL */
    double smallest_gap;     /* the least |P - 1/2| of two arms; 1/2 for a single arm */
    spar_decision *decision; /* what the counts show; NULL without counts, or if these are not whole numbers */
    spar__prefer_report report;
} spar__description;

/* counts.c: a matrix of probabilities or, as d->counts says, of counts. What was read before a failure is freed with
 * the rest of d. */
spar_status spar__describe_read(const char *path, spar__description *d, spar_error *err);

/* How sure counts are, in lines of text; d->decision may be NULL. And of a decision that is there: is there a vote on
 * the pair, is there any on the option? */
void spar__describe_sure(const spar__description *d, spar__buf *out);
bool spar__describe_compared(const spar__description *d, size_t a, size_t b);
bool spar__describe_voted(const spar__description *d, size_t option);

/* An assumption of some policies, and whether it holds here. */
typedef struct spar__assumption {
    const char *key;  /* in JSON */
    const char *text; /* with the policies that need it */
    bool holds;
} spar__assumption;

enum { SPAR__ASSUMPTIONS = 6 };
void spar__describe_assumptions(const spar__prefer_report *report, spar__assumption out[SPAR__ASSUMPTIONS]);

void spar__describe_text(const spar__description *d, bool styled, spar__buf *out);
void spar__describe_json(const spar__description *d, spar__buf *out);

#endif
