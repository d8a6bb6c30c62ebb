/* team_draft - interleaving for two, multileaving for many.
 *
 * In each turn the lists, in a fresh random order, add their best document that is not shown yet. A click is a point
 * for the list that added the document. A list that was never asked (more lists than places) has no part in the mix;
 * one that is used up passes, and is compared on the places filled until then. If its last document opened a turn, the
 * other list's answer to it is not counted: one place, at most, in favour of the shorter list.
 *
 * Radlinski, Kurup, Joachims 2008; Schuth, Sietsma, Whiteson, Lefortier, de Rijke 2014. Cost O(m) a turn, and O(1) a
 * document for each list that has it. */
#include "rank/mix.h"

static void draw(spar__mixing *mixing, spar_rng *rng, spar_mix *out)
{
    size_t m = out->m, place = 0;
    while (place < out->shown) {
        size_t live = spar__mixing_live(mixing);
        spar_rng_shuffle(rng, mixing->order, live);
        for (size_t i = 0; i < live && place < out->shown; i++) {
            size_t j = mixing->order[i];
            if (!mixing->left[j])
                continue; /* its last document was added by another list in this turn */
            out->credit[place * m + j] = 1;
            spar__mixing_show(mixing, out, place, spar__mixing_best(mixing, j));
            place++;
        }
    }
    for (size_t j = 0; j < m; j++) {
        size_t added = 0;
        for (place = 0; place < out->shown; place++)
            added += out->credit[place * m + j] > 0;
        if (!added)
            out->reach[j] = 0;
    }
}

const spar__mix_class spar__mix_team_draft = {
    .entry = {"team_draft", "in turns, in random order, each list adds its best document not yet shown",
              "Radlinski, Kurup, Joachims 2008; Schuth et al. 2014", NULL},
    .draw = draw,
};
