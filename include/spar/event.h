/* clang-format off */
/* event.h - what happened in an experiment, one event after the other: the log.
 *
 * The log is the truth; policies, standings and saved states are computed from it (session.h). An event has a sequence
 * number (1, 2, 3, ...), a time (a label: nothing that is computed from a log depends on it), a kind and what belongs
 * to that kind. Texts that people wrote (questions, options, comments, names) never stand in an event: it holds at most
 * a 32-byte hash of them, which the caller makes (for example HMAC-SHA-256 with a random key that is kept beside the
 * text and deleted with it).
 *
 * Encoding. The same event has the same bytes on every machine. Numbers are little-endian: u8, u32 and u64 have 1, 4
 * and 8 bytes, i64 is two's complement, f64 an IEEE 754 double. A hash is a u8, 0 or 1, and after 1 its 32 bytes.
 *
 *     offset  bytes
 *          0      1   version of the encoding: 1, or 2 for a created event with the text of a space
 *          1      1   kind
 *          2      4   n, the length of the body
 *          6      8   sequence number, from 1
 *         14      8   i64, microseconds since 1970-01-01 00:00 UTC
 *         22      n   the body
 *
 *   kind          body
 *    1  created   u64 seed; u64 horizon (0: unknown); u8 kind of answer (1 winner, 2 ranking, 3 pairs);
 *                 u8 shuffle (0 or 1); u32 dim, features per option;
 *                 u32 axes of a continuous space (0: none), and for each u8 kind (0 range, 1 levels, 2 choice),
 *                 f64 lo (choice: 0), f64 hi (choice: the feature that is on), u64 n (range: 0);
 *                 u32 length of the name of the policy, and its bytes;
 *                 version 2: u8 against the last (0 or 1); u32 length of the text of the space, and its bytes
 *    2  settings  u32 m, slots of a question; u8 results (0 managers, 1 after_vote, 2 public);
 *                 u8 access (0 open, 1 invited); hash of the question
 *    3  option    u32 arm; u32 version, from 1; u32 dim, f64 each feature; hash of its content
 *    4  retired   u32 arm
 *    5  item      u32 index; u32 version, from 1; u32 group (2^32 - 1: none);
 *                 u32 n, u32 arm each, rising: the options that it has an output for (n = 0: it is shown no more);
 *                 hash of its content
 *    6  screen    u64 number; u64 voter (0: not known); u64 basis; u32 engine; u32 item (2^32 - 1: none);
 *                 u32 m; u32 dim (0 unless the space is continuous);
 *                 for each slot u32 place, u32 arm (2^32 - 1: a new point), f64 prob, dim f64 of the point;
 *                 u8 numbers in the memo, i64 each, of which the last is not 0
 *    7  answer    u64 screen; u32 revision; u64 voter; u32 milliseconds taken (0: not known); u32 flags;
 *                 hash of the comment or reason; the answer
 *    8  undo      u64 screen; u32 revision
 *    9  closed    nothing
 *   10  reopened  nothing
 *   11  imported  32 bytes, a key that no other import has; u64 voter; u32 m; u32 dim;
 *                 for each slot u32 arm (2^32 - 1: a new point), dim f64 of the point; the answer
 *
 *   An answer: u8 kind (1 winner, 2 ranking, 3 pairs, 4 tie, 5 bad, 6 skip), then
 *      winner     u32 slot
 *      ranking    u32 n; for each, best first and equal ones by slot, u32 slot, u32 level (0, 1, 2, ... without gaps)
 *      pairs      u32 n; for each, sorted, u32 j, u32 k > j, u8 how j did against k (1 loss, 2 tie, 3 win)
 *
 * Threads: an event may be read by several threads at once; a thread that changes it must be alone. NULL is refused
 * unless said otherwise: see status.h. */
/* clang-format on */
#ifndef SPAR_EVENT_H
#define SPAR_EVENT_H

#include <spar/answer.h>
#include <spar/arms.h>
#include <spar/round.h>
#include <spar/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spar_event_kind {
    SPAR_EVENT_NONE = 0, /* a new event, before it is set */
    SPAR_EVENT_CREATED = 1,
    SPAR_EVENT_SETTINGS = 2,
    SPAR_EVENT_OPTION = 3,
    SPAR_EVENT_RETIRED = 4,
    SPAR_EVENT_ITEM = 5,
    SPAR_EVENT_SCREEN = 6,
    SPAR_EVENT_ANSWER = 7,
    SPAR_EVENT_UNDO = 8,
    SPAR_EVENT_CLOSED = 9,
    SPAR_EVENT_REOPENED = 10,
    SPAR_EVENT_IMPORTED = 11
} spar_event_kind;

