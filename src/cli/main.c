/* main.c - the whole command: finds the subcommand, reads its options, runs it, prints its output and turns the status
 * into an exit status: 0 good, 1 failed, 2 wrong usage. Data goes to standard output, everything else to standard
 * error.
 *
 * Help is made from the tables of the commands (options.h), as text and as JSON; shell completion and the options of
 * the man pages are made from the JSON (scripts/doc-commands). */
#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"
#include "base/spec.h"
#include "cli/list/list.h"
#include "cli/options.h"
#include "cli/outdir.h"
#include "cli/progress.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"
#include "num/elementary.h"
#include "spar_version.h"
#include "text/json.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND(name) extern const spar__command spar__command_##name;
#include "cli/commands.def"
#undef COMMAND

/* What this build has, and the man page on which it stands: spar, spar-experiment, spar-serve. */
static const struct {
    const spar__command *command;
    const char *group;
} commands[] = {
#define COMMAND(name) {&spar__command_##name, "spar"},
#ifdef SPAR__HAVE_LIVE
#define LIVE_COMMAND(name) {&spar__command_##name, "spar-experiment"},
#endif
#ifdef SPAR__HAVE_SERVICE
#define SERVICE_COMMAND(name) {&spar__command_##name, "spar-serve"},
#endif
#include "cli/commands.def"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof *commands };

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
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].command->name, name) == 0)
            return commands[i].command;
    return NULL;
}

static const spar__command *find_command(const char *name, spar_error *err)
{
    const spar__command *found = spar__command_find(name);
    const char *needs = NULL;
    spar__nearest nearest = spar__nearest_to(name);
    for (size_t i = 0; i < COMMANDS; i++)
        spar__nearest_offer(&nearest, commands[i].command->name);
    spar__nearest_offer(&nearest, "help");
    for (size_t i = 0; absent[i].name; i++)
        if (strcmp(absent[i].name, name) == 0)
            needs = absent[i].needs;
    if (found)
        return found;
    if (needs)
        (void)spar__fail(err, SPAR_INVALID, "'%s' is not in this build, which was made without %s", name, needs);
    else if (nearest.best)
        (void)spar__fail(err, SPAR_INVALID, "unknown command '%.80s'; did you mean '%s'?", name, nearest.best);
    else
        (void)spar__fail(err, SPAR_INVALID, "unknown command '%.80s'; see 'spar --help'", name);
    return NULL;
}

/* --- help as text --- */

enum { FILLED = 60, PLAIN_WIDTH = 100 };

/* "--rounds T" and the like. */
static size_t option_head(const spar__option *option, char *text, size_t size)
{
    bool value = option->kind != SPAR__OPTION_SWITCH;
    return (size_t)snprintf(text, size, "--%s%s%s", option->name, value ? " " : "", value ? option->metavar : "");
}

static void add_options(const spar__option *options, spar__buf *out)
{
    size_t width = strlen("--help");
    char head[80];
    for (const spar__option *o = options; o && o->name; o++) {
        size_t length = option_head(o, head, sizeof head);
        width = length > width ? length : width;
    }
    for (const spar__option *o = options; o && o->name; o++) {
        (void)option_head(o, head, sizeof head);
        spar__buf_printf(out, "  %-*s  %s", (int)width, head, o->help);
        if (o->choices)
            spar__buf_printf(out, " (%s)", o->choices);
        if (o->standard)
            spar__buf_printf(out, " [%s]", o->standard);
        spar__buf_adds(out, o->plural ? " (repeat)\n" : "\n");
    }
    spar__buf_printf(out, "  %-*s  show this\n\n", (int)width, "--help");
}

/* Lines of the notes that were filled go on with the next one; they are filled anew. */
static void add_notes(const char *notes, spar__buf *out)
{
    for (size_t length; *notes; notes += length) {
        length = strcspn(notes, "\n");
        spar__buf_add(out, notes, length);
        if (!notes[length])
            break;
        bool goes_on = length >= FILLED && notes[0] != ' ' && notes[length + 1] != ' ' && notes[length + 1] != '\n';
        spar__buf_adds(out, goes_on ? " " : "\n");
        length++;
    }
    spar__buf_adds(out, "\n");
}

static void help_command(const spar__command *command, spar__buf *out)
{
    spar__buf_printf(out, "usage: spar %s %s\n\n%s.\n\n", command->name, command->operands, command->brief);
    add_options(command->options, out);
    spar__buf_adds(out, "An option --name can also be set by SPAR_NAME in the environment");
    spar__buf_adds(out, command->runfile ? " or by name: in the run file.\n" : ".\n");
    if (command->notes)
        add_notes(command->notes, out);
    if (command->more_help) {
        spar__buf_adds(out, "\n");
        command->more_help(out);
    }
    spar__buf_printf(out, "\nexample:\n  %s\n", command->example);
}

