/* options.h - the options of a subcommand, described once in a table.
 *
 * An option `rounds` is --rounds T or --rounds=T on the command line, SPAR_ROUNDS in the environment and rounds: in a
 * run file. A source that comes earlier in this list wins over a later one; without any the default counts. A value
 * that is overruled is not checked. */
#ifndef SPAR_CLI_OPTIONS_H
#define SPAR_CLI_OPTIONS_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum spar__option_kind {
    SPAR__OPTION_SWITCH, /* given or not; in the environment or a file: true or false */
    SPAR__OPTION_TEXT,
    SPAR__OPTION_COUNT, /* a whole number, low to high */
    SPAR__OPTION_CHOICE /* one of the words in choices, separated by | */
} spar__option_kind;

/* A table ends with a name of NULL. */
typedef struct spar__option {
    const char *name;
    spar__option_kind kind;
    const char *metavar; /* stands for the value in the help */
    const char *help;
    const char *standard; /* the default as text, NULL for none */
    const char *plural;   /* not NULL: may be given several times; the key of a list of them in a run file */
    const char *choices;
    uint64_t low, high;
    bool may_be_empty; /* a text */
    bool map;          /* in a run file, a map of names to values stands for NAME=VALUE of each */
} spar__option;

/* What the command has no option for, and why: a sentence in place of 'unknown option'. A table ends like the other. */
typedef struct spar__fixed_option {
    const char *name, *why;
} spar__fixed_option;

/* Lines of a table of options. */
#define SPAR__SWITCH_OPTION(NAME, HELP)                                                                                \
    {                                                                                                                  \
        .name = (NAME), .kind = SPAR__OPTION_SWITCH, .help = (HELP)                                                    \
    }
#define SPAR__TEXT_OPTION(NAME, METAVAR, HELP)                                                                         \
    {                                                                                                                  \
        .name = (NAME), .kind = SPAR__OPTION_TEXT, .metavar = (METAVAR), .help = (HELP)                                \
    }
#define SPAR__LIST_OPTION(NAME, PLURAL, METAVAR, HELP)                                                                 \
    {                                                                                                                  \
        .name = (NAME), .plural = (PLURAL), .kind = SPAR__OPTION_TEXT, .metavar = (METAVAR), .help = (HELP)            \
    }
#define SPAR__COUNT_OPTION(NAME, METAVAR, STANDARD, LOW, HIGH, HELP)                                                   \
    {                                                                                                                  \
        .name = (NAME), .kind = SPAR__OPTION_COUNT, .metavar = (METAVAR), .standard = (STANDARD), .low = (LOW),        \
        .high = (HIGH), .help = (HELP)                                                                                 \
    }
#define SPAR__CHOICE_OPTION(NAME, METAVAR, STANDARD, CHOICES, HELP)                                                    \
    {                                                                                                                  \
        .name = (NAME), .kind = SPAR__OPTION_CHOICE, .metavar = (METAVAR), .standard = (STANDARD),                     \
        .choices = (CHOICES), .help = (HELP)                                                                           \
    }

typedef struct spar__settings spar__settings;
struct spar_experiment;

/* A subcommand. run writes to out what goes to standard output when it is done. */
typedef struct spar__command {
    const char *name;
    const char *brief;
    const char *operands; /* for the usage line */
    size_t min_operands, max_operands;
    bool runfile;                    /* the first operand is a run file */
    const spar__option *options;     /* may be NULL */
    const spar__fixed_option *fixed; /* may be NULL */
    const char *notes;               /* for the help, below the options; may be NULL */
    void (*more_help)(spar__buf *);  /* adds lists of names below the notes; may be NULL */
    const char *example;             /* a command line that works */
    spar_status (*run)(const spar__settings *settings, spar__buf *out, spar_error *err);

    /* Where run is spar__with_experiment: what is done with the experiment that the first operand names. */
    spar_status (*act)(const spar__settings *settings, struct spar_experiment *experiment, spar__buf *out,
                       spar_error *err);
} spar__command;

typedef enum spar__setting_source {
    SPAR__SOURCE_NONE,
    SPAR__SOURCE_FLAG,
    SPAR__SOURCE_ENVIRONMENT,
    SPAR__SOURCE_FILE,
    SPAR__SOURCE_DEFAULT
} spar__setting_source;

typedef struct spar__setting {
    const spar__option *option;
    spar__setting_source source;
    char *origin; /* its name in error messages: "--rounds", "SPAR_ROUNDS", "first.yaml:3:9: rounds" */
    char **text;  /* the values given */
    size_t n;
    uint64_t number; /* of a COUNT; 0 or 1 for a SWITCH */
} spar__setting;

struct spar__settings {
    const spar__command *command;
    spar__setting *setting; /* one per option */
    size_t n;
    const char **operand; /* borrowed from argv */
    size_t n_operands;
    bool help;                       /* --help was asked for */
    const struct spar__merge *merge; /* of `spar merge`: cli/sweeping.h; NULL otherwise */
};

/* Reads the command line behind the subcommand's name, then the environment. Nothing needs freeing after a failure. */
spar_status spar__settings_new(const spar__command *command, int argc, char **argv, spar__settings *out,
                               spar_error *err);

/* Adds a value; does nothing if the option already has one from a source that wins. */
spar_status spar__settings_add(spar__setting *setting, spar__setting_source source, const char *origin,
                               const char *text, spar_error *err);

/* Fills in the defaults and checks every value. The look-ups below need this. */
spar_status spar__settings_finish(spar__settings *settings, spar_error *err);

void spar__settings_free(spar__settings *settings);

/* "token new: FILE is missing; usage: ..." verb: what comes first in the usage line and was given, "" for none. at: how
 * many of the words behind it are there; the next one is named. */
spar_status spar__fail_missing(const spar__command *command, const char *verb, size_t at, spar_error *err);

/* Look-up by name; the name must be one of the command's options. */
spar__setting *spar__setting_find(const spar__settings *settings, const char *name); /* NULL if there is none */
const spar__setting *spar__setting_of(const spar__settings *settings, const char *name);
uint64_t spar__setting_number(const spar__settings *settings, const char *name);
const char *spar__setting_text(const spar__settings *settings, const char *name); /* the first value, or NULL */
bool spar__setting_is(const spar__settings *settings, const char *name, const char *text); /* is it this text? */

/* main.c: the whole command; and one of its commands, NULL if there is none of this name. */
int spar__main(int argc, char **argv);
const spar__command *spar__command_find(const char *name);

#endif
