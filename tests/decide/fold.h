/* fold.h - events of the reference, given to a decision. */
#ifndef SPAR_TESTS_DECIDE_FOLD_H
#define SPAR_TESTS_DECIDE_FOLD_H

#include "prefer/logs.h"

#include <spar/decide.h>

static spar_status fold_event(spar_decision *d, const ref_event *e)
{
    unsigned char outcome[REF_SLOTS * REF_SLOTS];
    for (size_t j = 0; j < e->m; j++)
        for (size_t k = 0; k < e->m; k++)
            outcome[j * e->m + k] = (unsigned char)e->outcome[j][k];
    spar_ballot ballot = {sizeof ballot, e->m, e->slot, outcome, e->duels, e->voter, e->item, e->weight, 0};
    if (e->kind == REF_EVENT_ADD)
        return spar_decision_add(d, NULL, NULL);
    return e->kind == REF_EVENT_RETIRE ? spar_decision_retire(d, e->option, NULL)
                                       : spar_decision_answer(d, &ballot, NULL);
}

static spar_decision *fold_new(const ref_rules *rules)
{
    spar_decision *d = NULL;
    spar_decision_settings settings = {sizeof settings, rules->delta, rules->eps, rules->live, rules->first, false};
    (void)spar_decision_new(rules->options, &settings, &d, NULL);
    return d;
}

/* `count` answers in which one option of two comes first. */
__attribute__((unused)) static void fold_duels(spar_decision *d, size_t winner, size_t loser, size_t count,
                                               uint64_t voter)
{
    ref_event e = {.kind = REF_EVENT_ANSWER, .m = 2, .slot = {winner, loser}, .weight = 1, .voter = voter};
    logs_set(&e, 0, 1, 3);
    for (size_t i = 0; i < count; i++)
        (void)fold_event(d, &e);
}

#endif
