/* decide.h - the inside of a decision, and of standings. */
#ifndef SPAR_DECIDE_DECIDE_H
#define SPAR_DECIDE_DECIDE_H

#include "base/hash.h"
#include "num/choices.h"
#include "prefer/evidence.h"
#include "sampler/rng.h"

#include <spar/decide.h>
#include <spar/feedback.h>
#include <spar/standings.h>

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

/* The verdict on evidence from that many answers; *option is the one it names, or SPAR_NO_OPTION. */
spar_verdict spar__evidence_verdict(const spar__evidence *ev, uint64_t answers, size_t *option);

/* The live options without a rival that beats them are none, though some are live. */
bool spar__all_out(const spar__evidence *ev);

/* --- Standings --- */

enum { SPAR__STANDINGS_SAMPLED = 200 }; /* options that are not approximated */

#define SPAR__NO_STANDING ((size_t)-1)

/* One choice of a screen, for the question whether one scale fits: from these options the first was chosen. */
typedef struct spar__chosen_log {
    size_t n, room, slots, slot_room;
    size_t *first; /* n + 1 */
    bool *joined;  /* of the same screen as the one before */
    double *times;
    uint32_t *option;
} spar__chosen_log;

/* A search for the mode, and where it ended. */
typedef struct spar__strength_mode {
    size_t d, stride;
    double sd;            /* of strengths */
    double *at;           /* d: the mode */
    double *R;            /* R^T R = the curvature there */
    double *step, *trial; /* d */
    double *work;         /* of factorising */
    double *columns;      /* 8 x d */
    double traced;        /* sum of the variances of strengths */
} spar__strength_mode;

typedef struct spar__standing_range {
    double mean, low, high;
} spar__standing_range;

/* The moves of the chain. */
enum { SPAR__MOVE_MODE = 1, SPAR__MOVE_PRIOR = 2, SPAR__MOVE_SD = 4, SPAR__MOVE_SCALE = 8 };

struct spar_standings {
    size_t n, room;
    bool *live;
    uint64_t *bad;
    double sd; /* 0: learned */
    bool flat_places, half_ties;
    spar_standings_method method;
    unsigned moves; /* 0: those that are worth it; tests try each alone */
    spar__choices list;
    size_t places; /* seen; 0: none */
    bool ties;     /* some answer could be one */
    uint64_t answers, tied, all_bad;
    spar__hash hash; /* of all answers */
    spar__chosen_log log;
    size_t slots_room; /* of one answer: */
    uint32_t *option, *place;
    unsigned *level;

    bool computed, approximate;
    size_t computed_n;        /* options at that time */
    spar__choice_space space; /* and the parameters */
    spar__strength_mode mode;
    size_t draws, draw_room; /* draws x (d + 1): the parameters and s */
    double *draw;
    spar__standing_range *strength; /* one an option */
    double *best, *loss;
    size_t *group;
    size_t leader;
    size_t summary_room;
    spar__standing_range *effect, tie, spread; /* effect: one a place */
    size_t effect_room;
};

/* Grows an array of objects, of which the pointer is given; what has grown may stay so when the next one fails. */
bool spar__standings_grow(void *array, size_t old, size_t room, size_t size);

/* The mode for this sd, from where `at` is, in at most so many steps. */
spar_status spar__mode_reserve(spar_standings *st);
spar_status spar__mode_find(spar_standings *st, double sd);
void spar__mode_free(spar__strength_mode *mode);

/* About how long a compute takes, by the chain or by the normal law. The clock is not asked, so that the same answers
 * are always treated alike. */
double spar__standings_seconds(const spar_standings *st, bool sampled);

static inline size_t spar__draw_width(const spar_standings *st)
{
    return st->mode.d + 1;
}

#endif
