/* The same checks over every bandit, with every belief it can have. */
#include "mab/bandit.h"
#include "posterior/stat.h"

enum { K = 5, STATE = 4096 };

static void teach(bandit *b, size_t rounds, const size_t *renamed)
{
    spar_rng rng;
    spar_rng_seed(&rng, 61, 1, 1);
    for (size_t t = 0; t < rounds; t++) {
        size_t arm = (size_t)spar_rng_below(&rng, K);
        double reward = arm == 2 ? 1 : (double)spar_rng_below(&rng, 3) / 4;
        size_t other = (arm + 1 + t % (K - 1)) % K, at = renamed ? renamed[arm] : arm;
        spar_outcome outcome = arm == 2 ? SPAR_WIN : other == 2 || reward == 0 ? SPAR_LOSS : SPAR_TIE;
        if (b->self->posterior && b->self->posterior->cls->observe_round)
            bandit_duel(b, at, renamed ? renamed[other] : other, outcome, t / (K - 1) % 2);
        else
            bandit_learn(b, at, reward, 1, 0.25);
    }
}

static bool same_state(const bandit *a, const bandit *b)
{
    static double x[STATE], y[STATE];
    size_t n = mab_numbers(a->self, STATE, x);
    return mab_numbers(b->self, STATE, y) == n && memcmp(x, y, n * sizeof *x) == 0;
}

static void check_picks(const char *spec)
{
    bandit a = bandit_open(spec, K, 0), b = bandit_open(spec, K, 0);
    bool same = true, range = true, differ = false, distinct = true;
    size_t x[4], y[4];
    double p[4], q[4];
    teach(&a, 3, NULL);
    teach(&b, 3, NULL);
    bandit_retire(&a, 1);
    bandit_retire(&b, 1);
    for (int t = 0; t < 300; t++) {
        bandit_pick(&a, 4, false, x, p);
        bandit_pick(&b, 4, false, y, q);
        for (size_t j = 0; j < 4; j++) {
            same &= x[j] == y[j] && p[j] == q[j];
            range &= x[j] < K && x[j] != 1 && p[j] > 0 && p[j] <= 1;
            differ |= x[j] != x[0];
        }
        if (!a.self->cls->distinct)
            continue;
        bandit_pick(&a, 4, true, x, p);
        bandit_pick(&b, 4, true, y, q);
        for (size_t j = 0; j < 4; j++)
            for (size_t k = 0; k < j; k++)
                distinct &= x[j] != x[k] && x[j] != 1 && x[k] != 1;
    }
    ok(range, "%s: picks are live arms with probabilities", spec);
    ok(same && same_state(&a, &b), "%s: the same luck, the same picks; asking changes nothing", spec);
    ok(differ || !a.self->cls->randomised, "%s: a randomised bandit's picks differ", spec);
    ok(distinct, "%s: distinct picks are distinct", spec);
    bandit_close(&a);
    bandit_close(&b);
}

static void check_state(const char *spec)
{
    bandit a = bandit_open(spec, K, 0), fresh = bandit_open(spec, K, 0);
    bool rounds = a.self->posterior && a.self->posterior->cls->observe_round;
    teach(&a, rounds ? 400 : 50,
          NULL); /* pair_gp is smooth over lengths as wide as all arms, and slow to tell them apart */
    spar__archive out = {0};
    spar__mab_archive(a.self, &out);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    spar__mab_archive(fresh.self, &in);
    ok(!in.failed && in.left == 0 && same_state(&a, &fresh), "%s: saves and loads", spec);
    fresh.rng = a.rng;
    bool same = true;
    for (int t = 0; t < 50; t++)
        same &= bandit_next(&a) == bandit_next(&fresh);
    ok(same, "%s: and goes on the same", spec);
    in = (spar__archive){.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length - 1};
    spar__mab_archive(fresh.self, &in);
    ok(in.failed, "%s: a state cut short is refused", spec);
    spar__buf_free(&out.out);
    bandit_close(&fresh);
    fresh = bandit_open(spec, K, 0);
    double score[K];
    (void)a.self->cls->score(a.self, a.scratch, score);
    bool best = true, peaked = !a.self->posterior || !a.self->posterior->cls->linear;
    for (size_t i = 0; i < K; i++)
        best &= isfinite(score[i]) && (i == 2 || score[2] > score[i] || !peaked);
    ok(best, "%s: the arm that always won has the highest score", spec);
    spar__mab_forget(a.self);
    ok(same_state(&a, &fresh), "%s: forgets everything", spec);
    fresh.rng = a.rng;
    for (int t = 0; t < 50; t++)
        same &= bandit_next(&a) == bandit_next(&fresh);
    ok(same, "%s: and begins anew", spec);
    bandit_close(&a);
    bandit_close(&fresh);
}

static void check_renamed(const char *spec)
{
    enum { DRAWS = 20000 };
    static const size_t renamed[K] = {3, 0, 4, 1, 2};
    bandit a = bandit_open(spec, K, 0), b = bandit_renamed(spec, K, 0, renamed);
    double x[K] = {0}, y[K] = {0};
    teach(&a, 12, NULL);
    teach(&b, 12, renamed);
    spar_rng_seed(&b.rng, 99, 1, 1);
    for (int t = 0; t < DRAWS; t++) {
        x[renamed[bandit_next(&a)]]++;
        y[bandit_next(&b)]++;
    }
    double sigma = same_sigma(K, x, y);
    ok(sigma < 5, "%s: renamed arms, renamed picks (%.1f sigma)", spec, sigma);
    bandit_close(&a);
    bandit_close(&b);
}

static void check_memory(const char *spec)
{
    bool clean = true;
    size_t k = 1;
    for (bool through = false; !through && k < 1000; k++) {
        bandit b;
        size_t arm[2];
        double prob[2];
        spar__alloc_fail_at(k);
        spar_status status = bandit_try(&b, spec, K, 0, NULL);
        if (!status)
            status = b.self->cls->pick(b.self, b.scratch, &b.rng, 2, b.self->cls->distinct, arm, prob, NULL);
        through = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        clean &= through ? !status : status == SPAR_NOMEM || !status;
        bandit_close(&b);
    }
    ok(clean && k > 5, "%s: each of %zu allocations fails once, cleanly", spec, k - 2);
}

static void check(const char *spec)
{
    check_picks(spec);
    check_state(spec);
    check_renamed(spec);
    check_memory(spec);
}

int main(void)
{
    for (size_t i = 0; i < spar__n_mab_classes; i++) {
        const spar__mab_class *cls = spar__mab_classes[i];
        const char *name = cls->entry.name;
        ok(spar__mab_find(name) == cls, "%s is found", name);
        ok(!cls->standard_posterior || (cls->wants_posterior && spar__posterior_find(cls->standard_posterior)),
           "%s: its usual belief is there", name);
        if (!cls->wants_posterior)
            check(name);
        for (size_t k = 0; cls->wants_posterior && k < spar__n_posterior_classes; k++) {
            char spec[128];
            if (spar__posterior_classes[k]->observe_round && !cls->learn_round)
                continue; /* refused by the stack */
            (void)snprintf(spec, sizeof spec, "%s/%s", name, spar__posterior_classes[k]->entry.name);
            check(spec);
        }
    }
    ok(!spar__mab_find("no_such_bandit"), "what is not there is not found");
    return done();
}
