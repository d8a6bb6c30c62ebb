#include "sim/sim.h"

#include "tap.h"

/* Three arms, two matrices that take turns every 2 rounds: arm 0 is best in the first, arm 2 in the second. */
static double p0[] = {0.5, 0.7, 0.9, 0.3, 0.5, 0.6, 0.1, 0.4, 0.5}, gap0[] = {0, 0.2, 0.4};
static double p1[] = {0.5, 0.4, 0.2, 0.6, 0.5, 0.3, 0.8, 0.7, 0.5}, gap1[] = {0.3, 0.2, 0};
static spar__phase phases[] = {{.p = p0, .best = 0, .gap = gap0}, {.p = p1, .best = 2, .gap = gap1}};

static const size_t shown[5][3] = {{1, 2, 0}, {1, 1}, {0, 1}, {2, 0, 1}, {2}};
static const size_t sizes[5] = {3, 2, 2, 3, 1};

static spar__account play(const spar_world *world, spar_regret kind, bool ask_often)
{
    spar__account account;
    ok(spar__account_init(&account, world, kind, 2) == SPAR_OK, "an account is opened");
    for (uint64_t t = 1; t <= 5; t++) {
        size_t arm[3];
        memcpy(arm, shown[t - 1], sizeof arm);
        spar_round round = {.m = sizes[t - 1], .capacity = 3, .arm = arm};
        spar__account_round(&account, t, &round);
        if (ask_often)
            (void)spar__account_regret(&account);
    }
    return account;
}

/* Over [0,1], the utility of a point is minus its distance from 1/2. */
static double tent(const void *env, const double *x)
{
    (void)env;
    return -fabs(x[0] - 0.5);
}

/* A world without tables has the same regrets as one with them. */
static void check_without_tables(void)
{
    double u[3] = {0.5, 0.75, 0.25}, gap[3] = {0.125, 0, 0.25}, p[9], total[2];
    for (size_t i = 0; i < 9; i++)
        p[i] = 0.5 + (u[i / 3] - u[i % 3]) / 2;
    for (int plain = 0; plain < 2; plain++) {
        for (int tables = 0; tables < 2; tables++) {
            spar__phase phase = {.p = tables ? p : NULL, .best = 1, .gap = tables ? gap : NULL};
            if (plain)
                for (size_t i = 0; i < 3; i++)
                    gap[i] = 0.75 - u[i];
            spar_world world = {
                .n = 3, .plain = plain, .utility = u, .link = SPAR__LINK_LINEAR, .phase = &phase, .phases = 1};
            spar__account sum = play(&world, SPAR_REGRET_SUM, false),
                          fixed = play(&world, SPAR_REGRET_BEST_FIXED, false);
            total[tables] = spar__account_regret(&sum) + 100 * spar__account_regret(&fixed);
            spar__account_fini(&sum);
            spar__account_fini(&fixed);
        }
        ok(total[0] == total[1] && total[0] > 0, "regret without tables");
    }
}

static void check_box(void)
{
    spar__space_axis axis = {.kind = SPAR__AXIS_RANGE, .lo = 0, .hi = 1};
    spar_arms arms = {.dim = 1, .space = {1, &axis}};
    spar_world box = {
        .arms = &arms, .link = SPAR__LINK_LOGIT, .phase = phases, .phases = 1, .utility_at = tent, .best_utility = 0};
    size_t arm[3] = {SPAR_FRESH, SPAR_FRESH, SPAR_FRESH};
    double x[3] = {0.5, 0.53, 0.9}, gap[3], total = 0;
    for (size_t j = 0; j < 3; j++)
        total += gap[j] = 1 / (1 + exp(-fabs(x[j] - 0.5))) - 0.5;
    spar_round round = {.m = 3, .capacity = 3, .arm = arm, .dim = 1, .x = x}, rest = round;
    rest.m = 2;
    rest.x = x + 1;
    for (int weak = 0; weak < 2; weak++) {
        spar__account account;
        (void)spar__account_init(&account, &box, weak ? SPAR_REGRET_WEAK : SPAR_REGRET_SUM, 3);
        spar__account_round(&account, 1, &round);
        spar__account_round(&account, 2, &rest);
        near(spar__account_regret(&account), weak ? gap[1] : 2 * total - gap[0], 1e-15, "a box: gaps of points");
        ok(account.best == 3, "a point is as good as the best when that beats it in 51 %% at most");
        spar__account_fini(&account);
    }
    spar__account account;
    ok(spar__account_init(&account, &box, SPAR_REGRET_BEST_FIXED, 3) == SPAR_UNSUPPORTED,
       "a box has no best fixed arm");
    spar__account_fini(&account);
}

int main(void)
{
    spar_world world = {.n = 3, .phase = phases, .phases = 2, .every = 2};
    spar__account sum = play(&world, SPAR_REGRET_SUM, false);
    near(spar__account_regret(&sum), 0.6 + 0.4 + 0.5 + 0.5 + 0.4, 1e-15, "the sum over slots");
    near(spar__account_per_slot(&sum), 0.4 + 0.4 + 0.5 + 1.0 / 3 + 0.8, 1e-15, "twice the mean over slots");
    ok(sum.slots == 11 && sum.best == 2, "11 slots, 2 of them the best of the time");
    spar__account weak = play(&world, SPAR_REGRET_WEAK, false);
    near(spar__account_regret(&weak), 0 + 0.2 + 0.2 + 0 + 0.4, 1e-15, "the best slot of each round");

    double most = -1;
    for (size_t i = 0; i < 3; i++) {
        double won = 0;
        for (size_t t = 1; t <= 5; t++)
            for (size_t j = 0; j < sizes[t - 1]; j++)
                won += spar_world_prefer(&world, t, i, shown[t - 1][j]) - 0.5;
        most = won > most ? won : most;
    }
    for (int often = 0; often < 2; often++) {
        spar__account fixed = play(&world, SPAR_REGRET_BEST_FIXED, often);
        near(spar__account_regret(&fixed), most, 1e-15, "the best fixed arm, %s", often ? "asked often" : "asked once");
        spar__account_fini(&fixed);
    }

    spar_world plain = {.n = 3, .plain = true, .phase = phases, .phases = 1};
    spar__account rewards = play(&plain, SPAR_REGRET_BEST_FIXED, false);
    near(spar__account_regret(&rewards), 0.6 + 0.4 + 0.2 + 0.6 + 0.4, 1e-15, "rewards: against the best mean");
    spar__account_fini(&rewards);
    check_box();
    check_without_tables();
    return done();
}
