/* Many options: what one more, or one less, costs as their number grows. Four times as many changes take four times as
 * long and a little more, not sixteen times: O(log K) each on average. (Policies that keep something for each pair of
 * arms are not looked at: their memory alone grows with the square.) CPU time, the least of three. */
#include "session/session.h"
#include "stacks.h"

#include <time.h>

enum { FEW = 15000, TIMES = 4, REPEATS = 3 };
static const double most = 8; /* TIMES, with room for the logarithm, caches and noise */

static double cpu(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds for n arms that come and then retire but for the first ones, out of order. */
typedef double grow(const char *spec, size_t m, size_t n);

static double grow_policy(const char *spec, size_t m, size_t n)
{
    stack_case c = {.m = m};
    (void)snprintf(c.spec, sizeof c.spec, "%s", spec);
    spar_arms *arms = NULL;
    spar_rng luck;
    spar_rng_seed(&luck, 5, 1, 3);
    if (spar_arms_new(20, 0, NULL, NULL, &arms))
        abort();
    player p = player_new(&c, arms, 1, 0);
    double value[20] = {0.9, 0.8, 0.7}, start = cpu();
    for (int t = 0; t < 100 && choose(&p); t++) { /* so that beliefs have something to keep up with */
        answer(&p, &luck, value, 0);
        (void)spar_policy_learn(p.policy, p.round, p.feedback, NULL);
    }
    bool good = true;
    for (size_t i = 0; i < n; i++)
        good &= !spar_policy_add_arm(p.policy, NULL, NULL, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        good &= !spar_policy_retire_arm(p.policy, 20 + i * 7919 % n, NULL);
    start = cpu() - start;
    if (!good || spar_arms_live(spar_policy_arms(p.policy)) != 20)
        abort();
    player_free(&p);
    spar_arms_free(arms);
    return start;
}

static spar_status ignore(void *context, const spar_event *event, spar_error *err)
{
    (void)event, (void)err;
    ++*(size_t *)context;
    return SPAR_OK;
}

static double grow_session(bool asked, size_t n)
{
    spar_arms *arms = NULL;
    spar_session *session = NULL;
    uint64_t number;
    size_t events = 0;
    if (spar_arms_new(4, 0, NULL, NULL, &arms) ||
        spar_session_new("ind_self_sparring", arms, 2, 0, 1, &session, NULL) ||
        spar_session_log(session, ignore, &events, NULL) || (asked && spar_session_ask(session, &number, NULL)))
        abort();
    bool good = true;
    double start = cpu();
    for (size_t i = 0; i < n; i++)
        good &= !spar_session_add_arm(session, NULL, "an option", NULL, NULL);
    for (size_t i = 0; i < n; i++)
        good &= !spar_session_retire_arm(session, 4 + i * 7919 % n, NULL);
    start = cpu() - start;
    if (!good || events < 2 * n)
        abort();
    spar_session_free(session);
    spar_arms_free(arms);
    return start;
}

static double new_session(const char *spec, size_t m, size_t n)
{
    (void)spec, (void)m;
    return grow_session(false, n);
}

static double asked_session(const char *spec, size_t m, size_t n)
{
    (void)spec, (void)m;
    return grow_session(true, n);
}

static double grow_decision(const char *spec, size_t m, size_t n)
{
    (void)spec, (void)m;
    spar_decision *decision = NULL;
    if (spar_decision_new(4, NULL, &decision, NULL))
        abort();
    double start = cpu();
    for (size_t i = 0; i < n; i++)
        (void)spar_decision_add(decision, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        (void)spar_decision_retire(decision, 4 + i * 7919 % n, NULL);
    start = cpu() - start;
    spar_decision_free(decision);
    return start;
}

static void check(const char *what, grow *run, const char *spec, size_t m)
{
    double few = INFINITY, many = INFINITY;
    bool good = false;
    for (int r = 0; r < REPEATS || (!good && r < 5 * REPEATS); r++) { /* others on the machine make it slower */
        few = fmin(few, run(spec, m, FEW));
        many = fmin(many, run(spec, m, TIMES * FEW));
        good = many < most * few || many < 1e-3;
    }
    if (!ok(good, "%s: %d times as many take less than %g times as long", what, TIMES, most))
        printf("# %g s for %d, %g s for %d\n", few, FEW, many, TIMES * FEW);
}

/* Does a policy that followed its arms choose as one that measured everything anew, which loading does? */
static void check_changes(const stack_case *c)
{
    spar_arms *arms = make_arms(8);
    player p = player_new(c, arms, 1, 0);
    spar_rng luck;
    double value[64];
    spar_rng_seed(&luck, 6, 1, 3);
    size_t wrong = 0;
    for (size_t i = 0; i < 64; i++)
        value[i] = spar_rng_uniform(&luck);
    for (int step = 0; step < 80; step++) {
        size_t n = spar_arms_count(spar_policy_arms(p.policy)), arm = (size_t)spar_rng_below(&luck, n);
        double x = spar_rng_uniform(&luck);
        if (step % 2 && n < 64)
            (void)spar_policy_add_arm(p.policy, &x, NULL, NULL, NULL);
        else if (spar_arms_live(spar_policy_arms(p.policy)) > 3)
            (void)spar_policy_retire_arm(p.policy, arm, NULL);
        player fresh = p;
        if (spar_policy_dup(p.policy, &fresh.policy, NULL))
            abort();
        for (int t = 0; t < 20; t++) { /* both learn, so that what was followed wrongly has time to show */
            size_t first[64] = {0};
            spar_rng both = luck;
            fresh.rng = p.rng;
            (void)play(&p, &luck, value, 0.1);
            memcpy(first, p.round->arm, p.round->m * sizeof *first);
            (void)play(&fresh, &both, value, 0.1);
            wrong += memcmp(first, fresh.round->arm, fresh.round->m * sizeof *first) != 0;
        }
        spar_policy_free(fresh.policy);
    }
    ok(wrong == 0, "%s m=%zu: after 80 changes of arms it chooses as one that is built anew", c->spec, c->m);
    player_free(&p);
    spar_arms_free(arms);
}

/* Without features, and not for the policies that need the number of rounds. */
static bool wanted(const stack_case *c)
{
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    bool built =
        !spar_arms_new(4, 0, NULL, NULL, &arms) && !spar_policy_new(c->spec, arms, c->m, 0, &rng, &policy, NULL);
    bool yes = built && spar__policy_takes_arms(policy) && !c->policy->pairs && !c->policy->plain &&
               c->policy->players != SPAR__PLAYERS_PER_ARM;
    spar_policy_free(policy);
    spar_arms_free(arms);
    return yes;
}

int main(void)
{
    find_cases();
    size_t tried = 0;
    for (size_t i = 0; i < n_cases; i++)
        if (cases[i].policy->live_arms && cases[i].policy->pairs && cases[i].m <= 2 && !cases[i].policy->needs_horizon)
            check_changes(&cases[i]);
    for (size_t i = 0; i < n_cases; i++)
        if (cases[i].m == 2 && wanted(&cases[i])) {
            check(cases[i].spec, grow_policy, cases[i].spec, 2);
            tried++;
        }
    ok(tried >= 6, "%zu policies", tried);
    check("a session before its first question", new_session, NULL, 2);
    check("a session with an open question", asked_session, NULL, 2);
    check("a decision before its first answer", grow_decision, NULL, 2);
    return done();
}
