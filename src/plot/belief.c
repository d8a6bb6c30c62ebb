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

bool spar__belief_has_chosen(const spar__beliefs *fig)
{
    for (size_t k = 0; k < fig->n; k++)
        if (fig->belief[k].chosen)
            return true;
    return false;
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

/* The arm of highest mean; n: there is none. */
static size_t highest(const spar__belief *belief)
{
    size_t best = belief->n;
    for (size_t i = 0; i < belief->n; i++)
        if (isfinite(belief->mean[i]) && (best == belief->n || belief->mean[i] > belief->mean[best]))
            best = i;
    return best;
}

static void add_place(const spar__beliefs *fig, const spar__belief *belief, size_t arm, spar__buf *out)
{
    for (size_t d = 0; d < fig->dim; d++) {
        spar__buf_adds(out, d ? ", " : "");
        spar__svg_value(out, belief->x[fig->dim * arm + d]);
    }
}

static void say_highest(const spar__beliefs *fig, spar__buf *words)
{
    spar__buf_adds(words, "What is believed of each arm.");
    for (size_t k = 0; k < fig->n; k++) {
        const spar__belief *belief = &fig->belief[k];
        size_t high = highest(belief), best = spar__belief_best(belief);
        spar__buf_printf(words, " %s: %zu arms", belief->label, belief->n);
        if (high < belief->n) {
            spar__buf_adds(words, ", the highest mean ");
            spar__svg_value(words, belief->mean[high]);
            spar__buf_adds(words, " at ");
            add_place(fig, belief, high, words);
        }
        if (best < belief->n) {
            spar__buf_adds(words, ", the best arm at ");
            add_place(fig, belief, best, words);
        }
        spar__buf_adds(words, ".");
    }
}

void spar__belief_begin(const spar__beliefs *fig, double width, double height, spar__buf *out)
{
    spar__buf words = {0};
    if (fig->words)
        spar__buf_adds(&words, fig->words);
    else
        say_highest(fig, &words);
    spar__svg_begin(out, width, height, fig->name ? fig->name : fig->title, words.failed ? NULL : words.text);
    out->failed |= words.failed;
    spar__buf_free(&words);
}

void spar__belief_begin_part(spar__buf *out, spar__legend_entry entry)
{
    spar__buf_printf(out, "<g data-series=\"%zu\">\n", spar__legend_key(&entry));
}

void spar__belief_end_part(spar__buf *out)
{
    spar__buf_adds(out, "</g>\n");
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
