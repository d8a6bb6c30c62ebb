/* self_sparring - one randomised bandit plays all m slots against itself.
 *
 * Sui, Zhuang, Burdick, Yue, Multi-dueling Bandits with Dependent Arms, UAI 2017, Algorithm 1. With thompson/beta it is
 * the paper's IndSelfSparring (Algorithm 3), with thompson/gp its KernelSelfSparring.
 *
 *     i_1 .. i_m   independent picks of the bandit
 *     for every ordered pair of slots j, k with an answer r_jk:   the bandit learns (i_j, r_jk) with weight eta
 *
 * A belief that learns whole rounds is handed the round instead, once, with weight eta.
 *
 * Two slots with the same arm duel at 1/2 and give it one win and one loss; the convergence proof needs that
 * (self_duels=count). That is right for duels that are independent of each other (clones=slot). But who chooses among
 * the slots b, b, b, i chooses between b and i, and three wins or one loss for i make any i with P(i beats b) > 1/4
 * gain for ever. With clones=arm each arm stands once: in the slot with the most wins, the first of several.
 * clones=auto means arm where one choice or ranking was made of all slots, and slot where pairs were.
 *
 * Cost: m picks and m (m - 1) updates. */
#include "policy/policy.h"

#include "base/alloc.h"

enum { COUNT, IGNORE };
enum { CLONES_AUTO, CLONES_ARM, CLONES_SLOT };

/* A round in which every arm stands once, and the answers to it. */
typedef struct single_arms {
    size_t room; /* slots of the round that it is made from */
    spar_round *round;
    spar_feedback *feedback;
    size_t *slot, *wins; /* where each arm stood; of every slot */
} single_arms;

typedef struct self_sparring {
    spar_policy base;
    double eta;
    bool ignore_self_duels;
    size_t clones;
    single_arms single;
    bool rounds; /* the bandit's belief learns whole rounds */
    bool counts; /* the bandit only passes answers on to a belief for which k of them are one of weight k */
} self_sparring;

static spar_status reserve(spar_policy *base, const spar_round *round)
{
    self_sparring *self = (self_sparring *)base;
    single_arms *s = &self->single;
    size_t m = round->m;
    if (self->clones == CLONES_SLOT || m <= s->room)
        return SPAR_OK;
    size_t *slot = spar__realloc(s->slot, s->room, m, sizeof *slot);
    s->slot = slot ? slot : s->slot;
    size_t *wins = slot ? spar__realloc(s->wins, s->room, m, sizeof *wins) : NULL;
    s->wins = wins ? wins : s->wins;
    if (!wins || (!s->round && spar_round_new(m, &s->round)) || (!s->feedback && spar_feedback_new(m, &s->feedback)) ||
        spar__round_reserve(s->round, m) || spar_feedback_reset(s->feedback, m))
        return SPAR_NOMEM;
    s->room = m;
    return SPAR_OK;
}

static void fini(spar_policy *base)
{
    single_arms *s = &((self_sparring *)base)->single;
    spar_round_free(s->round);
    spar_feedback_free(s->feedback);
    spar__free(s->slot);
    spar__free(s->wins);
}

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    self_sparring *self = (self_sparring *)base;
    const spar__mab_class *bandit = base->recipe.cls;
    self->eta = spar__number(values, "eta");
    self->ignore_self_duels = spar__choice(values, "self_duels") == IGNORE;
    self->clones = spar__choice(values, "clones");
    base->distinct = spar__number(values, "distinct") == 1;
    const spar__posterior_class *belief = base->recipe.posterior;
    self->rounds = belief && belief->observe_round;
    self->counts = bandit->wants_posterior && belief && !belief->unit;
    if (base->distinct && !bandit->distinct)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: distinct=1 needs a bandit that draws from a belief; %s does not",
                          base->spec, bandit->entry.name);
    if (base->distinct && spar__arms_continuous(base->arms))
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: distinct=1 makes no sense in a continuous space", base->spec);
    if (base->distinct)
        base->player[0]->posterior->distinct = true;
    if (self->rounds && self->ignore_self_duels)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: %s learns whole rounds, duels of an arm with itself included",
                          base->spec, belief->entry.name);
    if (self->eta != 1 && belief && belief->unit)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: eta=%g weighs the answers of a counting belief; for %s an answer is one observation, "
                          "whose weight is set by noise=",
                          base->spec, self->eta, belief->entry.name);
    return SPAR_OK;
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const spar__mab *bandit = base->player[0];
    return bandit->cls->pick(bandit, scratch, rng, out->m, base->distinct, out->arm, out->prob, out->x);
}

/* What the slots of one arm were told: losses, ties and wins, a third of the bits each. */
typedef uint64_t tally;
enum { BITS = 21, MOST = (1 << BITS) - 1 };

static const tally one[] = {
    [SPAR_MISSING] = 0, [SPAR_LOSS] = 1, [SPAR_TIE] = (tally)1 << BITS, [SPAR_WIN] = (tally)1 << 2 * BITS};