static void help_all(spar__buf *out)
{
    spar__buf_adds(out, "usage: spar COMMAND [ARGUMENTS]\n\n"
                        "Find the best of many options from side-by-side comparisons.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        spar__buf_printf(out, "  %-10s %s\n", commands[i].command->name, commands[i].command->brief);
    spar__buf_adds(out, "  help       show the help of a command: spar help COMMAND\n\n"
                        "  --help     show this\n"
                        "  --version  show the version\n"
                        "  --json     after help or --version: the same as an object, for programs\n");
    spar__buf_printf(out, "\nexample:\n  %s\n", commands[0].command->example);
}

/* --- help as JSON, for programs: the same tables --- */

static void option_json(const spar__option *option, spar__json *json)
{
    static const char *const kind[] = {"switch", "text", "count", "choice"};
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", option->name);
    spar__json_add_string(json, "kind", kind[option->kind]);
    spar__json_add_string(json, "metavar", option->metavar);
    spar__json_add_string(json, "help", option->help);
    spar__json_add_string(json, "default", option->standard);
    spar__json_add_boolean(json, "repeatable", option->plural != NULL);
    if (option->kind == SPAR__OPTION_COUNT) {
        spar__json_add_unsigned(json, "least", option->low);
        spar__json_add_unsigned(json, "most", option->high);
    }
    spar__json_key(json, "choices");
    spar__json_begin_array(json);
    for (const char *word = option->choices ? option->choices : ""; *word;) {
        char choice[64];
        size_t length = strcspn(word, "|");
        (void)snprintf(choice, sizeof choice, "%.*s", (int)length, word);
        spar__json_string(json, choice);
        word += length + (word[length] != '\0');
    }
    spar__json_end_array(json);
    spar__json_end_object(json);
}

static void command_json(const spar__command *command, spar__json *json)
{
    spar__buf notes = {0}, more = {0};
    size_t i = 0;
    while (commands[i].command != command)
        i++;
    if (command->notes)
        add_notes(command->notes, &notes);
    if (command->more_help)
        command->more_help(&more);
    json->out->failed |= notes.failed || more.failed;
    spar__json_begin_object(json);
    spar__json_add_string(json, "name", command->name);
    spar__json_add_string(json, "group", commands[i].group);
    spar__json_add_string(json, "brief", command->brief);
    spar__json_add_string(json, "operands", command->operands);
    spar__json_add_boolean(json, "run_file", command->runfile);
    spar__json_key(json, "options");
    spar__json_begin_array(json);
    for (const spar__option *o = command->options; o && o->name; o++)
        option_json(o, json);
    spar__json_end_array(json);
    spar__json_add_string(json, "notes", notes.text);
    spar__json_add_string(json, "names", more.text);
    spar__json_add_string(json, "example", command->example);
    spar__json_end_object(json);
    spar__buf_free(&notes);
    spar__buf_free(&more);
}

static void help_json(const spar__command *command, spar__buf *out)
{
    spar__json json = {.out = out};
    if (command) {
        command_json(command, &json);
    } else {
        spar__json_begin_object(&json);
        spar__json_add_string(&json, "version", SPAR_VERSION);
        spar__json_key(&json, "commands");
        spar__json_begin_array(&json);
        for (size_t i = 0; i < COMMANDS; i++)
            command_json(commands[i].command, &json);
        spar__json_end_array(&json);
        spar__json_end_object(&json);
    }
    spar__buf_adds(out, "\n");
}

/* command: NULL for all. */
static void show_help(const spar__command *command, bool json, spar__buf *out)
{
    size_t start = out->length, width = spar__output_width();
    if (json) {
        help_json(command, out);
        return;
    }
    if (command)
        help_command(command, out);
    else
        help_all(out);
    spar__fit(out, start, width ? width : PLAIN_WIDTH);
}

/* --- the next step after an error: the library says what is wrong and does not know the command --- */

/* Part of a sentence, and what to do then. */
static const char *const hints[][2] = {
    {"the arms have no features", "envs with features: function, 'utility(features=utility)'"},
    {"have no features to plot", "envs with features: function, 'utility(features=utility)'"},
    {"expected '=' after the parameter name", "parameters are written name(parameter=value)"},
    {"expected '/' or the end", "parameters are written name(parameter=value)"},
    {"gives rewards, one arm a round", "give --m 1"},
    {"win counts need counts=1", "of 'spar describe': --counts"},
    {"could not find expected ':'", "a run file has lines such as 'rounds: 20000'"},
    {"did not find expected", "a run file has lines such as 'rounds: 20000'"},
    {"was never asked", "'spar ask FILE' shows a screen"},
    {": there is no option '", "'spar status FILE' names the options"},
    {"there is no voter '", "'spar export FILE --format csv --with-names' names the voters"},
    {"cannot make: File exists", "name a file that is not there yet"},
    {"name 1 is empty", "expected a square of numbers, a row a line"},
    {"name 2 is empty", "expected a square of numbers, a row a line"},
    {"a file is in the way", "--out takes a directory"},
};

/* The file in the folder of `path` whose name is nearest to it, into out; false if there is none. */
static bool nearest_file(const char *path, char out[256])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[512] = ".";
    if (slash)
        (void)snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
    DIR *dir = opendir(folder);
    size_t best = strlen(name) / 3 + 1; /* a file of another name is no slip */
    out[0] = '\0';
    for (struct dirent *file; dir && (file = readdir(dir));) {
        spar__nearest nearest = spar__nearest_to(name);
        spar__nearest_offer(&nearest, file->d_name);
        bool nearer = nearest.best &&
                      (nearest.distance < best || (nearest.distance == best && *out && strcmp(file->d_name, out) < 0));
        if (nearer && file->d_name[0] != '.') {
            best = nearest.distance;
            (void)snprintf(out, 256, "%s", file->d_name);
        }
    }
    if (dir)
        (void)closedir(dir);
    return *out;
}

