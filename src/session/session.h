/* session.h - the inside of a session.
 *
 * Every change goes one way: an event is made, checked, given to the sink and then applied. Replaying a log enters at
 * the last step, so a session that was replayed cannot differ from one that was asked and told. */
#ifndef SPAR_SESSION_SESSION_H
#define SPAR_SESSION_SESSION_H

#include "base/archive.h"
#include "policy/policy.h"
#include "session/axes.h"

#include <spar/answer.h>
#include <spar/session.h>

/* --- questions.c: the questions by number, open ones with their event, answered ones with a hash of the answer ---
 *
 * They are kept in the order of their numbers: new ones mostly come last, a search takes log n steps.
 *
 * With a limit, an answered question is forgotten once its number is that far behind the highest one. Which ones are
 * known follows from the events alone, whenever the room of the others is given back. */

typedef struct spar__question {
    uint64_t number;
    uint16_t revision;
    bool open;
    uint32_t length; /* open: of the event; answered: the arm that won, SPAR__NO_WINNER if the answer was no winner */
    union {
        unsigned char *bytes; /* open: the screen event, encoded */
        uint64_t told[2];     /* answered: hash of the answer */
    } is;
} spar__question;

#define SPAR__NO_WINNER UINT32_MAX

typedef struct spar__questions {
    spar__question *item;
    size_t n, capacity;
    size_t memory; /* how many numbers back answered ones are known; 0: all of them are */
    size_t full;   /* trim beyond this */
} spar__questions;

void spar__questions_free(spar__questions *questions);

/* The question of this number, or NULL; the first open one of a number above it, or NULL. */
spar__question *spar__questions_find(const spar__questions *questions, uint64_t number);
const spar__question *spar__questions_after(const spar__questions *questions, uint64_t number);

/* The highest number so far, 0 if there is none. */
uint64_t spar__questions_last(const spar__questions *questions);

/* Is a question of this number forgotten if it was answered? */
bool spar__questions_too_old(const spar__questions *questions, uint64_t number);

/* A new open question; takes the bytes of its event over, unless it fails. */
spar_status spar__questions_open(spar__questions *questions, uint64_t number, unsigned char *bytes, size_t length);

/* The question is answered: only the hash stays, and which arm won. */
void spar__question_close(spar__question *question, const uint64_t told[2], size_t winner);

/* Gives back the room of forgotten questions, now and then: the cost of a call is constant on average. Pointers to
 * questions end here. */
void spar__questions_trim(spar__questions *questions);

/* The hash of an answer: 128 bits of its bytes in their one form. */
spar_status spar__answer_hash(const spar_answer *answer, uint64_t told[2]);

void spar__questions_archive(spar__questions *questions, spar__archive *ar);

/* --- The session --- */

struct spar_session {
    /* what the events say */
    char *spec; /* NULL: no created event yet */
    uint64_t seed, horizon;
    uint32_t m; /* 0: no settings yet */
    uint8_t asks;
    bool shuffle, closed;
    spar_axes *axes; /* of a space that has a text; NULL: none */
    bool against_last;
    bool has_last;
    double *last;        /* the first slot of the question that was answered last; NULL: of no interest */
    spar_arms *arms;     /* the options until the policy is built for good; then NULL */
    spar_policy *policy; /* NULL, or over the options so far; while there are `arms` it may be thrown away */
    uint32_t *version;   /* of each option */
    size_t n_versions;
    spar__questions questions;
    uint64_t sequence; /* of the last event */

    /* labels */
    char **name;
    size_t n_names;

    /* the log */
    spar_session_sink sink;
    void *context;
    int64_t utc;
    uint64_t births; /* events that describe the session as spar_session_new made it; 0: they were logged, or lost */
    bool sure;       /* the policy takes any arms: the last try, with this m, has shown it */
    bool pending;    /* `event` was logged, but there was no memory to apply it */

    /* working memory */
    spar_event *event;  /* the one being made */
    spar_event *screen; /* the question that was looked at last */
    spar_scratch *scratch;
    spar_round *round;
    spar_feedback *feedback;
    spar_answer *answer;
    size_t *place, n_places;
};

/* The options so far. */
const spar_arms *spar__session_arms(const spar_session *session);

/* Builds the policy if there is none; for a given table of options. */
spar_status spar__session_build(spar_session *session, spar_error *err);
spar_status spar__session_policy(const spar_session *session, const spar_arms *arms, spar_policy **out,
                                 spar_error *err);

/* The stream of question `number`; 0 is that of the policy's key. */
spar_rng spar__session_stream(const spar_session *session, uint64_t number);

/* May the event be applied? Builds the policy if the event needs one. Does not ask it about options that come and go;
 * `try` does nothing else. */
spar_status spar__session_check(spar_session *session, const spar_event *event, spar_error *err);
spar_status spar__session_try(spar_session *session, const spar_event *event, spar_error *err);

/* The next round in a space that has axes. Every slot shows another point, as people see it. */
spar_status spar__session_choose_points(spar_session *session, spar_rng *rng, spar_error *err);
void spar__session_archive_axes(spar_session *session, spar__archive *ar);

/* Has the screen or import a number of slots that can be learned, with options of this session or points of its space?
 * The policy is built. */
spar_status spar__session_check_round(const spar_session *session, const spar_event *event, spar_error *err);

/* Applies an event that was checked. After a failure nothing has changed. If the policy could not learn an answer,
 * *unlearned gets its refusal, unless NULL. */
spar_status spar__session_change(spar_session *session, const spar_event *event, spar_error *unlearned,
                                 spar_error *err);

/* Applies what was logged and could not be applied. */
spar_status spar__session_settle(spar_session *session, spar_error *err);

#endif
