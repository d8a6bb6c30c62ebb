/* options.c - reads the options of a subcommand from the command line and the environment, by its table: see options.h.
 */
#include "cli/options.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/spec.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

spar__setting *spar__setting_find(const spar__settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->n; i++)
        if (strcmp(settings->setting[i].option->name, name) == 0)
            return &settings->setting[i];
    return NULL;
}

const spar__setting *spar__setting_of(const spar__settings *settings, const char *name)
{
    const spar__setting *setting = spar__setting_find(settings, name);
    assert(setting);
    return setting;
}

uint64_t spar__setting_number(const spar__settings *settings, const char *name)
{
    return spar__setting_of(settings, name)->number;
}

const char *spar__setting_text(const spar__settings *settings, const char *name)
{
    const spar__setting *setting = spar__setting_of(settings, name);
    return setting->n ? setting->text[0] : NULL;
}

bool spar__setting_is(const spar__settings *settings, const char *name, const char *text)
{
    const char *value = spar__setting_text(settings, name);
    return value && strcmp(value, text) == 0;
}

spar_status spar__settings_add(spar__setting *setting, spar__setting_source source, const char *origin,
                               const char *text, spar_error *err)
{
    if (setting->n && setting->source < source)
        return SPAR_OK;
    if (setting->n && !setting->option->plural)
        return spar__fail(err, SPAR_INVALID, "%s is given twice", origin);
    char **grown = spar__realloc(setting->text, setting->n, setting->n + 1, sizeof *grown);
    if (!grown)
        return spar__fail_memory(err);
    setting->text = grown;
    setting->source = source;
    char *copy = spar__strdup(text);
    if (!setting->origin)
        setting->origin = spar__strdup(origin);
    if (!copy || !setting->origin) {
        spar__free(copy);
        return spar__fail_memory(err);
    }
    setting->text[setting->n++] = copy;
    return SPAR_OK;
}

spar_status spar__fail_missing(const spar__command *command, const char *verb, size_t at, spar_error *err)
{
    const char *word = command->operands;
    for (at += *verb != '\0'; at; at--)
        word += strcspn(word, " ") + 1;
    word += *word == '['; /* one that another verb may go without */
    return spar__fail(err, SPAR_INVALID, "%s%s%s: %.*s is missing; usage: spar %s %s", command->name, *verb ? " " : "",
                      verb, (int)strcspn(word, " []"), word, command->name, command->operands);
}

static spar_status fail_unknown(const spar__settings *settings, const char *name, spar_error *err)
{
    const char *command = settings->command->name;
    for (const spar__fixed_option *fixed = settings->command->fixed; fixed && fixed->name; fixed++)
        if (strcmp(fixed->name, name) == 0)
            return spar__fail(err, SPAR_UNSUPPORTED, "%s: --%s: %s", command, name, fixed->why);
    spar__nearest nearest = spar__nearest_to(name);
    spar__nearest_offer(&nearest, "help");
    for (size_t i = 0; i < settings->n; i++)
        spar__nearest_offer(&nearest, settings->setting[i].option->name);
    if (nearest.best)
        return spar__fail(err, SPAR_INVALID, "%s: unknown option '--%.80s'; did you mean '--%s'?", command, name,
                          nearest.best);
    return spar__fail(err, SPAR_INVALID, "%s: unknown option '--%.80s'; see 'spar %s --help'", command, name, command);
}

/* Reads the option argv[*at]: "--name", "--name=value", or "--name" with its value in the next word. */
static spar_status take_option(spar__settings *settings, int argc, char **argv, int *at, spar_error *err)
{
    const char *command = settings->command->name;
    char name[64] = "";
    const char *word = argv[*at] + 2;
    size_t length = strcspn(word, "=");
    if (length < sizeof name)
        memcpy(name, word, length);
    spar__setting *setting = spar__setting_find(settings, name);
    if (!setting)
        return fail_unknown(settings, *name ? name : word, err);
    const spar__option *option = setting->option;
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (option->kind == SPAR__OPTION_SWITCH) {
        if (value)
            return spar__fail(err, SPAR_INVALID, "%s: --%s takes no value", command, name);
        value = "true";
    } else if (!value) {
        if (*at + 1 == argc)
            return spar__fail(err, SPAR_INVALID, "%s: --%s needs a value: --%s %s", command, name, name,
                              option->metavar);
        value = argv[++*at];
    }
    char origin[80] = "--";
    strcat(origin, option->name);
    return spar__settings_add(setting, SPAR__SOURCE_FLAG, origin, value, err);
}

