/* watch.c - what the answers of a run say, looked at after each of them: is there a decision (--stop), and which arm
 * leads (--identify)? Looking changes nothing for the policy. A look costs O(m^2) for the pairs of an answer; with the
 * belief pl that of its update. */
#include "base/alloc.h"
#include "base/spec.h"
#include "posterior/posterior.h"
#include "sim/sim.h"

/* Room for the pairs of a round with m slots. */
static spar_status fit_stated(spar__stated **stated, size_t *room, size_t m)
{
    size_t pairs = m < 2 ? 1 : m * (m - 1) / 2;
    if (pairs <= *room)
        return SPAR_OK;
    spar__stated *grown = spar__alloc(pairs, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    spar__free(*stated);
    *stated = grown;
    *room = pairs;
    return SPAR_OK;
}

/* --- the arm of highest strength so far, as the belief pl has it from all answers --- */

struct spar__strongest {
    spar_arms *arms;
    spar__posterior *belief;
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    double *mean;
    spar__stated *stated;
    size_t stated_room;
};

static void strongest_free(spar__strongest *s)
{
    if (!s)
        return;
    spar__posterior_free(s->belief);
    spar_arms_free(s->arms);
    spar_scratch_free(s->scratch);
    spar_round_free(s->round);
    spar_feedback_free(s->feedback);
    spar__free(s->mean);
    spar__free(s->stated);
    spar__free(s);
}

static spar_status strongest_new(size_t n, spar__strongest **out)
{
    const spar__posterior_class *cls = spar__posterior_find("pl");
    spar__values values = {0};
    spar__strongest *s = *out = spar__alloc(1, sizeof *s);
    if (!s)
        return SPAR_NOMEM;
    spar_status status = spar__values_bind(&cls->entry, NULL, &values, NULL);
    if (!status)
        status = spar_arms_new(n, 0, NULL, NULL, &s->arms);
    if (!status)
        status = spar__posterior_new(cls, &values, s->arms, &s->belief, NULL);
    if (status || spar_scratch_new(&s->scratch) || spar_round_new(2, &s->round) || spar_feedback_new(2, &s->feedback) ||
        !(s->mean = spar__alloc(n, sizeof *s->mean)))
        status = SPAR_NOMEM;
    spar__values_free(&values);
    if (status) {
        strongest_free(s);
        *out = NULL;
    }
    return status;
}

static bool has_copies(const spar_round *round)
{
    for (size_t j = 1; j < round->m; j++)
        for (size_t k = 0; k < j; k++)
            if (round->arm[j] == round->arm[k])
                return true;
    return false;
}

/* Of a choice among copies only the pairs of arms that stand once each. */
static spar_status learn_pairs(spar__strongest *s, const spar_round *round, const unsigned char *outcome)
{
    if (fit_stated(&s->stated, &s->stated_room, round->m))
        return SPAR_NOMEM;
    size_t n = spar__stated_of(round->m, round->arm, outcome, false, 1, s->stated);
    for (size_t i = 0; i < n; i++) {
        const spar__stated *pair = &s->stated[i];
        spar_outcome how = pair->ties > 0 ? SPAR_TIE : pair->won[0] > 0 ? SPAR_WIN : SPAR_LOSS;
        if (s->belief->cls->reserve(s->belief, 2) || spar_round_set(s->round, 2, (size_t[]){pair->a, pair->b}))
            return SPAR_NOMEM;
        (void)spar_feedback_set(s->feedback, 0, 1, how);
        s->belief->cls->observe_round(s->belief, s->round, s->feedback, 1);
    }
    return SPAR_OK;
}

/* The arm of highest strength, for n arms; *named is SPAR__NO_OPTION where several are equal. */
static spar_status strongest_answer(spar__strongest *s, const spar_round *round, const spar_feedback *feedback,
                                    size_t *named)
{
    spar_status status = SPAR_OK;
    if (round->m < 2)
        return SPAR_OK;
    if (feedback->kind != SPAR_FEEDBACK_PAIRS && has_copies(round)) {
        status = learn_pairs(s, round, feedback->outcome);
    } else {
        status = s->belief->cls->reserve(s->belief, round->m);
        if (!status)
            s->belief->cls->observe_round(s->belief, round, feedback, 1);
    }
    if (status)
        return status;
    s->belief->cls->settle(s->belief);
    status = s->belief->cls->moments(s->belief, s->scratch, s->mean, NULL);
    size_t best = 0, ties = 1;
    for (size_t i = 1; i < s->arms->n; i++) {
        ties = s->mean[i] > s->mean[best] ? 1 : ties + (s->mean[i] == s->mean[best]);
        best = s->mean[i] > s->mean[best] ? i : best;
    }
    *named = ties == 1 ? best : SPAR__NO_OPTION;
    return status;
}

/* Who beats most opponents so far, and was that right? O(m^2) a round, and O(arms) where a pair turns. */

spar_status spar__readout_init(spar__readout *readout, size_t n, bool strongest)
{
    *readout = (spar__readout){.n = n, .named = SPAR__NO_OPTION, .beats = spar__alloc(n, sizeof *readout->beats)};
    if (!readout->beats)
        return SPAR_NOMEM;
    return strongest ? strongest_new(n, &readout->strongest) : SPAR_OK;
}

void spar__readout_fini(spar__readout *readout)
{
    spar__pair_table_fini(&readout->pairs);
    spar__free(readout->beats);
    spar__free(readout->flip);
    spar__free(readout->stated);
    strongest_free(readout->strongest);
}

/* The arm of a pair that is ahead; SPAR__NO_OPTION at evens. */
static size_t ahead(const spar__pair_row *row)
{
    return row->won[0] > row->won[1] ? row->a : row->won[1] > row->won[0] ? row->b : SPAR__NO_OPTION;
}

/* Did another arm of the pair come ahead? */
static bool count(spar__readout *readout, const spar__stated *s)
{
    spar__pair_row *row = spar__pair_get(&readout->pairs, s->a, s->b);
    size_t before = ahead(row);
    row->won[0] += s->won[0];
    row->won[1] += s->won[1]; /* a tie is half a win to each and moves neither above 1/2 */
    size_t after = ahead(row);
    if (before == after)
        return false;
    if (before != SPAR__NO_OPTION)
        readout->beats[before]--;
    if (after != SPAR__NO_OPTION)
        readout->beats[after]++;
    return true;
}

/* The pairs of a round; does another arm beat most opponents now, perhaps? */
static spar_status count_round(spar__readout *readout, const spar_round *round, const unsigned char *outcome,
                               bool independent, bool *turned)
{
    size_t pairs = spar__stated_of(round->m, round->arm, outcome, independent, 1, readout->stated);
    *turned = false;
    if (spar__pair_table_reserve(&readout->pairs, pairs))
        return SPAR_NOMEM;
    for (size_t i = 0; i < pairs; i++)
        *turned |= count(readout, &readout->stated[i]);
    if (*turned) {
        size_t best = 0;
        for (size_t i = 1; i < readout->n; i++)
            if (readout->beats[i] > readout->beats[best])
                best = i;
        readout->named = readout->beats[best] ? best : SPAR__NO_OPTION;
    }
    return SPAR_OK;
}

spar_status spar__readout_answer(spar__readout *readout, const spar_world *world, uint64_t t, const spar_round *round,
                                 const spar_feedback *feedback, bool independent)
{
    bool turned = true;
    uint64_t *flip = spar__grow(readout->flip, &readout->room, readout->flips + 1, 16, sizeof *flip);
    if (!flip)
        return SPAR_NOMEM;
    readout->flip = flip;
    if (fit_stated(&readout->stated, &readout->stated_room, round->m))
        return SPAR_NOMEM;
    spar_status status = readout->strongest ? strongest_answer(readout->strongest, round, feedback, &readout->named)
                                            : count_round(readout, round, feedback->outcome, independent, &turned);
    if (status || !turned)
        return status;
    bool right = readout->named != SPAR__NO_OPTION && spar_world_gap(world, t, readout->named) == 0;
    if (right != readout->right)
        readout->flip[readout->flips++] = t;
    readout->right = right;
    return SPAR_OK;
}

static const spar_param best_params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "a false decision is made with at most this probability"},
    {"end", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: a run ends with its decision; 0: it plays all its rounds"},
    {0},
};
static const spar_param practical_params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "a false decision is made with at most this probability"},
    {"eps", SPAR_PARAM_NUMBER, "0.2", 1e-6, 20, NULL, "what is practically the same, in log-odds"},
    {"end", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: a run ends with its decision; 0: it plays all its rounds"},
    {0},
};
static const spar_entry rules[] = {
    {"best", "one arm is shown to beat every other", NULL, best_params},
    {"practical", "one arm is shown to lose to none by more than eps", NULL, practical_params},
};

