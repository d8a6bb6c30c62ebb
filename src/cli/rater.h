/* rater.h - a program that is asked and answers in lines: started by the shell, in a process group of its own, behind
 * pipes that do not block. It is not trusted: what it writes is read in bounded pieces, and nothing of it is shown as
 * it is. */
#ifndef SPAR_CLI_RATER_H
#define SPAR_CLI_RATER_H

#include "base/buf.h"

#include <spar/experiment.h>

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

/* Starts `sh -c command`. SPAR_IO if that cannot be done. */
spar_status spar__child_start(spar__child *child, const char *command, spar_error *err);

/* A line for it to read; write passes on as much as fits into the pipe. That it does not read any more is no error
 * here: its output will end. */
void spar__child_ask(spar__child *child, const spar__buf *line);
void spar__child_write(spar__child *child);

/* Reads what there is. Once more than SPAR__CHILD_LINE bytes wait nothing is added. False at the end of its output. */
bool spar__child_read(spar__child *child);

/* A whole line of `got`, without its end, or NULL. drop removes it. */
const char *spar__child_line(const spar__child *child, size_t *length);
void spar__child_drop(spar__child *child, size_t length);

/* Reads its standard error and gives the whole lines, cut to SPAR__CHILD_SAID bytes, to fn. */
typedef void spar__child_hear(void *context, const char *line, size_t length);
void spar__child_listen(spar__child *child, spar__child_hear *hear, void *context);

/* Its output has ended: "ended with status 1", "was ended by signal 9", "closed its output". */
enum { SPAR__CHILD_WORDS = 80 };
void spar__child_describe(const spar__child *child, char words[SPAR__CHILD_WORDS]);

/* No more input, and a signal to its group (0: none): it should end by itself. Has it? */
void spar__child_dismiss(spar__child *child, int signal);
bool spar__child_ended(const spar__child *child);

/* Ends all processes of its group at once, and frees what belongs to it; it may be started again. */
void spar__child_kill(spar__child *child);

/* --- what it wrote --- */

/* The answer to a question with m places, in terms of these; *comment is new, NULL for none. SPAR_PARSE and the like
 * where the line is anything else. who: for the sentence. */
spar_status spar__judge_read(const char *line, size_t length, const char *who, uint64_t screen, size_t m,
                             spar_answer *answer, char **comment, spar_error *err);

/* The place that an answer calls the best, alone; SPAR_NO_SLOT if there is none. */
size_t spar__judge_best(const spar_answer *answer);

/* An answer in places counted from the other end. */
spar_status spar__swap_turn(spar_answer *answer, size_t m, spar_error *err);

/* Two answers to the same screen become one, in `second`: the same if they are equal, a skip if one is, else a tie;
 * *changed says which. */
void spar__swap_join(const spar_answer *first, spar_answer *second, bool *changed);

#endif
