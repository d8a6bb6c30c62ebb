/* decide.h - the inside of a decision. */
#ifndef SPAR_DECIDE_DECIDE_H
#define SPAR_DECIDE_DECIDE_H

#include "prefer/evidence.h"

#include <spar/decide.h>
#include <spar/feedback.h>

typedef struct spar__option_record {
    uint64_t shown, chosen;
} spar__option_record;

/* One counted statement about a pair, kept to ask what would be without a voter. */
typedef struct spar__observation {
    uint32_t row;   /* of evidence.pairs; SPAR__JOINED is added when the next one is of the same answer and pair */
    uint32_t voter; /* number in voters; SPAR__UNKNOWN_VOTER */
    double won;     /* the weight, negative where b came before a */
} spar__observation;

/* Observations that a live decision keeps, 16 MB: an experiment may go on for ever. */
enum { SPAR__MOST_OBSERVED = 1 << 20 };

#define SPAR__JOINED 0x80000000u
#define SPAR__UNKNOWN_VOTER UINT32_MAX

struct spar_decision {
    bool live, first_only;
    spar__evidence evidence;
    uint64_t answers, skipped;
    spar__option_record *record; /* one an option */
    size_t record_room;
    spar__key_table voters, items; /* with how many answers each */
    spar__key_table seen;          /* first_only: (voter and item, pair) */
    spar__observation *log;
    size_t log_count, log_room;
    bool log_dropped;    /* it became too long */
    spar_feedback *told; /* scratch of spar_decision_tell, made when first needed */
};

/* delta and eps are given and good. */
spar_status spar__decision_make(size_t options, const spar_decision_settings *settings, spar_decision **out);

/* Room for a record of each of n options. */
spar_status spar__decision_reserve_records(spar_decision *d, size_t n);

/* Room for `more` observations. */
spar_status spar__decision_reserve_log(spar_decision *d, size_t more);

/* The verdict on evidence from that many answers; *option is the one it names, or SPAR_NO_OPTION. */
spar_verdict spar__evidence_verdict(const spar__evidence *ev, uint64_t answers, size_t *option);

/* The live options without a rival that beats them are none, though some are live. */
bool spar__all_out(const spar__evidence *ev);

/* A bounded text: what does not fit is only counted. */
typedef struct spar__words {
    char *out;
    size_t room, length;
    const spar_decision_names *names;
} spar__words;

void spar__words_add(spar__words *words, const char *text);
void spar__words_count(spar__words *words, uint64_t number);
void spar__words_option(spar__words *words, size_t option);
void spar__words_voter(spar__words *words, uint64_t voter);

/* 'A', 'A and B', 'A, B and C', 'A, B, C, D, E and 7 others': the options for which `has` holds, without `but`. */
void spar__words_list(spar__words *words, const spar_decision *d, bool (*has)(const spar_decision *, size_t),
                      size_t but);

#endif
