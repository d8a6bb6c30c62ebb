/* experiment.h - a live experiment: a log of real answers, the policy that chooses what to show, and what may be
 * concluded. Link with -lspar-live (pkg-config spar-live).
 *
 *     spar_experiment_open("tea.db", SPAR_EXPERIMENT_WRITE, &experiment, &err);
 *     spar_experiment_ask(experiment, "ann", &screen, &err);
 *     for (size_t place = 0; place < spar_screen_slots(screen); place++)
 *         puts(spar_option_title(spar_screen_option(screen, place)));
 *     spar_answer_set_winner(answer, 1);
 *     spar_experiment_tell(experiment, spar_screen_number(screen), "ann", answer, NULL, NULL, &err);
 *
 * A place is FILE or sqlite:FILE (SQLite), memory:NAME (for tests: gone with its last user), each with #NAME where
 * there are several experiments in it. What a call acknowledged is on disk. Other programs may use the same experiment
 * at the same time: every call that writes first folds what they have added; spar_experiment_refresh does so for those
 * that only read.
 *
 * Answers are given in terms of places: place 0 is what was shown first. The same answer told again is the same answer
 * (SPAR_OK, nothing changes); a different one is refused (SPAR_CONFLICT).
 *
 * A voter is named by a text of at most 200 characters; the log has a random number for it, and the name is kept beside
 * the log, where spar_experiment_forget removes it. NULL or "" is a voter that is not known.
 *
 * Threads: one thread at a time for each experiment. NULL: refused with SPAR_INVALID, or NULL, 0 is returned, unless
 * said otherwise; err may be NULL. */
#ifndef SPAR_EXPERIMENT_H
#define SPAR_EXPERIMENT_H

#include <spar/answer.h>
#include <spar/axes.h>
#include <spar/decide.h>
#include <spar/event.h>
#include <spar/item.h>
#include <spar/option.h>
#include <spar/session.h>
#include <spar/standings.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spar_experiment spar_experiment;

/* --- a new experiment --- */

typedef struct spar_setup spar_setup; /* what it is made of */

/* Starts with the defaults below, and without options. */
SPAR_API spar_status spar_setup_new(spar_setup **out);
SPAR_API void spar_setup_free(spar_setup *setup); /* NULL is fine */

/* Defaults: no question; the policy focus(live=1)/self_sparring(distinct=1)/thompson/beta; m = 2 for two options,
 * else min(4, K), or 2 where a body is long (over 280 characters); winner; a random seed; results for managers; open.
 * Options with features (3 to 500 of them) have a policy with a kernel over these, and m = 2. m is 2 to 12, a question
 * has at most 2,000 characters, a comment 16 KiB, an experiment 10,000 options. Policies that may show an option twice,
 * or choose m themselves, are refused with a sentence that names others. */
SPAR_API spar_status spar_setup_set_question(spar_setup *setup, const char *question, spar_error *err);
SPAR_API spar_status spar_setup_set_policy(spar_setup *setup, const char *policy, spar_error *err);
SPAR_API spar_status spar_setup_set_slots(spar_setup *setup, size_t m, spar_error *err);
SPAR_API spar_status spar_setup_set_answer(spar_setup *setup, spar_answer_kind kind, spar_error *err);
SPAR_API void spar_setup_set_seed(spar_setup *setup, uint64_t seed);
SPAR_API void spar_setup_set_results(spar_setup *setup, spar_results_for results);
SPAR_API void spar_setup_set_access(spar_setup *setup, spar_access access);
/* A space of settings in place of options (axes.h); before the policy. By default two settings are compared, and a
 * policy with a Gaussian process chooses them. against_last: every screen shows a new setting and the new one of the
 * screen that was answered last (one device, one patient); m is 2. SPAR_PARSE also for a unit that is log with a slip,
 * such as Log or lgo; (lgo) is one. */
SPAR_API spar_status spar_setup_set_space(spar_setup *setup, const char *space, bool against_last, spar_error *err);
SPAR_API spar_status spar_setup_add_option(spar_setup *setup, const spar_option *option, spar_error *err); /* copied */
/* Copied; the options that it has outputs of must be there. As spar_experiment_add_items. */
SPAR_API spar_status spar_setup_add_item(spar_setup *setup, const spar_item *item, spar_error *err);

/* Makes the store where it is not there, and the experiment in it. SPAR_CONFLICT if there is one of that name. */
SPAR_API spar_status spar_experiment_create(const char *place, const spar_setup *setup, spar_experiment **out,
                                            spar_error *err);