/* A belief that counts takes the answers of a slot, and of neighbours with the same arm, at once. */
static void learn_counts(const self_sparring *self, const spar_round *round, const spar_feedback *feedback)
{
    size_t m = round->m;
    const size_t *arm = round->arm;
    spar__mab *bandit = self->base.player[0];
    tally sum = 0;
    for (size_t j = 0; j < m; j++) {
        const unsigned char *answer = feedback->outcome + j * m;
        for (size_t k = 0; k < m; k++)
            sum += one[answer[k]];
        for (size_t k = 0; self->ignore_self_duels && k < m; k++)
            sum -= arm[j] == arm[k] ? one[answer[k]] : 0;
        if (j + 1 < m && arm[j + 1] == arm[j] && (j + 2) * m < MOST)
            continue;
        for (int reply = SPAR_WIN; reply >= SPAR_LOSS; reply--) {
            double count = (double)(sum >> (BITS * (reply - SPAR_LOSS)) & MOST);
            if (count > 0)
                bandit->cls->learn(bandit, arm[j], spar__reward((unsigned char)reply), self->eta * count, 1);
        }
        sum = 0;
    }
}

static bool has_clones(const spar_round *round)
{
    for (size_t j = 1; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (round->arm[j] == round->arm[k])
                return true;
    return false;
}

/* Is this the slot of its arm with the most wins, the first of several? */
static bool stands_for_arm(const single_arms *s, const spar_round *round, size_t j)
{
    for (size_t k = 0; k < round->m; k++)
        if (round->arm[k] == round->arm[j] && (s->wins[k] > s->wins[j] || (s->wins[k] == s->wins[j] && k < j)))
            return false;
    return true;
}

static void learn_slots(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    const self_sparring *self = (const self_sparring *)base;
    spar__mab *bandit = base->player[0];
    if (self->rounds)
        bandit->cls->learn_round(bandit, round, feedback, self->eta);
    else if (self->counts)
        learn_counts(self, round, feedback);
    if (self->rounds || self->counts)
        return;
    for (size_t j = 0; j < round->m; j++) {
        const unsigned char *answer = feedback->outcome + j * round->m;
        for (size_t k = 0; k < round->m; k++) {
            if (answer[k] == SPAR_MISSING || (self->ignore_self_duels && round->arm[j] == round->arm[k]))
                continue;
            bandit->cls->learn(bandit, round->arm[j], spar__reward(answer[k]), self->eta, round->prob[j]);
        }
    }
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    self_sparring *self = (self_sparring *)base;
    bool each_slot = self->clones == CLONES_AUTO ? feedback->kind == SPAR_FEEDBACK_PAIRS : self->clones == CLONES_SLOT;
    if (each_slot || !has_clones(round)) {
        learn_slots(base, round, feedback);
        return;
    }
    /* Each arm once. */
    single_arms *s = &self->single;
    size_t m = round->m, n = 0;
    for (size_t j = 0; j < m; j++) {
        s->wins[j] = 0;
        for (size_t k = 0; k < m; k++)
            s->wins[j] += feedback->outcome[j * m + k] == SPAR_WIN;
    }
    for (size_t j = 0; j < m; j++)
        if (stands_for_arm(s, round, j)) {
            s->round->arm[n] = round->arm[j];
            s->round->prob[n] = round->prob[j];
            s->slot[n++] = j;
        }
    s->round->m = n;
    (void)spar_feedback_reset(s->feedback, n); /* there is room */
    for (size_t j = 0; j < n; j++)
        for (size_t k = j + 1; k < n; k++)
            (void)spar_feedback_set(s->feedback, j, k, (spar_outcome)feedback->outcome[s->slot[j] * m + s->slot[k]]);
    s->feedback->kind = feedback->kind; /* a choice of all slots stays one */
    if (s->round->m > 1)
        learn_slots(base, s->round, s->feedback);
}

static const spar_param params[] = {
    {"eta", SPAR_PARAM_NUMBER, "1", 1e-6, 100, NULL, "learning rate: the weight of one answer"},
    {"self_duels", SPAR_PARAM_CHOICE, "count", 0, 0, "count|ignore", "what an arm learns from a duel with itself"},
    {"clones", SPAR_PARAM_CHOICE, "auto", 0, 0, "auto|arm|slot",
     "an arm in several slots counts once or in each; auto: once where one choice was made of all slots"},
    {"distinct", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: never show an arm twice in a round"},
    {0},
};

const spar__policy_class spar__policy_self_sparring = {
    .entry = {"self_sparring", "one randomised bandit plays all slots against itself",
              "Sui, Zhuang, Burdick, Yue, UAI 2017", params},
    .size = sizeof(self_sparring),
    .players = SPAR__PLAYERS_ONE,
    .standard_mab = "thompson",
    .min_m = 2,
    .live_arms = true,
    .box = true,
    .randomised = true,
    .rounds = true,
    .init = init,
    .fini = fini,
    .choose = choose,
    .reserve = reserve,
    .learn = learn,
    .score = spar__player_score,
};
