/* top_two - a likely best arm, and the arms that are hardest to tell from it.
 *
 * After D. Russo, Simple Bayesian Algorithms for Best-Arm Identification, COLT 2016, for screens of m arms.
 *
 *     b        the best arm of one draw from the belief
 *     c_j      max(0, mean_b - mean_j)^2 / Var(value_b - value_j)        for every other live arm j
 *     screen   b, and the m - 1 arms with the smallest c_j, ties at random; arms against which b is settled (M_bj at
 * the threshold of prefer/evidence.h, error delta) come after all that are not
 *
 * The belief must know the variance of differences: pl or linear_pl. It learns whole rounds; the evidence learns the
 * same answers.
 *
 * Cost: a draw, and r^3 / 3 for the variances with r arms that have answers. */
#include "policy/reduction/pair_evidence.h"

static spar_status init(spar_policy *base, const spar__values *values, spar_error *err)
{
    double delta = spar__number(values, "delta");
    return spar__evidence_policy_init(base, delta, delta, err);
}

static spar_status choose(const spar_policy *base, spar_scratch *scratch, spar_rng *rng, spar_round *out)
{
    const spar__evidence *evidence = &((const spar__evidence_policy *)base)->evidence;
    const spar__posterior *belief = base->player[0]->posterior;
    size_t n = base->arms->n, mark = spar__scratch_mark(scratch);
    double *mean = spar__scratch_take(scratch, n, sizeof *mean);
    double *variance = spar__scratch_take(scratch, n, sizeof *variance);
    spar__rivals r = {.open = spar__scratch_take(scratch, n, sizeof *r.open),
                      .settled = spar__scratch_take(scratch, n, sizeof *r.settled)};
    spar_status status = mean && variance && r.open && r.settled ? SPAR_OK : SPAR_NOMEM;
    if (!status)
        status = belief->cls->best(belief, scratch, rng, 1, out->arm, NULL);
    if (!status)
        status = belief->cls->gaps(belief, scratch, out->arm[0], mean, variance);
    if (!status) {
        /* How near each rival is, as a number that is higher for those to show first. */
        size_t leader = out->arm[0];
        const spar_arms *arms = base->arms;
        r.urgency = variance;
        r.n_open = 0;
        for (size_t j = 0; j < arms->n; j++) {
            double gap = mean[j] > 0 ? mean[j] : 0; /* of the leader over it */
            bool rival = arms->alive[j] && j != leader;
            bool shown = rival && spar__evidence_against(evidence, leader, j).settled;
            variance[j] = rival ? -gap * gap / variance[j] : 0;
            r.open[j] = rival && !shown;
            r.settled[j] = shown;
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
    spar__mab *bandit = base->player[0];
    spar__evidence_policy_learn(base, round, feedback);
    bandit->cls->learn_round(bandit, round, feedback, 1);
}

static const spar_param params[] = {
    {"delta", SPAR_PARAM_NUMBER, "0.05", 1e-12, 0.5, NULL, "error of the decision that is aimed at"},
    {0},
};

const spar__policy_class spar__policy_top_two = {
    .entry = {"top_two", "a likely best arm, and those that are hardest to tell from it", "Russo, COLT 2016", params},
    .size = sizeof(spar__evidence_policy),
    .players = SPAR__PLAYERS_ONE,
    .standard_mab = "thompson",
    .min_m = 2,
    .live_arms = true,
    .randomised = true,
    .rounds = true,
    .differences = true,
    .init = init,
    .fini = spar__evidence_policy_fini,
    .resize = spar__evidence_policy_resize,
    .choose = choose,
    .reserve = spar__evidence_policy_reserve,
    .learn = learn,
    .score = spar__player_score,
    .archive = spar__evidence_policy_archive,
};