static spar_status read_flags(spar__settings *settings, int argc, char **argv, spar_error *err)
{
    bool options = true; /* until "--" */
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            settings->help = true;
            return SPAR_OK;
        } else if (options && strncmp(word, "--", 2) == 0) {
            spar_status status = take_option(settings, argc, argv, &i, err);
            if (status)
                return status;
        } else if (options && word[0] == '-' && word[1]) {
            return spar__fail(err, SPAR_INVALID, "%s: unknown option '%.80s'; options begin with two dashes",
                              settings->command->name, word);
        } else if (settings->n_operands == settings->command->max_operands) {
            return spar__fail(err, SPAR_INVALID, "%s: did not expect '%.200s'; usage: spar %s %s",
                              settings->command->name, word, settings->command->name, settings->command->operands);
        } else {
            settings->operand[settings->n_operands++] = word;
        }
    }
    return SPAR_OK;
}

static spar_status read_environment(spar__settings *settings, spar_error *err)
{
    for (size_t i = 0; i < settings->n; i++) {
        char name[80] = "SPAR_";
        strcat(name, settings->setting[i].option->name);
        for (char *c = name; *c; c++)
            *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
        const char *text = getenv(name);
        if (!text || !*text)
            continue;
        spar_status status = spar__settings_add(&settings->setting[i], SPAR__SOURCE_ENVIRONMENT, name, text, err);
        if (status)
            return status;
    }
    return SPAR_OK;
}

spar_status spar__settings_new(const spar__command *command, int argc, char **argv, spar__settings *out,
                               spar_error *err)
{
    *out = (spar__settings){.command = command};
    for (const spar__option *o = command->options; o && o->name; o++)
        out->n++;
    out->setting = spar__alloc(out->n, sizeof *out->setting);
    size_t words = (size_t)argc, operands = command->max_operands < words ? command->max_operands : words;
    out->operand = spar__alloc(operands, sizeof *out->operand);
    spar_status status = out->setting && out->operand ? SPAR_OK : spar__fail_memory(err);
    for (size_t i = 0; !status && i < out->n; i++)
        out->setting[i].option = &command->options[i];
    if (!status)
        status = read_flags(out, argc, argv, err);
    if (!status && !out->help && out->n_operands < command->min_operands)
        status = spar__fail_missing(command, "", out->n_operands, err);
    if (!status && !out->help)
        status = read_environment(out, err);
    if (status)
        spar__settings_free(out);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), length = strlen(end);
    return n >= length && strcmp(text + n - length, end) == 0;
}

/* The i-th value of an option. */
static spar_status check_value(spar__setting *setting, size_t i, spar_error *err)
{
    const spar__option *option = setting->option;
    const char *text = setting->text[i];
    size_t index;
    char hint[SPAR__HINT];
    switch (option->kind) {
    case SPAR__OPTION_SWITCH:
        setting->number = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
        if (setting->number || strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
            return SPAR_OK;
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not true or false", setting->origin, text);
    case SPAR__OPTION_TEXT:
        if (!text[0] && !option->may_be_empty)
            return spar__fail(err, SPAR_INVALID, "%s: is empty, expected %s", setting->origin,
                              option->metavar ? option->metavar : "a text");
        if (option->metavar && ends_with(option->metavar, ".svg") &&
            (ends_with(text, ".png") || ends_with(text, ".pdf"))) /* it would be one in name only */
            return spar__fail(err, SPAR_INVALID, "%s: '%.200s': expected a name that ends with .svg", setting->origin,
                              text);
        return SPAR_OK;
    case SPAR__OPTION_COUNT:
        if (spar__parse_u64(text, &setting->number) && setting->number >= option->low &&
            setting->number <= option->high)
            return SPAR_OK;
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not a whole number from %" PRIu64 " to %" PRIu64,
                          setting->origin, text, option->low, option->high);
    case SPAR__OPTION_CHOICE:
        if (spar__choice_find(option->choices, text, &index))
            return SPAR_OK;
        spar__choice_hint(option->choices, text, hint);
        return spar__fail(err, SPAR_INVALID, "%s: '%.80s' is not one of %s%s", setting->origin, text, option->choices,
                          hint);
    }
    return SPAR_OK;
}

spar_status spar__settings_finish(spar__settings *settings, spar_error *err)
{
    spar_status status = SPAR_OK;
    for (size_t i = 0; !status && i < settings->n; i++) {
        spar__setting *setting = &settings->setting[i];
        if (!setting->n && setting->option->standard)
            status = spar__settings_add(setting, SPAR__SOURCE_DEFAULT, setting->option->name, setting->option->standard,
                                        err);
        for (size_t k = setting->n; !status && k-- > 0;) /* number: the first */
            status = check_value(setting, k, err);
    }
    return status;
}

void spar__settings_free(spar__settings *settings)
{
    for (size_t i = 0; settings->setting && i < settings->n; i++) {
        spar__setting *setting = &settings->setting[i];
        for (size_t k = 0; k < setting->n; k++)
            spar__free(setting->text[k]);
        spar__free(setting->text);
        spar__free(setting->origin);
    }
    spar__free(settings->setting);
    spar__free(settings->operand);
    *settings = (spar__settings){0};
}
