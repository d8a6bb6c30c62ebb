/* The life of a policy, held to its two laws.
 *
 *   choose changes nothing:   the saved bytes are the same before and after, and the same luck gives the same round.
 *   the state is a fold of learn (and of arms that come and go): a policy that was saved and loaded on the way, and one
 *   that was born at the end and told the whole log, have the same bytes as the one that lived through it.
 *
 * The first byte picks the stack; then each step is a byte: ask, answer a question that is open (late, out of order, or
 * twice), tell of a round that nobody asked, add or retire an arm, save and load. In a box, where asking takes long,
 * all rounds are foreign ones. */
#include "play.h"

enum { STEPS = 40, OPEN = 4, MOST_ARMS = 72 };

typedef enum life_kind { LEARNED, ADDED, RETIRED } life_kind;

typedef struct life_event {
    life_kind kind;
    spar_round *round;
    uint8_t luck;
    size_t arm;
    double x[2];
} life_event;

typedef struct life {
    spar_policy *policy;   /* lives through it */
    spar_policy *restored; /* the same, saved and loaded now and then */
    play_tools *tools;
    spar_round *open[OPEN]; /* questions, the newest at asked % OPEN */
    size_t asked;
    life_event log[STEPS];
    size_t n;
} life;

/* What an event does to a policy; its status is the same for every policy with the same past. */
static spar_status apply(spar_policy *policy, const life_event *event, play_tools *tools)
{
    spar_error err = {0};
    spar_status status = SPAR_OK;
    if (event->kind == LEARNED) {
        play_answer(policy, event->round, event->luck, tools->feedback);
        status = spar_policy_learn(policy, event->round, tools->feedback, &err);
    } else if (event->kind == ADDED) {
        status = spar_policy_add_arm(policy, spar_policy_arms(policy)->dim ? event->x : NULL, NULL, NULL, &err);
    } else {
        status = spar_policy_retire_arm(policy, event->arm, &err);
    }
    fuzz_refused(status, &err, NULL);
    return status;
}

static void happen(life *l, life_event event)
{
    spar_status status = apply(l->policy, &event, l->tools);
    require(apply(l->restored, &event, l->tools) == status);
    if (status)
        spar_round_free(event.round);
    else
        l->log[l->n++] = event;
}

static void ask(life *l, uint8_t seed)
{
    play_tools *tools = l->tools;
    spar_round *again = l->open[l->asked % OPEN];
    fuzz_saved before = play_save(l->policy), after;
    spar_rng_seed(&tools->rng, seed, 1, 3);
    if (play_choose(l->policy, tools)) {
        require(!spar_round_copy(tools->round, again));
        spar_rng_seed(&tools->rng, seed, 1, 3);
        require(play_choose(l->restored, tools) && tools->round->m == again->m);
        require(memcmp(tools->round->arm, again->arm, again->m * sizeof *again->arm) == 0);
        require(memcmp(tools->round->prob, again->prob, again->m * sizeof *again->prob) == 0);
        require(memcmp(tools->round->memo, again->memo, sizeof again->memo) == 0);
        l->asked++;
    }
    after = play_save(l->policy);
    require(play_same(before, after));
    spar_bytes_free(before.bytes);
    spar_bytes_free(after.bytes);
}

static void learn(life *l, const spar_round *round, uint8_t luck)
{
    life_event event = {.kind = LEARNED, .luck = luck};
    if (round->m == 0)
        return;
    require(!spar_round_dup(round, &event.round));
    happen(l, event);
}

/* Points of the box of play_arms: a number, and one of two categories. */
static void learn_points(life *l, fuzz_input *in)
{
    size_t m = 2 + fuzz_below(in, 2);
    double x[3 * 3];
    for (size_t j = 0; j < m; j++) {
        uint8_t where = fuzz_byte(in);
        x[3 * j] = (where >> 1) / 127.0;
        x[3 * j + 1] = where & 1;
        x[3 * j + 2] = 1 - (where & 1);
    }
    require(!spar_round_set_points(l->tools->round, m, 3, x));
    learn(l, l->tools->round, fuzz_byte(in));
}

static void learn_foreign(life *l, fuzz_input *in)
{
    size_t n = spar_policy_arms(l->policy)->n, m = 2 + fuzz_below(in, 3), arm[4];
    for (size_t j = 0; j < m; j++)
        arm[j] = fuzz_below(in, n);
    require(!spar_round_set(l->tools->round, m, arm));
    learn(l, l->tools->round, fuzz_byte(in));
}

static void restore(life *l)
{
    fuzz_saved saved = play_save(l->restored), mine = play_save(l->policy);
    spar_policy *loaded = NULL;
    require(play_same(saved, mine) && !spar_policy_load(saved.bytes, saved.length, &loaded, NULL));
    spar_bytes_free(saved.bytes);
    spar_bytes_free(mine.bytes);
    spar_policy_free(l->restored);
    l->restored = loaded;
}

static void step(life *l, fuzz_input *in)
{
    uint8_t what = fuzz_byte(in);
    size_t n = spar_policy_arms(l->policy)->n;
    double x = (what >> 4) / 16.0;
    if (spar_arms_continuous(spar_policy_arms(l->policy)) && what % 8 < 7) {
        learn_points(l, in);
        return;
    }
    switch (what % 8) {
    case 0:
    case 1:
        ask(l, what);
        break;
    case 2:
    case 3:
        learn(l, l->open[(what >> 4) % OPEN], fuzz_byte(in));
        break;
    case 4:
        learn_foreign(l, in);
        break;
    case 5:
        if (n < MOST_ARMS)
            happen(l, (life_event){.kind = ADDED, .x = {x, 1 - x}});
        break;
    case 6:
        happen(l, (life_event){.kind = RETIRED, .arm = fuzz_below(in, n)});
        break;
    default:
        restore(l);
    }
}

/* Born now, and told everything. */
static void replay(const life *l, const play_stack *stack)
{
    spar_policy *late = play_new(stack, play_arms(stack->space));
    for (size_t i = 0; i < l->n; i++)
        require(!apply(late, &l->log[i], l->tools));
    fuzz_saved a = play_save(l->policy), b = play_save(late);
    require(play_same(a, b));
    spar_bytes_free(a.bytes);
    spar_bytes_free(b.bytes);
    spar_policy_free(late);
}

void fuzz_policy_life(const uint8_t *data, size_t size)
{
    static spar_round *open[OPEN];
    fuzz_input in = {data, size};
    const play_stack *stack = &play_stacks[fuzz_below(&in, play_n_stacks)];
    life l = {.policy = play_new(stack, play_arms(stack->space)), .tools = play_tools_get()};
    l.restored = play_new(stack, play_arms(stack->space));
    for (size_t i = 0; i < OPEN; i++) {
        if (!open[i])
            require(!spar_round_new(3, &open[i]));
        open[i]->m = 0;
        l.open[i] = open[i];
    }
    for (int t = 0; t < STEPS && in.left; t++)
        step(&l, &in);
    restore(&l);
    replay(&l, stack);
    for (size_t i = 0; i < l.n; i++)
        spar_round_free(l.log[i].round);
    spar_policy_free(l.policy);
    spar_policy_free(l.restored);
}
