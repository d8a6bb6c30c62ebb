#include "cli/judge/judge.h"

spar__judge_counts spar__judging_counts(const spar__judging *run)
{
    spar__judge_counts sum = {0};
    for (size_t i = 0; i < run->n; i++) {
        const spar__judge_counts *c = &run->judge[i].counts;
        sum.answers += c->answers;
        sum.skipped += c->skipped;
        sum.changed += c->changed;
        sum.elsewhere += c->elsewhere;
        sum.questions += c->questions;
        sum.failures += c->failures;
        sum.winners += c->winners;
        sum.first += c->first;
        sum.expected += c->expected;
        sum.variance += c->variance;
    }
    return sum;
}

/* What the judges that have a screen will still be asked. */
static uint64_t owed(const spar__judging *run)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < run->n; i++) {
        const spar__judge *judge = &run->judge[i];
        if (judge->state == SPAR__JUDGE_PAUSED)
            sum += run->swap ? 2 : 1;
        else if (judge->state == SPAR__JUDGE_ASKED)
            sum += run->swap && !judge->turned;
    }
    return sum;
}

bool spar__judging_can_pay(const spar__judging *run)
{
    uint64_t cost = run->swap ? 2 : 1;
    return !run->budget || spar__judging_counts(run).questions + owed(run) + cost <= run->budget;
}

bool spar__judging_decided(const spar__judging *run)
{
    switch (spar_decision_verdict(spar_experiment_decision(run->experiment))) {
    case SPAR_VERDICT_BEST:
    case SPAR_VERDICT_EQUAL:
    case SPAR_VERDICT_NO_SCALE: /* more answers will not change that */
        return true;
    default:
        return false;
    }
}
