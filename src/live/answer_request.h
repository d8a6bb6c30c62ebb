/* answer_request.h - what somebody answers, in words, as the shell and programs say it. */
#ifndef SPAR_LIVE_ANSWER_REQUEST_H
#define SPAR_LIVE_ANSWER_REQUEST_H

#include "text/json.h"
#include "text/json_read.h"

#include <spar/experiment.h>

/* All NULL, 0 or false where it was not said. */
typedef struct spar__told {
    const char *voter;                    /* NULL: not said */
    uint64_t screen;                      /* 0: not said */
    const char *winner, *ranking, *pairs; /* in words */
    bool tie, bad, skip, undo;
    bool places;         /* names are places of the screen alone, whatever the ids of options are */
    const char *comment; /* of a skip: why */
    bool has_taken, has_revision;
    uint32_t taken; /* milliseconds */
    uint32_t revision;
    const char *key; /* of an answer without a screen, which then goes to no open one: the same key, the same answer */
} spar__told;

typedef struct spar__told_reply {
    uint64_t screen;   /* 0: imported */
    uint32_t revision; /* after an undo */
    bool again;        /* it was there already */
    bool undone;
} spar__told_reply;

/* All but voter and undo, from the members of the object at the root of the tree, which must outlive it:
 * screen, revision, winner, ranking, pairs, tie, bad, skip, comment, taken, key. Others are not looked at. */
spar_status spar__told_read(const spar__json_tree *tree, spar__told *told, spar_error *err);

/* What became of it, as the members of a JSON object. */
void spar__told_json(const spar__told_reply *reply, spar__json *json);

/* Is it one answer, or an undo? */
spar_status spar__told_check(const spar__told *told, spar_error *err);

/* What comes with the answer, new. */
spar_status spar__told_remarks(const spar__told *told, spar_remarks **out, spar_error *err);

/* Notes how long an answer took, with a flag if that is too fast. */
void spar__remarks_time(spar_remarks *remarks, uint32_t milliseconds);

/* Brings the answer into the log, or takes it back; folds what others have added before. */
spar_status spar__told_do(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply,
                          spar_error *err);

/* An answer in words becomes one in places of the screen; or one in terms of *n options, listed in *arm,
 * which is new (spar__free). */
spar_status spar__answer_to_screen(const spar_experiment *experiment, const spar_screen *screen, const spar__told *told,
                                   spar_answer *answer, spar_error *err);
/* The same where names are places alone, of which there are m. */
spar_status spar__answer_to_places(const spar__told *told, size_t m, spar_answer *answer, spar_error *err);

/* What may come with an answer. */

struct spar_remarks {
    char *comment; /* NULL: none */
    uint32_t taken, flags, revision;
    bool revised; /* the revision was set */
};

#endif
