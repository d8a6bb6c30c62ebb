/* claims.c - every claim of the paper, in the order of the report: what it says, how it is judged, the settings that it
 * needs besides those of the figures, the kind of test, and its parameters. The tests are in compared.c, trends.c,
 * growth.c and gamma.c. */
#include "paper/paper.h"

/* --- what several tests have in common --- */

#define BEATS_TEST                                                                                                     \
    "In each setting the final regrets are compared run by run. A rival is beaten when its regret is higher, the "     \
    "mean difference beyond 2 standard errors, and its median is higher too; it is beaten by far when its regret is "  \
    "also at least 1.5 times as high, by 2 standard errors of the logarithm of the ratio. Holds when every rival is "  \
    "beaten by far in every setting, in part when some are."

#define BEATS_NARROWLY " It also holds in part when a rival is beaten, but not by far."

/* The regret of the rivals over that of SelfSparring. */
#define ADVANTAGE_TEST                                                                                                 \
    "Regret of the rival over regret of SelfSparring at m = 2, 4, 8, 16. The advantage grows when the exponent b of "  \
    "ratio ~ m^b, fitted in logarithms, is above 0 by 2 standard errors and the ratio at m = 16 is above 1 by 2 "      \
    "standard errors. Holds when that is true for every rival in every setting and no step goes down by 2 standard "   \
    "errors, in part when it is true for some."

/* SelfSparring's own regret. */
#define SHOWN_TEST                                                                                                     \
    "The exponent b of regret ~ m^b over m = 2, 4, 8, 16, fitted in logarithms; playing at random has b = 1. Holds "   \
    "when b is below 1/4 by 2 standard errors in every setting, in part when it is in some, or when it is below 1/2 "  \
    "in all."

#define ONE_SIDED_TEST                                                                                                 \
    "The player's own regret, sum over rounds of phi(b_1, b_t), mean over runs, on arith with three links (quick: "    \
    "linear), a million rounds. "

/* --- the claims --- */

