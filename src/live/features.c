/* features.c - the default policy of a list of options that have features: focus over a kernel of these.
 *
 * A feature that is a number has the length 0.35 of its range, as in a space. One of a category (text/option_rows.h
 * makes them sqrt(1/2) or 0: two categories are at distance 1) has the length 0.85. With more than MOST options a
 * kernel would take long, and the usual default serves. */
#include "live/setup.h"

#include "base/buf.h"

#include <math.h>

enum { MOST = 500 };

static double length_of(const spar_setup *setup, size_t feature)
{
    double low = INFINITY, high = -INFINITY;
    bool category = true;
    for (size_t i = 0; i < setup->n; i++) {
        double x = spar_option_features(setup->option[i], NULL)[feature];
        low = fmin(low, x);
        high = fmax(high, x);
        category = category && (x == 0 || x == sqrt(0.5));
    }
    return category ? 0.85 : high > low ? fmin(fmax(0.35 * (high - low), 1e-6), 1e6) : 1;
}

void spar__features_policy(const spar_setup *setup, spar__buf *out)
{
    size_t dim = 0;
    if (setup->n > 2)
        (void)spar_option_features(setup->option[0], &dim);
    if (!dim || setup->n > MOST)
        return;
    spar__buf_adds(out, "focus(live=1)/self_sparring(distinct=1)/thompson/gp(mean=0.5,variance=0.1,noise=0.25,length=");
    for (size_t d = 0; d < dim; d++) {
        char text[SPAR__NUMBER_SIZE];
        (void)spar__number_print_fixed(text, length_of(setup, d), 6);
        spar__buf_printf(out, "%s%s", d ? ":" : "", text);
    }
    spar__buf_adds(out, ")");
}
