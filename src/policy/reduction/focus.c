/* focus - shows the leader against its rivals often enough that a decision can be reached.
 *
 * A good policy hardly shows the arms that lose, so the evidence that excludes them never comes. With probability p the
 * screen is
 *
 *     L            the arm of highest score in the inner policy, ties at random
 *     m - 1 rivals one by one: those still open, M_Lj < threshold, before those that are settled, and within each, by
 *                  a fair coin for the whole screen, the least log E_Lj or the fewest answers that order L and j; ties
 *                  at random
 *
 * and else the inner policy's own choice. E, M and the threshold are those of prefer/evidence.h at error delta, which
 * the answers feed here and, after every answer, the inner policy learns too. A focused screen has probability 1 and an
 * empty memo, as any round that the inner policy did not choose.
 *
 * Which rivals are open must be judged as the decision judges them, or answers are spent on pairs that are settled. In
 * a live experiment, where options may be added, the decision gives 0.8 delta to the options of the first answer and
 * the rest to those that come later; live=1 says so. It changes what is shown, never what may be concluded.
 *
 * Cost: a look at every pair of L and another arm on a focused screen; O(m^2) to learn. */
#include "policy/reduction/pair_evidence.h"

typedef struct focus {
    spar__evidence_policy with;
    double p;
} focus;

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    const spar_policy *inner = base->inner;
    const char *name = inner->cls->entry.name;
    if (inner->inner)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: focus over %s makes no sense: both keep evidence", base->spec,
                          name);
    if (inner->cls->own_size)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: focus shows m arms, but %s chooses the size of its set",
                          base->spec, name);
    if (inner->cls->asked_only)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: %s learns only from rounds that it chose itself: %s", base->spec,
                          name, inner->cls->asked_only);
    if (!inner->distinct)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: focus needs a policy that never shows an arm twice in a round; those are "
                          "self_sparring(distinct=1)/thompson and a belief",
                          base->spec);
    double delta = spar__number(values, "delta");
    ((focus *)base)->p = spar__number(values, "p");
    return spar__evidence_policy_init(base, delta, spar__delta_of_first(delta, spar__number(values, "live") == 1), err);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const focus *self = (const focus *)base;
    const spar_policy *inner = base->inner;
    if (!(spar_rng_uniform(rng) < self->p))
        return inner->cls->choose(inner, scratch, rng, out);
    const spar_arms *arms = base->arms;
    size_t n = arms->n, mark = spar__scratch_mark(scratch);
    double *score = spar__scratch_take(scratch, n, sizeof *score);
    spar__rivals r = {.open = spar__scratch_take(scratch, n, sizeof *r.open),
                      .settled = spar__scratch_take(scratch, n, sizeof *r.settled)};
    spar_status status = score && r.open && r.settled ? inner->cls->score(inner, scratch, score) : SPAR_NOMEM;
    if (!status) {
        size_t leader = out->arm[0] = spar__argmax_within(rng, n, score, arms->alive, 0);
        bool by_count = spar_rng_below(rng, 2) == 1;
        r.urgency = score; /* not needed any more */
        for (size_t j = 0; j < n; j++) {
            bool rival = arms->alive[j] && j != leader;
            spar__against a = spar__evidence_against(&self->with.evidence, leader, j);
            r.urgency[j] = -(by_count ? a.won + a.lost : a.log_e);
            r.open[j] = rival && !a.settled;
            r.settled[j] = rival && a.settled;
            r.n_open += r.open[j];
        }
        for (size_t j = 1; j < out->m; j++)
            out->arm[j] = spar__rivals_next(&r, n, rng);
    }
    spar__scratch_release(scratch, mark);
    return status;
}

static void learn(spar_policy *base, const spar_round *round, const spar_feedback *feedback)
{
    spar__evidence_policy_learn(base, round, feedback);
    spar__policy_learn_inner(base->inner, round, feedback);
}

static spar_status score(const spar_policy *base, spar_scratch *scratch, double *value)
{
    return base->inner->cls->score(base->inner, scratch, value);
}

static const spar_param params[] = {
    {"p", SPAR_PARAM_NUMBER, "0.5", 0, 1, NULL, "share of the screens that show the leader and its rivals"},
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "error of the decision that is aimed at"},
    {"live", SPAR_PARAM_INTEGER, "0", 0, 1, NULL, "1: options may be added later; the first ones have 0.8 delta"},
    {0},
};

const spar__policy_class spar__policy_focus = {
    .entry = {"focus", "another policy, and the leader against its rivals, so that a decision is reached", NULL,
              params},
    .size = sizeof(focus),
    .players = SPAR__PLAYERS_POLICY,
    .min_m = 2,
    .live_arms = true,
    .init = init,
    .fini = spar__evidence_policy_fini,
    .resize = spar__evidence_policy_resize,
    .choose = choose,
    .reserve = spar__evidence_policy_reserve,
    .learn = learn,
    .score = score,
    .archive = spar__evidence_policy_archive,
};
