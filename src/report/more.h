/* more.h - how many more answers a decision will take, as a report: from the strengths that the answers so far leave
 * open, played on by the policy and the rule of the experiment. */
#ifndef SPAR_REPORT_MORE_H
#define SPAR_REPORT_MORE_H

#include "text/json.h"

#include <spar/forecast.h>

enum { SPAR__MORE_WORDS = 160 };

typedef struct spar__more_report {
    bool known;               /* else there is no forecast */
    double low, median, high; /* answers for 10, 50 and 90 % of the truths; infinity: beyond the horizon */
    double decided;           /* the share of the truths that is, by the horizon */
    uint64_t horizon;
    size_t truths;
} spar__more_report;

/* Standings are computed. asks: how people answer. silent: the share of answers that say nothing. What it costs is
 * bounded, about half a second and 100 MB; where that is too little for a forecast, or the policy cannot go on, there
 * is none. SPAR_NOMEM only. */
spar_status spar__more_look(spar__more_report *r, const spar_standings *standings, const spar_decision *decision,
                            const spar_policy *policy, spar_answer_kind asks, double silent, spar_error *err);

/* Two digits: more are not known. At least 1; 0 for infinity. */
unsigned spar__more_rounded(double count);

/* 'about 140 more answers (80 to 300)'; empty without a forecast. */
void spar__more_words(const spar__more_report *r, size_t room, char *out);

/* The member "more_answers" of an object; null without a forecast. */
void spar__more_json(const spar__more_report *r, spar__json *json);

#endif
