/* Arms that come and go, over every policy that allows it: retired arms are never shown, a new arm is as good as one
 * that was always there, and a retired one as good as one that never was. */
#include "contract/stacks.h"

#include "base/alloc.h"

enum { ARMS = 6, ROUNDS = 400, DRAWS = 20000 };

static const double value[64] = {0.30, 0.45, 0.90, 0.20, 0.55, 0.40, 0.35, 0.10};

static void arms_come_and_go(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    player a = player_new(c, arms, 12, 10000);
    spar_error err = {0};
    spar_rng luck;
    spar_rng_seed(&luck, 4, 1, 1);
    size_t index = 0;
    double x = 1.5; /* far from the others: what is known of them says nothing about it */
    spar_status status = spar_policy_add_arm(a.policy, &x, "late", &index, &err);
    if (!c->policy->live_arms) {
        ok(status == SPAR_UNSUPPORTED && strstr(err.text, c->policy->entry.name), "%s: refuses new arms", c->spec);
    } else {
        bool good = status == SPAR_OK && index == ARMS, seen = false;
        for (int t = 0; t < ROUNDS; t++) {
            good &= play(&a, &luck, value, 0);
            for (size_t j = 0; j < a.round->m; j++)
                seen |= a.round->arm[j] == ARMS;
        }
        good &= spar_policy_retire_arm(a.policy, 2, &err) == SPAR_OK; /* the best one */
        good &= spar_policy_retire_arm(a.policy, 2, &err) == SPAR_INVALID;
        for (int t = 0; t < ROUNDS; t++) {
            good &= play(&a, &luck, value, 0);
            for (size_t j = 0; j < a.round->m; j++) {
                good &= a.round->arm[j] <= ARMS && a.round->arm[j] != 2;
                seen |= a.round->arm[j] == ARMS;
            }
            if (t % 10 == 0) {
                good &= spar_policy_add_arm(a.policy, &x, NULL, &index, &err) == SPAR_OK;
                good &= spar_policy_retire_arm(a.policy, index, &err) == SPAR_OK;
            }
        }
        ok(good, "%s m=%zu: arms come and go, only live ones are played", c->spec, c->m);
        ok(seen, "%s m=%zu: a new arm is tried", c->spec, c->m);
        bytes saved = state_of(a.policy);
        spar_policy *twin = NULL;
        ok(spar_policy_load(saved.at, saved.length, &twin, &err) == SPAR_OK, "%s m=%zu: and saved", c->spec, c->m);
        spar_policy_free(twin);
        spar_bytes_free(saved.at);
    }
    player_free(&a);
    spar_arms_free(arms);
}

/* A table may come with arms that have retired. */
static void leaves_the_retired_alone(const stack_case *c)
{
    spar_arms *arms = make_arms(ARMS);
    if (spar_arms_retire(arms, 2) || spar_arms_retire(arms, 0))
        abort();
    player a = player_new(c, arms, 17, 1000);
    spar_rng luck;
    spar_rng_seed(&luck, 9, 1, 1);
    bool good = true;
    for (int t = 0; t < ROUNDS; t++) {
        good &= play(&a, &luck, value, 0.1);
        for (size_t j = 0; j < a.round->m; j++)
            good &= a.round->arm[j] != 2 && a.round->arm[j] != 0;
    }
    ok(good, "%s m=%zu: arms that retired before it was built are not played", c->spec, c->m);
    player_free(&a);
    spar_arms_free(arms);
}

/* Two policies whose arms have different indices: of[i] is what the first calls arm i of the second. */
typedef struct twins {
    player a, b;
    const size_t *of;
    size_t n; /* arms of b */
} twins;

/* Neither asked for it; for a duel of an arm that b does not have, time passes without one. */
static bool teach(player *p, size_t i, size_t j, spar_outcome outcome)
{
    if (spar_round_set(p->round, 2, (size_t[]){i, j}) || spar_feedback_reset(p->feedback, 2) ||
        spar_feedback_set(p->feedback, 0, 1, outcome))
        abort();
    return spar_policy_learn(p->policy, p->round, p->feedback, NULL) == SPAR_OK;
}

