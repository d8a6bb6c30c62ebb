/* Approximate linearity of the 15 scenarios, measured. */
#include "paper/paper.h"
#include "paper/scenarios.h"

#include <math.h>

enum { LINKS = SPAR__SCENARIO_LINKS, SETS = SPAR__SCENARIO_SETS };

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data, (void)paper;
    double least[LINKS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    size_t good = 0;
    for (size_t i = 0; i < LINKS; i++) {
        spar__buf_printf(&out->numbers, "%s%s", i ? "" : "gamma: ", spar__scenario_links[i]);
        for (size_t s = 0; s < SETS; s++) {
            spar__transitivity t;
            spar_status status = spar__scenario_measure(spar__scenario_links[i], spar__scenario_sets[s], &t, err);
            if (status)
                return status;
            if (t.has_linearity) {
                spar__buf_printf(&out->numbers, " %s %.4f", spar__scenario_sets[s], t.linearity);
                least[i] = fmin(least[i], t.linearity);
            } else {
                spar__buf_printf(&out->numbers, " %s any", spar__scenario_sets[s]);
            }
            spar__buf_adds(&out->numbers, s + 1 < SETS ? "," : i + 1 < LINKS ? "; " : ".");
        }
        good += least[i] > 0;
    }
    spar__buf_printf(&out->brief,
                     "We find that the scenarios are approximately linear with gamma = %.3f (linear), %.3f (logit) and "
                     "%.3f (natural).",
                     least[0], least[1], least[2]);
    spar__buf_adds(&out->numbers, " (On 1good no three arms are ordered strictly, so any gamma will do.)");
    out->verdict = good == LINKS ? SPAR__HOLDS : good ? SPAR__HOLDS_IN_PART : SPAR__DOES_NOT_HOLD;
    return SPAR_OK;
}

const spar__claim spar__claim_gamma = {
    .name = "gamma",
    .title = "The scenarios are approximately linear",
    .says =
        "For the utilities of the experiments the links satisfy approximate linearity: phi(i,k) - phi(j,k) >= gamma "
        "phi(i,j) for all i over j over k, with a gamma above 0.",
    .test =
        "gamma, the least (phi(i,k) - phi(j,k)) / phi(i,j) of all strictly ordered triples of the 16 arms, computed "
        "exactly: above 0 in all scenarios of all three links (holds), or of some (in part). Finitely many arms whose "
        "utilities differ have such a gamma under every increasing link; what matters is its size.",
    .figure = "linearity",
    .exact = true,
    .judge = judge,
};
