/* rank.h - rankers compared by their users: mix m ranked lists of documents into the one list that is shown, and turn
 * the clicks on it, whenever they come, into feedback about the lists.
 *
 *     spar_mix_lists("team_draft", m, list, length, 10, &rng, mix, &err);
 *     ... show mix->doc[0 .. mix->shown-1], note which were clicked ...
 *     spar_mix_feedback(mix, clicked, true, feedback);
 *
 * List j is slot j of the feedback. The ways to mix:
 *
 *     team_draft            in turns, the lists in a fresh random order each add their best document not yet shown; a
 *                           click is credited to the list that added the document
 *     probabilistic(tau=3)  a random list adds a random document, that of rank r with weight r^-tau; the credit is
 *                           shared by how likely each list was to add it
 *     optimised(credit=inverse|linear,lists=1024)  the fairest and most telling of the lists that could come out of a
 *                           draft; a click is worth 1/rank (or -rank) of the document to each list
 *
 * A random clicker prefers none of the lists: each slot has the same credit to expect from each place. For this a list
 * should have at least `top` documents, or be another order of the same ones. A shorter list takes part, and is
 * compared with another list on the places filled before one of the two was used up (not by optimised, where absent
 * documents have a rank too). Of more than two lists, optimised can often not treat all alike, and then comes as near
 * as can be. */
#ifndef SPAR_RANK_H
#define SPAR_RANK_H

#include <spar/feedback.h>
#include <spar/rng.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Plain data, like a spar_round. A live system writes down m, shown, doc, credit and reach when it shows the list and
 * hands them back with the clicks; to read one back, reserve room and fill these in. */
typedef struct spar_mix {
    size_t m;       /* lists that were mixed */
    size_t shown;   /* documents in the mixed list */
    uint64_t *doc;  /* the documents, from the top */
    double *credit; /* shown x m: what a click on a place is worth to each slot */
    size_t *reach;  /* m: the slot is compared on the first so many places; 0: it has no part in the mix */
    size_t doc_room, credit_room, reach_room;
} spar_mix;

/* Starts with m = 0 and nothing shown. */
SPAR_API spar_status spar_mix_new(spar_mix **out);
SPAR_API void spar_mix_free(spar_mix *mix);

/* Room for m slots and so many shown documents. Changes neither m nor shown, but what credit held may be lost. */
SPAR_API spar_status spar_mix_reserve(spar_mix *mix, size_t m, size_t shown);

/* Makes `to`, which is grown when needed, the same mix as `from`. */
SPAR_API spar_status spar_mix_copy(const spar_mix *from, spar_mix *to);

/* Mixes m >= 1 lists of documents, best first, into one of at most top >= 1. Lists may have different lengths, share
 * documents, and be empty; a document that stands twice in one list is refused. After a failure `out` shows nothing. */
SPAR_API spar_status spar_mix_lists(const char *how, size_t m, const uint64_t *const *list, const size_t *length,
                                    size_t top, spar_rng *rng, spar_mix *out, spar_error *err);

/* The credit of each of the m slots: the sum over the clicked places. */
SPAR_API void spar_mix_credit(const spar_mix *mix, const bool *clicked, double *credit);

/* Of each pair of slots the one with more credit wins. Equal credit is a tie, or missing when ties are not to count as
 * half a win. A pair is missing when a slot of it has no part in the mix: its list was empty, or (team_draft) was not
 * asked for a document before the mixed list was full. */
SPAR_API spar_status spar_mix_feedback(const spar_mix *mix, const bool *clicked, bool tie_is_half, spar_feedback *out);

#ifdef __cplusplus
}
#endif

#endif
