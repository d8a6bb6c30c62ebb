/* The same checks over every belief. */
#include "posterior/posterior.h"
#include "posterior/belief.h"
#include "posterior/stat.h"

enum { K = 5, DRAWS = 20000, STATE = 4096 };

/* The arm that always wins: one that the belief can take for the best. */
static size_t champion(const belief *b)
{
    return b->self->cls->linear ? K - 1 : 2;
}

static void teach(belief *b, size_t rounds, const size_t *renamed)
{
    size_t top = champion(b);
    spar_rng rng;
    spar_rng_seed(&rng, 51, 1, 1);
    for (size_t t = 0; t < rounds; t++) {
        size_t arm = (size_t)spar_rng_below(&rng, K);
        double reward = (double)spar_rng_below(&rng, 3) / 2;
        size_t other = (arm + 1 + t % (K - 1)) % K;
        reward = arm == top ? 1 : other == top && b->self->cls->observe_round ? 0 : reward;
        if (renamed)
            observe_either(b->self, renamed[arm], renamed[other], reward);
        else
            observe_either(b->self, arm, other, reward);
        if (b->self->cls->settle && t % 3 == 0)
            b->self->cls->settle(b->self);
    }
    if (b->self->cls->settle)
        b->self->cls->settle(b->self);
}

static bool same_state(const belief *a, const belief *b)
{
    static double x[STATE], y[STATE];
    size_t n = belief_numbers(a, STATE, x);
    return belief_numbers(b, STATE, y) == n && memcmp(x, y, n * sizeof *x) == 0;
}

static void count_best(belief *b, double *count)
{
    for (int t = 0; t < DRAWS; t++) {
        size_t arm[3];
        if (b->self->cls->best(b->self, b->scratch, &b->rng, 3, arm, NULL))
            abort();
        for (size_t j = 0; j < 3; j++)
            count[arm[j]]++;
    }
}