/* One round of both with equal luck. The same choices? */
static bool plays_the_same(twins *t, spar_rng *luck)
{
    spar_rng again = *luck;
    double seen[64];
    for (size_t i = 0; i < t->n; i++)
        seen[i] = value[t->of[i]];
    bool same = play(&t->a, luck, value, 0.1) && play(&t->b, &again, seen, 0.1) && t->a.round->m == t->b.round->m;
    for (size_t j = 0; same && j < t->a.round->m; j++)
        same = t->a.round->arm[j] == t->of[t->b.round->arm[j]];
    return same;
}

/* Neither learns. */
static double choices_differ(twins *t)
{
    double x[64 * 64] = {0}, y[64 * 64] = {0};
    bool went = true;
    for (int r = 0; r < DRAWS; r++) {
        went &= choose(&t->a) && choose(&t->b);
        const spar_round *a = t->a.round, *b = t->b.round;
        x[a->arm[0] * ARMS + a->arm[a->m - 1]]++;
        y[t->of[b->arm[0]] * ARMS + t->of[b->arm[b->m - 1]]]++;
    }
    return went ? chi_square_excess(x, y, (size_t)ARMS * ARMS) : (double)INFINITY;
}

static spar_arms *arms_named(size_t n, const size_t *of)
{
    spar_arms *all = make_arms(ARMS), *arms = NULL;
    double x[ARMS];
    for (size_t i = 0; i < n; i++)
        x[i] = all->x[of[i]];
    if (spar_arms_new(n, 1, x, NULL, &arms))
        abort();
    spar_arms_free(all);
    return arms;
}

static twins twins_new(const stack_case *c, size_t n_a, size_t n_b, const size_t *of)
{
    static const size_t same[ARMS] = {0, 1, 2, 3, 4, 5};
    spar_arms *x = arms_named(n_a, same), *y = arms_named(n_b, of);
    twins t = {player_new(c, x, 31, 1000), player_new(c, y, 31, 1000), of, n_b};
    spar_arms_free(x);
    spar_arms_free(y);
    return t;
}

static void twins_free(twins *t)
{
    player_free(&t->a);
    player_free(&t->b);
}

/* From here on the two must be the same. */
static void compare(const stack_case *c, twins *t, bool exactly, const char *what)
{
    spar_rng luck;
    spar_rng_seed(&luck, 33, 1, 1);
    bool same = true;
    for (int r = 0; exactly && r < 2000; r++)
        same &= plays_the_same(t, &luck);
    double excess = exactly ? 0 : choices_differ(t);
    ok(same && excess < 5, "%s m=%zu: %s (%s, %.1f sigma)", c->spec, c->m, what, exactly ? "exactly" : "in law",
       excess);
}

/* Rounds of b, which both learn. */
static bool both_learn(twins *t, int rounds)
{
    spar_rng luck;
    spar_rng_seed(&luck, 32, 1, 1);
    bool went = true;
    for (int r = 0; r < rounds; r++) {
        double seen[64];
        for (size_t i = 0; i < t->n; i++)
            seen[i] = value[t->of[i]];
        went &= play(&t->b, &luck, seen, 0.1);
        if (spar_round_copy(t->b.round, t->a.round))
            abort();
        for (size_t j = 0; j < t->a.round->m; j++)
            t->a.round->arm[j] = t->of[t->a.round->arm[j]];
        went &= spar_policy_learn(t->a.policy, t->a.round, t->b.feedback, NULL) == SPAR_OK;
    }
    return went;
}

static void as_if_always_there(const stack_case *c)
{
    static const size_t of[ARMS] = {0, 1, 2, 3, 4, 5};
    twins t = twins_new(c, ARMS - 1, ARMS, of);
    double x = 1;
    bool exact = c->policy->after_change >= SPAR__SAME_INDEX;
    if (spar_policy_add_arm(t.a.policy, &x, NULL, NULL, NULL))
        abort();
    ok(exact || both_learn(&t, 30), "%s m=%zu: an arm that comes at the start", c->spec, c->m);
    compare(c, &t, exact, "is as good as one that was there");
    twins_free(&t);
}

/* The last arm leaves the others their indices, any other one their order. */
static bool exact_without(const stack_case *c, size_t gone)
{
    return c->policy->after_change >= (gone == ARMS - 1 ? SPAR__SAME_INDEX : SPAR__SAME_RANK);
}

