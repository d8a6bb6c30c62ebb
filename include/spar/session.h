/* session.h - a policy with all it needs to ask and to be told.
 *
 *   ask   gives a question with a number, 1, 2, 3, ...
 *   tell  takes the answer to a question, once only: early, late, out of order or never
 *
 * A session asks question n with the stream (seed, n), so what it asks depends on what it was told and on n, and not on
 * what else was asked meanwhile. Everything that changes a session is an event (event.h); the events, applied to a new
 * session, make the same session again: the same state byte by byte, the same open questions, the same next ones. What
 * the events mean to a session is written in doc/events.md; in short: the policy is built when the first screen, answer
 * or imported event comes, over the options there are by then, and later options go through spar_policy_add_arm.
 *
 * An open question is kept as its event. Of an answered one only the number, the winner and a 128-bit hash of the
 * answer are kept, 32 bytes in all: enough to know the same answer when it comes again, since answers have one form.
 * (Two answers with the same hash would be taken for the same: the second would be acknowledged and, like every
 * repetition, ignored.)
 *
 * Options have names here, which no event holds: a session that was made from events has none until they are set.
 *
 * Threads: one thread at a time for each session, also where it is only read. NULL is refused unless said otherwise:
 * see status.h. */
#ifndef SPAR_SESSION_H
#define SPAR_SESSION_H

#include <spar/answer.h>
#include <spar/axes.h>
#include <spar/event.h>
#include <spar/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_session spar_session;

/* A session of the policy `spec` over a copy of the arms, for m slots a question and `horizon` questions (0: unknown).
 * Refused where spar_policy_new refuses; a plain bandit (m = 1) is refused, too, since it learns rewards and not
 * comparisons. */
SPAR_API spar_status spar_session_new(const char *spec, const spar_arms *arms, size_t m, uint64_t horizon,
                                      uint64_t seed, spar_session **out, spar_error *err);

/* A session of which nothing is known yet: the first event to be applied is a created one. */
SPAR_API spar_status spar_session_new_empty(spar_session **out);
SPAR_API void spar_session_free(spar_session *session); /* NULL is fine */

/* Shall the options of a question be shown in a random order? At first they are not: slot j is in place j. Refused once
 * something was asked, told, changed or logged. */
SPAR_API spar_status spar_session_set_shuffle(spar_session *session, bool shuffle, spar_error *err);

/* The answers to how many questions, counted back from the last one, to remember, so that one which comes again is
 * known: 0 is all of them, as at first. With a limit a session runs for ever in the same memory, as long as questions
 * are answered; an older question that is answered again is refused like one that was never asked. Not part of the
 * saved state, which holds no more than is remembered. */
SPAR_API void spar_session_set_memory(spar_session *session, size_t answers);

/* The next question. */
SPAR_API spar_status spar_session_ask(spar_session *session, uint64_t *number, spar_error *err);

/* The answer to a question, in terms of its slots. The same answer again is the same answer: SPAR_OK, and nothing
 * changes. A different one is refused (SPAR_CONFLICT), and so is a number that was not asked (SPAR_UNKNOWN). Skip and
 * bad answer the question and teach nothing. SPAR_UNSUPPORTED if the policy cannot learn this answer: the answer
 * counts, the policy is as it was. */
SPAR_API spar_status spar_session_tell(spar_session *session, uint64_t number, const spar_answer *answer,
                                       spar_error *err);

/* The same by name: this option is the best of those shown. */
SPAR_API spar_status spar_session_tell_winner(spar_session *session, uint64_t number, const char *name,
                                              spar_error *err);

/* An answer to a question that this session did not ask: n >= 2 arms were shown, slot by slot. SPAR_UNSUPPORTED if the
 * policy cannot learn it (policy.h): the answer counts as an event, the policy is as it was. The key of
 * the event is its sequence number, 8 bytes little-endian, then zeros: every import is a new one, also of an answer
 * that was imported before. */
SPAR_API spar_status spar_session_import(spar_session *session, size_t n, const size_t *arm, const spar_answer *answer,
                                         spar_error *err);

/* Options that come and go. Once something was asked or told, only where the policy allows it. x as for spar_arms_add;
 * name may be NULL; the index of the new arm goes to *arm if that is not NULL. */
SPAR_API spar_status spar_session_add_arm(spar_session *session, const double *x, const char *name, size_t *arm,
                                          spar_error *err);
SPAR_API spar_status spar_session_retire_arm(spar_session *session, size_t arm, spar_error *err);

/* The question `number` while it is open, borrowed until the next call with this session; NULL when it is not. */
SPAR_API const spar_round *spar_session_round(spar_session *session, uint64_t number);
SPAR_API const spar_event *spar_session_screen(spar_session *session, uint64_t number); /* the event that asked it */

/* Of an open question: how many slots it has (0: not open); the slot that is shown in a place; the arm and the name of
 * the option in a slot (SPAR_NO_SLOT, SPAR_NO_ARM and NULL where there is none). */
SPAR_API size_t spar_session_slots(spar_session *session, uint64_t number);
SPAR_API size_t spar_session_slot(spar_session *session, uint64_t number, size_t place);
SPAR_API size_t spar_session_slot_arm(spar_session *session, uint64_t number, size_t slot);
SPAR_API const char *spar_session_slot_name(spar_session *session, uint64_t number, size_t slot);

