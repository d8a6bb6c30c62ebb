/* main.c - finds the subcommand, reads its options, prints its output and turns the status into an exit status:
 * 0 good, 1 failed, 2 wrong usage. Data goes to standard output, everything else to standard error. */
#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "cli/hint.h"
#include "cli/options.h"
#include "cli/outdir.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "num/cpu.h"
#include "spar_version.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(name) extern const spar__command spar__command_##name;
#include "cli/commands.def"
#undef COMMAND

static const spar__command *const commands[] = {
#define COMMAND(name) &spar__command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

/* Commands that this build does not have, and what they need. */
static const struct {
    const char *name, *needs;
} absent[] = {
#define COMMAND(name)
#ifndef SPAR__HAVE_LIVE
#define LIVE_COMMAND(name) {#name, "SQLite or libsodium (Debian: libsqlite3-dev, libsodium-dev)"},
#endif
#ifndef SPAR__HAVE_SERVICE
#define SERVICE_COMMAND(name)                                                                                          \
    {#name, "libmicrohttpd, SQLite or libsodium (Debian: libmicrohttpd-dev, libsqlite3-dev, libsodium-dev)"},
#endif
#include "cli/commands.def"
#undef COMMAND
    {NULL, NULL},
};

const spar__command *spar__command_find(const char *name)
{
    size_t i = 0;
    while (commands[i] && strcmp(commands[i]->name, name) != 0)
        i++;
    return commands[i];
}

static const char *absent_needs(const char *name)
{
    size_t i = 0;
    while (absent[i].name && strcmp(absent[i].name, name) != 0)
        i++;
    return absent[i].needs;
}

static const spar__command *find_command(const char *name, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        spar__nearest_offer(&nearest, commands[i]->name);
    }
    spar__nearest_offer(&nearest, "help");
    if (absent_needs(name))
        (void)spar__fail(err, SPAR_INVALID, "'%s' is not in this build, which was made without %s", name,
                         absent_needs(name));
    else if (nearest.best)
        (void)spar__fail(err, SPAR_INVALID, "unknown command '%.80s'; did you mean '%s'?", name, nearest.best);
    else
        (void)spar__fail(err, SPAR_INVALID, "unknown command '%.80s'; see 'spar --help'", name);
    return NULL;
}

/* The library ignores an unknown value. */
static spar_status check_cpu(spar_error *err)
{
    const char *wanted = getenv("SPAR_CPU");
    if (wanted && *wanted && !spar__cpu_known(wanted))
        return spar__fail(err, SPAR_INVALID, "SPAR_CPU=%.80s: expected baseline, avx2 or avx512", wanted);
    return SPAR_OK;
}

static spar_status run_command(const spar__command *command, int argc, char **argv, spar__buf *out, spar_error *err)
{
    spar__settings settings;
    spar_status status = spar__settings_new(command, argc, argv, &settings, err);
    if (status)
        return status;
    if (settings.help) {
        spar__help_command(command, out);
    } else {
        status = check_cpu(err);
        if (!status && command->runfile && settings.n_operands)
            status = spar__runfile_load(settings.operand[0], &settings, err);
        if (!status)
            status = spar__settings_finish(&settings, err);
        if (!status)
            status = command->run(&settings, out, err);
        if (!spar__setting_find(&settings, "json") || !spar__setting_number(&settings, "json"))
            spar__outdir_wrote(out);
    }
    spar__settings_free(&settings);
    return status;
}

/* "help --help" is asked, too. */
static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static spar_status help(int argc, char **argv, spar__buf *out, spar_error *err)
{
    if (argc > 1)
        return spar__fail(err, SPAR_INVALID, "help: did not expect '%.80s'; usage: spar help [COMMAND]", argv[1]);
    if (argc == 0 || is_help(argv[0])) {
        spar__help_all(commands, out);
        return SPAR_OK;
    }
    const spar__command *command = find_command(argv[0], err);
    if (!command)
        return SPAR_INVALID;
    spar__help_command(command, out);
    return SPAR_OK;
}

static spar_status version(int argc, char **argv, spar__buf *out, spar_error *err)
{
    bool json = argc == 1 && strcmp(argv[0], "--json") == 0;
    if (argc > 0 && !json)
        return spar__fail(err, SPAR_INVALID, "--version: did not expect '%.80s'; usage: spar --version [--json]",
                          argv[0]);
    if (json)
        spar__buf_adds(out, "{\"name\":\"spar\",\"version\":\"" SPAR_VERSION "\"}\n");
    else
        spar__buf_adds(out, "spar " SPAR_VERSION "\n");
    return SPAR_OK;
}

static spar_status dispatch(int argc, char **argv, spar__buf *out, spar_error *err)
{
    const char *name = argc < 2 ? "--help" : argv[1];
    if (is_help(name))
        return help(argc < 2 ? 0 : argc - 2, argv + 2, out, err);
    if (strcmp(name, "--version") == 0)
        return version(argc - 2, argv + 2, out, err);
    const spar__command *command = find_command(name, err);
    return command ? run_command(command, argc - 2, argv + 2, out, err) : SPAR_INVALID;
}

static int exit_status(spar_status status)
{
    switch (status) {
    case SPAR_OK:
        return 0;
    case SPAR_INVALID:
    case SPAR_PARSE:
    case SPAR_UNKNOWN:
    case SPAR_UNSUPPORTED:
        return 2;
    default:
        return 1;
    }
}

/* With a hint what to do; the library does not know the command. */
static void print_error(const char *sentence)
{
    spar__buf hint = {0};
    spar__hint(sentence, &hint);
    (void)fprintf(stderr, "spar: %s%s\n", sentence, hint.text && !hint.failed ? hint.text : "");
    spar__buf_free(&hint);
}

int spar__main(int argc, char **argv)
{
    (void)signal(SIGXFSZ, SIG_IGN); /* a file over the size limit is an error, not the end */
    spar_error err = {0};
    spar__buf out = {0};
    spar_status status = dispatch(argc, argv, &out, &err);
    if (out.failed)
        status = spar__fail_memory(&err);
    /* Commands fill `out` when their work is done; results are printed even if the command was interrupted, a file
     * could not be written, or what was looked at is damaged. */
    bool printed = status == SPAR_OK || status == SPAR_INTERRUPTED || status == SPAR_IO || status == SPAR_CORRUPT;
    if (printed && out.length) {
        spar_error trouble = {0};
        spar__stop_release();
        if (spar__file_write("-", out.text, out.length, &trouble)) {
            status = trouble.status;
            err = trouble;
        }
    }
    spar__buf_free(&out);
    if (status)
        print_error(err.text[0] ? err.text : spar_status_text(status));
    return exit_status(status);
}