/* "PATH: cannot open: No such file or directory" */
static bool add_missing_file(const char *sentence, spar__buf *out)
{
    const char *end = strstr(sentence, ": cannot open: No such file");
    char path[600] = "", found[256];
    if (!end || (size_t)(end - sentence) >= sizeof path)
        return false;
    memcpy(path, sentence, (size_t)(end - sentence));
    static const struct {
        spar_family family;
        const char *option;
    } families[] = {{SPAR_FAMILY_POLICY, "--policy"}, {SPAR_FAMILY_ALIAS, "--policy"}, {SPAR_FAMILY_ENV, "--env"}};
    const char *option = NULL; /* is it a name that belongs to one? */
    const spar_entry *entry;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (size_t k = 0; (entry = spar_catalog_entry(families[i].family, k)); k++)
            option = strcmp(spar_entry_name(entry), path) == 0 ? families[i].option : option;
    if (option)
        spar__buf_printf(out, " (did you mean %s %s?)", option, path);
    else if (nearest_file(path, found)) {
        spar__buf_adds(out, " (did you mean '");
        spar__buf_add_printable(out, found);
        spar__buf_adds(out, "'?)");
    } else
        spar__buf_adds(out, " (check the path: no file there has a similar name)");
    return true;
}

/* Adds " (...)" with what to type instead, if something is known. */
static void add_hint(const char *sentence, spar__buf *out)
{
    const char *family = spar__list_asked(sentence);
    if (family) {
        spar__buf_printf(out, " ('spar list %s' shows all)", family);
        return;
    }
    if (add_missing_file(sentence, out))
        return;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(sentence, hints[i][0])) {
            spar__buf_printf(out, " (%s)", hints[i][1]);
            return;
        }
}

/* --- running --- */

static spar_status run_command(const spar__command *command, int argc, char **argv, spar__buf *out, spar_error *err)
{
    spar__settings settings;
    spar_status status = spar__settings_new(command, argc, argv, &settings, err);
    if (status)
        return status;
    if (settings.help) {
        show_help(command, false, out);
    } else {
        const char *cpu = getenv("SPAR_CPU"); /* the library ignores an unknown value */
        if (cpu && *cpu && !spar__cpu_known(cpu))
            status = spar__fail(err, SPAR_INVALID, "SPAR_CPU=%.80s: expected baseline, avx2 or avx512", cpu);
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
    const char *name = NULL;
    bool json = false;
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (name)
            return spar__fail(err, SPAR_INVALID, "help: did not expect '%.80s'; usage: spar help [COMMAND] [--json]",
                              argv[i]);
        else
            name = argv[i];
    const spar__command *command = name && !is_help(name) ? find_command(name, err) : NULL;
    if (name && !is_help(name) && !command)
        return SPAR_INVALID;
    show_help(command, json, out);
    return SPAR_OK;
}

static spar_status dispatch(int argc, char **argv, spar__buf *out, spar_error *err)
{
    const char *name = argc < 2 ? "--help" : argv[1];
    bool json = argc == 3 && strcmp(argv[2], "--json") == 0;
    if (is_help(name))
        return help(argc < 2 ? 0 : argc - 2, argv + 2, out, err);
    if (strcmp(name, "--version") == 0 && argc > 2 && !json)
        return spar__fail(err, SPAR_INVALID, "--version: did not expect '%.80s'; usage: spar --version [--json]",
                          argv[2]);
    if (strcmp(name, "--version") == 0) {
        spar__buf_adds(out,
                       json ? "{\"name\":\"spar\",\"version\":\"" SPAR_VERSION "\"}\n" : "spar " SPAR_VERSION "\n");
        return SPAR_OK;
    }
    const spar__command *command = find_command(name, err);
    return command ? run_command(command, argc - 2, argv + 2, out, err) : SPAR_INVALID;
}

int spar__main(int argc, char **argv)
{
    (void)signal(SIGXFSZ, SIG_IGN); /* a file over the size limit is an error, not the end */
    spar_error err = {0};
    spar__buf out = {0}, hint = {0};
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
    if (status) {
        const char *sentence = err.text[0] ? err.text : spar_status_text(status);
        add_hint(sentence, &hint);
        (void)fprintf(stderr, "spar: %s%s\n", sentence, hint.text && !hint.failed ? hint.text : "");
    }
    spar__buf_free(&hint);
    spar__buf_free(&out);
    bool usage = status == SPAR_INVALID || status == SPAR_PARSE || status == SPAR_UNKNOWN || status == SPAR_UNSUPPORTED;
    return usage ? 2 : status != SPAR_OK;
}