/* Who sees results, and who may answer. */
typedef enum spar_results_for { SPAR_RESULTS_MANAGERS, SPAR_RESULTS_AFTER_VOTE, SPAR_RESULTS_PUBLIC } spar_results_for;
typedef enum spar_access { SPAR_ACCESS_OPEN, SPAR_ACCESS_INVITED } spar_access;

#define SPAR_HASH_SIZE 32           /* bytes of a hash and of a key */
#define SPAR_NO_ITEM ((uint32_t)-1)  /* the screen shows no item */
#define SPAR_NO_GROUP ((uint32_t)-1) /* the item has no group */

typedef struct spar_event spar_event;

/* A new event has no kind; it gets one, and its content, by the functions below. */
SPAR_API spar_status spar_event_new(spar_event **out);
SPAR_API spar_status spar_event_dup(const spar_event *event, spar_event **out);
SPAR_API spar_status spar_event_copy(const spar_event *from, spar_event *to);
SPAR_API void spar_event_free(spar_event *event); /* NULL is fine */

/* The event as bytes (free with spar_bytes_free). Refused (SPAR_INVALID) if it has no kind or no sequence number, or a
 * number that does not fit. */
SPAR_API spar_status spar_event_encode(const spar_event *event, unsigned char **bytes, size_t *length);

/* And back, into an event that there is. Everything is checked: what was decoded would be encoded to the same bytes.
 * SPAR_UNSUPPORTED if they were written by a newer version, SPAR_CORRUPT for the rest; the event is then empty. */
SPAR_API spar_status spar_event_decode(spar_event *event, const unsigned char *bytes, size_t length, spar_error *err);

/* Place in the log and time, which are kept when the rest is set. Both are 0 at first. */
SPAR_API void spar_event_set_stamp(spar_event *event, uint64_t sequence, int64_t microseconds);

/* Each makes it an event of that kind; all that was set before is lost. What they are given is copied, and may
 * be what the event has. Of the round of an import only the arms and points count: no policy asked it. */
SPAR_API spar_status spar_event_set_created(spar_event *event, const char *policy, uint64_t seed,
                                            spar_answer_kind asks); /* asks: winner, ranking or pairs */
SPAR_API spar_status spar_event_set_settings(spar_event *event, size_t m, spar_results_for results, spar_access access);
SPAR_API spar_status spar_event_set_option(spar_event *event, size_t arm, uint32_t version, size_t dim,
                                           const double *x); /* x may be NULL if dim is 0 */
SPAR_API spar_status spar_event_set_retired(spar_event *event, size_t arm);
SPAR_API void spar_event_set_item(spar_event *event, uint32_t index); /* version 1, no group and no outputs */
SPAR_API spar_status spar_event_set_screen(spar_event *event, uint64_t number, const spar_round *round,
                                           const size_t *place); /* of each slot; NULL: slot j in place j */
SPAR_API spar_status spar_event_set_answer(spar_event *event, uint64_t number, uint32_t revision,
                                           const spar_answer *answer);
SPAR_API void spar_event_set_undo(spar_event *event, uint64_t number, uint32_t revision);
SPAR_API void spar_event_set_closed(spar_event *event);
SPAR_API void spar_event_set_reopened(spar_event *event);
SPAR_API spar_status spar_event_set_imported(spar_event *event, const unsigned char *key, const spar_round *round,
                                             const spar_answer *answer); /* key: 32 bytes, NULL: zeros */

/* More of the kinds that have it; without effect on others, and 0, none or false until set.
 *   created:           horizon, shuffle, and the space of an arms table: its features, and its axes if it is continuous;
 *                      or the axes of a space that has a text, which may be NULL for none, and whether every question
 *                      shows the first slot of the one that was answered last again
 *   item:              version, group, and the options that have an output, n of them, rising
 *   screen:            basis (sequence number of the last event that the policy knew), engine, item
 *   screen, answer, imported: voter
 *   answer:            milliseconds taken, flags
 *   settings, option, item, answer: hash, 32 bytes or NULL */
