/* pair_evidence.c - see pair_evidence.h. */
#include "policy/reduction/pair_evidence.h"

spar_status spar__policy_evidence_resize(spar__evidence *ev, const spar_arms *arms, spar_error *err)
{
    while (ev->n < arms->n)
        if (spar__evidence_add(ev))
            return spar__fail_memory(err);
    if (ev->live > arms->live && !arms->alive[arms->turned])
        spar__evidence_retire(ev, arms->turned);
    for (size_t i = 0; ev->live > arms->live && i < ev->n; i++)
        if (!arms->alive[i])
            spar__evidence_retire(ev, i);
    return SPAR_OK;
}

spar_status spar__policy_evidence_reserve(spar__evidence *ev, const spar_arms *arms, const spar_round *round)
{
    size_t m = round->m < arms->n ? round->m : arms->n; /* different arms, at most */
    if (!spar__evidence_scratch(ev, round->m))
        return SPAR_NOMEM;
    return spar__pair_table_reserve(&ev->pairs, m * (m - 1) / 2);
}

void spar__policy_evidence_learn(spar__evidence *ev, const spar_round *round, const spar_feedback *feedback)
{
    bool duels = feedback->kind == SPAR_FEEDBACK_PAIRS;
    (void)spar__evidence_answer(ev, round->m, round->arm, feedback->outcome, duels); /* there is room */
}

void spar__policy_evidence_archive(spar__evidence *ev, const spar_arms *arms, spar__archive *ar)
{
    spar__evidence_archive(ev, ar);
    spar__archive_check(ar, ev->n == arms->n && ev->live == arms->live);
    for (size_t i = 0; ar->loading && !ar->failed && i < arms->n; i++)
        spar__archive_check(ar, ev->option[i].live == arms->alive[i]);
}

size_t spar__rivals_next(spar__rivals *rivals, size_t n, spar_rng *rng)
{
    bool *from = rivals->n_open > 0 ? rivals->open : rivals->settled;
    size_t arm = spar__argmax_within(rng, n, rivals->urgency, from, 0);
    rivals->n_open -= rivals->n_open > 0;
    from[arm] = false;
    return arm;
}