/* --- an experiment that is there --- */

typedef enum spar_experiment_mode { SPAR_EXPERIMENT_READ, SPAR_EXPERIMENT_WRITE } spar_experiment_mode;

/* READ is enough for looking; asking, telling and changing need WRITE. */
SPAR_API spar_status spar_experiment_open(const char *place, spar_experiment_mode mode, spar_experiment **out,
                                          spar_error *err);
SPAR_API void spar_experiment_close(spar_experiment *experiment); /* NULL is fine */

/* Folds the events that others have added. */
SPAR_API spar_status spar_experiment_refresh(spar_experiment *experiment, spar_error *err);

/* --- asking --- */

typedef struct spar_screen spar_screen;

/* A new screen for that voter. SPAR_UNSUPPORTED with a sentence while it is closed or fewer than two options are live.
 * SPAR_ALL_SEEN: the voter was shown every item; who is not known (no voter) sees items again and again. */
SPAR_API spar_status spar_experiment_ask(spar_experiment *experiment, const char *voter, spar_screen **out,
                                         spar_error *err);

/* A screen of the log, open or not. SPAR_UNKNOWN if it was never asked. */
SPAR_API spar_status spar_experiment_screen(spar_experiment *experiment, uint64_t number, spar_screen **out,
                                            spar_error *err);

/* The open screens of a voter (NULL: of all; "": of those that are not known), lowest number first: at most `most` go
 * to number; returns how many there are. */
SPAR_API size_t spar_experiment_open_screens(const spar_experiment *experiment, const char *voter, size_t most,
                                             uint64_t *number);

/* Of a screen: its number, whether it waits for an answer, whom it was asked (a number, 0: not known), how many places
 * it has, and which option is in a place, from 0. */
SPAR_API void spar_screen_free(spar_screen *screen); /* NULL is fine */
SPAR_API uint64_t spar_screen_number(const spar_screen *screen);
SPAR_API uint32_t spar_screen_revision(const spar_screen *screen); /* how often its answer was undone */
SPAR_API bool spar_screen_is_open(const spar_screen *screen);
SPAR_API uint64_t spar_screen_voter(const spar_screen *screen);
SPAR_API int64_t spar_screen_time(const spar_screen *screen); /* when it was asked, in microseconds UTC */
SPAR_API size_t spar_screen_slots(const spar_screen *screen);
SPAR_API size_t spar_screen_arm(const spar_screen *screen, size_t place);
SPAR_API const spar_option *spar_screen_option(const spar_screen *screen, size_t place); /* NULL if it was redacted */
/* In a space: the value of every axis; NULL elsewhere. Its option has the setting in words as id and title. */
SPAR_API const size_t *spar_screen_setting(const spar_screen *screen, size_t place);
/* What is shown of an option: its output for the item, or its own body where the experiment has no items. */
SPAR_API const char *spar_screen_body(const spar_screen *screen, size_t place);
/* The item, SPAR_NO_ITEM if there is none; its texts, NULL if it has none or was redacted. */
SPAR_API uint32_t spar_screen_item(const spar_screen *screen);
SPAR_API const char *spar_screen_item_id(const spar_screen *screen);
SPAR_API const char *spar_screen_prompt(const spar_screen *screen);
SPAR_API const char *spar_screen_group(const spar_screen *screen);

/* --- telling --- */

/* What may come with an answer; all NULL or 0 at first. A handle so that it can grow. */
typedef struct spar_remarks spar_remarks;
SPAR_API spar_status spar_remarks_new(spar_remarks **out);
SPAR_API void spar_remarks_free(spar_remarks *remarks); /* NULL is fine */
SPAR_API spar_status spar_remarks_set_comment(spar_remarks *remarks, const char *comment, spar_error *err);
SPAR_API void spar_remarks_set_taken(spar_remarks *remarks, uint32_t milliseconds);
/* What makes an answer doubtful, as bits; `spar status --without flagged` leaves out those that have any. */
#define SPAR_FLAG_FAST 1u /* given in less than 300 ms, which is too fast to have looked */
SPAR_API void spar_remarks_set_flags(spar_remarks *remarks, uint32_t flags);
/* Refuse the answer (SPAR_CONFLICT) unless the screen has this revision: for those that may deliver late. */
SPAR_API void spar_remarks_set_revision(spar_remarks *remarks, uint32_t revision);

