#include "plot/belief.h"

#include "plot/svg.h"

#include <math.h>

double spar__belief_most(const spar__beliefs *fig)
{
    double most = 0;
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++)
            most = fmax(most, fmax(fig->belief[k].won[i], fig->belief[k].lost[i]));
    return most;
}

bool spar__belief_has_truth(const spar__beliefs *fig)
{
    for (size_t k = 0; k < fig->n; k++)
        for (size_t i = 0; i < fig->belief[k].n; i++)
            if (isfinite(fig->belief[k].truth[i]))
                return true;
    return false;
}

size_t spar__belief_best(const spar__belief *belief)
{
    size_t best = belief->n;
    for (size_t i = 0; i < belief->n; i++)
        if (isfinite(belief->truth[i]) && (best == belief->n || belief->truth[i] > belief->truth[best]))
            best = i;
    return best;
}

void spar__belief_foot_add(spar__belief_foot *foot, spar__legend_entry entry)
{
    foot->entry[foot->legend.n++] = entry;
}

void spar__belief_foot_fit(spar__belief_foot *foot, double width)
{
    foot->legend.entry = foot->entry;
    spar__legend_fit(&foot->legend, width, foot->legend.n);
    foot->height = foot->legend.height + (foot->note ? 22 : 0) + 14;
}

void spar__belief_foot_draw(spar__buf *out, const spar__belief_foot *foot, double x, double y)
{
    spar__legend_draw(out, &foot->legend, x, y);
    if (foot->note)
        spar__svg_text(out, x, y + foot->legend.height + 16, &spar__font_note, SPAR__START, foot->note);
}

spar_status spar__plot_beliefs(const spar__beliefs *fig, spar__buf *svg)
{
    if (fig->n == 0 || fig->dim < 1 || fig->dim > 2)
        return SPAR_INVALID;
    for (size_t k = 0; k < fig->n; k++)
        if (fig->belief[k].n == 0)
            return SPAR_INVALID;
    spar_status status = fig->dim == 1 ? spar__belief_lines(fig, svg) : spar__belief_maps(fig, svg);
    return status ? status : svg->failed ? SPAR_NOMEM : SPAR_OK;
}