static const spar_entry *rule_entry(size_t i)
{
    return i < sizeof rules / sizeof *rules ? &rules[i] : NULL;
}

spar_status spar__stop_rule_parse(const char *spec, spar__stop_rule *out, spar_error *err)
{
    size_t index;
    spar__values values;
    spar_status status = spar__bind_one(spec, "stopping rule", rule_entry, &index, &values, err);
    if (status)
        return status;
    *out = (spar__stop_rule){.near = index == 1,
                             .delta = spar__number(&values, "delta"),
                             .eps = index == 1 ? spar__number(&values, "eps") : 0.2,
                             .end = spar__integer(&values, "end")};
    spar__values_free(&values);
    return SPAR_OK;
}

const char *spar__watch_refuses(const spar_world *world)
{
    if (world->plain)
        return "gives rewards and compares no arms";
    if (world->utility_at)
        return "is continuous and has no list of arms to decide between";
    if (world->every)
        return "changes with time and has no arm that is best throughout";
    if (world->phase->best == SPAR_NO_ARM)
        return "has no arm that beats all others";
    return NULL;
}

spar_status spar__watch_init(spar__watch *watch, const spar_world *world, const spar__stop_rule *rule, bool identify,
                             bool strongest)
{
    *watch = (spar__watch){.world = world, .rule = rule, .identify = identify};
    spar_status status = SPAR_OK;
    if (rule)
        status = spar__evidence_init(&watch->evidence, world->n, rule->delta, rule->delta, rule->eps);
    if (!status && identify)
        status = spar__readout_init(&watch->readout, world->n, strongest);
    return status;
}

