#include "cli/options.h"
#include "cli/wrap.h"

#include <stdio.h>
#include <string.h>

/* "--rounds T" and the like. */
static size_t option_head(const spar__option *option, char *text, size_t size)
{
    bool value = option->kind != SPAR__OPTION_SWITCH;
    int length = snprintf(text, size, "--%s%s%s", option->name, value ? " " : "", value ? option->metavar : "");
    return (size_t)length;
}

static void add_option(const spar__option *option, size_t width, spar__buf *out)
{
    char head[80];
    (void)option_head(option, head, sizeof head);
    spar__buf_printf(out, "  %-*s  %s", (int)width, head, option->help);
    if (option->choices)
        spar__buf_printf(out, " (%s)", option->choices);
    if (option->standard)
        spar__buf_printf(out, " [%s]", option->standard);
    if (option->plural)
        spar__buf_adds(out, " (repeat)");
    spar__buf_adds(out, "\n");
}

enum { FILLED = 60, PLAIN_WIDTH = 100 };

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

static void fit(spar__buf *out, size_t start)
{
    size_t width = spar__output_width();
    spar__fit(out, start, width ? width : PLAIN_WIDTH);
}

void spar__help_command(const spar__command *command, spar__buf *out)
{
    size_t start = out->length;
    spar__buf_printf(out, "usage: spar %s %s\n\n%s.\n\n", command->name, command->operands, command->brief);
    size_t width = strlen("--help");
    for (const spar__option *o = command->options; o->name; o++) {
        char head[80];
        size_t length = option_head(o, head, sizeof head);
        width = length > width ? length : width;
    }
    for (const spar__option *o = command->options; o->name; o++)
        add_option(o, width, out);
    spar__buf_printf(out, "  %-*s  show this\n\n", (int)width, "--help");
    spar__buf_adds(out, "An option --name can also be set by SPAR_NAME in the environment");
    spar__buf_adds(out, command->runfile ? " or by name: in the run file.\n" : ".\n");
    if (command->notes)
        add_notes(command->notes, out);
    if (command->more_help) {
        spar__buf_adds(out, "\n");
        command->more_help(out);
    }
    spar__buf_printf(out, "\nexample:\n  %s\n", command->example);
    fit(out, start);
}

void spar__help_all(const spar__command *const *commands, spar__buf *out)
{
    size_t start = out->length;
    spar__buf_adds(out, "usage: spar COMMAND [ARGUMENTS]\n\n"
                        "Find the best of many options from side-by-side comparisons.\n\n");
    for (size_t i = 0; commands[i]; i++)
        spar__buf_printf(out, "  %-10s %s\n", commands[i]->name, commands[i]->brief);
    spar__buf_adds(out, "  help       show the help of a command: spar help COMMAND\n\n"
                        "  --help     show this\n"
                        "  --version  show the version, with --json as an object\n");
    spar__buf_printf(out, "\nexample:\n  %s\n", commands[0]->example);
    fit(out, start);
}
