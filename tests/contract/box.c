/* What every policy that can play in a continuous space promises there. */
#include "contract/stacks.h"

#include "base/alloc.h"

enum { ROUNDS = 8 };

/* A utility with one top, at 0.3 of the way along every axis and the first choice. */
static double utility(const spar_arms *arms, const double *x)
{
    double value = 0;
    for (size_t a = 0; a < arms->space.n_axes; a++) {
        const spar__space_axis *axis = &arms->space.axis[a];
        double part = (x[0] - axis->lo) / (axis->hi - axis->lo) - 0.3;
        value -= axis->kind == SPAR__AXIS_CHOICE ? 0.2 * (x[0] == 0) : 2 * part * part;
        x += spar__axis_features(axis);
    }
    return value;
}

/* Logit answers about the points shown; a plain bandit gets a reward. */
static void answer_in(player *p, spar_rng *luck)
{
    const spar_arms *arms = spar_policy_arms(p->policy);
    size_t m = p->round->m;
    (void)spar_feedback_reset(p->feedback, m);
    if (p->policy->cls->plain)
        (void)spar_feedback_reward(p->feedback, 0, spar_rng_uniform(luck) < 0.9 + 0.4 * utility(arms, p->round->x));
    for (size_t j = 0; j < m; j++)
        for (size_t k = j + 1; k < m; k++) {
            double d = utility(arms, p->round->x + j * arms->dim) - utility(arms, p->round->x + k * arms->dim);
            spar_outcome said = spar_rng_uniform(luck) < 1 / (1 + exp(-6 * d)) ? SPAR_WIN : SPAR_LOSS;
            (void)spar_feedback_set(p->feedback, j, k, said);
        }
}

static bool play_in(player *p, spar_rng *luck)
{
    if (!choose(p))
        return false;
    answer_in(p, luck);
    return spar_policy_learn(p->policy, p->round, p->feedback, NULL) == SPAR_OK;
}

static spar_arms *square(void)
{
    static const double lo[2] = {0, -1}, hi[2] = {1, 1};
    spar_arms *arms = NULL;
    if (spar_arms_new_box(2, lo, hi, &arms))
        abort();
    return arms;
}

static spar_arms *mixed(void)
{
    static spar__space_axis axis[3] = {
        {SPAR__AXIS_RANGE, 0, 1, 0}, {SPAR__AXIS_LEVELS, 0, 1, 11}, {SPAR__AXIS_CHOICE, 0, 1, 3}};
    spar_arms *arms = NULL;
    if (spar_arms_new_space(&(spar_space){3, axis}, &arms))
        abort();
    return arms;
}

typedef struct line {
    spar_round *round;
    spar_feedback *feedback;
} line;

static line write_down(const player *p)
{
    line l = {0};
    if (spar_round_new(1, &l.round) || spar_feedback_new(1, &l.feedback) || spar_round_copy(p->round, l.round) ||
        spar_feedback_copy(p->feedback, l.feedback))
        abort();
    return l;
}

static void tear_up(line *l)
{
    spar_round_free(l->round);
    spar_feedback_free(l->feedback);
}