void spar__watch_fini(spar__watch *watch)
{
    spar__evidence_fini(&watch->evidence);
    spar__readout_fini(&watch->readout);
}

/* Only an arm of this round can have become the best by its answer. */
static bool may_decide(const spar__watch *watch, const spar_round *round)
{
    const spar__evidence *ev = &watch->evidence;
    for (size_t j = 0; j < round->m; j++) {
        const spar__option_evidence *o = &ev->option[round->arm[j]];
        if ((watch->rule->near ? o->near : o->over) + 1 >= ev->live)
            return true;
    }
    return false;
}

spar_status spar__watch_answer(spar__watch *watch, uint64_t t, const spar_round *round, const spar_feedback *feedback)
{
    /* The pairs of one mixed list of rankers come from the clicks of one person. */
    bool independent = feedback->kind == SPAR_FEEDBACK_PAIRS && !watch->world->lists;
    spar_status status = SPAR_OK;
    if (watch->rule && !watch->decided) {
        status = spar__evidence_answer(&watch->evidence, round->m, round->arm, feedback->outcome, independent);
        if (!status && may_decide(watch, round)) {
            watch->option =
                watch->rule->near ? spar__evidence_practical(&watch->evidence) : spar__evidence_best(&watch->evidence);
            watch->decided = watch->option == SPAR__NO_OPTION ? 0 : t;
        }
    }
    if (!status && watch->identify)
        status = spar__readout_answer(&watch->readout, watch->world, t, round, feedback, independent);
    return status;
}

bool spar__watch_right(const spar__watch *watch)
{
    const spar_world *world = watch->world;
    double rounding = 1e-12;
    for (size_t j = 0; j < world->n; j++) {
        double p = spar__phase_prefer(world, world->phase, watch->option, j);
        if (j != watch->option && (watch->rule->near ? p < watch->evidence.p_near - rounding : p <= 0.5))
            return false;
    }
    return true;
}
