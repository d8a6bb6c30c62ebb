/* What the contract does not ask of saved states: bytes whose checksum is right and whose contents are not. */
#include "policy/setup.h"

enum { PER_STACK = 1500 };

static const char *const stacks[] = {"self_sparring(eta=2)",
                                     "self_sparring(distinct=1)/thompson/beta(a=0.5,b=0.5)",
                                     "self_sparring/exp3",
                                     "sparring/ucb1",
                                     "sparring/exp3",
                                     "multi_sbm/thompson",
                                     "multi_sbm/ucb1",
                                     "doubler/exp3",
                                     "doubler(reset=0)/ucb1",
                                     "random",
                                     "rmed1",
                                     "dts",
                                     "rucb",
                                     "savage"};
enum { STACKS = sizeof stacks / sizeof *stacks };

static void put(unsigned char *at, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (unsigned char)(word >> (8 * i));
}

/* FNV-1a, as the format says. */
static void seal(unsigned char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i + 8 < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    put(bytes + length - 8, hash);
}

static uint64_t odd_word(spar_rng *rng)
{
    static const double numbers[] = {0,   -0.0,  -1,   0.5,      1,     1e308,  5e-324,  0x1p53,
                                     NAN, 1e300, 1e18, INFINITY, 1e-17, 0x1p63, -1e-300, -INFINITY};
    static const uint64_t words[] = {0, 1, 2, 3, 4, 5, 63, 64, 4096, 1 << 20, INT64_MAX, UINT64_MAX};
    uint64_t word;
    switch (spar_rng_below(rng, 3)) {
    case 0:
        memcpy(&word, &numbers[spar_rng_below(rng, 16)], sizeof word);
        return word;
    case 1:
        return words[spar_rng_below(rng, 12)];
    default:
        return spar_rng_next(rng);
    }
}

/* One to three changes, mostly of whole numbers (which lie in eights from the end); returns the new length. */
static size_t mutate(spar_rng *rng, unsigned char *bytes, size_t length)
{
    for (uint64_t k = spar_rng_below(rng, 3) + 1; k > 0; k--) {
        size_t at = 8 + (size_t)spar_rng_below(rng, length - 24);
        if (spar_rng_below(rng, 4))
            at += (length - at) % 8;
        if (spar_rng_below(rng, 2))
            put(bytes + at, odd_word(rng));
        else
            bytes[at] ^= (unsigned char)(1u << spar_rng_below(rng, 8));
    }
    if (spar_rng_below(rng, 20) == 0)
        length -= 8 * (size_t)spar_rng_below(rng, 3);
    seal(bytes, length);
    return length;
}

/* Whatever was let in plays live arms with sensible probabilities, and can be saved and loaded again. */
static bool harmless(spar_policy *policy, setup *d)
{
    static double score[1 << 16];
    spar_policy *own = d->policy;
    d->policy = policy;
    bool good = policy->arms->n <= 1 << 16;
    for (int t = 0; t < 10 && good; t++) {
        const size_t *arm = setup_choose(d);
        for (size_t j = 0; j < d->round->m; j++) {
            good &= arm[j] < policy->arms->n && policy->arms->alive[arm[j]];
            good &= d->round->prob[j] > 0 && d->round->prob[j] <= 1;
        }
        (void)spar_feedback_reset(d->feedback, d->round->m);
        if (d->round->m == 1)
            (void)spar_feedback_reward(d->feedback, 0, 0.5);
        for (size_t j = 1; j < d->round->m; j++)
            (void)spar_feedback_set(d->feedback, 0, j, t % 2 ? SPAR_WIN : SPAR_TIE);
        good &= spar_policy_learn(policy, d->round, d->feedback, NULL) == SPAR_OK;
    }
    if (good) {
        setup_score(d, score);
        for (size_t i = 0; i < policy->arms->n; i++)
            good &= isfinite(score[i]) != 0;
    }
    unsigned char *again = NULL;
    size_t length = 0;
    spar_policy *twin = NULL;
    good = good && spar_policy_save(policy, &again, &length) == SPAR_OK &&
           spar_policy_load(again, length, &twin, NULL) == SPAR_OK;
    spar_policy_free(twin);
    spar_bytes_free(again);
    d->policy = own;
    return good;
}