/* best has the law of draw and argmax; moments are those of draw. */
static void check_laws(const char *name)
{
    belief b = belief_open(name, K);
    teach(&b, 12, NULL);
    (void)spar_arms_retire(b.arms, 4);
    if (b.self->cls->resize(b.self))
        abort();
    double fast[K] = {0}, slow[K] = {0}, mean[K], sd[K], sum[K] = {0}, square[K] = {0};
    count_best(&b, fast);
    (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
    for (int t = 0; t < DRAWS; t++) {
        double theta[K];
        if (b.self->cls->draw(b.self, b.scratch, &b.rng, theta))
            abort();
        slow[spar__argmax(&b.rng, K - 1, theta)]++; /* the last arm has retired */
        for (size_t i = 0; i < K - 1; i++) {
            sum[i] += theta[i] - mean[i];
            square[i] += (theta[i] - mean[i]) * (theta[i] - mean[i]);
        }
    }
    double sigma = same_sigma(K, fast, slow);
    ok(fast[4] == 0, "%s: a retired arm is never best", name);
    ok(sigma < 5, "%s: best is the argmax of a draw (%.1f sigma)", name, sigma);
    bool centred = true, spread = true;
    for (size_t i = 0; i < K - 1; i++) {
        centred &= fabs(sum[i]) <= 5 * sd[i] * sqrt(DRAWS);
        spread &= sd[i] == 0 ? square[i] == 0 : fabs(square[i] / DRAWS / (sd[i] * sd[i]) - 1) < 5 * sqrt(10.0 / DRAWS);
    }
    ok(centred && spread, "%s: mean and sd are those of the draws", name);
    belief_close(&b);
}

static void check_state(const char *name)
{
    static const size_t renamed[K] = {3, 0, 4, 1, 2};
    belief a = belief_open(name, K), b = belief_open(name, K), fresh = belief_open(name, K);
    teach(&a, 40, NULL);
    teach(&b, 40, NULL);
    ok(same_state(&a, &b) && !same_state(&a, &fresh), "%s: the same rewards, the same state", name);
    size_t x[4], y[4];
    bool same = true, luck = false;
    for (int t = 0; t < 500; t++) {
        same &= !a.self->cls->best(a.self, a.scratch, &a.rng, 4, x, NULL) &&
                !b.self->cls->best(b.self, b.scratch, &b.rng, 4, y, NULL);
        for (size_t j = 0; j < 4; j++)
            same &= x[j] == y[j] && x[j] < K;
        luck |= x[0] != x[1] || x[0] != x[2] || x[0] != x[3];
    }
    ok(same && same_state(&a, &b), "%s: the same luck, the same arms; asking changes nothing", name);
    ok(luck, "%s: draws differ", name);
    spar__archive out = {0};
    a.self->cls->archive(a.self, &out);
    spar__archive in = {.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length};
    fresh.self->cls->archive(fresh.self, &in);
    ok(!in.failed && in.left == 0 && same_state(&a, &fresh), "%s: saves and loads", name);
    in = (spar__archive){.loading = true, .in = (const unsigned char *)out.out.text, .left = out.out.length - 1};
    fresh.self->cls->archive(fresh.self, &in);
    ok(in.failed, "%s: a state cut short is refused", name);
    spar__buf_free(&out.out);
    double mean[K], other[K];
    belief_close(&fresh);
    fresh = belief_open(name, K);
    a.self->cls->forget(a.self);
    ok(same_state(&a, &fresh), "%s: forget goes back to the prior", name);
    (void)b.self->cls->moments(b.self, b.scratch, mean, NULL);
    bool best = true;
    for (size_t i = 0; i < K; i++)
        best &= i == champion(&b) || mean[champion(&b)] > mean[i];
    ok(best, "%s: the arm that always won has the highest mean", name);
    belief r = belief_renamed(name, K, renamed);
    teach(&r, 40, renamed);
    (void)r.self->cls->moments(r.self, r.scratch, other, NULL);
    bool equal = true;
    for (size_t i = 0; i < K; i++)
        equal &= fabs(mean[i] - other[renamed[i]]) < 1e-9;
    ok(equal, "%s: renamed arms, renamed means", name);
    belief_close(&r);
    belief_close(&a);
    belief_close(&b);
    belief_close(&fresh);
}

static void check_growth(const char *name)
{
    belief b = belief_open(name, K);
    double mean[32], sd[32], before[32];
    teach(&b, 20, NULL);
    bool good = true;
    for (size_t n = K; n < 20; n++) {
        double x = 5 + (double)n; /* far from the others */
        (void)b.self->cls->moments(b.self, b.scratch, before, NULL);
        good &= spar_arms_add(b.arms, &x, NULL, NULL) == SPAR_OK && b.self->cls->resize(b.self) == SPAR_OK;
        (void)b.self->cls->moments(b.self, b.scratch, mean, sd);
        for (size_t i = 0; i < n; i++) /* a belief that knows opponents rates an arm against all, new ones too */
            good &= b.self->cls->observe_round ? fabs(mean[i] - before[i]) < 0.5 / (double)n
                                               : fabs(mean[i] - before[i]) < 1e-12;
        good &= isfinite(mean[n]) && sd[n] >= sd[2];
    }
    ok(good, "%s: new arms know nothing and change nothing", name);
    belief_close(&b);
}

static void check_memory(const char *name)
{
    bool clean = true;
    size_t k = 1;
    for (bool through = false; !through && k < 1000; k++) {
        belief b;
        size_t arm[2];
        spar__alloc_fail_at(k);
        spar_status status = belief_try(&b, name, K, NULL);
        if (!status)
            status = b.self->cls->best(b.self, b.scratch, &b.rng, 2, arm, NULL);
        through = spar__alloc_count() < k;
        spar__alloc_fail_at(0);
        clean &= through ? !status : status == SPAR_NOMEM || !status;
        belief_close(&b);
    }
    ok(clean && k > 5, "%s: each of %zu allocations fails once, cleanly", name, k - 2);
}

int main(void)
{
    for (size_t i = 0; i < spar__n_posterior_classes; i++) {
        const char *name = spar__posterior_classes[i]->entry.name;
        const spar__posterior_class *cls = spar__posterior_classes[i];
        ok(spar__posterior_find(name) == cls, "%s is found", name);
        ok(!cls->observe != !cls->observe_round, "%s: learns from arms or from rounds", name);
        check_laws(name);
        check_state(name);
        check_growth(name);
        check_memory(name);
    }
    ok(!spar__posterior_find("no_such_belief"), "what is not there is not found");
    return done();
}
