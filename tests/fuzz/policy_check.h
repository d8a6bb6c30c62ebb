/* policy_check.h - bytes as a saved policy: refused with a sentence, or a policy that saves and loads to the same
 * bytes, chooses live arms and learns.
 *
 * The numbers of a damaged state may contradict each other in ways that loading does not see (a covariance that is
 * none); what such a policy has learned saves, too, but may be refused. */
#ifndef SPAR_TESTS_FUZZ_POLICY_CHECK_H
#define SPAR_TESTS_FUZZ_POLICY_CHECK_H

#include "play.h"

static void play_rounds(spar_policy *policy, int rounds)
{
    play_tools *tools = play_tools_get();
    spar_error err = {0};
    for (int t = 0; t < rounds && play_choose(policy, tools); t++) {
        play_answer(policy, tools->round, (uint8_t)(t % 2 ? 0 : 0x55), tools->feedback);
        fuzz_refused(spar_policy_learn(policy, tools->round, tools->feedback, &err), &err, NULL);
    }
}

/* A policy of the stack that has played a little; made once. */
static fuzz_saved played(size_t which)
{
    static fuzz_saved saved[64];
    const play_stack *stack = &play_stacks[which];
    require(play_n_stacks <= sizeof saved / sizeof *saved);
    if (!saved[which].bytes) {
        spar_policy *policy = play_new(stack, play_arms(stack->space));
        play_rounds(policy, stack->space == PLAY_BOX ? 2 : 12);
        saved[which] = play_save(policy);
        spar_policy_free(policy);
    }
    return saved[which];
}

/* Loaded, saved and loaded again: the same bytes. */
static void check_saving(const spar_policy *policy)
{
    fuzz_saved once = play_save(policy);
    spar_policy *twin = NULL;
    spar_error err = {0};
    fuzz_accepted(spar_policy_load(once.bytes, once.length, &twin, &err), &err);
    fuzz_saved twice = play_save(twin);
    require(play_same(once, twice));
    spar_bytes_free(once.bytes);
    spar_bytes_free(twice.bytes);
    spar_policy_free(twin);
}

/* One of the `count` stacks from `first` on, damaged; those that load play that many rounds. */
static void policy_check(const uint8_t *data, size_t size, size_t first, size_t count, int rounds)
{
    static const spar__frame_kind kind = {
        .name = "policy", .tag = "poli", .version = 1, .section = {{"stat", 0}, {"fast", 1}}};
    spar_policy *policy = NULL;
    spar_error err = {0};
    fuzz_saved in = fuzz_damage(&kind, played(first + (size ? data[0] : 0) % count), data, size);
    spar_status status = spar_policy_load(in.bytes, in.length, &policy, &err);
    fuzz_refused(status, &err, NULL);
    require(!status == (policy != NULL));
    if (policy) {
        check_saving(policy);
        play_rounds(policy, rounds);
        fuzz_saved later = play_save(policy);
        spar_bytes_free(later.bytes);
    }
    spar_policy_free(policy);
    free(in.bytes);
}

#endif