static void test_crafted(const char *spec, spar_rng *rng)
{
    setup d = setup_new(spec, 5, 2, 1000, 9);
    for (int t = 0; t < 40; t++) {
        (void)setup_choose(&d);
        setup_tell(&d, t % 3 ? "w" : "l");
    }
    if (spar_policy_retire_arm(d.policy, 4, NULL) && d.policy->cls->live_arms)
        abort();
    unsigned char *bytes, *copy;
    size_t length, let_in = 0, harm = 0;
    if (spar_policy_save(d.policy, &bytes, &length) || !(copy = malloc(length)))
        abort();
    for (int k = 0; k < PER_STACK; k++) {
        spar_policy *policy = NULL;
        spar_error err = {0};
        memcpy(copy, bytes, length);
        size_t cut = mutate(rng, copy, length);
        spar_status status = spar_policy_load(copy, cut, &policy, &err);
        harm += (status == SPAR_OK) != (policy != NULL) || (status && !err.text[0]);
        if (policy) {
            let_in++;
            if (!harmless(policy, &d)) {
                harm++;
                printf("# mutation %d is let in and does harm\n", k);
            }
        }
        spar_policy_free(policy);
    }
    ok(harm == 0 && let_in > 10 && let_in < PER_STACK, "%s: of %d crafted states %zu are let in, %zu of them harmful",
       spec, PER_STACK, let_in, harm);
    free(copy);
    spar_bytes_free(bytes);
    setup_free(&d);
}

static void test_frame(void)
{
    setup d = setup_new("self_sparring", 3, 2, 0, 1);
    unsigned char *bytes;
    size_t length;
    spar_policy *twin = NULL;
    spar_error err = {0};
    if (spar_policy_save(d.policy, &bytes, &length))
        abort();
    ok(memcmp(bytes, "sparpol2", 8) == 0, "a saved policy begins as one");
    ok(spar_policy_load(bytes, 0, &twin, &err) == SPAR_CORRUPT && !twin, "nothing at all");
    same_text(err.text, "saved policy: does not begin as one", "is refused");
    ok(spar_policy_load(bytes, 8, &twin, &err) == SPAR_CORRUPT && !twin, "the first word alone");
    same_text(err.text, "saved policy: its checksum is wrong", "is refused");
    bytes[length - 20] ^= 1;
    ok(spar_policy_load(bytes, length, &twin, &err) == SPAR_CORRUPT && !twin, "a flipped bit");
    same_text(err.text, "saved policy: its checksum is wrong", "is refused");
    bytes[length - 20] ^= 1;
    put(bytes + length - 16, 0); /* the last number of the state: b of an arm, which is at least 1 */
    seal(bytes, length);
    ok(spar_policy_load(bytes, length, &twin, &err) == SPAR_CORRUPT && !twin, "an impossible number");
    same_text(err.text, "saved policy: its contents make no sense", "is refused");
    spar_bytes_free(bytes);
    setup_free(&d);
}

/* Two arms of ucb1 that were pulled next to never: their bounds are beyond all numbers, and differ all the same. */
static void test_tiny_pulls(void)
{
    enum { N = 40 };
    setup d = setup_new("ucb1", N, 1, 0, 1);
    unsigned char *bytes;
    size_t length;
    spar_policy *twin = NULL;
    for (int t = 0; t < 2 * N; t++) {
        (void)setup_choose(&d);
        (void)spar_feedback_reward(d.feedback, 0, t % 2);
        if (spar_policy_learn(d.policy, d.round, d.feedback, NULL))
            abort();
    }
    if (spar_policy_save(d.policy, &bytes, &length))
        abort();
    unsigned char *sum = bytes + length - 8 - 8 * N, *pulls = sum - 8 * N; /* then the checksum */
    put(pulls, 1);                                                         /* the least number above 0 */
    put(pulls + 8, 1);
    put(sum, 0);
    put(sum + 8, 1);
    seal(bytes, length);
    ok(spar_policy_load(bytes, length, &twin, NULL) == SPAR_CORRUPT && !twin, "pulls of next to nothing are refused");
    spar_policy_free(twin);
    spar_bytes_free(bytes);
    setup_free(&d);
}

int main(void)
{
    spar_rng rng;
    spar_rng_seed(&rng, 41, 1, 1);
    test_frame();
    test_tiny_pulls();
    for (size_t i = 0; i < STACKS; i++)
        test_crafted(stacks[i], &rng);
    return done();
}
