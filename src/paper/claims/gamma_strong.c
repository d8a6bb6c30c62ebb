/* Does approximate linearity imply strong stochastic transitivity? */
#include "base/error.h"
#include "paper/paper.h"
#include "prefer/prefer.h"

static spar_status judge(const void *data, const spar__paper *paper, spar__finding *out, spar_error *err)
{
    (void)data;
    static const double p[] = {0.5, 0.9, 0.7, 0.1, 0.5, 0.6, 0.3, 0.4, 0.5};
    spar__transitivity t;
    (void)paper;
    if (spar__transitivity_measure(3, p, &t))
        return spar__fail_memory(err);
    spar__buf_printf(
        &out->numbers,
        "With phi(1,2) = %.1f, phi(2,3) = %.1f, phi(1,3) = %.1f gamma is %.2f, but phi(1,3) < phi(1,2). It is "
        "stricter for gamma >= 1; and preferences that come from utilities by an increasing link are "
        "strongly transitive anyway.",
        p[1] - 0.5, p[5] - 0.5, p[2] - 0.5, t.linearity);
    bool refuted = t.has_linearity && t.linearity > 0 && t.strong.count > 0;
    out->verdict = refuted ? SPAR__DOES_NOT_HOLD : SPAR__HOLDS;
    return SPAR_OK;
}

const spar__claim spar__claim_gamma_strong = {
    .name = "gamma-strong",
    .title = "Approximate linearity is stricter than strong transitivity",
    .says = "Approximate linearity is a stricter requirement than strong stochastic transitivity, phi(i,k) >= "
            "max(phi(i,j), phi(j,k)) for i over j over k.",
    .test = "An example against it: three arms with a gamma above 0 that are not strongly transitive. Does not hold if "
            "there is one.",
    .figure = "linearity",
    .exact = true,
    .judge = judge,
};
