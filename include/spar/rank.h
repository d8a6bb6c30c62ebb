/* rank.h - rankers compared by their users: mix m ranked lists of documents into the one list that is shown, and turn
 * the clicks on it, whenever they come, into feedback about the lists.
 *
 *     spar_mix_lists("team_draft", m, list, length, 10, rng, mix, &err);
 *     ... show spar_mix_docs(mix)[0 .. spar_mix_shown(mix) - 1], note which were clicked ...
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
 * as can be.
 *
 * Threads: a mix may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
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

/* A mixed list and what its clicks are worth. A live system saves it when it shows the list and loads it when the clicks
 * come. */
typedef struct spar_mix spar_mix;

/* Starts with nothing shown. */
SPAR_API spar_status spar_mix_new(spar_mix **out);
SPAR_API spar_status spar_mix_dup(const spar_mix *mix, spar_mix **out);
SPAR_API spar_status spar_mix_copy(const spar_mix *from, spar_mix *to); /* makes `to` the same mix */
SPAR_API void spar_mix_free(spar_mix *mix);                             /* NULL is fine */

SPAR_API size_t spar_mix_slots(const spar_mix *mix);        /* lists that were mixed */
SPAR_API size_t spar_mix_shown(const spar_mix *mix);        /* documents in the mixed list */
SPAR_API const uint64_t *spar_mix_docs(const spar_mix *mix); /* the documents, from the top; borrowed */

/* The whole mix as bytes (free with spar_bytes_free), and back. */
SPAR_API spar_status spar_mix_save(const spar_mix *mix, unsigned char **bytes, size_t *length);
SPAR_API spar_status spar_mix_load(const unsigned char *bytes, size_t length, spar_mix **out, spar_error *err);

/* Mixes m >= 1 lists of documents, best first, into one of at most top >= 1. Lists may have different lengths, share
 * documents, and be empty; a document that stands twice in one list is refused. After a failure `out` shows nothing. */
SPAR_API spar_status spar_mix_lists(const char *how, size_t m, const uint64_t *const *list, const size_t *length,
                                    size_t top, spar_rng *rng, spar_mix *out, spar_error *err);

/* clicked has one entry for each shown document, credit one for each slot.
 *
 * The credit of each of the m slots: the sum over the clicked places. */
SPAR_API void spar_mix_credit(const spar_mix *mix, const bool *clicked, double *credit);

/* Of each pair of slots the one with more credit wins. Equal credit is a tie, or missing when ties are not to count as
 * half a win. A pair is missing when a slot of it has no part in the mix: its list was empty, or (team_draft) was not
 * asked for a document before the mixed list was full. */
SPAR_API spar_status spar_mix_feedback(const spar_mix *mix, const bool *clicked, bool tie_is_half, spar_feedback *out);

#ifdef __cplusplus
}
#endif

#endif
