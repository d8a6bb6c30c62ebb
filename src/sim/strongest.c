/* strongest.c - the arm of highest strength so far, as the belief pl has it from all answers. */
#include "base/alloc.h"
#include "posterior/posterior.h"
#include "sim/watch.h"

struct spar__strongest {
    spar_arms *arms;
    spar__posterior *belief;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    double *mean;
    spar__stated *stated;
    size_t stated_room;
};

void spar__strongest_free(spar__strongest *s)
{
    if (!s)
        return;
    spar__posterior_free(s->belief);
    spar_arms_free(s->arms);
    spar_scratch_free(s->scratch);
    spar_round_free(s->round);
    spar_feedback_free(s->feedback);
    spar__free(s->mean);
    spar__free(s->stated);
    spar__free(s);
}

spar_status spar__strongest_new(size_t n, spar__strongest **out)
{
    const spar__posterior_class *cls = spar__posterior_find("pl");
    spar__values values = {0};
    spar__strongest *s = *out = spar__alloc(1, sizeof *s);
    if (!s)
        return SPAR_NOMEM;
    spar_status status = spar__values_bind(&cls->entry, NULL, &values, NULL);
    if (!status)
        status = spar_arms_new(n, 0, NULL, NULL, &s->arms);
    if (!status)
        status = spar__posterior_new(cls, &values, s->arms, &s->belief, NULL);
    if (status || spar_scratch_new(&s->scratch) || spar_round_new(2, &s->round) || spar_feedback_new(2, &s->feedback) ||
        !(s->mean = spar__alloc(n, sizeof *s->mean)))
        status = SPAR_NOMEM;
    spar__values_free(&values);
    if (status) {
        spar__strongest_free(s);
        *out = NULL;
    }
    return status;
}

static bool has_copies(const spar_round *round)
{
    for (size_t j = 1; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (round->arm[j] == round->arm[k])
                return true;
    return false;
}

/* Of a choice among copies only the pairs of arms that stand once each. */
static spar_status learn_pairs(spar__strongest *s, const spar_round *round, const unsigned char *outcome)
{
    size_t room = round->m * (round->m - 1) / 2;
    if (room > s->stated_room) {
        spar__stated *stated = spar__alloc(room, sizeof *stated);
        if (!stated)
            return SPAR_NOMEM;
        spar__free(s->stated);
        s->stated = stated;
        s->stated_room = room;
    }
    size_t n = spar__stated_of(round->m, round->arm, outcome, false, 1, s->stated);
    for (size_t i = 0; i < n; i++) {
        const spar__stated *pair = &s->stated[i];
        spar_outcome how = pair->ties > 0 ? SPAR_TIE : pair->won[0] > 0 ? SPAR_WIN : SPAR_LOSS;
        if (s->belief->cls->reserve(s->belief, 2) || spar_round_set(s->round, 2, (size_t[]){pair->a, pair->b}))
            return SPAR_NOMEM;
        (void)spar_feedback_set(s->feedback, 0, 1, how);
        s->belief->cls->observe_round(s->belief, s->round, s->feedback, 1);
    }
    return SPAR_OK;
}

spar_status spar__strongest_answer(spar__strongest *s, const spar_round *round, const spar_feedback *feedback,
                                   size_t *named)
{
    spar_status status = SPAR_OK;
    if (round->m < 2)
        return SPAR_OK;
    if (feedback->kind != SPAR_FEEDBACK_PAIRS && has_copies(round)) {
        status = learn_pairs(s, round, feedback->outcome);
    } else {
        status = s->belief->cls->reserve(s->belief, round->m);
        if (!status)
            s->belief->cls->observe_round(s->belief, round, feedback, 1);
    }
    if (status)
        return status;
    s->belief->cls->settle(s->belief);
    status = s->belief->cls->moments(s->belief, s->scratch, s->mean, NULL);
    size_t best = 0, ties = 1;
    for (size_t i = 1; i < s->arms->n; i++) {
        ties = s->mean[i] > s->mean[best] ? 1 : ties + (s->mean[i] == s->mean[best]);
        best = s->mean[i] > s->mean[best] ? i : best;
    }
    *named = ties == 1 ? best : SPAR__NO_OPTION;
    return status;
}
