/* rater.h - a program that is asked and answers in lines: started by the shell, in a process group of its own, behind
 * pipes that do not block. It is not trusted: what it writes is read in bounded pieces, and nothing of it is shown as
 * it is. */
#ifndef SPAR_CLI_RATER_H
#define SPAR_CLI_RATER_H

#include "base/buf.h"
#include "cli/experiment.h"

#include <sys/types.h>

enum { SPAR__CHILD_LINE = 1 << 16, SPAR__CHILD_SAID = 512 };

typedef struct spar__child { /* all zero: not started */
    pid_t pid;               /* 0: it does not run */
    int in, out, err;        /* our ends of its standard input, output and error; -1: closed */
    spar__buf send;          /* what it is to read ... */
    size_t sent;             /* ... of which this much is in the pipe */
    spar__buf got;           /* what it wrote and nobody took */
    spar__buf said;          /* of its standard error: the line that is not complete */
} spar__child;

/* A line for it to read; write passes on as much as fits into the pipe. That it does not read any more is no error
 * here: its output will end. */
void spar__child_write(spar__child *child);

/* Reads its standard error and gives the whole lines, cut to SPAR__CHILD_SAID bytes, to fn. */
typedef void spar__child_hear(void *context, const char *line, size_t length);

/* Its output has ended: "ended with status 1", "was ended by signal 9", "closed its output". */
enum { SPAR__CHILD_WORDS = 80 };

/* No more input: it should end by itself. Has it? */
void spar__child_dismiss(spar__child *child);
bool spar__child_ended(const spar__child *child);
void spar__child_signal(const spar__child *child, int number);

/* Ends all processes of its group at once, and frees what belongs to it; it may be started again. */
void spar__child_kill(spar__child *child);

/* Spar judge: programs as voters.
 *
 * A judge is a process, `NAME 1`, `NAME 2` ..., and a voter of that name (or all are the one voter NAME). It is shown
 * the voter's screens, one at a time, as lines of JSON (spar__screen_json), and writes a line for each:
 *
 *     {"screen": 7, "winner": "A"}     or  "ranking": "B,A=C", "pairs": "A>B", "tie": true, "bad": true, "skip": "why"
 *
 * in terms of the places of the question, with a "comment" where it has one. A judge that dies, does not answer in time
 * or writes anything else is ended and started again, and its screen is asked again: what it did is no answer. So an
 * answer is in the log if and only if a judge gave it, whole, to that screen. */

enum { SPAR__JUDGE_LEFT = 64 }; /* open screens of a voter that are taken up again */

typedef struct spar__judge_counts {
    uint64_t answers;   /* in the log */
    uint64_t skipped;   /* of these */
    uint64_t changed;   /* of these: ties because the answer changed with the places */
    uint64_t elsewhere; /* screens that somebody else answered meanwhile */
    uint64_t questions; /* lines that were sent */
    uint64_t failures;
    uint64_t winners, first;   /* answers to a question that name a best place; that it is the first */
    double expected, variance; /* of `first`, where places do not matter */
} spar__judge_counts;

typedef enum spar__judge_state {
    SPAR__JUDGE_READY,  /* it may have the next screen */
    SPAR__JUDGE_ASKED,  /* it has a screen and is to answer */
    SPAR__JUDGE_PAUSED, /* it failed, and is started again with its screen when `due` has come */
    SPAR__JUDGE_DONE,   /* there are no more screens for it */
    SPAR__JUDGE_LOST    /* it failed too often */
} spar__judge_state;

typedef struct spar__judge {
    char *name, *voter;
    spar__judge_state state;
    spar__child child;
    spar_screen *screen;
    bool turned;         /* it is asked the second time, with the places reversed */
    spar_answer *first;  /* what it said the first time, and why (NULL: nothing) */
    char *comment;       /* new */
    double asked, taken; /* when it was asked last; what the first time took: nanoseconds */
    double due;
    unsigned restarts, row; /* row: failures since the last answer */
    unsigned heard;         /* lines of its standard error since it was asked */
    spar__judge_counts counts;
} spar__judge;