SPAR_API void spar_event_set_horizon(spar_event *event, uint64_t horizon);
SPAR_API void spar_event_set_shuffle(spar_event *event, bool shuffle);
SPAR_API spar_status spar_event_set_space(spar_event *event, const spar_arms *arms);
SPAR_API spar_status spar_event_set_axes(spar_event *event, const char *text, bool against_last);
SPAR_API spar_status spar_event_set_outputs(spar_event *event, uint32_t version, uint32_t group, size_t n,
                                            const size_t *arm);
SPAR_API void spar_event_set_basis(spar_event *event, uint64_t basis, uint32_t engine);
SPAR_API void spar_event_set_shown_item(spar_event *event, uint32_t item);
SPAR_API void spar_event_set_voter(spar_event *event, uint64_t voter);
SPAR_API void spar_event_set_taken(spar_event *event, uint32_t milliseconds);
SPAR_API void spar_event_set_flags(spar_event *event, uint32_t flags);
SPAR_API void spar_event_set_hash(spar_event *event, const unsigned char *hash);

/* What is there to read; of a kind that does not have it 0, false or NULL (spar_event_arm: SPAR_NO_ARM, item:
 * SPAR_NO_ITEM). Pointers are borrowed until the event changes. */
SPAR_API spar_event_kind spar_event_kind_of(const spar_event *event);
SPAR_API const char *spar_event_kind_name(spar_event_kind kind); /* "screen"; NULL for a number that is no kind */
SPAR_API uint64_t spar_event_sequence(const spar_event *event);
SPAR_API int64_t spar_event_time(const spar_event *event);
SPAR_API const char *spar_event_policy(const spar_event *event);
SPAR_API uint64_t spar_event_seed(const spar_event *event);
SPAR_API uint64_t spar_event_horizon(const spar_event *event);
SPAR_API spar_answer_kind spar_event_asks(const spar_event *event);
SPAR_API bool spar_event_shuffle(const spar_event *event);
SPAR_API const spar_arms *spar_event_space(const spar_event *event); /* a table without arms; NULL: no features */
SPAR_API const char *spar_event_axes(const spar_event *event);       /* the text of the space; NULL: none */
SPAR_API bool spar_event_against_last(const spar_event *event);
SPAR_API size_t spar_event_slots(const spar_event *event);           /* m, of settings, screen and imported */
SPAR_API spar_results_for spar_event_results(const spar_event *event);
SPAR_API spar_access spar_event_access(const spar_event *event);
SPAR_API size_t spar_event_arm(const spar_event *event); /* of option and retired */
SPAR_API uint32_t spar_event_version(const spar_event *event); /* of option and item */
SPAR_API size_t spar_event_dim(const spar_event *event); /* features of an option */
SPAR_API const double *spar_event_features(const spar_event *event);
SPAR_API uint32_t spar_event_item(const spar_event *event);   /* of item and screen */
SPAR_API uint32_t spar_event_group(const spar_event *event);  /* of item; else SPAR_NO_GROUP */
SPAR_API size_t spar_event_outputs(const spar_event *event);  /* how many options have an output, of item */
SPAR_API size_t spar_event_output(const spar_event *event, size_t i); /* arm; SPAR_NO_ARM: there are not so many */
SPAR_API uint64_t spar_event_number(const spar_event *event); /* the screen, of screen, answer and undo */
SPAR_API uint64_t spar_event_voter(const spar_event *event);
SPAR_API uint64_t spar_event_basis(const spar_event *event);
SPAR_API uint32_t spar_event_engine(const spar_event *event);
SPAR_API const spar_round *spar_event_round(const spar_event *event); /* of screen and imported */
SPAR_API size_t spar_event_place(const spar_event *event, size_t slot);
SPAR_API uint32_t spar_event_revision(const spar_event *event);
SPAR_API uint32_t spar_event_taken(const spar_event *event);
SPAR_API uint32_t spar_event_flags(const spar_event *event);
SPAR_API const spar_answer *spar_event_answer(const spar_event *event); /* of answer and imported */
SPAR_API const unsigned char *spar_event_hash(const spar_event *event); /* 32 bytes, or NULL */
SPAR_API const unsigned char *spar_event_key(const spar_event *event);  /* 32 bytes, of imported */

#ifdef __cplusplus
}
#endif

#endif