static void as_if_never_there(const stack_case *c, size_t gone)
{
    size_t of[ARMS - 1];
    for (size_t i = 0; i + 1 < ARMS; i++)
        of[i] = i + (i >= gone);
    twins t = twins_new(c, ARMS, ARMS - 1, of);
    bool exact = exact_without(c, gone);
    if (spar_policy_retire_arm(t.a.policy, gone, NULL))
        abort();
    ok(exact || both_learn(&t, 30), "%s m=%zu: arm %zu, which retires at the start", c->spec, c->m, gone);
    compare(c, &t, exact, "might never have been there");
    twins_free(&t);
}

/* Duels that were not asked for, with arm `gone` and without; then it retires, and late answers about it come. For the
 * other policy, which never had it, time passes: an arm meets itself. */
static void as_if_it_had_not_played(const stack_case *c, size_t gone)
{
    size_t of[ARMS - 1], rank[ARMS] = {0};
    for (size_t i = 0; i + 1 < ARMS; i++) {
        of[i] = i + (i >= gone);
        rank[of[i]] = i;
    }
    twins t = twins_new(c, ARMS, ARMS - 1, of);
    spar_rng luck;
    spar_rng_seed(&luck, 34, 1, 1);
    bool went = true;
    for (int r = 0; r < 300; r++) {
        size_t i = (size_t)spar_rng_below(&luck, ARMS), j = (size_t)spar_rng_below(&luck, ARMS);
        bool won = spar_rng_uniform(&luck) < 0.5 + (value[i] - value[j]) / 2;
        if (r == 250)
            went &= spar_policy_retire_arm(t.a.policy, gone, NULL) == SPAR_OK;
        went &= teach(&t.a, i, j, won ? SPAR_WIN : SPAR_LOSS);
        bool without = i == gone || j == gone;
        went &= teach(&t.b, without ? 0 : rank[i], without ? 0 : rank[j], won ? SPAR_WIN : SPAR_LOSS);
    }
    ok(went, "%s: arm %zu, which plays, retires, and has late answers", c->spec, gone);
    compare(c, &t, exact_without(c, gone), "is no opponent of the others");
    twins_free(&t);
}

/* The best arm retires; later a better one comes. */
static void follows_the_best(const stack_case *c)
{
    enum { EASY = 9, LONG = 10000 };
    static const double easy[EASY + 1] = {0.0, 0.1, 0.6, 0.9, 0.2, 0.3, 0.05, 0.15, 0.25, 1.0};
    static const size_t best[] = {3, 2, 9};
    spar_arms *arms = make_arms(EASY);
    player a = player_new(c, arms, 41, 0);
    spar_rng luck;
    spar_rng_seed(&luck, 42, 1, 1);
    for (size_t phase = 0; phase < 3; phase++) {
        double played = 0, slots = 0, x = 2;
        if (phase > 0 && (phase == 1 ? spar_policy_retire_arm(a.policy, 3, NULL)
                                     : spar_policy_add_arm(a.policy, &x, NULL, NULL, NULL)))
            abort();
        for (int t = 0; t < LONG; t++) {
            if (!play(&a, &luck, easy, 0))
                abort();
            for (size_t j = 0; t >= LONG / 10 * 9 && j < a.round->m; j++) {
                played += a.round->arm[j] == best[phase];
                slots++;
            }
        }
        ok(played / slots > best_share(c, a.policy, 0.7), "%s m=%zu: arm %zu is the best %s (%.3f of the slots)",
           c->spec, c->m, best[phase],
           phase == 0   ? "at first"
           : phase == 1 ? "when that has retired"
                        : "when it has come",
           played / slots);
    }
    player_free(&a);
    spar_arms_free(arms);
}

