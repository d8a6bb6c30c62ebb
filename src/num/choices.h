/* choices.h - many answers at once: the log likelihood of Plackett and Luce's law, its gradient and its curvature.
 *
 * The parameters are one vector: the strengths of the options, the effects of the places from the second on (that of
 * the first is 0), and the logarithm of nu where ties were possible. The utility of a slot is the strength of its
 * option plus the effect of its place; see choice.h for the law. Equal answers are kept once, with their number.
 * Choices between two without place and tie are kept as counts of pairs, which cost one logistic each.
 *
 * A stage is one choice of one from several.
 *
 * Threads: evaluating uses memory of the list, so one at a time. */
#ifndef SPAR_NUM_CHOICES_H
#define SPAR_NUM_CHOICES_H

#include "base/order.h"
#include "num/choice.h"

/* Of a stage. */
enum {
    SPAR__STAGE_MAY_TIE = 1, /* the tie is one more alternative */
    SPAR__STAGE_TIED = 2,    /* and was chosen */
    SPAR__STAGE_WORST = 4,   /* the first alternative was chosen as the worst */
    SPAR__STAGE_LEVELS = 8   /* a whole answer with shared levels, whose orders are added up */
};

typedef struct spar__choices { /* all zero: empty */
    size_t pairs, pair_room;
    uint32_t *a, *b;     /* a < b */
    double *won, *lost;  /* how often a was chosen, and b */
    double *gap, *share; /* strength of a less that of b; P(a is chosen) */
    spar__key_table pair_key;
    size_t stages, stage_room;
    size_t *first;       /* of the alternatives of each stage; one more for the end */
    unsigned char *kind; /* SPAR__STAGE_..., added up */
    double *weight;
    size_t room;                      /* alternatives */
    uint32_t *option, *place, *level; /* the chosen one first */
    spar__key_table stage_key;
    size_t widest; /* alternatives of a stage */
    double *work;
} spar__choices;

/* What the parameters are. */
typedef struct spar__choice_space {
    size_t options, places; /* places 0 and 1 are the same: none has an effect */
    bool ties;
} spar__choice_space;

static inline size_t spar__choice_parameters(const spar__choice_space *space)
{
    return space->options + (space->places > 1 ? space->places - 1 : 0) + space->ties;
}

void spar__choices_fini(spar__choices *list);
void spar__choices_clear(spar__choices *list); /* the memory stays */

/* Room for answers on screens with m slots, `count` of them. */
spar_status spar__choices_reserve(spar__choices *list, size_t m, size_t count);

/* One answer, weight times, for which there is room: option[j] and place[j] (NULL: all 0) of every slot. split: the
 * tied are left out of each other's choice on every screen, so that the curvature is never negative. */
void spar__choices_add(spar__choices *list, const spar__choice_answer *choice, const uint32_t *option,
                       const uint32_t *place, double weight, bool split);

/* All answers of another list, for which there is room; and that room, also for what is added to the other list before:
 * all pairs of, or one answer on, a screen with m slots. */
void spar__choices_join(spar__choices *list, const spar__choices *other);
spar_status spar__choices_reserve_join(spar__choices *list, const spar__choices *other, size_t m);

double spar__choices_value(const spar__choices *list, const spar__choice_space *space, const double *at);

/* Adds the gradient to `gradient`, and to the upper triangle of `curvature` (stride numbers a row), unless it is NULL,
 * the negative of the second derivative. */
void spar__choices_slope(const spar__choices *list, const spar__choice_space *space, const double *at, double *gradient,
                         size_t stride, double *curvature);

/* Saves or loads; loading needs an empty list and checks that options and places are below these numbers. */
void spar__choices_archive(spar__choices *list, spar__archive *ar, size_t options, size_t places);

#endif
