#include "sim/sim.h"

#include "types/arms.h"

size_t spar_snapshot_index(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->index : 0;
}

uint64_t spar_snapshot_run(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->run : 0;
}

uint64_t spar_snapshot_round(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->t : 0;
}

const spar_policy *spar_snapshot_policy(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->policy : NULL;
}

const spar_world *spar_snapshot_world(const spar_snapshot *snapshot)
{
    return snapshot ? snapshot->world : NULL;
}

static const spar__arm_tally *tally_of(const spar_snapshot *snapshot, size_t arm)
{
    static const spar__arm_tally nothing = {0};
    bool known = arm < spar_arms_count(spar_policy_arms(snapshot->policy)) && snapshot->tally;
    return known ? &snapshot->tally[arm] : &nothing;
}

uint64_t spar_snapshot_shown(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->plays : 0;
}

double spar_snapshot_won(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->won : 0;
}

double spar_snapshot_lost(const spar_snapshot *snapshot, size_t arm)
{
    return snapshot ? tally_of(snapshot, arm)->lost : 0;
}
