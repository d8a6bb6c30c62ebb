#include "cli/decide/decide.h"

#include <inttypes.h>
#include <stdio.h>

spar_status spar__decide_plot(const spar__decide_report *r, spar__buf *out)
{
    char subtitle[200];
    (void)snprintf(subtitle, sizeof subtitle, "%.100s: %" PRIu64 " vote%s on %zu options", r->source, r->total,
                   r->total == 1 ? "" : "s", r->verdict.n);
    return spar__verdict_plot(&r->verdict, subtitle, out);
}
