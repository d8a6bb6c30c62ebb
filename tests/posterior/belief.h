/* belief.h - a belief over n arms, for tests of one belief or of all. */
#ifndef SPAR_TESTS_POSTERIOR_BELIEF_H
#define SPAR_TESTS_POSTERIOR_BELIEF_H

#include "base/alloc.h"
#include "posterior/posterior.h"

#include "tap.h"

#include <stdlib.h>

typedef struct belief {
    spar_arms *arms;
    spar_scratch *scratch;
    spar__posterior *self;
    spar_rng rng;
} belief;

__attribute__((unused)) static void belief_close(belief *b)
{
    spar__posterior_free(b->self);
    spar_scratch_free(b->scratch);
    spar_arms_free(b->arms);
    *b = (belief){0};
}

/* n arms with one feature each, so that every kind of belief can be had over them; where the arms are renamed the
 * features go with them. */
__attribute__((unused)) static spar_status featured_arms(size_t n, const size_t *renamed, spar_arms **out)
{
    double x[64];
    for (size_t i = 0; i < n; i++)
        x[renamed ? renamed[i] : i] = (double)i / (double)(n > 1 ? n - 1 : 1);
    return spar_arms_new(n, 1, x, NULL, out);
}

/* A belief over these arms, which it takes over, also where it is refused; the sentence goes to err, if not NULL. */
__attribute__((unused)) static spar_status belief_over(belief *b, const char *spec, spar_arms *arms, spar_error *err)
{
    *b = (belief){.arms = arms};
    spar_rng_seed(&b->rng, 11, 1, 1);
    spar__spec parsed = {0};
    spar__values values = {0};
    spar_status status = arms ? spar__spec_parse(spec, &parsed, err) : SPAR_NOMEM;
    const spar__posterior_class *cls = status ? NULL : spar__posterior_find(parsed.stage[0].name);
    if (!status)
        status = cls ? spar__values_bind(&cls->entry, &parsed.stage[0], &values, err) : SPAR_UNKNOWN;
    if (!status)
        status = spar_scratch_new(&b->scratch);
    if (!status)
        status = spar__posterior_new(cls, &values, b->arms, &b->self, err);
    spar__values_free(&values);
    spar__spec_free(&parsed);
    if (status)
        belief_close(b);
    return status;
}

__attribute__((unused)) static spar_status belief_try(belief *b, const char *spec, size_t n, const size_t *renamed)
{
    spar_arms *arms = NULL;
    spar_status status = featured_arms(n, renamed, &arms);
    *b = (belief){0};
    return status ? status : belief_over(b, spec, arms, NULL);
}

__attribute__((unused)) static belief belief_renamed(const char *spec, size_t n, const size_t *renamed)
{
    belief b;
    if (belief_try(&b, spec, n, renamed)) {
        printf("Bail out! no belief %s\n", spec);
        exit(1);
    }
    return b;
}

__attribute__((unused)) static belief belief_open(const char *spec, size_t n)
{
    return belief_renamed(spec, n, NULL);
}

/* A reward of one arm; to a belief that learns whole rounds, a duel with the other that says the same: above a half it
 * was won. Not settled yet. */
__attribute__((unused)) static void observe_either(spar__posterior *self, size_t arm, size_t other, double reward)
{
    if (!self->cls->observe_round) {
        self->cls->observe(self, arm, reward, 1);
        return;
    }
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    if (spar_round_new(2, &round) || spar_feedback_new(2, &feedback) || self->cls->reserve(self, 2))
        abort();
    round->m = 2;
    round->arm[0] = arm;
    round->arm[1] = other;
    (void)spar_feedback_set(feedback, 0, 1, reward > 0.5 ? SPAR_WIN : reward < 0.5 ? SPAR_LOSS : SPAR_TIE);
    self->cls->observe_round(self, round, feedback, 1);
    spar_round_free(round);
    spar_feedback_free(feedback);
}

/* The first numbers in a saved state, in the order they are written. */
__attribute__((unused)) static size_t saved_numbers(const spar__archive *ar, size_t room, double *out)
{
    size_t n = ar->out.length / 8 < room ? ar->out.length / 8 : room;
    spar__archive in = {.loading = true, .in = (const unsigned char *)ar->out.text, .left = ar->out.length};
    if (ar->failed)
        abort();
    spar__archive_f64s(&in, out, n);
    return n;
}

__attribute__((unused)) static size_t belief_numbers(const belief *b, size_t room, double *out)
{
    spar__archive ar = {0};
    b->self->cls->archive(b->self, &ar);
    size_t n = saved_numbers(&ar, room, out);
    spar__buf_free(&ar.out);
    return n;
}

#endif
