/* Memory, positions and answers of the Plackett-Luce beliefs. */
#include "posterior/pl/state.h"

#include "base/alloc.h"
#include "num/kernel.h"
#include "num/linear.h"

#include <string.h>

static void prior_rows(spar__pl *self, size_t from)
{
    for (size_t k = from; k < self->stride; k++) {
        memset(self->R + k * self->stride, 0, self->stride * sizeof *self->R);
        self->R[k * self->stride + k] = 1 / self->sd;
        self->mean[k] = 0;
    }
}

void spar__pl_fini(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    void *const arrays[] = {self->position, self->arm,      self->R,      self->mean,      self->step,
                            self->spare,    self->strength, self->pull,   self->curvature, self->work,
                            self->rows,     self->target,   self->option, self->level,     self->screen};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        spar__free(arrays[i]);
    spar__choices_fini(&self->done);
    spar__choices_fini(&self->recent);
    spar__choices_fini(&self->round);
}

static bool grow(double **array, size_t old, size_t room)
{
    double *grown = spar__realloc(*array, old, room, sizeof *grown);
    *array = grown ? grown : *array;
    return grown;
}

/* Wider rows of R; what it held is kept. */
static spar_status more_parameters(spar__pl *self, size_t wanted)
{
    size_t stride = spar__padded(wanted < 2 * self->stride ? 2 * self->stride : wanted), old = self->stride;
    double *R = spar__alloc(stride, stride * sizeof *R), *curvature = spar__alloc(stride, stride * sizeof *curvature);
    double *work = spar__alloc(spar__cholesky_work(stride), sizeof *work);
    double *rows = spar__alloc(self->rows_room, stride * sizeof *rows);
    if (!R || !curvature || !work || !rows || !grow(&self->mean, old, stride) || !grow(&self->step, old, stride) ||
        !grow(&self->spare, old, stride)) {
        spar__free(R);
        spar__free(curvature);
        spar__free(work);
        spar__free(rows);
        return SPAR_NOMEM;
    }
    for (size_t k = 0; k < old; k++)
        memcpy(R + k * stride, self->R + k * old, old * sizeof *R);
    double *const gone[] = {self->R, self->curvature, self->work, self->rows};
    for (size_t i = 0; i < 4; i++)
        spar__free(gone[i]);
    self->R = R;
    self->curvature = curvature;
    self->work = work;
    self->rows = rows;
    self->stride = stride;
    prior_rows(self, old);
    return SPAR_OK;
}

static spar_status more_positions(spar__pl *self, size_t wanted)
{
    size_t room = wanted < 2 * self->seen_room ? 2 * self->seen_room : wanted, old = self->seen_room;
    size_t *arm = spar__realloc(self->arm, old, room, sizeof *arm);
    if (!arm)
        return SPAR_NOMEM;
    self->arm = arm;
    if (!grow(&self->strength, old, room) || !grow(&self->pull, old, room))
        return SPAR_NOMEM;
    self->seen_room = room;
    return SPAR_OK;
}

spar_status spar__pl_reserve_parameters(spar__pl *self, size_t seen)
{
    spar_status status = seen > self->seen_room ? more_positions(self, seen) : SPAR_OK;
    size_t wanted = self->linear ? self->base.arms->dim : seen;
    return !status && wanted > self->stride ? more_parameters(self, wanted) : status;
}

spar_status spar__pl_resize(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    size_t room = base->arms->capacity;
    if (base->arms->n <= self->arms_room)
        return SPAR_OK;
    uint32_t *position = spar__realloc(self->position, self->arms_room, room, sizeof *position);
    if (!position)
        return SPAR_NOMEM;
    self->position = position;
    self->arms_room = room;
    return SPAR_OK;
}

spar_status spar__pl_init(spar__posterior *base, double sd, bool linear)
{
    spar__pl *self = (spar__pl *)base;
    self->sd = sd;
    self->linear = linear;
    self->r = linear ? base->arms->dim : 0;
    spar_status status = spar__pl_resize(base);
    return status ? status : spar__pl_reserve_parameters(self, 1);
}

void spar__pl_forget(spar__posterior *base)
{
    spar__pl *self = (spar__pl *)base;
    memset(self->position, 0, self->arms_room * sizeof *self->position);
    spar__choices_clear(&self->done);
    spar__choices_clear(&self->recent);
    spar__choices_clear(&self->round);
    self->seen = 0;
    self->r = self->linear ? base->arms->dim : 0;
    self->rounds = self->refitted = 0;
    self->online = false;
    prior_rows(self, 0);
}

