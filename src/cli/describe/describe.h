/* describe.h - the report of `spar describe` about a preference matrix. Arms are counted from 0. */
#ifndef SPAR_CLI_DESCRIBE_H
#define SPAR_CLI_DESCRIBE_H

#include "base/buf.h"
#include "prefer/prefer.h"

typedef struct spar__description {
    const char *source; /* as given on the command line */
    size_t n;
    bool counts;         /* from win counts */
    char *note;          /* of the environment, or NULL */
    double *p;           /* n x n, P(row beats column) */
    char **name;         /* of each arm, or NULL */
    double smallest_gap; /* the least |P - 1/2| of two arms; 1/2 for a single arm */
    spar__prefer_report report;
} spar__description;

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
