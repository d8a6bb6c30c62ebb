/* experiment.h - what the commands for live experiments have in common. */
#ifndef SPAR_CLI_EXPERIMENT_H
#define SPAR_CLI_EXPERIMENT_H

#include "cli/options.h"
#include "live/items/items.h"
#include "live/screen.h"
#include "live/answer_request.h"
#include "text/option_rows.h"

#include <spar/experiment.h>

#define SPAR__OPTION_VOTER                                                                                             \
    SPAR__TEXT_OPTION("voter", "V", "who answers: any text; without it a voter that is not known")
#define SPAR__OPTION_OPTIONS                                                                                           \
    SPAR__TEXT_OPTION("options", "F|DIR", "options from a file (YAML, JSON, CSV, lines), or a folder of images")

#define SPAR__OPTION_ITEMS                                                                                             \
    SPAR__TEXT_OPTION("items", "F.jsonl", "items: prompts with one output of each option, as JSON lines")

/* Opens the experiment that the first operand names. */
spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err);

/* Is there an operand for each of `needed` words of the usage line? */
spar_status spar__need_operands(const spar__settings *settings, size_t needed, spar_error *err);

/* Gives the options that the operands from `first` on name, then those of --options, to take. A file is first given
 * whole to check, if that is not NULL. Errors name the file and the line. */
typedef spar_status spar__option_check(void *context, const spar__option_rows *rows, const char *path, spar_error *err);
typedef spar_status spar__option_take(void *context, const spar_option *option, spar_error *err);
spar_status spar__each_option(const spar__settings *settings, size_t first, spar__option_check *check,
                              spar__option_take *take, void *context, spar_error *err);

/* Errors of an item of the list get the file and line. */
spar_status spar__item_fail(const spar__item_list *list, size_t i, const char *path, spar_status status,
                            spar_error *err);

/* There are items, but none with outputs of as many live options as a screen shows: whoever asks gets nothing. The note
 * says so. */
bool spar__no_item_serves(const spar_experiment *experiment);
void spar__note_no_item_serves(const spar_experiment *experiment);

/* screen.c: a screen as text, and what became of an answer to it: "screen 3: saved". */
void spar__screen_text(const spar_experiment *experiment, const spar_screen *screen, size_t width, bool styled,
                       spar__buf *out);
void spar__told_text(const spar__told_reply *reply, spar__buf *out);

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