/* The answer to a screen, in places. remarks may be NULL; *again, if not NULL, says whether this same answer was there
 * already. SPAR_UNKNOWN: never asked. SPAR_CONFLICT: answered otherwise or with another comment, asked of another
 * voter, or an undone revision. Without a voter the answer is that of the voter who was asked; a screen that was asked
 * of nobody is answered by anybody. */
SPAR_API spar_status spar_experiment_tell(spar_experiment *experiment, uint64_t number, const char *voter,
                                          const spar_answer *answer, const spar_remarks *remarks, bool *again,
                                          spar_error *err);

/* Takes the answer to a screen back: it can be answered again, at most 3 times. SPAR_UNSUPPORTED after 100,000 later
 * events. voter: whose answer it must be (NULL or "": anybody's). revision: how often the screen was undone before, or
 * SPAR_ANY_REVISION; an undo that comes late or twice then changes nothing. *again, if not NULL, says whether it was
 * undone already. SPAR_CONFLICT: the answer of another voter, no answer, or a revision that is not there yet. */
#define SPAR_ANY_REVISION UINT32_MAX
SPAR_API spar_status spar_experiment_undo(spar_experiment *experiment, uint64_t number, const char *voter,
                                          uint32_t revision, bool *again, spar_error *err);

/* The last answered screen of a voter (NULL: of anybody; "": of those that are not known), 0 if there is none. */
SPAR_API uint64_t spar_experiment_last_answered(const spar_experiment *experiment, const char *voter);

/* --- answers from elsewhere --- */

/* Imports go in batches: what is added is on disk when finish has returned, and may be before. A row that was imported
 * before (same key, options, answer and voter) is counted, not added; one with the key of another answer is refused
 * with SPAR_CONFLICT, by add or finish, and a sentence that counts the rows: those around it may be on disk. */
typedef struct spar_import spar_import;
SPAR_API spar_status spar_import_new(spar_experiment *experiment, spar_import **out, spar_error *err);
SPAR_API void spar_import_free(spar_import *import); /* NULL is fine; forgets what is not on disk */

/* n >= 2 arms were shown, in this order, and this is the answer, in terms of that order. time in microseconds UTC, 0:
 * now. voter may be NULL. source: a text that the row had besides (its own id, columns that say more), or NULL. */
SPAR_API spar_status spar_import_add(spar_import *import, const unsigned char key[SPAR_HASH_SIZE], size_t n,
                                     const size_t *arm, const spar_answer *answer, const char *voter, int64_t time,
                                     const char *source, spar_error *err);
SPAR_API spar_status spar_import_finish(spar_import *import, uint64_t *added, uint64_t *known, spar_error *err);

/* A key made of bytes: SHA-256. */
SPAR_API void spar_import_key(const void *bytes, size_t length, unsigned char key[SPAR_HASH_SIZE]);

/* --- changing it --- */

/* What is so already is no error, and writes no event. */

/* A new option, or, where one has its id, a new version of that (its features must not change; a retired option stays
 * retired). *arm may be NULL. */
SPAR_API spar_status spar_experiment_add(spar_experiment *experiment, const spar_option *option, size_t *arm,
                                         spar_error *err);
/* Items, or more outputs of items whose id is there: what is there (prompt, group, outputs) stays, and another text for
 * it is SPAR_CONFLICT; a prompt or group may be left out then. SPAR_UNKNOWN: an output of something that is no option.
 * They are written in batches: after a failure some may be on disk, and the same call goes on. *added, *changed, which
 * may be NULL, count new items and new versions. */
SPAR_API spar_status spar_experiment_add_items(spar_experiment *experiment, size_t n, const spar_item *const *item,
                                               size_t *added, size_t *changed, spar_error *err);
SPAR_API size_t spar_experiment_items(const spar_experiment *experiment); /* redacted ones included */
/* How many items the voter was not shown that have outputs of enough live options for a screen (NULL or "": all those).
 */
SPAR_API size_t spar_experiment_items_left(const spar_experiment *experiment, const char *voter);
/* An item as it is now, new; outputs have no names of options here, see spar_screen_body. NULL: redacted. */
SPAR_API spar_status spar_experiment_item(spar_experiment *experiment, size_t index, spar_item **out, spar_error *err);
SPAR_API spar_status spar_experiment_retire(spar_experiment *experiment, const char *id, spar_error *err);
SPAR_API spar_status spar_experiment_set_question(spar_experiment *experiment, const char *question,
                                                  spar_error *err); /* NULL: none */
