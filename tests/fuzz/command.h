/* command.h - a command of spar run on a file, and what all of its output promises. */
#ifndef SPAR_TESTS_FUZZ_COMMAND_H
#define SPAR_TESTS_FUZZ_COMMAND_H

#include "base/buf.h"
#include "cli/options.h"
#include "fuzz.h"
#include "text/json_read.h"

enum { MOST_WORDS = 16 };

/* Nothing acts on a terminal but the ends of lines. */
static void output_is_printable(const spar__buf *out)
{
    uint32_t code;
    for (size_t at = 0, n; at < out->length; at += n) {
        n = spar__utf8_next(out->text + at, out->length - at, &code);
        bool bad = code == SPAR__UTF8_BAD && n == 1; /* in three bytes it is a character like others */
        require(code == '\n' || (!bad && !spar__utf8_acts(code)));
    }
}

static void output_is_json(const spar__buf *out)
{
    spar__json_rows rows = spar__json_rows_of(out->text, out->length, "output", 0, NULL);
    bool more = false;
    require(!spar__json_rows_next(&rows, &more, NULL) && more && !spar__json_rows_next(&rows, &more, NULL) && !more);
    spar__json_rows_close(&rows);
}

/* With the words of a command line, up to NULL. */
static void run_command(const spar__command *command, const char *const *word, bool json)
{
    char *argv[MOST_WORDS];
    int argc = 0;
    spar__settings settings;
    spar__buf out = {0};
    spar_error err = {0};
    for (; word[argc] && argc < MOST_WORDS; argc++)
        argv[argc] = (char *)(uintptr_t)word[argc];
    require(!spar__settings_new(command, argc, argv, &settings, &err) && !spar__settings_finish(&settings, &err));
    spar_status status = command->run(&settings, &out, &err);
    fuzz_refused(status, &err, NULL);
    if (!status) {
        output_is_printable(&out);
        if (json)
            output_is_json(&out);
    }
    spar__buf_free(&out);
    spar__settings_free(&settings);
}

#endif
