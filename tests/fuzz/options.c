/* Any words as the command line of any command: refused with a sentence, or every number is in its range. The first
 * byte picks the command; words end with their lines. */
#include "cli/options.h"

#include "fuzz.h"

#define COMMAND(name) extern const spar__command spar__command_##name;
#include "cli/commands.def"
#undef COMMAND

static const spar__command *const commands[] = {
#define COMMAND(name) &spar__command_##name,
#include "cli/commands.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands, WORDS = 24 };

static void check(const spar__settings *settings)
{
    for (size_t i = 0; i < settings->n; i++) {
        const spar__setting *s = &settings->setting[i];
        if (s->option->kind == SPAR__OPTION_COUNT && s->n)
            require(s->number >= s->option->low && s->number <= s->option->high);
        if (s->option->kind == SPAR__OPTION_SWITCH)
            require(s->number <= 1);
    }
    require(settings->n_operands <= settings->command->max_operands);
}

void fuzz_options(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const spar__command *command = commands[fuzz_below(&in, COMMANDS)];
    char *text = fuzz_text(in.at, in.left), *argv[WORDS];
    int argc = 0;
    for (char *at = text; at && argc < WORDS; argc++) {
        argv[argc] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = '\0';
    }
    spar__settings settings;
    spar_error err = {0};
    spar_status status = spar__settings_new(command, argc, argv, &settings, &err);
    if (!status) {
        status = spar__settings_finish(&settings, &err);
        if (!status && !settings.help)
            check(&settings);
        spar__settings_free(&settings);
    }
    fuzz_refused(status, &err, NULL);
    free(text);
}
