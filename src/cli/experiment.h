/* experiment.h - what the commands for live experiments have in common. */
#ifndef SPAR_CLI_EXPERIMENT_H
#define SPAR_CLI_EXPERIMENT_H

#include "cli/options.h"
#include "live/items/items.h"
#include "text/option_rows.h"

#include <spar/experiment.h>

#define SPAR__OPTION_OPTIONS                                                                                           \
    SPAR__TEXT_OPTION("options", "F|DIR", "options from a file (YAML, JSON, CSV, lines), or a folder of images")

#define SPAR__OPTION_ITEMS                                                                                             \
    SPAR__TEXT_OPTION("items", "F.jsonl", "items: prompts with one output of each option, as JSON lines")

/* Opens the experiment that the first operand names. */
spar_status spar__experiment_of(const spar__settings *settings, spar_experiment_mode mode, spar_experiment **out,
                                spar_error *err);

/* The run of a command that has an act: opens the experiment to be written, acts, closes it. */
spar_status spar__with_experiment(const spar__settings *settings, spar__buf *out, spar_error *err);

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

/* 64 hexadecimal digits and a zero byte. */
void spar__hash_text(const unsigned char hash[SPAR_HASH_SIZE], char text[2 * SPAR_HASH_SIZE + 1]);

#endif