/* Saved, loaded and asked once more: the same question? */
static bool goes_on_the_same(player *p)
{
    spar_policy *policy = p->policy, *twin = NULL;
    bytes saved = state_of(policy);
    spar_rng keep = p->rng;
    size_t arm[64];
    bool same = spar_policy_load(saved.at, saved.length, &twin, NULL) == SPAR_OK && same_bytes(saved, state_of(twin));
    if (same && spar_arms_live(spar_policy_arms(policy)) >= policy->cls->min_m && choose(p)) {
        size_t m = p->round->m;
        memcpy(arm, p->round->arm, m * sizeof *arm);
        p->rng = keep;
        p->policy = twin;
        same = choose(p) && p->round->m == m && memcmp(arm, p->round->arm, m * sizeof *arm) == 0;
        p->policy = policy;
    }
    p->rng = keep;
    spar_policy_free(twin);
    return same;
}

/* A round of up to 5 slots that no policy asked for, over all arms that ever were. */
static bool learns_anything(const stack_case *c, player *p, spar_rng *luck)
{
    size_t arm[5], n = spar_arms_count(spar_policy_arms(p->policy)), m = 2 + (size_t)spar_rng_below(luck, 4);
    bool few = c->policy->players == SPAR__PLAYERS_M && m > c->m;
    m = c->policy->plain ? 1 : m;
    for (size_t j = 0; j < m; j++)
        arm[j] = (size_t)spar_rng_below(luck, n);
    if (spar_round_set(p->round, m, arm))
        abort();
    answer(p, luck, value, 0.1);
    spar_status status = spar_policy_learn(p->policy, p->round, p->feedback, NULL);
    return status == (c->policy->asked_only || few ? SPAR_UNSUPPORTED : SPAR_OK);
}

/* Questions, some answered late, foreign rounds, arms that come and go down to the last: nothing that a log may hold
 * can harm. */
static void takes_any_log(const stack_case *c)
{
    enum { ACTIONS = 500, MOST = 30 };
    spar_arms *arms = make_arms(ARMS);
    player p = player_new(c, arms, 51, 1000);
    spar_round *late = NULL;
    spar_rng luck;
    spar_rng_seed(&luck, 52, 1, 1);
    bool good = spar_round_new(c->m, &late) == SPAR_OK;
    for (int t = 0; good && t < ACTIONS; t++) {
        const spar_arms *now = spar_policy_arms(p.policy);
        size_t action = (size_t)spar_rng_below(&luck, 10), index = (size_t)spar_rng_below(&luck, spar_arms_count(now));
        double x = spar_rng_uniform(&luck);
        bool enough = spar_arms_live(now) >= 2;
        if (action == 0 && spar_arms_count(now) < MOST)
            good = spar_policy_add_arm(p.policy, &x, NULL, NULL, NULL) == SPAR_OK;
        else if (action == 1 && enough && spar_arms_alive(now, index))
            good = spar_policy_retire_arm(p.policy, index, NULL) == SPAR_OK;
        else if (action == 2)
            good = learns_anything(c, &p, &luck);
        else if (action == 3 && late->m) {
            (void)spar_round_copy(late, p.round);
            answer(&p, &luck, value, 0.1);
            good = spar_policy_learn(p.policy, p.round, p.feedback, NULL) == SPAR_OK;
        } else if (enough)
            good = play(&p, &luck, value, 0.1);
        for (size_t j = 0; good && action > 3 && enough && j < p.round->m; j++)
            good = spar_arms_alive(spar_policy_arms(p.policy), p.round->arm[j]);
        if (action == 4 && enough)
            (void)spar_round_copy(p.round, late);
        if (good && t % 25 == 0)
            good = goes_on_the_same(&p);
    }
    ok(good, "%s m=%zu: takes any log", c->spec, c->m);
    spar_round_free(late);
    player_free(&p);
    spar_arms_free(arms);
}

int main(void)
{
    find_cases();
    for (size_t i = 0; i < n_cases; i++) {
        const stack_case *c = &cases[i];
        leaves_the_retired_alone(c);
        arms_come_and_go(c);
        if (!c->policy->live_arms)
            continue;
        takes_any_log(c);
        as_if_always_there(c);
        as_if_never_there(c, ARMS - 1);
        as_if_never_there(c, 2);
        if (c->policy->players != SPAR__PLAYERS_NONE || c->policy->features)
            continue;
        as_if_it_had_not_played(c, ARMS - 1);
        as_if_it_had_not_played(c, 2);
        if (!c->policy->baseline)
            follows_the_best(c);
    }
    return done();
}
