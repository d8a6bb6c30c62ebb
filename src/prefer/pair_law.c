#include "prefer/pair_law.h"

#include "num/elementary.h"
#include "num/special.h"

#include <stdbool.h>
#include <stdint.h>

static const double prior = 5; /* both parameters of the Beta law */

/* With a = w + 5, b = l + 5, E is the ratio of P(Beta(a,b) > p0) B(a,b) / (p0^a (1-p0)^b) to the same at w = l = 0. */
double spar__log_evidence_start(double p0)
{
    double below, above;
    spar__log_beta_mills(prior, prior, p0, &below, &above);
    return above;
}

double spar__log_evidence_from(double start, double w, double l, double p0)
{
    double below, above;
    spar__log_beta_mills(w + prior, l + prior, p0, &below, &above);
    return above - start;
}

double spar__log_evidence(double w, double l, double p0)
{
    return spar__log_evidence_from(spar__log_evidence_start(p0), w, l, p0);
}

/* A policy and a decision learn the same answer one after the other, about the same few pairs: what was computed last
 * is kept. */
enum { KEPT = 16 };
typedef struct kept_evidence {
    bool known;
    double w, l, first, second;
} kept_evidence;

void spar__log_evidence_both(double w, double l, double *first, double *second)
{
    static _Thread_local kept_evidence all[KEPT];
    const double start = -0.20739519434607058716; /* of a = b = 5 at 1/2 */
    kept_evidence *kept = &all[(uint64_t)(w + 5 * l) % KEPT];
    if (!kept->known || kept->w != w || kept->l != l) {
        *kept = (kept_evidence){.known = true, .w = w, .l = l};
        spar__log_beta_mills(w + prior, l + prior, 0.5, &kept->second, &kept->first);
        kept->first -= start;
        kept->second -= start;
    }
    *first = kept->first;
    *second = kept->second;
}

/* The least p0 that is not refuted: by bisection on the log-odds. E falls where it exceeds 1, which is left of w/(w+l).
 */
static double lower_end(double w, double l, double log_threshold)
{
    double low = -700, high = l > 0 ? spar__log(w / l) : 36;
    if (!(w > 0) || spar__log_evidence(w, l, spar__logistic(low)) < log_threshold)
        return 0;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (spar__log_evidence(w, l, spar__logistic(middle)) >= log_threshold)
            low = middle;
        else
            high = middle;
    }
    return spar__logistic(high);
}

void spar__win_rate_interval(double w, double l, double log_threshold, double *low, double *high)
{
    *low = lower_end(w, l, log_threshold);
    *high = 1 - lower_end(l, w, log_threshold);
}
