/* Bytes with the right frame are a policy that plays, saves and loads, or are refused.
 *
 * The first byte picks a policy that has played a little. Each group of ten bytes then writes a word over its saved
 * state (two bytes say where), and the checksum is made good. A first byte of 255 takes the rest as the section of the
 * state. */
#include "base/bytes.h"
#include "base/frame.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef enum space_kind { GRID, BOX, MANY } space_kind;

static const struct {
    const char *spec;
    space_kind kind;
} examples[] = {{"self_sparring", GRID},
                {"self_sparring(distinct=1)/thompson/beta(a=0.5,b=0.5)", GRID},
                {"self_sparring/exp3", GRID},
                {"sparring/ucb1", GRID},
                {"multi_sbm/exp3", GRID},
                {"doubler/ucb1", GRID},
                {"ucb1", GRID},
                {"random", GRID},
                {"kernel_self_sparring(backing=basis)", GRID},
                {"kernel_self_sparring(backing=grid,fit=5)", GRID},
                {"kernel_self_sparring(backing=matheron,kernel=matern32)", GRID},
                {"gp_sparring(backing=dense)", GRID},
                {"gp_sparring(kernel=linear,backing=matheron)", GRID},
                {"bopper", GRID},
                {"kernel_self_sparring", BOX},
                {"sparring/thompson/gp(kernel=matern52)", BOX},
                {"self_sparring", MANY},
                {"self_sparring(eta=2.5)", MANY},
                {"sparring/ucb1", MANY},
                {"self_sparring/exp3", MANY},
                {"dts", GRID},
                {"rucb", GRID},
                {"rmed1", GRID},
                {"savage", GRID},
                {"mdb", GRID}};

static bool is_sound(const spar_arms *arms, const spar_round *round, size_t j)
{
    if (!(round->prob[j] > 0 && round->prob[j] <= 1))
        return false;
    if (round->arm[j] == SPAR_FRESH)
        return spar__arms_continuous(arms) && spar_arms_admit(arms, round->x + j * round->dim);
    return round->arm[j] < arms->n && arms->alive[round->arm[j]];
}

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
        if (spar_policy_choose(policy, scratch, &rng, round, NULL) || spar_feedback_reset(feedback, round->m))
            abort();
        for (size_t j = 0; j < round->m; j++)
            if (!is_sound(spar_policy_arms(policy), round, j))
                abort();
        if (round->m == 1)
            (void)spar_feedback_reward(feedback, 0, t % 2);
        for (size_t j = 1; j < round->m; j++)
            (void)spar_feedback_set(feedback, j - 1, j, t % 2 ? SPAR_WIN : SPAR_LOSS);
        if (spar_policy_learn(policy, round, feedback, NULL))
            abort();
    }
    spar_feedback_free(feedback);
    spar_round_free(round);
    spar_scratch_free(scratch);
}

static const spar_arms *space(space_kind kind)
{
    enum { N_MANY = 70 };
    static const double x[] = {0, 0, 0, 0.5, 0.5, 0, 0.5, 0.5};
    static const spar__space_axis axis[] = {{SPAR__AXIS_RANGE, 0, 1, 0}, {SPAR__AXIS_CHOICE, 0, 1, 2}};
    static spar_arms *arms[3];
    if (!arms[kind] &&
        (kind == BOX    ? spar_arms_new_space(&(spar_space){2, (spar__space_axis *)(uintptr_t)axis}, &arms[kind])
         : kind == GRID ? spar_arms_new(4, 2, x, NULL, &arms[kind])
                        : spar_arms_new(N_MANY, 0, NULL, NULL, &arms[kind])))
        abort();
    return arms[kind];
}

/* The saved state of an example, made once: boxes are slow. */
static unsigned char *example(size_t which, size_t *length)
{
    static struct {
        unsigned char *at;
        size_t length;
    } saved[sizeof examples / sizeof *examples];
    which %= sizeof examples / sizeof *examples;
    if (!saved[which].at) {
        const char *spec = examples[which].spec;
        spar_policy *policy = NULL;
        spar_rng rng;
        spar_rng_seed(&rng, 1, 1, 1);
        if (spar_policy_new(spec, space(examples[which].kind), strcmp(spec, "ucb1") ? 2 : 1, 100, &rng, &policy, NULL))
            abort();
        rounds(policy, 12);
        if (spar_policy_save(policy, &saved[which].at, &saved[which].length))
            abort();
        spar_policy_free(policy);
    }
    unsigned char *copy = malloc(saved[which].length);
    if (!copy)
        abort();
    *length = saved[which].length;
    return memcpy(copy, saved[which].at, *length);
}

static void seal(unsigned char *bytes, size_t length)
{
    spar__put_u64(bytes + length - 8, spar__hash_of(bytes, length - 8));
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
    rounds(policy, spar_arms_continuous(spar_policy_arms(policy)) ? 1 : 10);
    if (spar_policy_save(policy, &saved, &saved_length) || spar_policy_load(saved, saved_length, &twin, &err))
        abort();
    spar_bytes_free(saved);
    spar_policy_free(twin);
    spar_policy_free(policy);
}

/* As the section of the state, without caches. */
static void frame_and_check(const uint8_t *data, size_t size)
{
    static const spar__frame_kind kind = {.name = "", .tag = "poli", .version = 1, .section = {{"stat", 0}}};
    spar__buf out = {0};
    spar__frame_writer frame;
    spar__frame_begin(&frame, &kind, &out, NULL);
    spar__frame_section(&frame, 0, size);
    spar__frame_add(&frame, data, size);
    spar__frame_end(&frame);
    check((const unsigned char *)out.text, out.length);
    spar__buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] == 255) {
        frame_and_check(data + 1, size - 1);
        return 0;
    }
    size_t length;
    unsigned char *bytes = example(data[0], &length);
    for (size_t at = 1; at + 10 <= size; at += 10) {
        size_t where = 16 + (size_t)(data[at] | data[at + 1] << 8) % (length - 16 - 24 - 8);
        memcpy(bytes + where, data + at + 2, 8);
    }
    seal(bytes, length);
    check(bytes, length);
    free(bytes);
    return 0;
}