/* The names of options: labels, on which nothing depends. The first arm of a name, or SPAR_NO_ARM. */
SPAR_API spar_status spar_session_set_name(spar_session *session, size_t arm, const char *name);
SPAR_API const char *spar_session_name(const spar_session *session, size_t arm); /* NULL: none */
SPAR_API size_t spar_session_find(const spar_session *session, const char *name);

/* How many questions were asked (and are remembered), the first open one after `number` (0: from the beginning; 0 when
 * there is none), how often the answer to a question was undone, the sequence number of the last event, and whether the
 * log says closed. */
SPAR_API uint64_t spar_session_questions(const spar_session *session);
SPAR_API uint64_t spar_session_next_open(const spar_session *session, uint64_t number);
SPAR_API uint32_t spar_session_revision(const spar_session *session, uint64_t number);
SPAR_API uint64_t spar_session_sequence(const spar_session *session);
SPAR_API bool spar_session_closed(const spar_session *session);

/* The axes of the space, where the created event has their text; NULL: none. Borrowed for the session's life. With them
 * every slot of a question shows a point as people read it, and no two are equal; option and retired events are refused.
 * Does every question show the first slot of the one that was answered last again (in its second slot)? And that point,
 * borrowed until the session changes; NULL: there is none yet, or no question shows it. */
SPAR_API const spar_axes *spar_session_axes(const spar_session *session);
SPAR_API bool spar_session_against_last(const spar_session *session);
SPAR_API const double *spar_session_last(const spar_session *session);

/* The options, without names (NULL while there is no created event), and the policy, to look at; borrowed until the
 * session changes. The policy is NULL while it cannot be built. */
SPAR_API const spar_arms *spar_session_arms(const spar_session *session);
SPAR_API const spar_policy *spar_session_policy(spar_session *session);

/* As the functions of the same name in policy.h. */
SPAR_API spar_status spar_session_score(spar_session *session, size_t n, double *score, spar_error *err);
SPAR_API spar_status spar_session_belief(spar_session *session, size_t n, double *mean, double *sd, spar_error *err);
SPAR_API spar_status spar_session_belief_at(spar_session *session, size_t dim, const double *x, double *mean,
                                            double *sd, spar_error *err);
SPAR_API spar_status spar_session_best(spar_session *session, size_t *arm, size_t dim, double *x, spar_error *err);

/* The log. The sink gets every event before the session changes; if it fails, the call fails with its status and
 * nothing changes. If memory runs out after the sink has taken an event, the call fails, but the event counts: it is
 * applied before the session does anything else. A sink that is installed while the session is as it was made by
 * spar_session_new gets the events that describe it first (created, settings, options, retired). sink NULL: no log. */
typedef spar_status (*spar_session_sink)(void *context, const spar_event *event, spar_error *err);
SPAR_API spar_status spar_session_log(spar_session *session, spar_session_sink sink, void *context, spar_error *err);

/* The time that the next events have, in microseconds UTC; 0 at first. The session reads no clock. */
SPAR_API void spar_session_set_time(spar_session *session, int64_t microseconds);

/* Applies one event of a log; the sink does not get it. Sequence numbers must rise; they may have gaps where undone
 * answers were left out. An answer that the policy cannot learn is applied without it. After a failure the session is
 * as it was. An undo is applied to an open question only (SPAR_UNSUPPORTED otherwise): a session cannot unlearn, so the
 * log must be replayed without the undone answer. In a continuous space every undo is refused (SPAR_UNSUPPORTED), here
 * and in a replay: the points of an answer become options, and later events name options by their number. Where the
 * created event has the text of a space, events name points only, and undo is as elsewhere. */
SPAR_API spar_status spar_session_apply(spar_session *session, const spar_event *event, spar_error *err);

/* Would spar_session_apply take the event, and the policy agree to a change of options? Nothing changes. */
SPAR_API spar_status spar_session_check(spar_session *session, const spar_event *event, spar_error *err);

/* The whole log from its first event on, n events without gaps: undone answers are left out (in a finite set of
 * options). */
SPAR_API spar_status spar_session_replay(size_t n, const spar_event *const *event, spar_session **out, spar_error *err);

/* The screen event of question `number`, a number that was not asked yet, as the session would ask it now; nothing
 * changes. For those that keep the log themselves: make the event, store it, then apply it. */
SPAR_API spar_status spar_session_draft(spar_session *session, uint64_t number, spar_event *event, spar_error *err);

/* The number that screens have in `engine`: raised by any change to what is drawn for the same state and stream. */
SPAR_API uint32_t spar_session_engine(void);

/* The whole state as bytes (free with spar_bytes_free), and back: options with their names, the policy, open questions,
 * and the hashes of answers. A loaded session goes on as the saved one would; it has no sink. */
SPAR_API spar_status spar_session_save(spar_session *session, unsigned char **bytes, size_t *length, spar_error *err);
SPAR_API spar_status spar_session_load(const unsigned char *bytes, size_t length, spar_session **out, spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