/* Rounds are sound, the same seed gives the same ones, extra questions and empty answers change nothing. */
static void plays(const stack_case *c, spar_arms *(*space)(void))
{
    spar_arms *arms = space();
    player a = player_new(c, arms, 7, ROUNDS), b = player_new(c, arms, 7, ROUNDS);
    spar_rng luck_a, luck_b, other;
    spar_rng_seed(&luck_a, 1, 1, 1);
    spar_rng_seed(&luck_b, 1, 1, 1);
    spar_rng_seed(&other, 99, 1, 1);
    bool sound = true, same = true;
    for (int t = 0; t < ROUNDS; t++) {
        same &= play_in(&a, &luck_a) && play_in(&b, &luck_b);
        same &= memcmp(a.round->x, b.round->x, c->m * arms->dim * sizeof(double)) == 0;
        for (size_t j = 0; j < c->m; j++) {
            sound &= spar_arms_admit(arms, a.round->x + j * arms->dim) && a.round->dim == arms->dim;
            sound &= a.round->arm[j] == SPAR_FRESH || a.round->arm[j] < spar_policy_arms(a.policy)->n;
        }
        spar_rng keep = b.rng;
        b.rng = other; /* an extra question, to which nobody answers */
        same &= choose(&b);
        (void)spar_feedback_reset(b.feedback, b.round->m);
        same &= spar_policy_learn(b.policy, b.round, b.feedback, NULL) == SPAR_OK;
        other = b.rng;
        b.rng = keep;
    }
    ok(sound, "%s m=%zu: points of the space", c->spec, c->m);
    ok(same && same_bytes(state_of(a.policy), state_of(b.policy)),
       "%s m=%zu: the same seed, the same rounds; unanswered questions add no arm and change nothing", c->spec, c->m);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

/* Questions asked before any answer, learned in another order, twice, and again when their points are long known. */
static void late_answers(const stack_case *c, spar_arms *(*space)(void))
{
    spar_arms *arms = space();
    player a = player_new(c, arms, 8, 1000), b = player_new(c, arms, 8, 1000);
    spar_rng luck;
    spar_rng_seed(&luck, 2, 1, 1);
    line log[2 * ROUNDS];
    bool went = true, finite = true;
    for (int batch = 0; batch < 2; batch++) {
        for (int t = 0; t < ROUNDS; t++) {
            went &= choose(&a);
            answer_in(&a, &luck);
            log[batch * ROUNDS + t] = write_down(&a);
        }
        for (int t = (batch + 1) * ROUNDS; t-- > 0;)
            for (int again = 0; again < 2; again++)
                went &= spar_policy_learn(a.policy, log[t].round, log[t].feedback, NULL) == SPAR_OK;
    }
    size_t n = spar_policy_arms(a.policy)->n;
    double *score = calloc(n, sizeof *score);
    went &= spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL) == SPAR_OK;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(score[i]) != 0;
    ok(went && finite && n <= 2 * ROUNDS * c->m, "%s m=%zu: late and repeated answers do no harm, and add a point once",
       c->spec, c->m);
    for (int batch = 0; batch < 2; batch++)
        for (int t = (batch + 1) * ROUNDS; t-- > 0;)
            for (int again = 0; again < 2; again++)
                went &= spar_policy_learn(b.policy, log[t].round, log[t].feedback, NULL) == SPAR_OK;
    ok(went && same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: replay gives the same state", c->spec,
       c->m);
    log[0].round->x[0] = 5;
    log[0].round->arm[0] = SPAR_FRESH;
    spar_status status = spar_policy_learn(b.policy, log[0].round, log[0].feedback, NULL);
    ok(status == SPAR_INVALID && same_bytes(state_of(a.policy), state_of(b.policy)),
       "%s m=%zu: a point outside of the space is refused", c->spec, c->m);
    for (int t = 0; t < 2 * ROUNDS; t++)
        tear_up(&log[t]);
    free(score);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

static void save_and_load(const stack_case *c, spar_arms *(*space)(void))
{
    spar_arms *arms = space();
    player a = player_new(c, arms, 9, 1000), b = player_new(c, arms, 10, 1000);
    spar_rng luck, twin;
    spar_rng_seed(&luck, 3, 1, 1);
    for (int t = 0; t < ROUNDS; t++)
        (void)play_in(&a, &luck);
    twin = luck;
    bytes saved = state_of(a.policy);
    spar_policy_free(b.policy);
    spar_error err = {0};
    bool went = spar_policy_load(saved.at, saved.length, &b.policy, &err) == SPAR_OK;
    ok(went && same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: saves and loads %s", c->spec, c->m,
       err.text);
    b.rng = a.rng;
    for (int t = 0; went && t < 5; t++) {
        went &= play_in(&a, &luck) && play_in(&b, &twin);
        went &= memcmp(a.round->x, b.round->x, c->m * arms->dim * sizeof(double)) == 0;
    }
    ok(went && same_bytes(state_of(a.policy), state_of(b.policy)), "%s m=%zu: and goes on the same", c->spec, c->m);
    spar_bytes_free(saved.at);
    player_free(&a);
    player_free(&b);
    spar_arms_free(arms);
}

/* Whatever allocation fails, the policy is as it was and goes on. After eight points everything has to grow. */
static void every_allocation_fails_once(const stack_case *c, spar_arms *(*space)(void))
{
    spar_arms *arms = space();
    size_t k = 1, failed = 0;
    bool clean = true;
    for (bool through = false; !through && k < 5000; k++) {
        player a = player_new(c, arms, 11, 1000);
        spar_rng luck;
        spar_rng_seed(&luck, 4, 1, 1);
        for (size_t t = 0; t < 8 / c->m; t++)
            clean &= play_in(&a, &luck);
        bytes before = state_of(a.policy);
        spar_scratch_free(a.scratch);
        if (spar_scratch_new(&a.scratch))
            abort();
        spar__alloc_fail_at(k);
        spar_status status = spar_policy_choose(a.policy, a.scratch, &a.rng, a.round, NULL);
        if (!status) {
            answer_in(&a, &luck);
            status = spar_policy_learn(a.policy, a.round, a.feedback, NULL);
        }
        through = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        clean &= through ? !status : status == SPAR_NOMEM || !status;
        if (status)
            clean &= same_bytes(before, state_of(a.policy));
        else
            spar_bytes_free(before.at);
        failed += status == SPAR_NOMEM;
        clean &= play_in(&a, &luck);
        player_free(&a);
    }
    ok(clean && failed > 5, "%s m=%zu: each of %zu allocations fails once, and nothing changed", c->spec, c->m, failed);
    spar_arms_free(arms);
}

static void arms_go(const stack_case *c, spar_arms *(*space)(void))
{
    spar_arms *arms = space();
    player a = player_new(c, arms, 12, 1000);
    spar_rng luck;
    spar_rng_seed(&luck, 5, 1, 1);
    bool good = true;
    for (int t = 0; t < ROUNDS; t++) {
        good &= play_in(&a, &luck);
        const spar_arms *now = spar_policy_arms(a.policy);
        if (t % 3 == 2 && now->live > 1) {
            double score[512];
            size_t best = 0;
            good &= spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL) ==
                    SPAR_OK;
            for (size_t i = 1; i < now->n; i++)
                best = now->alive[i] && (!now->alive[best] || score[i] > score[best]) ? i : best;
            good &= spar_policy_retire_arm(a.policy, best, NULL) == SPAR_OK;
        }
        good &= choose(&a);
        for (size_t j = 0; j < c->m; j++)
            for (size_t i = 0; i < now->n; i++)
                good &= now->alive[i] ||
                        memcmp(now->x + i * now->dim, a.round->x + j * now->dim, now->dim * sizeof(double)) != 0;
    }
    ok(good, "%s m=%zu: points that retired are not shown", c->spec, c->m);
    player_free(&a);
    spar_arms_free(arms);
}

