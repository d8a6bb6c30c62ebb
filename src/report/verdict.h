/* verdict.h - what a decision says, as a report: the common part of `spar decide`, `spar status` and whoever else shows
 * it. As JSON and as a picture here; as text for a terminal in cli/verdict. */
#ifndef SPAR_REPORT_VERDICT_H
#define SPAR_REPORT_VERDICT_H

#include "text/json.h"

#include <spar/decide.h>
#include <spar/standings.h>

enum { SPAR__VERDICT_PAIRS = 8 };

typedef struct spar__verdict_pairs {
    size_t n;
    size_t a[SPAR__VERDICT_PAIRS], b[SPAR__VERDICT_PAIRS];
} spar__verdict_pairs;

typedef const char *spar__verdict_name(void *context, size_t option);

typedef struct spar__verdict_report {
    /* To be set before look. */
    const spar_decision *decision;
    double delta;
    const char *unit, *units;                            /* "vote", "votes" */
    const char *shown;                                   /* behind 'chosen 41 of 90' where there is room; or NULL */
    spar__verdict_name *option;                          /* its name as given; NULL: it has none any more */
    spar__verdict_name *title;                           /* where JSON has one beside the name; or NULL */
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

/* New titles of n options into out[n]: those that several have are followed by the id. NULL: it has none any more. */
spar_status spar__verdict_titles(size_t n, spar__verdict_name *title, spar__verdict_name *id, void *context,
                                 char **out);

/* A sentence in place of what it said, or more words behind that: '; about 140 more answers (80 to 300)'. */
spar_status spar__verdict_say(spar__verdict_report *verdict, bool more, const char *words);
void spar__verdict_free(spar__verdict_report *verdict);

/* Members of an object. */
void spar__verdict_json_head(const spar__verdict_report *verdict, spar__json *json); /* verdict, sentence, leader */
void spar__verdict_json_options(const spar__verdict_report *verdict, spar__json *json);
void spar__verdict_json_pairs(const spar__verdict_report *verdict, spar__json *json); /* closest, next */
void spar__verdict_json_all_pairs(const spar__verdict_report *verdict, spar__json *json);
void spar__verdict_json_warning(const char *kind, const char *text, spar__json *json);
void spar__verdict_json_warnings(const spar__verdict_report *verdict,
                                 spar__json *json); /* items of a list that has begun */

/* Each option against the one that leads. */
spar_status spar__verdict_plot(const spar__verdict_report *verdict, const char *subtitle, spar__buf *out);

/* How strong the options are, as a report: what a model of choices says beside a verdict. As JSON and as
 * a picture here; as text for a terminal in cli/verdict. */

/* How standings are wanted. AUTO: sampled where that takes less than a second, else approximate. */
typedef enum spar__standings_how {
    SPAR__STANDINGS_NONE,
    SPAR__STANDINGS_AUTO,
    SPAR__STANDINGS_SAMPLE,
    SPAR__STANDINGS_APPROXIMATE
} spar__standings_how;

#define SPAR__STANDINGS_CHOICES "none|auto|sampled|approximate" /* in that order */

typedef struct spar__standings_report {
    spar_standings *standings; /* NULL: there are none; with these: */
    const char *approximate;   /* why they are approximate, in words; NULL: they are not */
    bool fits;                 /* one scale may: the evidence against it is below 1 / delta */
    double scale_evidence;     /* as a logarithm */
    size_t n_cycle, cycle[SPAR__VERDICT_PAIRS];
    uint64_t tied, bad; /* answers that all are equal, and that none is acceptable; also where there are no standings */
    const char *why_not; /* there are no standings, in words; NULL: they were not wanted, or there are no answers */
} spar__standings_report;

/* The word of an option as above. */
spar__standings_how spar__standings_how_of(const char *word);

/* Computes what r->standings, which have all answers, say. */
spar_status spar__standings_look(spar__standings_report *r, spar__standings_how how, double delta, spar_error *err);
void spar__standings_report_free(spar__standings_report *r);

/* Options by falling strength, live ones first: an array to free, or NULL. */
size_t *spar__standings_order(const spar__standings_report *r);

/* What the model warns of, in words; nothing is added where there is nothing to warn of: places that matter (each with
 * its own 95 % interval, from 10 answers on), and that no single scale fits. */
void spar__standings_say_places(const spar__standings_report *r, const spar__verdict_report *verdict, spar__buf *out);
void spar__standings_say_scale(const spar__standings_report *r, const spar__verdict_report *verdict, spar__buf *out);

extern const char spar__place_advice[]; /* what a place effect does, and what helps */

/* The same as items of a list that has begun; and the member "standings" of an object, null where
 * there are none. */
void spar__standings_json_warnings(const spar__standings_report *r, const spar__verdict_report *verdict,
                                   spar__json *json);
void spar__standings_json(const spar__standings_report *r, const spar__verdict_report *verdict, spar__json *json);

/* How often each option would be chosen over the average one. There are standings. */
spar_status spar__standings_plot(const spar__standings_report *r, const spar__verdict_report *verdict,
                                 const char *subtitle, spar__buf *out);

#endif
