#include "sim/sim.h"

#include "base/alloc.h"
#include "tap.h"

/* a beats b, b beats c, c beats a, and all beat d: means against the others 0.6, 0.6667, 0.5333, 0.2. */
static double cycle[] = {0.5, 0.7, 0.2, 0.9, 0.3, 0.5, 0.8, 0.9, 0.8, 0.2, 0.5, 0.6, 0.1, 0.1, 0.4, 0.5};
/* The same with a winner, b, in place of the cycle. */
static double winner[] = {0.5, 0.4, 0.2, 0.9, 0.6, 0.5, 0.8, 0.9, 0.8, 0.2, 0.5, 0.6, 0.1, 0.1, 0.4, 0.5};
static double no_gap[] = {NAN, NAN, NAN, NAN}, b_gap[] = {0.1, 0, 0.3, 0.4};

static spar__phase phases[] = {{.p = cycle, .best = SPAR_NO_ARM, .gap = no_gap},
                               {.p = winner, .best = 1, .gap = b_gap}};
static const spar_world world = {.n = 4, .phase = phases, .phases = 2, .every = 1};

static void check_gaps(spar_regret kind, const double *first, const double *second)
{
    double *gap = spar__gaps_new(&world, kind);
    for (size_t i = 0; gap && i < 4; i++) {
        near(gap[i], first[i], 1e-9, "%s regret of arm %zu of the cycle", spar__regret_name(kind), i);
        near(gap[4 + i], second[i], 1e-9, "%s regret of arm %zu beside a winner", spar__regret_name(kind), i);
    }
    ok(gap, "memory");
    spar__free(gap);
}

static void by_hand(void)
{
    const double borda[] = {2. / 3 - 0.6, 0, 2. / 3 - 1.6 / 3, 2. / 3 - 0.2};
    const double borda_won[] = {2.3 / 3 - 0.5, 0, 2.3 / 3 - 1.6 / 3, 2.3 / 3 - 0.2};
    check_gaps(SPAR_REGRET_BORDA, borda, borda_won);
    const double copeland[] = {0, 0, 0, 2. / 3}, copeland_won[] = {2. / 3, 0, 1. / 3, 1};
    check_gaps(SPAR_REGRET_COPELAND, copeland, copeland_won);
    /* In a cycle of three each is played in proportion to the gap between the two others: 0.3, 0.3, 0.2. */
    const double mixed[] = {0, 0, 0, (0.3 * 0.4 + 0.3 * 0.4 + 0.2 * 0.1) / 0.8};
    check_gaps(SPAR_REGRET_VON_NEUMANN, mixed, b_gap);
}

/* Rounds take turns between the two matrices. */
static void accounts(void)
{
    size_t shown[] = {3, 1, 2};
    spar_round round = {.m = 3, .capacity = 3, .arm = shown};
    static const spar_regret kinds[] = {SPAR_REGRET_BORDA, SPAR_REGRET_COPELAND, SPAR_REGRET_VON_NEUMANN};
    const double wanted[] = {2. / 3 - 0.2 + 2. / 3 - 1.6 / 3 + 2.3 / 3 - 0.2 + 2.3 / 3 - 1.6 / 3, 2. / 3 + 4. / 3,
                             (0.3 * 0.4 + 0.3 * 0.4 + 0.2 * 0.1) / 0.8 + 0.7};
    const uint64_t best[] = {2, 3, 3};
    for (size_t k = 0; k < 3; k++) {
        spar__account account;
        ok(spar__account_init(&account, &world, kinds[k], 3) == SPAR_OK, "an account is opened");
        spar__account_round(&account, 1, &round);
        spar__account_round(&account, 2, &round);
        near(spar__account_regret(&account), wanted[k], 1e-9, "%s regret of two rounds", spar__regret_name(kinds[k]));
        near(spar__account_per_slot(&account), wanted[k], 1e-9, "and per slot");
        ok(account.best == best[k], "%d slots without regret", (int)account.best);
        near(spar__account_best_share(&account, 0, 0), (double)best[k] / 6, 1e-15, "and their share");
        spar__account_fini(&account);
    }
    spar__account fixed;
    (void)spar__account_init(&fixed, &world, SPAR_REGRET_BEST_FIXED, 3);
    spar__account_round(&fixed, 1, &round);
    near(spar__account_regret(&fixed), 0.3 + 0.4, 1e-15, "the best fixed arm of a cycle");
    ok(isnan(spar__account_per_slot(&fixed)) && isnan(spar__account_best_share(&fixed, 0, 0)), "knows no best arm");
    spar__account_fini(&fixed);
}

static void names(void)
{
    static const char *const wanted[] = {"sum", "weak", "best_fixed", "borda", "copeland", "von_neumann"};
    for (int k = 0; k < 6; k++)
        same_text(spar__regret_name((spar_regret)k), wanted[k], "the name of %s", wanted[k]);
    ok(!spar__regret_name((spar_regret)6), "there are no more");
}

/* Utilities without a table of preferences give the same. */
static void without_tables(void)
{
    double u[] = {0.1, 0.7, 0.4}, p[9];
    for (size_t i = 0; i < 9; i++)
        p[i] = 0.5 + (u[i / 3] - u[i % 3]) / 2;
    spar__phase with = {.p = p, .best = 1}, without = {.best = 1};
    spar_world one = {.n = 3, .utility = u, .link = SPAR__LINK_LINEAR, .phase = &with, .phases = 1}, two = one;
    two.phase = &without;
    for (spar_regret kind = SPAR_REGRET_BORDA; kind <= SPAR_REGRET_VON_NEUMANN; kind++) {
        double *a = spar__gaps_new(&one, kind), *b = spar__gaps_new(&two, kind);
        ok(a && b && a[1] == 0 && a[0] > a[2], "%s goes by utility", spar__regret_name(kind));
        for (size_t i = 0; a && b && i < 3; i++)
            near(b[i], a[i], 1e-15, "and needs no table");
        spar__free(a);
        spar__free(b);
    }
}

static void without_memory(void)
{
    spar__alloc_fail_at(0);
    spar__free(spar__gaps_new(&world, SPAR_REGRET_VON_NEUMANN));
    size_t calls = spar__alloc_count();
    for (size_t k = 1; k <= calls; k++) {
        spar__alloc_fail_at(k);
        ok(!spar__gaps_new(&world, SPAR_REGRET_VON_NEUMANN), "allocation %zu of %zu fails", k, calls);
    }
    spar__alloc_fail_at(0);
}

int main(void)
{
    by_hand();
    accounts();
    names();
    without_tables();
    without_memory();
    return done();
}
