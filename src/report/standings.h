/* standings.h - how strong the options are, as a report: what a model of choices says beside a verdict. As JSON and as
 * a picture here; as text for a terminal in cli/verdict. */
#ifndef SPAR_REPORT_STANDINGS_H
#define SPAR_REPORT_STANDINGS_H

#include "report/verdict.h"

#include <spar/standings.h>

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

/* standings_json.c: the same as items of a list that has begun; and the member "standings" of an object, null where
 * there are none. */
void spar__standings_json_warnings(const spar__standings_report *r, const spar__verdict_report *verdict,
                                   spar__json *json);
void spar__standings_json(const spar__standings_report *r, const spar__verdict_report *verdict, spar__json *json);

/* standings_plot.c: how often each option would be chosen over the average one. There are standings. */
spar_status spar__standings_plot(const spar__standings_report *r, const spar__verdict_report *verdict,
                                 const char *subtitle, spar__buf *out);

#endif