/* What one round needs of its own: m slots, and a row for each alternative of each choice. */
static spar_status reserve_round(spar__pl *self, size_t m)
{
    if (m <= self->slots_room)
        return SPAR_OK;
    size_t rows = m * (m + 1);
    uint32_t *option = spar__realloc(self->option, self->slots_room, m, sizeof *option);
    self->option = option ? option : self->option;
    unsigned *level = option ? spar__realloc(self->level, self->slots_room, m, sizeof *level) : NULL;
    self->level = level ? level : self->level;
    double *more = level ? spar__alloc(rows, self->stride * sizeof *more) : NULL;
    if (!more || !grow(&self->target, self->rows_room, rows) ||
        !grow(&self->screen, self->slots_room * (self->slots_room + 1), m * (m + 1))) {
        spar__free(more);
        return SPAR_NOMEM;
    }
    spar__free(self->rows);
    self->rows = more;
    self->rows_room = rows;
    self->slots_room = m;
    return SPAR_OK;
}

spar_status spar__pl_reserve(spar__posterior *base, size_t slots)
{
    spar__pl *self = (spar__pl *)base;
    size_t unseen = base->arms->n - self->seen, pairs = slots * (slots - 1) / 2;
    spar_status status = spar__pl_reserve_parameters(self, self->seen + (slots < unseen ? slots : unseen));
    if (!status)
        status = reserve_round(self, slots);
    if (!status)
        status = spar__choices_reserve(&self->round, 2, pairs);
    if (!status)
        status = spar__choices_reserve(&self->round, slots, 1);
    if (!status)
        status = spar__choices_reserve_join(&self->recent, &self->round, slots);
    return status ? status : spar__choices_reserve_join(&self->done, &self->recent, slots);
}

uint32_t spar__pl_position(spar__pl *self, size_t arm)
{
    if (self->position[arm] == 0) {
        self->arm[self->seen++] = arm;
        self->position[arm] = (uint32_t)self->seen;
        self->r = self->linear ? self->r : self->seen;
    }
    return self->position[arm] - 1;
}

/* Answered pairs of different arms, each a choice between two; a tie is half a win of each. */
static void observe_pairs(spar__pl *self, const spar_round *round, const spar_feedback *feedback, double weight)
{
    static const unsigned first[2] = {0, 1};
    const spar__choice_answer choice = {SPAR__CHOICE_ORDER, 2, first, false};
    size_t m = round->m;
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++) {
            unsigned char outcome = feedback->outcome[j * m + k];
            if (outcome == SPAR_MISSING || round->arm[j] == round->arm[k])
                continue;
            uint32_t a = spar__pl_position(self, round->arm[j]), b = spar__pl_position(self, round->arm[k]);
            double won = spar__reward(outcome);
            if (won > 0)
                spar__choices_add(&self->round, &choice, (const uint32_t[]){a, b}, NULL, weight * won, true);
            if (won < 1)
                spar__choices_add(&self->round, &choice, (const uint32_t[]){b, a}, NULL, weight * (1 - won), true);
        }
}

/* The levels of an order: how many different numbers of slots before it are smaller. */
static void find_levels(const spar_feedback *feedback, unsigned *level)
{
    size_t m = feedback->m;
    unsigned next = 0;
    for (size_t j = 0; j < m; j++) {
        level[j] = 0;
        for (size_t k = 0; k < m; k++)
            level[j] += feedback->outcome[j * m + k] == SPAR_LOSS;
    }
    for (unsigned behind = 0; behind < m; behind++) { /* never below what is already numbered */
        bool any = false;
        for (size_t j = 0; j < m; j++)
            if (level[j] == behind) {
                level[j] = next;
                any = true;
            }
        next += any;
    }
}

static bool is_best_worst(const spar_feedback *feedback)
{
    return feedback->kind == SPAR_FEEDBACK_BEST_WORST && feedback->m > 2;
}

/* One choice or ranking of all slots. */
static void observe_order(spar__pl *self, const spar_round *round, const spar_feedback *feedback, double weight)
{
    spar__choice_answer choice = {is_best_worst(feedback) ? SPAR__CHOICE_BEST_WORST : SPAR__CHOICE_ORDER, round->m,
                                  self->level, false};
    find_levels(feedback, self->level);
    for (size_t j = 0; j < round->m; j++)
        self->option[j] = spar__pl_position(self, round->arm[j]);
    spar__choices_add(&self->round, &choice, self->option, NULL, weight, true);
}

void spar__pl_observe_round(spar__posterior *base, const spar_round *round, const spar_feedback *feedback,
                            double weight)
{
    spar__pl *self = (spar__pl *)base;
    bool pairs = feedback->kind == SPAR_FEEDBACK_PAIRS || feedback->kind == SPAR_FEEDBACK_TIE;
    (pairs ? observe_pairs : observe_order)(self, round, feedback, weight);
}
