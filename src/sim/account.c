#include "sim/account.h"

#include "base/alloc.h"
#include "sim/gaps.h"

#include <math.h>

static const double NEAR_BEST = 0.01; /* no point of a box is exactly the best */
static const double ROUNDING = 1e-6;  /* of gaps.h */

static bool over_a_box(const spar_world *world)
{
    return world->utility_at;
}

spar_status spar__account_init(spar__account *account, const spar_world *world, spar_regret kind, size_t m)
{
    *account = (spar__account){.world = world, .kind = kind, .m = m};
    if (spar__regret_refuses(world, kind))
        return SPAR_UNSUPPORTED;
    if (spar__gaps_needed(kind)) {
        account->gap = spar__gaps_new(world, kind);
        return account->gap ? SPAR_OK : SPAR_NOMEM;
    }
    if (kind != SPAR_REGRET_BEST_FIXED)
        return SPAR_OK;
    account->against = spar__alloc(world->n, sizeof *account->against);
    account->pulls = spar__alloc(world->n, sizeof *account->pulls);
    return account->against && account->pulls ? SPAR_OK : SPAR_NOMEM;
}

void spar__account_fini(spar__account *account)
{
    spar__free(account->gap);
    spar__free(account->against);
    spar__free(account->pulls);
}

static double gap_of(const spar__account *account, const spar__phase *phase, size_t arm)
{
    const spar_world *world = account->world;
    return account->gap ? account->gap[(size_t)(phase - world->phase) * world->n + arm]
                        : spar__phase_gap(world, phase, arm);
}

/* How much better than `shown` arm i would have been. */
static double advantage(const spar_world *world, const spar__phase *phase, size_t i, size_t shown)
{
    return world->plain ? spar__phase_gap(world, phase, shown) - spar__phase_gap(world, phase, i)
                        : spar__phase_prefer(world, phase, i, shown) - 0.5;
}

/* Turns pulls into what each arm would have won. */
static void settle(spar__account *account)
{
    const spar_world *world = account->world;
    for (size_t shown = 0; shown < world->n; shown++) {
        double pulls = (double)account->pulls[shown];
        if (pulls == 0)
            continue;
        for (size_t i = 0; i < world->n; i++)
            spar__sum_add(&account->against[i], pulls * advantage(world, account->phase, i, shown));
        account->pulls[shown] = 0;
    }
}

static void count(spar__account *account, const spar__phase *phase, const spar_round *round)
{
    if (phase != account->phase) {
        settle(account);
        account->phase = phase;
    }
    for (size_t j = 0; j < round->m; j++)
        account->pulls[round->arm[j]]++;
}

void spar__account_round(spar__account *account, uint64_t t, const spar_round *round)
{
    const spar_world *world = account->world;
    const spar__phase *phase = spar__world_phase(world, t);
    const size_t m = round->m, *arm = round->arm;
    bool box = over_a_box(world);
    double sum = 0, least = 0, slack = box ? NEAR_BEST : account->gap ? ROUNDING : 0;
    uint64_t best = 0;
    for (size_t j = 0; j < m; j++) {
        double gap = box ? spar_world_gap_at(world, t, round->x + j * round->dim) : gap_of(account, phase, arm[j]);
        sum += gap;
        if (j == 0 || gap < least)
            least = gap;
        best += gap <= slack; /* any of several best arms will do */
    }
    account->slots += m;
    account->best += best;
    spar__sum_add(&account->per_slot, m == account->m ? sum : sum * (double)account->m / (double)m);
    if (account->kind == SPAR_REGRET_BEST_FIXED)
        count(account, phase, round);
    else
        spar__sum_add(&account->regret, account->kind == SPAR_REGRET_WEAK ? least : sum);
}

double spar__account_regret(spar__account *account)
{
    if (account->kind != SPAR_REGRET_BEST_FIXED)
        return spar__sum_value(account->regret);
    settle(account);
    double most = spar__sum_value(account->against[0]);
    for (size_t i = 1; i < account->world->n; i++) {
        double won = spar__sum_value(account->against[i]);
        if (won > most)
            most = won;
    }
    return most;
}

double spar__account_per_slot(const spar__account *account)
{
    return spar__sum_value(account->per_slot);
}

double spar__account_best_share(const spar__account *account, uint64_t slots, uint64_t best)
{
    const spar_world *world = account->world;
    for (size_t f = 0; !account->gap && f < world->phases; f++)
        if (world->phase[f].best == SPAR_NO_ARM)
            return NAN;
    return (double)(account->best - best) / (double)(account->slots - slots);
}
