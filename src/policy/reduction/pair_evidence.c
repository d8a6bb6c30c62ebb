/* pair_evidence.c - see pair_evidence.h. */
#include "policy/reduction/pair_evidence.h"

static spar__evidence *evidence_of(spar_policy *base)
{
    return &((spar__evidence_policy *)base)->evidence;
}

spar_status spar__evidence_policy_init(spar_policy *base, double delta, double first, spar_error *err)
{
    base->distinct = true;
    return spar__evidence_init(evidence_of(base), base->arms->n, delta, first, 0) ? spar__fail_memory(err) : SPAR_OK;
}

void spar__evidence_policy_fini(spar_policy *base)
{
    spar__evidence_fini(evidence_of(base));
}

spar_status spar__evidence_policy_resize(spar_policy *base, spar_error *err)
{
    spar__evidence *ev = evidence_of(base);
    const spar_arms *arms = base->arms;
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

spar_status spar__evidence_policy_reserve(spar_policy *base, const spar_round *round)
{
    spar__evidence *ev = evidence_of(base);
    size_t m = round->m < base->arms->n ? round->m : base->arms->n; /* different arms, at most */
    if (!spar__evidence_scratch(ev, round->m))
        return SPAR_NOMEM;
    return spar__pair_table_reserve(&ev->pairs, m * (m - 1) / 2);
}

void spar__evidence_policy_learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    bool duels = feedback->kind == SPAR_FEEDBACK_PAIRS;
    (void)spar__evidence_answer(evidence_of(base), round->m, round->arm, feedback->outcome, duels); /* there is room */
}

void spar__evidence_policy_archive(spar_policy *base, spar__archive *ar)
{
    spar__evidence *ev = evidence_of(base);
    const spar_arms *arms = base->arms;
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
