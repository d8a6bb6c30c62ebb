/* regret.c - what showing an arm costs, and what the rounds of a run cost so far.
 *
 * SUM and WEAK go by the best arm. BORDA, COPELAND and VON_NEUMANN need no arm that beats all others: their gaps follow
 * from all pairs of arms, computed once for a world. BEST_FIXED compares with each arm in hindsight: pulls are counted,
 * and multiplied when the phase ends. A round costs O(m). */
#include "base/alloc.h"
#include "prefer/prefer.h"
#include "sim/sim.h"

#include <math.h>

/* BORDA, COPELAND or VON_NEUMANN? */
static bool gaps_needed(spar_regret kind)
{
    return kind == SPAR_REGRET_BORDA || kind == SPAR_REGRET_COPELAND || kind == SPAR_REGRET_VON_NEUMANN;
}

const char *spar__regret_name(spar_regret kind)
{
    static const char *const names[] = {
        [SPAR_REGRET_SUM] = "sum",     [SPAR_REGRET_WEAK] = "weak",         [SPAR_REGRET_BEST_FIXED] = "best_fixed",
        [SPAR_REGRET_BORDA] = "borda", [SPAR_REGRET_COPELAND] = "copeland", [SPAR_REGRET_VON_NEUMANN] = "von_neumann"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *spar__regret_refuses(const spar_world *world, spar_regret kind)
{
    bool needs_list = gaps_needed(kind) || kind == SPAR_REGRET_BEST_FIXED;
    if (needs_list && world->utility_at)
        return "it is continuous, and this kind needs a list of arms";
    if (gaps_needed(kind) && world->plain)
        return "it gives rewards, and this kind compares arms";
    if (gaps_needed(kind) && world->n > SPAR__GAPS_MOST)
        return "it has more than 4096 arms, and this kind looks at all pairs of them";
    return NULL;
}

/* What an arm has the more of the better: the mean chance to win, or the part of the others that it beats. */
static double merit(const spar_world *world, const spar__phase *phase, spar_regret kind, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < world->n; j++) {
        double p = spar__phase_prefer(world, phase, i, j);
        if (j != i)
            sum += kind == SPAR_REGRET_BORDA ? p : p > 0.5;
    }
    return world->n > 1 ? sum / (double)(world->n - 1) : 0;
}

static void fill_merits(const spar_world *world, const spar__phase *phase, spar_regret kind, double *gap)
{
    double best = 0;
    for (size_t i = 0; i < world->n; i++) {
        gap[i] = merit(world, phase, kind, i);
        best = fmax(best, gap[i]);
    }
    for (size_t i = 0; i < world->n; i++)
        gap[i] = best - gap[i];
}

/* What the optimal strategy wins against each arm; never less than nothing but for rounding. */
static bool fill_strategy(const spar_world *world, const spar__phase *phase, double *gap)
{
    size_t n = world->n;
    double *p = spar__alloc(n, n * sizeof *p), *w = spar__alloc(n, sizeof *w);
    bool good = p && w;
    for (size_t i = 0; good && i < n * n; i++)
        p[i] = spar__phase_prefer(world, phase, i / n, i % n);
    good = good && spar__von_neumann_even(n, p, w) == SPAR_OK;
    for (size_t j = 0; good && j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += w[i] * (p[i * n + j] - 0.5);
        gap[j] = fmax(sum, 0);
    }
    spar__free(p);
    spar__free(w);
    return good;
}

double *spar__gaps_new(const spar_world *world, spar_regret kind)
{
    double *gap = spar__alloc(world->phases, world->n * sizeof *gap);
    for (size_t f = 0; gap && f < world->phases; f++) {
        const spar__phase *phase = &world->phase[f];
        if (kind != SPAR_REGRET_VON_NEUMANN) {
            fill_merits(world, phase, kind, gap + f * world->n);
        } else if (!fill_strategy(world, phase, gap + f * world->n)) {
            spar__free(gap);
            return NULL;
        }
    }
    return gap;
}

static const double NEAR_BEST = 0.01; /* no point of a box is exactly the best */
static const double ROUNDING = 1e-6;
spar_status spar__account_init(spar__account *account, const spar_world *world, spar_regret kind, size_t m)
{
    *account = (spar__account){.world = world, .kind = kind, .m = m};
    if (spar__regret_refuses(world, kind))
        return SPAR_UNSUPPORTED;
    if (gaps_needed(kind)) {
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
    /* of sim.h */
    bool box = world->utility_at;
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
