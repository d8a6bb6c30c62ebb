#include "play.h"

const play_stack play_stacks[] = {
    {"self_sparring", PLAY_GRID, 2},
    {"self_sparring(distinct=1)/thompson/beta(a=0.5,b=0.5)", PLAY_GRID, 2},
    {"self_sparring/exp3", PLAY_GRID, 2},
    {"sparring/ucb1", PLAY_GRID, 3},
    {"multi_sbm/exp3", PLAY_GRID, 2},
    {"doubler/ucb1", PLAY_GRID, 2},
    {"ucb1", PLAY_GRID, 1},
    {"random", PLAY_GRID, 3},
    {"kernel_self_sparring(backing=basis)", PLAY_GRID, 2},
    {"kernel_self_sparring(backing=grid,fit=5)", PLAY_GRID, 2},
    {"kernel_self_sparring(backing=matheron,kernel=matern32)", PLAY_GRID, 2},
    {"gp_sparring(backing=dense)", PLAY_GRID, 2},
    {"gp_sparring(kernel=linear,backing=matheron)", PLAY_GRID, 2},
    {"bopper", PLAY_GRID, 2},
    {"dts", PLAY_GRID, 2},
    {"rucb", PLAY_GRID, 2},
    {"merge_rucb", PLAY_GRID, 2},
    {"rmed1", PLAY_GRID, 2},
    {"savage", PLAY_GRID, 2},
    {"mdb", PLAY_GRID, 2},
    {"interleaved_filter", PLAY_GRID, 2},
    {"beat_the_mean", PLAY_GRID, 2},
    {"focus/self_sparring(distinct=1)/thompson/beta", PLAY_GRID, 2},
    {"self_sparring/thompson/pair_gp", PLAY_GRID, 2},
    {"self_sparring", PLAY_MANY, 2},
    {"self_sparring(eta=2.5)", PLAY_MANY, 2},
    {"self_sparring(distinct=1)", PLAY_MANY, 3},
    {"sparring/ucb1", PLAY_MANY, 2},
    {"self_sparring/exp3", PLAY_MANY, 2},
    {"kernel_self_sparring", PLAY_BOX, 2},
    {"sparring/thompson/gp(kernel=matern52)", PLAY_BOX, 2},
};
const size_t play_n_stacks = sizeof play_stacks / sizeof *play_stacks;

size_t play_n_finite(void)
{
    size_t n = 0;
    while (play_stacks[n].space != PLAY_BOX)
        n++;
    return n;
}

const spar_arms *play_arms(play_space space)
{
    enum { N_MANY = 66 };
    static const double x[] = {0, 0, 0, 0.5, 0.5, 0, 0.5, 0.5};
    static spar_arms *arms[3];
    spar_space *box = NULL;
    if (arms[space])
        return arms[space];
    if (space == PLAY_GRID) {
        require(!spar_arms_new(4, 2, x, NULL, &arms[space]));
    } else if (space == PLAY_MANY) {
        require(!spar_arms_new(N_MANY, 0, NULL, NULL, &arms[space]));
    } else {
        require(!spar_space_new(&box) && !spar_space_add_range(box, 0, 1) && !spar_space_add_choice(box, 2, 1));
        require(!spar_arms_new_space(box, &arms[space]));
        spar_space_free(box);
    }
    return arms[space];
}

spar_policy *play_new(const play_stack *stack, const spar_arms *arms)
{
    enum { HORIZON = 100 };
    spar_policy *policy = NULL;
    spar_rng rng;
    spar_rng_seed(&rng, 1, 1, 1);
    require(!spar_policy_new(stack->spec, arms, stack->m, HORIZON, &rng, &policy, NULL));
    return policy;
}

play_tools *play_tools_get(void)
{
    static play_tools tools;
    if (!tools.scratch)
        require(!spar_scratch_new(&tools.scratch) && !spar_round_new(3, &tools.round) &&
                !spar_feedback_new(3, &tools.feedback));
    spar_rng_seed(&tools.rng, 1, 1, 2);
    return &tools;
}

static bool is_sound(const spar_arms *arms, const spar_round *round, size_t j)
{
    if (!(round->prob[j] > 0 && round->prob[j] <= 1))
        return false;
    if (round->arm[j] == SPAR_FRESH)
        return spar__arms_continuous(arms) && spar_arms_admit(arms, round->x + j * round->dim);
    return round->arm[j] < arms->n && arms->alive[round->arm[j]];
}

bool play_choose(const spar_policy *policy, play_tools *tools)
{
    const spar_arms *arms = spar_policy_arms(policy);
    spar_error err = {0};
    spar_status status = spar_policy_choose(policy, tools->scratch, &tools->rng, tools->round, &err);
    fuzz_refused(status, &err, NULL);
    require(!status || (status == SPAR_UNSUPPORTED && arms->live < 2));
    for (size_t j = 0; !status && j < tools->round->m; j++) {
        require(is_sound(arms, tools->round, j));
        for (size_t k = 0; spar_policy_distinct(policy) && k < j; k++)
            require(tools->round->arm[j] != tools->round->arm[k]);
    }
    return !status;
}

void play_answer(const spar_policy *policy, const spar_round *round, uint8_t luck, spar_feedback *feedback)
{
    static const spar_outcome outcome[] = {SPAR_WIN, SPAR_LOSS, SPAR_TIE, SPAR_MISSING};
    require(!spar_feedback_reset(feedback, round->m));
    if (policy->cls->plain) {
        require(!spar_feedback_reward(feedback, 0, luck / 255.0));
        return;
    }
    for (size_t j = 1; j < round->m; j++)
        for (size_t k = 0; k < j; k++, luck = (uint8_t)(luck >> 2 | luck << 6))
            require(!spar_feedback_set(feedback, j, k, outcome[luck % 4]));
}

fuzz_saved play_save(const spar_policy *policy)
{
    fuzz_saved saved;
    require(!spar_policy_save(policy, &saved.bytes, &saved.length));
    return saved;
}

bool play_same(fuzz_saved a, fuzz_saved b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}
