/* What the contract does not ask of saved states: bytes whose checksum is right and whose contents are not. */
#include "policy/saved.h"
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

/* One to three changes to the contents of a section, mostly of whole numbers (which lie in eights from the end);
 * returns the new length. */
static size_t mutate(spar_rng *rng, unsigned char *bytes, size_t length)
{
    size_t at, size;
    if (spar_rng_below(rng, 3) || !saved_section(bytes, length, "fast", &at, &size))
        (void)saved_section(bytes, length, "stat", &at, &size);
    size_t n = (size_t)spar__get_u64(bytes + at + 8);
    for (uint64_t k = spar_rng_below(rng, 3) + 1; k > 0; k--) {
        size_t from_end = (size_t)spar_rng_below(rng, n - 7) + 8;
        if (spar_rng_below(rng, 4))
            from_end -= from_end % 8;
        unsigned char *where = bytes + at + SAVED_HEAD + n - from_end;
        if (spar_rng_below(rng, 2))
            spar__put_u64(where, odd_word(rng));
        else
            *where ^= (unsigned char)(1u << spar_rng_below(rng, 8));
    }
    size_t cut = spar_rng_below(rng, 20) == 0 ? 8 * (size_t)spar_rng_below(rng, 3) : 0;
    if (cut && n > cut) {
        spar__put_u64(bytes + at + 8, n - cut);
        memmove(bytes + at + size - cut, bytes + at + size, length - at - size);
        length -= cut;
    }
    saved_seal(bytes, length);
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

/* Of the state. */
static unsigned char *last_number(unsigned char *bytes, size_t length)
{
    size_t at, size;
    if (!saved_section(bytes, length, "stat", &at, &size))
        abort();
    return bytes + at + SAVED_HEAD + spar__get_u64(bytes + at + 8) - 8;
}

/* Caches of another version are left out, not refused. */
static void test_other_caches(void)
{
    setup d = setup_new("self_sparring", 3, 2, 0, 1);
    unsigned char *bytes;
    size_t length, at, size;
    spar_policy *twin = NULL;
    if (spar_policy_save(d.policy, &bytes, &length) || !saved_section(bytes, length, "fast", &at, &size))
        abort();
    bytes[at + 4]++;
    memset(bytes + at + SAVED_HEAD, 0xff, 8);
    saved_seal(bytes, length);
    ok(spar_policy_load(bytes, length, &twin, NULL) == SPAR_OK && twin, "caches of another version are left out");
    spar_policy_free(twin);
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
    ok(memcmp(bytes, "sparpoli", 8) == 0, "a saved policy begins as one");
    ok(spar_policy_load(bytes, 0, &twin, &err) == SPAR_CORRUPT && !twin, "nothing at all");
    same_text(err.text, "saved policy: it is cut short", "is refused");
    ok(spar_policy_load(bytes, 8, &twin, &err) == SPAR_CORRUPT && !twin, "the first word alone");
    same_text(err.text, "saved policy: it is cut short", "is refused");
    ok(spar_policy_load((const unsigned char *)"sparpol2........", 16, &twin, &err) == SPAR_CORRUPT && !twin,
       "what begins otherwise");
    same_text(err.text, "not a saved policy of spar", "is refused");
    bytes[length - 60] ^= 1;
    ok(spar_policy_load(bytes, length, &twin, &err) == SPAR_CORRUPT && !twin, "a flipped bit");
    same_text(err.text, "saved policy: its checksum is wrong", "is refused");
    bytes[length - 60] ^= 1;
    bytes[8] = 9;
    saved_seal(bytes, length);
    ok(spar_policy_load(bytes, length, &twin, &err) == SPAR_UNSUPPORTED && !twin, "a newer version");
    same_text(err.text, "saved policy: written by version 9 of the format, this program reads up to 1", "says so");
    bytes[8] = 1;
    spar__put_u64(last_number(bytes, length), 0); /* b of an arm, which is at least 1 */
    saved_seal(bytes, length);
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
    unsigned char *sum = last_number(bytes, length) + 8 - 8 * N, *pulls = sum - 8 * N;
    spar__put_u64(pulls, 1); /* the least number above 0 */
    spar__put_u64(pulls + 8, 1);
    spar__put_u64(sum, 0);
    spar__put_u64(sum + 8, 1);
    saved_seal(bytes, length);
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
    test_other_caches();
    test_tiny_pulls();
    for (size_t i = 0; i < STACKS; i++)
        test_crafted(stacks[i], &rng);
    return done();
}
