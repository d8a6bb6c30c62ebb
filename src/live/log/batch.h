/* batch.h - several asks, answers and undos in one commit: what a server does for many people at once.
 *
 * begin takes the store's lock and folds what others have added. Each call is checked against the state of that moment
 * and adds an event, or is refused alone; commit appends all events at once and folds them. Nothing is done before
 * commit has returned SPAR_OK.
 *
 * All screens of a batch are drawn from the same state. A call about a screen that has an event in the batch already,
 * or of a voter that has one, cannot be checked before the commit: SPAR_BUSY; it goes into the next batch. One case is
 * checked: after an answer the same voter may ask for the next screen, and both share the commit, one right after the
 * other in the log. A voter without a name is nobody in particular and never waits. */
#ifndef SPAR_LIVE_LOG_BATCH_H
#define SPAR_LIVE_LOG_BATCH_H

#include <spar/experiment.h>

typedef struct spar__batch spar__batch;

spar_status spar__batch_begin(spar_experiment *experiment, spar__batch **out, spar_error *err);

/* NULL is fine. What was not committed is forgotten, and the lock given up. After a commit there may be snapshots to
 * write and to drop, which takes a while where the log is long: those who wait for the commit should have their replies
 * by now. */
void spar__batch_free(spar__batch *batch);

/* As spar_experiment_ask, tell and undo, with the same refusals. *ticket says which event of the batch it is; where
 * *again is set there is none. */
spar_status spar__batch_ask(spar__batch *batch, const char *voter, size_t *ticket, spar_error *err);
spar_status spar__batch_tell(spar__batch *batch, uint64_t number, const char *voter, const spar_answer *answer,
                             const spar_remarks *remarks, bool *again, size_t *ticket, spar_error *err);
spar_status spar__batch_undo(spar__batch *batch, uint64_t number, const char *voter, uint32_t revision, bool *again,
                             size_t *ticket, spar_error *err);

/* Gives back the memory that batches of the experiment have left. */
void spar__batch_free_spare(spar_experiment *experiment);

/* After a failure nothing of the batch was acknowledged, but some of it may be in the log: read it again. With no
 * events nothing is written. The lock is given up, whatever happens. */
spar_status spar__batch_commit(spar__batch *batch, spar_error *err);

/* After the commit: what became of an event (SPAR_CONFLICT: another program has written the same before), and the
 * number of its screen, which may be NULL. */
spar_status spar__batch_result(const spar__batch *batch, size_t ticket, uint64_t *number, spar_error *err);

/* The screen that was asked, without another look at the store, and as it is now: the batch's last commit was the
 * experiment's last change. */
spar_status spar__batch_screen(const spar__batch *batch, size_t ticket, spar_screen **out, spar_error *err);

#endif
