/* answer.h - an answer as a person gave it, in terms of the slots of the question.
 *
 *   winner   one slot is the best
 *   ranking  some or all slots, best first; slots of equal level are tied
 *   pairs    "slot j beats slot k", "slots j and k are equal", for any number of pairs
 *   tie      all slots are equal
 *   bad      none is acceptable
 *   skip     no answer
 *
 * An answer is kept as it was given and never expanded into wins that were not stated; spar_answer_feedback says what a
 * policy may learn from it. Each answer has one form: pairs are sorted, the slots of one level too, and levels are 0,
 * 1, 2, ...; so equal answers are equal byte by byte.
 *
 * Threads: an answer may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
#ifndef SPAR_ANSWER_H
#define SPAR_ANSWER_H

#include <spar/feedback.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_answer_kind {
    SPAR_ANSWER_WINNER = 1,
    SPAR_ANSWER_RANKING = 2,
    SPAR_ANSWER_PAIRS = 3,
    SPAR_ANSWER_TIE = 4,
    SPAR_ANSWER_BAD = 5,
    SPAR_ANSWER_SKIP = 6
} spar_answer_kind;

typedef struct spar_answer spar_answer;

/* No slot: what an accessor gives where there is none. */
#define SPAR_NO_SLOT ((size_t)-1)

/* A new answer is a skip. */
SPAR_API spar_status spar_answer_new(spar_answer **out);
SPAR_API spar_status spar_answer_dup(const spar_answer *answer, spar_answer **out);
SPAR_API spar_status spar_answer_copy(const spar_answer *from, spar_answer *to);
SPAR_API void spar_answer_free(spar_answer *answer); /* NULL is fine */

/* Whole answers; what was there before is lost. */
SPAR_API void spar_answer_set_winner(spar_answer *answer, size_t slot);
SPAR_API void spar_answer_set_tie(spar_answer *answer);
SPAR_API void spar_answer_set_bad(spar_answer *answer);
SPAR_API void spar_answer_set_skip(spar_answer *answer);

/* n >= 1 different slots, best first. level NULL: each is better than those that follow; else slots of equal level are
 * tied, and a slot is better than those of higher level (levels must not fall). After a failure the answer is as it
 * was. */
SPAR_API spar_status spar_answer_set_ranking(spar_answer *answer, size_t n, const size_t *slot, const size_t *level,
                                             spar_error *err);

/* One more pair: slot j did `outcome` (loss, tie or win) against slot k. An answer of another kind becomes one of pairs
 * with this one alone. A pair that is already there is refused (SPAR_CONFLICT if it says something else). */
SPAR_API spar_status spar_answer_add_pair(spar_answer *answer, size_t j, size_t k, spar_outcome outcome,
                                          spar_error *err);

/* Answers in words. name[j], of m names, is that of slot j.
 *   ranking  "B,A=C": B is the best, A and C are equal
 *   pairs    "A>B,C=A,B<C"
 * Spaces around names are ignored. Where a name holds a separator, the longest name that fits is taken. Refused with a
 * sentence that names the word that is no name. After a failure the answer is as it was. */
SPAR_API spar_status spar_answer_parse_ranking(spar_answer *answer, const char *text, size_t m, const char *const *name,
                                               spar_error *err);
SPAR_API spar_status spar_answer_parse_pairs(spar_answer *answer, const char *text, size_t m, const char *const *name,
                                             spar_error *err);

/* What kind of answer it is, and whether two say the same. */
SPAR_API spar_answer_kind spar_answer_kind_of(const spar_answer *answer);
SPAR_API bool spar_answer_equal(const spar_answer *a, const spar_answer *b);

/* The winner, of an answer of that kind; else SPAR_NO_SLOT. */
SPAR_API size_t spar_answer_winner(const spar_answer *answer);

/* How many slots a ranking has, or how many pairs were stated; else 0. */
SPAR_API size_t spar_answer_count(const spar_answer *answer);

/* The i-th slot of a ranking and its level, from 0; SPAR_NO_SLOT where there is none. */
SPAR_API size_t spar_answer_slot(const spar_answer *answer, size_t i);
SPAR_API size_t spar_answer_level(const spar_answer *answer, size_t i);

/* The i-th pair: j < k, and how j did against k. SPAR_INVALID where there is none. */
SPAR_API spar_status spar_answer_pair(const spar_answer *answer, size_t i, size_t *j, size_t *k, spar_outcome *outcome);

/* The name of a kind, "winner"; NULL for a number that is no kind. */
SPAR_API const char *spar_answer_kind_name(spar_answer_kind kind);

/* Does the answer name only slots that a question of m slots has? SPAR_INVALID with a sentence if not. */
SPAR_API spar_status spar_answer_check(const spar_answer *answer, size_t m, spar_error *err);

/* What a policy may learn from the answer to a question of m slots: feedback becomes that of spar_feedback_winner,
 * _ranking (ranked slots beat unranked ones), _tie, or the stated pairs; of bad and skip everything is missing. Refused
 * if the answer names slots that the question does not have. */
SPAR_API spar_status spar_answer_feedback(const spar_answer *answer, size_t m, spar_feedback *feedback,
                                          spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