static spar_arms *ten_dimensions(void)
{
    static const double lo[10] = {0}, hi[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    spar_arms *arms = NULL;
    if (spar_arms_new_box(10, lo, hi, &arms))
        abort();
    return arms;
}

/* The arm with the highest score is close to the top. */
static void finds_the_top(const char *spec, spar_arms *(*space)(void), size_t rounds, double enough)
{
    stack_case c = {.m = 4};
    (void)snprintf(c.spec, sizeof c.spec, "%s", spec);
    spar_arms *arms = space();
    player a = player_new(&c, arms, 13, rounds);
    spar_rng luck;
    spar_rng_seed(&luck, 6, 1, 1);
    double score[512], first = 0;
    size_t best = 0;
    for (size_t t = 0; t < rounds; t++) {
        if (!play_in(&a, &luck))
            abort();
        for (size_t j = 0; t == 0 && j < c.m; j++)
            first += utility(arms, a.round->x + j * arms->dim) / (double)c.m;
    }
    const spar_arms *now = spar_policy_arms(a.policy);
    if (spar_policy_score(a.policy, a.scratch, spar_arms_count(spar_policy_arms(a.policy)), score, NULL))
        abort();
    for (size_t i = 1; i < now->n; i++)
        best = score[i] > score[best] ? i : best;
    double reached = utility(arms, now->x + best * now->dim);
    ok(reached > enough, "%s in %zu dimensions: from %.3f to %.3f in %zu rounds, where 0 is best", spec, arms->dim,
       first, reached, rounds);
    player_free(&a);
    spar_arms_free(arms);
}

int main(void)
{
    finds_the_top("kernel_self_sparring(length=0.5)", square, 80, -0.08);
    finds_the_top("kernel_self_sparring(length=0.5)", mixed, 80, -0.15);
    finds_the_top("self_sparring/thompson/gp(kernel=matern52,length=0.5)", mixed, 80, -0.15);
    finds_the_top("kernel_self_sparring(duels=1,length=0.35,variance=9,fit=10,explore=0.7,apart=0.5,start=15)", mixed,
                  80, -0.15);
    finds_the_top("kernel_self_sparring(length=2)", ten_dimensions, 80, -1.2);
    find_cases();
    spar_arms *(*const spaces[])(void) = {square, mixed};
    size_t served = 0;
    for (size_t i = 0; i < n_cases; i++) {
        const stack_case *c = &cases[i];
        spar_arms *arms = square();
        spar_policy *policy = NULL;
        spar_error err = {0};
        spar_rng birth;
        spar_rng_seed(&birth, 1, 1, 1);
        spar_status status = spar_policy_new(c->spec, arms, c->m, 100, &birth, &policy, &err);
        spar_policy_free(policy);
        spar_arms_free(arms);
        if (status) {
            ok(status == SPAR_UNSUPPORTED && *err.text, "%s m=%zu: %s", c->spec, c->m, err.text);
            continue;
        }
        served++;
        for (size_t s = 0; s < (c->m == 4 ? 2 : 1); s++) {
            plays(c, spaces[s]);
            late_answers(c, spaces[s]);
            save_and_load(c, spaces[s]);
            if (c->policy->live_arms)
                arms_go(c, spaces[s]);
        }
        every_allocation_fails_once(c, square);
    }
    ok(served >= 3, "%zu policies play in a box", served);
    return done();
}
