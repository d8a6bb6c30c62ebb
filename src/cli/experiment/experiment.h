/* experiment.h - what the commands for live experiments have in common. */
#ifndef SPAR_CLI_EXPERIMENT_H
#define SPAR_CLI_EXPERIMENT_H

#include "cli/options.h"
#include "text/json.h"

#include <spar/experiment.h>

#define SPAR__OPTION_VOTER                                                                                             \
    SPAR__TEXT_OPTION("voter", "V", "who answers: any text; without it a voter that is not known")
#define SPAR__OPTION_OPTIONS                                                                                           \
    SPAR__TEXT_OPTION("options", "F|DIR", "options from a file (YAML, JSON, CSV, lines), or a folder of images")

/* Opens the experiment that the first operand names. */
spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err);

/* Is there an operand for each of `needed` words of the usage line? */
spar_status spar__need_operands(const spar__settings *settings, size_t needed, spar_error *err);

/* "A", "B", ..., "Z", "AA": what a place of a screen is called. */
enum { SPAR__PLACE_SIZE = 16 };
void spar__place_name(size_t place, char name[SPAR__PLACE_SIZE]);

/* The id of an option, or another word for one that was redacted (NULL). */
const char *spar__option_id_or(const spar_option *option, const char *otherwise);

/* Gives the options that the operands from `first` on name, then those of --options, to take. Errors name the file and
 * the line. */
typedef spar_status spar__option_take(void *context, const spar_option *option, spar_error *err);
spar_status spar__each_option(const spar__settings *settings, size_t first, spar__option_take *take, void *context,
                              spar_error *err);

/* screen.c: a screen as text, and as the members of a JSON object. */
void spar__screen_text(const spar_experiment *experiment, const spar_screen *screen, size_t width, bool styled,
                       spar__buf *out);
spar_status spar__screen_json(spar_experiment *experiment, const spar_screen *screen, spar__json *json,
                              spar_error *err);

/* What somebody answers, in words; all NULL, 0 or false where it was not said. */
typedef struct spar__told {
    const char *voter;                    /* NULL: not said */
    uint64_t screen;                      /* 0: not said */
    const char *winner, *ranking, *pairs; /* in words */
    bool tie, bad, skip, undo;
    const char *comment; /* of a skip: why */
    bool has_taken, has_revision;
    uint32_t taken; /* milliseconds */
    uint32_t revision;
    const char
        *key; /* of an answer without a screen, which then goes to no open one: the same key is the same answer */
} spar__told;

typedef struct spar__told_reply {
    uint64_t screen;   /* 0: imported */
    uint32_t revision; /* after an undo */
    bool again;        /* it was there already */
    bool undone;
} spar__told_reply;

/* tell.c: notes how long an answer took, with a flag if that is too fast. */
void spar__remarks_time(spar_remarks *remarks, uint32_t milliseconds);

/* Brings the answer into the log, or takes it back; folds what others have added before. */
spar_status spar__told_do(spar_experiment *experiment, const spar__told *told, spar__told_reply *reply,
                          spar_error *err);

/* What became of it: "screen 3: saved", or the members of a JSON object. */
void spar__told_text(const spar__told_reply *reply, spar__buf *out);
void spar__told_json(const spar__told_reply *reply, spar__json *json);

/* answer.c: an answer in words becomes one in places of the screen; or one in terms of *n options, listed in *arm,
 * which is new (spar__free). */
spar_status spar__answer_to_screen(const spar_experiment *experiment, const spar_screen *screen, const spar__told *told,
                                   spar_answer *answer, spar_error *err);
spar_status spar__answer_to_options(const spar_experiment *experiment, const spar__told *told, spar_answer *answer,
                                    size_t *n, size_t **arm, spar_error *err);

/* pipe.c: requests as JSON lines from standard input, each with a reply on standard output, until the input ends. verb
 * is what a request does that does not say it: "ask" or "tell". voter may be NULL. */
spar_status spar__pipe_run(spar_experiment *experiment, const char *verb, const char *voter, spar_error *err);

/* A word as the shell reads it: in quotes where that is needed. */
void spar__shell_word(const char *word, spar__buf *out);

/* "conflict" for SPAR_CONFLICT. */
const char *spar__status_word(spar_status status);

/* 64 hexadecimal digits and a zero byte. */
void spar__hash_text(const unsigned char hash[SPAR_HASH_SIZE], char text[2 * SPAR_HASH_SIZE + 1]);

/* forget and redact: removes the texts of what the second operand names, and says so: "WORD: 2 texts removed from the
 * file; THE_REST". */
typedef spar_status spar__text_remover(spar_experiment *experiment, const char *name, size_t *removed, spar_error *err);
spar_status spar__remove_texts(const spar__settings *settings, spar__text_remover *remove, const char *word,
                               const char *the_rest, spar__buf *out, spar_error *err);

#endif
