/* verdict.h - what a decision says, as a report: the common part of `spar decide`, `spar status` and whoever else shows
 * it. As JSON and as a picture here; as text for a terminal in cli/verdict. */
#ifndef SPAR_REPORT_VERDICT_H
#define SPAR_REPORT_VERDICT_H

#include "text/json.h"

#include <spar/decide.h>

enum { SPAR__VERDICT_PAIRS = 8 };

typedef struct spar__verdict_pairs {
    size_t n;
    size_t a[SPAR__VERDICT_PAIRS], b[SPAR__VERDICT_PAIRS];
} spar__verdict_pairs;

typedef struct spar__verdict_report {
    /* To be set before look. */
    const spar_decision *decision;
    double delta;
    const char *unit, *units;                            /* "vote", "votes" */
    const char *shown;                                   /* behind 'chosen 41 of 90' where there is room; or NULL */
    const char *(*option)(void *context, size_t option); /* its name as given; NULL: it has none any more */
    const char *(*title)(void *context, size_t option);  /* where JSON has one beside the name; or NULL */
    const char *(*voter)(void *context, uint64_t voter); /* may be NULL */
    void *context;
    const char *verdict; /* in JSON, in place of the decision's; or NULL */
    /* Found by look. */
    size_t n;      /* options */
    char **name;   /* of each, safe to print */
    size_t *order; /* the options: in the running first, then by share of wins */
    size_t leader; /* SPAR_NO_OPTION for none */
    spar__verdict_pairs closest, next;
    char *sentence;
    char *warning[SPAR_WARNINGS]; /* NULL: none */
} spar__verdict_report;

spar_status spar__verdict_look(spar__verdict_report *verdict); /* SPAR_NOMEM only */

/* Adds to the sentence, which has no full stop: '; about 140 more answers (80 to 300)'. */
spar_status spar__verdict_say_more(spar__verdict_report *verdict, const char *words);
spar_status spar__verdict_say(spar__verdict_report *verdict, const char *sentence); /* in place of what it said */
void spar__verdict_free(spar__verdict_report *verdict);

/* verdict_json.c: members of an object. */
void spar__verdict_json_head(const spar__verdict_report *verdict, spar__json *json); /* verdict, sentence, leader */
void spar__verdict_json_options(const spar__verdict_report *verdict, spar__json *json);
void spar__verdict_json_pairs(const spar__verdict_report *verdict, spar__json *json); /* closest, next */
void spar__verdict_json_all_pairs(const spar__verdict_report *verdict, spar__json *json);
void spar__verdict_json_warning(const char *kind, const char *text, spar__json *json);
void spar__verdict_json_warnings(const spar__verdict_report *verdict,
                                 spar__json *json); /* items of a list that has begun */

/* verdict_plot.c: each option against the one that leads. */
spar_status spar__verdict_plot(const spar__verdict_report *verdict, const char *subtitle, spar__buf *out);

#endif