SPAR_API spar_status spar_experiment_set_slots(spar_experiment *experiment, size_t m, spar_error *err);
SPAR_API spar_status spar_experiment_set_results(spar_experiment *experiment, spar_results_for results,
                                                 spar_error *err);
SPAR_API spar_status spar_experiment_set_access(spar_experiment *experiment, spar_access access, spar_error *err);
SPAR_API spar_status spar_experiment_end(spar_experiment *experiment, spar_error *err); /* the event `closed` */
SPAR_API spar_status spar_experiment_reopen(spar_experiment *experiment, spar_error *err);

/* Removes the name and the comments of a voter; *removed may be NULL. The answers stay: they have a number only.
 * SPAR_BUSY with *removed > 0: the texts are removed, but old bytes of them stay in the file as long as another program
 * reads it; the same call completes it later, with *removed 0. The same is true for redact. */
SPAR_API spar_status spar_experiment_forget(spar_experiment *experiment, const char *voter, size_t *removed,
                                            spar_error *err);
/* Removes id, title, body and image of an option in all versions, and its outputs in all items. Retire it first if it
 * shall not be shown: one that is live is refused. */
SPAR_API spar_status spar_experiment_redact(spar_experiment *experiment, const char *id, size_t *removed,
                                            spar_error *err);

/* Removes id, prompt, group and outputs of an item, which is then shown no more; its answers stay. */
SPAR_API spar_status spar_experiment_redact_item(spar_experiment *experiment, const char *id, size_t *removed,
                                                 spar_error *err);

/* --- looking at it; borrowed until the next call that changes or refreshes the experiment --- */

/* How it was made, and how it is set now. */
SPAR_API const char *spar_experiment_place(const spar_experiment *experiment);
SPAR_API const char *spar_experiment_question(const spar_experiment *experiment); /* NULL: none */
SPAR_API const char *spar_experiment_policy(const spar_experiment *experiment);
SPAR_API spar_answer_kind spar_experiment_asks(const spar_experiment *experiment);
SPAR_API size_t spar_experiment_slots(const spar_experiment *experiment);
SPAR_API uint64_t spar_experiment_seed(const spar_experiment *experiment);
SPAR_API spar_results_for spar_experiment_results(const spar_experiment *experiment);
SPAR_API spar_access spar_experiment_access(const spar_experiment *experiment);
SPAR_API bool spar_experiment_is_closed(const spar_experiment *experiment);
SPAR_API size_t spar_experiment_options(const spar_experiment *experiment); /* live, retired and redacted */
SPAR_API const spar_option *spar_experiment_option(const spar_experiment *experiment, size_t arm); /* NULL: redacted */
/* The two above give NULL for a text that is damaged, too; this tells: SPAR_OK if the question and all options that
 * were not redacted can be read. */
SPAR_API spar_status spar_experiment_check_texts(spar_experiment *experiment, spar_error *err);
SPAR_API bool spar_experiment_is_live(const spar_experiment *experiment, size_t arm);
SPAR_API size_t spar_experiment_find(const spar_experiment *experiment, const char *id); /* SPAR_NO_ARM: none */
/* The axes of the space, NULL where the options are a list; are settings compared with the last one? */
SPAR_API const spar_axes *spar_experiment_axes(const spar_experiment *experiment);
SPAR_API bool spar_experiment_against_last(const spar_experiment *experiment);
SPAR_API const spar_decision *spar_experiment_decision(const spar_experiment *experiment);
SPAR_API size_t spar_experiment_sentence(const spar_experiment *experiment, char *out, size_t room); /* like snprintf */

/* All answers as standings, which are the caller's and not computed yet (spar_standings_compute); with without_flagged
 * those that have flags are left out. Reads the whole log. */
SPAR_API spar_status spar_experiment_standings(spar_experiment *experiment, bool without_flagged, spar_standings **out,
                                               spar_error *err);

/* What all answers say about the settings of a space (SPAR_UNSUPPORTED where the options are a list): of each setting,
 * how strong it is, in log-odds against the average of settings all over the space, with a 95 % interval; and the
 * chance that one is preferred to another. It comes from the answers alone, whatever policy asked. A setting is one
 * value of each axis (axes.h). Reads the whole log. */
typedef struct spar_belief spar_belief;
SPAR_API spar_status spar_experiment_belief(spar_experiment *experiment, bool without_flagged, spar_belief **out,
                                            spar_error *err);