typedef enum spar__judge_end {
    SPAR__JUDGE_GOES_ON,
    SPAR__JUDGE_SCREENS,
    SPAR__JUDGE_DECIDED,
    SPAR__JUDGE_BUDGET,
    SPAR__JUDGE_NO_SCREENS, /* closed, or all items seen: `why` says it */
    SPAR__JUDGE_NO_JUDGES,
    SPAR__JUDGE_STOPPED /* by a signal */
} spar__judge_end;

/* A screen that was asked before and is still open. */
typedef struct spar__judge_left {
    uint64_t screen;
    const char *voter;
} spar__judge_left;

typedef struct spar__judging {
    const spar__settings *settings;
    spar_experiment *experiment;
    const char *command;
    uint64_t screens, budget; /* 0: any number */
    bool until_decided, swap, one_voter;
    double timeout; /* nanoseconds */
    unsigned restarts;
    spar__judge *judge;
    size_t n;
    spar__judge_left *left; /* room for SPAR__JUDGE_LEFT a judge */
    size_t n_left;
    spar_answer *answer; /* the one that is read */
    spar__judge_end end;
    spar_error why;          /* there are no more screens */
    double started, shown;   /* the progress line */
    bool terminal, has_line; /* there is one to erase */
} spar__judging;

/* reply.c: the answer to a question with m places, in terms of these; *comment is new, NULL for none. SPAR_PARSE and
 * the like where the line is anything else. who: for the sentence. */
spar_status spar__judge_read(const char *line, size_t length, const char *who, uint64_t screen, size_t m,
                             spar_answer *answer, char **comment, spar_error *err);

/* The place that an answer calls the best, alone; SPAR_NO_SLOT if there is none. */
size_t spar__judge_best(const spar_answer *answer);

/* swap.c: an answer in places counted from the other end. */
spar_status spar__swap_turn(spar_answer *answer, size_t m, spar_error *err);

/* Two answers to the same screen become one, in `second`: the same if they are equal, a skip if one is, else a tie;
 * *changed says which. */
void spar__swap_join(const spar_answer *first, spar_answer *second, bool *changed);

/* log.c: the experiment, with patience where another program has it or its server is started again.
 * find_left: notes the open screens of a voter that no judge has. ask: takes one of these, or a new one;
 * SPAR_UNSUPPORTED or SPAR_ALL_SEEN where there are no more. question: the line that shows it to the judge. tell:
 * *elsewhere where the screen was answered otherwise meanwhile. */
spar_status spar__judging_ask(spar__judging *run, spar__judge *judge, spar_error *err);
spar_status spar__judging_question(spar__judging *run, spar__judge *judge, spar__buf *line, spar_error *err);
spar_status spar__judging_tell(spar__judging *run, spar__judge *judge, const char *comment, uint32_t taken,
                               bool *elsewhere, spar_error *err);

/* one.c: what a judge does. An error is one of ours, never of the judge. */
spar_status spar__judge_give(spar__judging *run, spar__judge *judge, spar_error *err);
spar_status spar__judge_hear(spar__judging *run, spar__judge *judge, spar_error *err);  /* its output can be read */
void spar__judge_listen(spar__judging *run, spar__judge *judge);                        /* its standard error */
spar_status spar__judge_check(spar__judging *run, spar__judge *judge, spar_error *err); /* the time that has passed */

/* count.c: all judges together; whether the budget has room for another screen; whether a verdict is reached. */
bool spar__judging_can_pay(const spar__judging *run);
bool spar__judging_decided(const spar__judging *run);

/* report.c: a line about a judge on standard error, escaped; how far it is; what came of it. */
void spar__judging_note(spar__judging *run, const char *format, ...) SPAR__PRINTF(2, 3);

#endif