const spar__claim spar__claims[] = {
    {
        .name = "competitive",
        .title = "IndSelfSparring is competitive with two arms a round",
        .says =
            "In the original setting of two arms a round IndSelfSparring is competitive with the best known policies.",
        .test = "In a scenario the policy is among the best when its median regret is at most twice the lowest median "
                "of the other policies. Holds when that is true in at least 80 % of the scenarios, in part in at least "
                "half. Medians decide because tails are heavy: a few runs that never recover can double a mean. Means "
                "are given as well.",
        .figure = "grid",
        .judge = spar__judge_rank,
        .data = &(const spar__scenario_rank){.policy = "IndSelfSparring"},
    },
    {
        .name = "dts-best",
        .title = "Double Thompson Sampling is best, or nearly so",
        .says = "With two arms a round DTS is the best policy on logit/arith and fairly consistently so elsewhere, "
                "though not by much given the spread of runs.",
        .test = "As for IndSelfSparring: near the best means a median of at most twice the lowest median of the "
                "others. Holds when DTS is near in at least 80 % of the scenarios and has the lowest median in more "
                "than half, in part when it is near in at least half. Means, and the paired difference on logit/arith, "
                "are given as well.",
        .figure = "grid",
        .judge = spar__judge_rank,
        .data = &(const spar__scenario_rank){.policy = "DTS", .mostly_lowest = true},
    },
    {
        .name = "beats-multi",
        .title = "IndSelfSparring beats MultiSparring and MDB",
        .says = "With four arms a round on linear/1good and linear/arith, the regret of IndSelfSparring is much lower "
                "than that of MultiSparring and MDB.",
        .test = BEATS_TEST " Regret is the sum over the arms shown, as in the paper; MDB itself chooses how many it "
                           "shows, so its regret per slot is given as well.",
        .figure = "multi",
        .judge = spar__judge_beats,
        .data =
            &(const spar__beats){.policy = "IndSelfSparring",
                                 .rivals = (const char *const[]){"MultiSparring", "MDB", NULL},
                                 .settings = (const char *const[]){"multi/linear-1good", "multi/linear-arith", NULL},
                                 .per_slot = true},
    },
    {
        .name = "beats-rankers",
        .title = "IndSelfSparring beats MDB and MultiSparring on rankers",
        .says = "With four rankers a round, out of random sets of 16, the regret of IndSelfSparring is much lower than "
                "that of MDB (and MultiSparring).",
        .test = BEATS_TEST " Regret is the sum over the rankers shown; the regret per slot is given as well.",
        .figure = "rankers",
        .judge = spar__judge_beats,
        .data = &(const spar__beats){.policy = "IndSelfSparring",
                                     .rivals = (const char *const[]){"MultiSparring", "MDB", NULL},
                                     .settings = (const char *const[]){"rankers/letor", "rankers/matrix",
                                                                       "rankers/generated", NULL},
                                     .per_slot = true},
    },
    {
        .name = "beats-kernel",
        .title = "KernelSelfSparring beats GP-Sparring",
        .says = "With two dependent arms a round the regret of KernelSelfSparring is much lower than that of "
                "GP-Sparring, on draws of a Gaussian process, Forrester and camel.",
        .test = BEATS_TEST BEATS_NARROWLY " With --quick there are too few runs to show a small difference.",
        .figure = "kernel",
        .judge = spar__judge_beats,
        .data = &(const spar__beats){.policy = "KernelSelfSparring",
                                     .rivals = (const char *const[]){"GP-Sparring", NULL},
                                     .settings =
                                         (const char *const[]){"kernel/gp", "kernel/forrester", "kernel/camel", NULL},
                                     .narrowly = true},
    },
    {
        .name = "beats-bopper",
        .title = "KernelSelfSparring beats BOPPER",
        .says = "With two dependent arms a round the regret of KernelSelfSparring is much lower than that of BOPPER on "
                "Forrester.",
        .test = BEATS_TEST " Less regret alone would prove little: here even random play has a little less than "
                           "BOPPER, which with its length of 1 does not see a narrow peak.",
        .figure = "kernel",
        .judge = spar__judge_beats,
        .data = &(const spar__beats){.policy = "KernelSelfSparring",
                                     .rivals = (const char *const[]){"BOPPER", NULL},
                                     .settings = (const char *const[]){"kernel/forrester", NULL}},
    },
    {
        .name = "beats-kernel-multi",
        .title = "KernelSelfSparring beats GP-Sparring with four arms a round",
        .says = "With four dependent arms a round the regret of KernelSelfSparring is much lower than that of "
                "GP-Sparring on Forrester and camel.",
        .test = BEATS_TEST BEATS_NARROWLY,
        .figure = "kernel-multi",
        .judge = spar__judge_beats,
        .data = &(const spar__beats){.policy = "KernelSelfSparring",
                                     .rivals = (const char *const[]){"GP-Sparring", NULL},
                                     .settings =
                                         (const char *const[]){"kernel-multi/forrester", "kernel-multi/camel", NULL},
                                     .narrowly = true},
    },
    {
        .name = "advantage",
        .title = "The advantage grows with the number of arms shown",
        .says = "The benefit of IndSelfSparring over MultiSparring and MDB increases with the number of arms compared "
                "at once.",
        .test = ADVANTAGE_TEST " MDB itself chooses how many arms it shows, and its regret is the same at every m: "
                               "against it only what IndSelfSparring gains counts.",
        .needs = "shown/linear-",
        .judge = spar__judge_advantage,
        .draw = spar__draw_advantage,
        .data = &spar__shown_independent,
    },
    {
        .name = "advantage-kernel",
        .title = "The advantage grows with the number of dependent arms shown",
        .says =
            "The benefit of KernelSelfSparring over GP-Sparring increases with the number of arms compared at once.",
        .test = ADVANTAGE_TEST,
        .needs = "shown/forrester",
        .judge = spar__judge_advantage,
        .draw = spar__draw_advantage,
        .data = &spar__shown_kernel,
    },
    {
        .name = "shown-arms",
        .title = "Regret hardly grows with the number of arms shown",
        .says = "IndSelfSparring's regret, though summed over all arms shown, does not increase substantially as their "
                "number does.",
        .test = SHOWN_TEST,
        .needs = "shown/linear-",
        .judge = spar__judge_shown,
        .draw = spar__draw_shown,
        .data = &spar__shown_independent,
    },
    {
        .name = "shown-arms-kernel",
        .title = "Regret hardly grows with the number of dependent arms shown",
        .says = "KernelSelfSparring's regret, though summed over all arms shown, does not increase substantially as "
                "their number does.",
        .test = SHOWN_TEST
        " A run has only 100 rounds here, so that the first ones, before anything is known, have much weight.",
        .needs = "shown/forrester",
        .judge = spar__judge_shown,
        .draw = spar__draw_shown,
        .data = &spar__shown_kernel,
    },
    {
        .name = "offered-arms",
        .title = "Regret is in proportion to the number of independent arms",
        .says = "Where arms give no information about each other, regret scales linearly with their number K: each "
                "must be tried.",
        .test = "The exponent b of regret ~ (K - 1)^b on linear/arith with K = 16, 64, 256, 1024 arms (quick: not the "
                "last), m = 4, fitted over the sizes at which regret after 20000 rounds is below a third of that of "
                "random play. Holds when b, with 2 standard errors, is within 1/4 of 1 over at least three sizes, in "
                "part over two.",
        .needs = "offered/",
        .judge = spar__judge_offered,
        .draw = spar__draw_offered,
    },
    {
        .name = "lemma-1",
        .title = "Thompson sampling on a plain bandit (Lemma 1)",
        .says = "On K arms with independent rewards Thompson sampling has an expected regret of O(K ln T / Delta).",
        .test = "One arm has mean reward 1/2 + Delta, the others 1/2; a million rounds (quick: 1e5). The mean regret "
                "plus 2 standard errors must be below K ln T / Delta, and its slope d regret / d ln t over the last "
                "decade, with 2 standard errors, below 1.5 times the least possible in the long run, sum of Delta / "
                "d(1/2, 1/2 + Delta) over the other arms, and not below half of it. Holds when both are true in every "
                "case, in part in some.",
        .needs = "plain/",
        .judge = spar__judge_plain,
    },
    {
        .name = "lemma-2",
        .title = "Every arm is played infinitely often (Lemma 2)",
        .says = "IndSelfSparring never gives up an arm: in infinite time each is sampled infinitely often.",
        .test = "Plays of the least played arm after 1e3, 1e4, 1e5 and 1e6 rounds, mean over runs. In each decade it "
                "must get at least one more; and, since random play does that too, the growth must be slower than the "
                "square root of the rounds. Holds when that is true in every setting, in part in some. (No run can "
                "show infinity.)",
        .needs = "long/",
        .judge = spar__judge_least_played,
    },
    {
        .name = "lemma-3",
        .title = "Thompson sampling against a fixed opponent (Lemma 3)",
        .says = "Under approximate linearity, choosing one arm by Thompson sampling against a fixed distribution of "
                "arms has optimal regret.",
        .test = ONE_SIDED_TEST
        "The opponent draws an arm uniformly in every round. The slope d regret / d ln t of the last decade must, with "
        "2 standard errors, be less than 1.5 times as steep as the decade before, and below 1.5 times the bound of Lai "
        "and Robbins for the probabilities to win against that opponent, and not below half of it. Holds when all of "
        "this is true for every link, in part for some.",
        .needs = "one-sided/fixed-",
        .judge = spar__judge_one_sided,
        .draw = spar__draw_one_sided,
        .data = &spar__opponents[SPAR__OPPONENT_FIXED],
    },
    {
        .name = "corollary",
        .title = "Thompson sampling against an opponent that converges (Corollary 1)",
        .says = "Under approximate linearity, Thompson sampling against a drifting but converging distribution of arms "
                "converges to the best arm.",
        .test = ONE_SIDED_TEST
        "The opponent draws uniformly with probability 1 / sqrt(1 + t / 1000), else it takes the best arm. The regret "
        "of a round must fall more than five-fold from the decade up to 1e5 to the decade up to 1e6 (growth like ln t: "
        "ten-fold, like sqrt t: three-fold), and regret over ln t must level off: with 2 standard errors the last "
        "decade is less than 1.5 times as steep as the decade before. Holds when both are true for every link, in part "
        "when only the first is or only for some links. No rate is claimed: the slope stays far above the bound, "
        "because what was learned from the opponent's first arms has to be unlearned.",
        .needs = "one-sided/moving-",
        .judge = spar__judge_one_sided,
        .draw = spar__draw_one_sided,
        .data = &spar__opponents[SPAR__OPPONENT_MOVING],
    },
    {
        .name = "theorem-1",
        .title = "IndSelfSparring converges to the best arm (Theorem 1)",
        .says = "Under approximate linearity the share of plays of the best arm goes to 1, and the belief about each "
                "arm to its probability to beat the best one.",
        .test = "The share of the best arm must rise from decade to decade of rounds and be above 0.98 in the last "
                "(1e5 to 1e6), in every setting; and the largest error of the Beta means, max_i |mean_i - P(b_i beats "
                "b_1)|, averaged over settings, must fall from 1e4 to 1e6 rounds by more than 2 standard errors of the "
                "paired difference. Holds when all of that is true, in part when some is.",
        .needs = "long/",
        .judge = spar__judge_convergence,
    },
    {
        .name = "theorem-2",
        .title = "Regret grows like ln T, at an optimal rate (Theorem 2)",
        .says = "Under approximate linearity the regret of IndSelfSparring is O(K ln T / Delta), which up to constant "
                "factors matches information-theoretic bounds.",
        .test = "Slopes d regret / d ln t, mean over runs, on arith with three links, m = 2, eta = 1, a million "
                "rounds. With 2 standard errors the last decade must be less than 1.5 times as steep as the decade "
                "before (a power of t would steepen) and below twice the lower bound, sum over arms i of min over j "
                "that beat i of (phi_1i + phi_1j) / d(P_ij, 1/2), in the scale of this regret; and not below half of "
                "that bound, as it is for policies that sometimes never find the best arm (with eta = 3.5, for "
                "instance). Holds when all of this is true for every link, in part for some.",
        .needs = "long/",
        .judge = spar__judge_growth,
        .draw = spar__draw_growth,
    },
    {
        .name = "learning-rate",
        .title = "Regret grows like ln T at the learning rate of the experiments, too",
        .says = "The experiments with two arms a round set the learning rate to 3.5; the theorems do not cover it.",
        .test = "As for Theorem 2, with eta = 3.5 and without a bound: with 2 standard errors the last decade must be "
                "less than 1.5 times as steep as the decade before, and in the last tenth of the rounds every run must "
                "show the best arm in at least half of its slots. Holds when both are true for every link, in part for "
                "some. Not with --quick.",
        .needs = "eta/",
        .judge = spar__judge_learning_rate,
    },
    {
        .name = "gamma",
        .title = "The scenarios are approximately linear",
        .says = "For the utilities of the experiments the links satisfy approximate linearity: phi(i,k) - phi(j,k) >= "
                "gamma phi(i,j) for all i over j over k, with a gamma above 0.",
        .test =
            "gamma, the least (phi(i,k) - phi(j,k)) / phi(i,j) of all strictly ordered triples of the 16 arms, "
            "computed exactly: above 0 in all scenarios of all three links (holds), or of some (in part). Finitely "
            "many arms whose utilities differ have such a gamma under every increasing link; what matters is its size.",
        .figure = "linearity",
        .exact = true,
        .judge = spar__judge_gamma,
    },
    {
        .name = "gamma-domain",
        .title = "Over their whole domains the links are not approximately linear",
        .says = "The linear and the logit link do not satisfy approximate linearity over their entire domains, only on "
                "the utilities of the experiments.",
        .test =
            "The least (phi(x,z) - phi(y,z)) / phi(x,y) over utilities x > y > z of a fine grid. A link fails when "
            "that falls below 0.01 as the range of utilities grows. Holds when both links fail, in part when one does.",
        .figure = "linearity",
        .exact = true,
        .judge = spar__judge_gamma_domain,
    },
    {
        .name = "gamma-any",
        .title = "Every increasing link is approximately linear on bounded utilities",
        .says = "Where phi(i,j) = Phi(u_i - u_j) with bounded utilities, any continuous increasing Phi satisfies "
                "approximate linearity for some gamma.",
        .test = "An example against it: a continuous, strictly increasing Phi whose gamma over ever finer utilities of "
                "[0, 1] falls at least five-fold with each ten-fold number of them. Does not hold if there is one.",
        .figure = "linearity",
        .exact = true,
        .judge = spar__judge_gamma_any,
    },
    {
        .name = "gamma-strong",
        .title = "Approximate linearity is stricter than strong transitivity",
        .says = "Approximate linearity is a stricter requirement than strong stochastic transitivity, phi(i,k) >= "
                "max(phi(i,j), phi(j,k)) for i over j over k.",
        .test = "An example against it: three arms with a gamma above 0 that are not strongly transitive. Does not "
                "hold if there is one.",
        .figure = "linearity",
        .exact = true,
        .judge = spar__judge_gamma_strong,
    },
    {
        .name = "dimension",
        .title = "Kernelised regret follows the kernel's dimension (conjecture)",
        .says = "It should be possible to prove regret that scales with the dimension of the kernel, not with the "
                "number of arms.",
        .test = "KernelSelfSparring on draws of its own prior. Exponents fitted in logarithms: of regret in the number "
                "of points at a fixed length, below 0.15 by 2 standard errors; and in the effective rank of the kernel "
                "as its length changes, above 0 by 2 standard errors. Holds with both, in part with one, and only if "
                "with 3000 points regret is less than half of that with independent arms. (A trend is not a proof.)",
        .needs = "dimension/",
        .judge = spar__judge_dimension,
        .draw = spar__draw_dimension,
    },
    {
        .name = "confusable",
        .title = "Arms that are hard to compare make it harder (caveat)",
        .says = "The analysis assumes that the choice of arms does not change how answers are given, which is not so "
                "where people can hardly compare very different arms.",
        .test = "Forrester, two arms a round; an answer about arms at distance d is missing, or a coin flip, with "
                "probability 1 - exp(-d / scale). The caveat matters when regret at scales 0.25 and 0.05 is above that "
                "with clear answers: paired mean difference beyond 2 standard errors, and the higher median. Holds "
                "when that is true for missing answers and for coin flips, in part for one.",
        .needs = "confusable/",
        .judge = spar__judge_confusable,
        .draw = spar__draw_confusable,
    },
};
const size_t spar__n_claims = sizeof spar__claims / sizeof *spar__claims;