SPAR_API void spar_belief_free(spar_belief *belief);                   /* NULL is fine */
SPAR_API const spar_axes *spar_belief_axes(const spar_belief *belief); /* borrowed for its life */
SPAR_API uint64_t spar_belief_answers(const spar_belief *belief);      /* that say something */
SPAR_API const size_t *spar_belief_best(const spar_belief *belief);    /* the setting of highest mean */
SPAR_API const size_t *spar_belief_winner(const spar_belief *belief);  /* the last winner; NULL: none yet */
/* Of the settings with another choice on this axis than the best of all, the best. SPAR_INVALID for other axes. */
SPAR_API spar_status spar_belief_other(const spar_belief *belief, size_t axis, size_t *value);
SPAR_API spar_status spar_belief_at(const spar_belief *belief, const size_t *value, double *mean, double *low,
                                    double *high);
SPAR_API spar_status spar_belief_chance(const spar_belief *belief, const size_t *value, const size_t *other,
                                        double *chance);
SPAR_API double spar_belief_length(const spar_belief *belief); /* over which it varies, as a share of the range */

/* Counts of screens and answers (imported ones included), and the end of the log. Any pointer may be NULL. */
SPAR_API void spar_experiment_counts(const spar_experiment *experiment, uint64_t *screens, uint64_t *answers,
                                     uint64_t *undone, uint64_t *imported);
SPAR_API uint64_t spar_experiment_sequence(const spar_experiment *experiment);
SPAR_API void spar_experiment_head(const spar_experiment *experiment, unsigned char hash[SPAR_HASH_SIZE]);

/* Names and comments, as new texts (spar_text_free); NULL where there is none any more. */
SPAR_API spar_status spar_experiment_voter_name(spar_experiment *experiment, uint64_t voter, char **name,
                                                spar_error *err);
SPAR_API spar_status spar_experiment_comment(spar_experiment *experiment, uint64_t screen, uint32_t revision,
                                             char **comment, spar_error *err);
SPAR_API void spar_text_free(char *text); /* NULL is fine */

/* The log, event by event from `from` on, with the hash of the chain. Stops when fn fails. */
typedef spar_status (*spar_experiment_event_fn)(void *context, const spar_event *event,
                                                const unsigned char hash[SPAR_HASH_SIZE], spar_error *err);
SPAR_API spar_status spar_experiment_each(spar_experiment *experiment, uint64_t from, spar_experiment_event_fn fn,
                                          void *context, spar_error *err);

/* --- trust --- */

/* What verify looked at and what it found. */
typedef struct spar_verification spar_verification;

/* Recomputes the chain, the state and every screen that this engine asked; compares with the stored hashes, texts and
 * snapshots. head, if not NULL, is the hash that was noted at some earlier time: the log must contain it. progress, if
 * not NULL, is called now and then with a share in [0,1]; it stops the work by returning false (SPAR_INTERRUPTED). What
 * is wrong with the experiment is in the verification; the status is for what kept it from looking. */
typedef bool (*spar_progress_fn)(void *context, double share);
SPAR_API spar_status spar_experiment_verify(const char *place, const unsigned char *head, spar_progress_fn progress,
                                            void *context, spar_verification **out, spar_error *err);
SPAR_API void spar_verification_free(spar_verification *verification); /* NULL is fine */
SPAR_API bool spar_verification_holds(const spar_verification *verification);
SPAR_API size_t spar_verification_findings(const spar_verification *verification);
SPAR_API const char *spar_verification_finding(const spar_verification *verification, size_t i);
SPAR_API uint64_t spar_verification_events(const spar_verification *verification);
SPAR_API uint64_t spar_verification_screens(const spar_verification *verification); /* recomputed */
SPAR_API uint64_t spar_verification_other(const spar_verification *verification);   /* of another engine */
SPAR_API uint64_t spar_verification_removed(const spar_verification *verification); /* texts that were removed */
SPAR_API void spar_verification_head(const spar_verification *verification, unsigned char hash[SPAR_HASH_SIZE]);

/* Folds the whole log again without snapshots, compares with the state (SPAR_CORRUPT if it differs), and writes new
 * snapshots. */
SPAR_API spar_status spar_experiment_replay(spar_experiment *experiment, spar_progress_fn progress, void *context,
                                            spar_error *err);

/* A copy of the whole store while it is in use; refused if there is something at path. */
SPAR_API spar_status spar_experiment_backup(spar_experiment *experiment, const char *path, spar_error *err);

#ifdef __cplusplus
}
#endif

#endif
