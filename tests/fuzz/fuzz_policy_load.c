/* Bytes with the right frame are a policy that plays, saves and loads, or are refused.
 *
 * The first byte picks a policy that has played a little. Each group of ten bytes then writes a word over its saved
 * state (two bytes say where), and the checksum is made good. A first byte of 255 takes the rest as the whole state. */
#include <spar/spar.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const specs[] = {"self_sparring",
                                    "self_sparring(distinct=1)/thompson/beta(a=0.5,b=0.5)",
                                    "self_sparring/exp3",
                                    "sparring/ucb1",
                                    "multi_sbm/exp3",
                                    "doubler/ucb1",
                                    "ucb1",
                                    "random"};

static void rounds(spar_policy *policy, int count)
{
    spar_scratch *scratch = NULL;
    spar_round *round = NULL;
    spar_feedback *feedback = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 2);
    if (spar_scratch_new(&scratch) || spar_round_new(2, &round) || spar_feedback_new(2, &feedback))
        abort();
    for (int t = 0; t < count; t++) {
        if (spar_policy_choose(policy, scratch, &rng, round) || spar_feedback_reset(feedback, round->m))
            abort();
        for (size_t j = 0; j < round->m; j++)
            if (round->arm[j] >= spar_policy_arms(policy)->n || !spar_policy_arms(policy)->alive[round->arm[j]] ||
                !(round->prob[j] > 0 && round->prob[j] <= 1))
                abort();
        if (round->m == 1)
            (void)spar_feedback_reward(feedback, 0, t % 2);
        for (size_t j = 1; j < round->m; j++)
            (void)spar_feedback_set(feedback, j - 1, j, t % 2 ? SPAR_WIN : SPAR_LOSS);
        if (spar_policy_learn(policy, round, feedback))
            abort();
    }
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_scratch_free(scratch);
}

static unsigned char *example(size_t which, size_t *length)
{
    const char *spec = specs[which % (sizeof specs / sizeof *specs)];
    spar_arms *arms = NULL;
    spar_policy *policy = NULL;
    unsigned char *saved = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    if (spar_arms_new(4, 0, NULL, NULL, &arms) ||
        spar_policy_new(spec, arms, strcmp(spec, "ucb1") ? 2 : 1, 100, &rng, &policy, NULL))
        abort();
    rounds(policy, 12);
    if (spar_policy_save(policy, &saved, length))
        abort();
    spar_policy_free(policy);
    spar_arms_free(arms);
    return saved;
}

static void seal(unsigned char *bytes, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i + 8 < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    for (unsigned i = 0; i < 8; i++)
        bytes[length - 8 + i] = (unsigned char)(hash >> (8 * i));
}

static void check(const unsigned char *bytes, size_t length)
{
    spar_policy *policy = NULL, *twin = NULL;
    spar_error err = {0};
    unsigned char *saved = NULL;
    size_t saved_length;
    spar_status status = spar_policy_load(bytes, length, &policy, &err);
    if ((status == SPAR_OK) != (policy != NULL) || (status && !err.text[0]))
        abort();
    if (!policy)
        return;
    rounds(policy, 10);
    if (spar_policy_save(policy, &saved, &saved_length) || spar_policy_load(saved, saved_length, &twin, &err))
        abort();
    spar_bytes_free(saved);
    spar_policy_free(twin);
    spar_policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == 255) {
        size_t length = size - 1 + 16;
        unsigned char *bytes = malloc(length);
        if (!bytes)
            abort();
        memcpy(bytes, "sparpol2", 8);
        memcpy(bytes + 8, data + 1, size - 1);
        seal(bytes, length);
        check(bytes, length);
        free(bytes);
        return 0;
    }
    size_t length;
    unsigned char *bytes = example(data[0], &length);
    for (size_t at = 1; at + 10 <= size; at += 10) {
        size_t where = 8 + (size_t)(data[at] | data[at + 1] << 8) % (length - 23);
        memcpy(bytes + where, data + at + 2, 8);
    }
    seal(bytes, length);
    check(bytes, length);
    spar_bytes_free(bytes);
    return 0;
}
