#include "cli/decide/decide.h"

#include <inttypes.h>
#include <stdio.h>

static void write_subtitle(const spar__decide_report *r, size_t room, char *out)
{
    (void)snprintf(out, room, "%.100s: %" PRIu64 " vote%s on %zu options", r->source, r->total,
                   r->total == 1 ? "" : "s", r->verdict.n);
}

spar_status spar__decide_plot(const spar__decide_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    return spar__verdict_plot(&r->verdict, subtitle, out);
}

spar_status spar__decide_plot_standings(const spar__decide_report *r, spar__buf *out)
{
    char subtitle[200];
    write_subtitle(r, sizeof subtitle, subtitle);
    return spar__standings_plot(&r->standings, &r->verdict, subtitle, out);
}
