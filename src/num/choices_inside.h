/* choices_inside.h - what the files of the list of choices share. */
#ifndef SPAR_NUM_CHOICES_INSIDE_H
#define SPAR_NUM_CHOICES_INSIDE_H

#include "num/choices.h"

/* Numbers of work for stages of up to that many alternatives: utilities, the gradient, the curvature, and what
 * spar__choice_value needs. */
static inline size_t spar__choices_work(size_t widest)
{
    size_t width = widest + 1;
    return 2 * width + width * width + spar__choice_work(widest);
}

/* For loading, with room reserved: a pair that is not there yet; a stage from its alternatives, in the order they were
 * saved, which is false for one that is there already. */
void spar__choices_load_pair(spar__choices *list, uint32_t a, uint32_t b, double won, double lost);
void spar__choices_load_start(spar__choices *list);
void spar__choices_load_alternative(spar__choices *list, uint32_t option, uint32_t place, uint32_t level);
bool spar__choices_load_finish(spar__choices *list, unsigned char kind, double weight);

#endif
