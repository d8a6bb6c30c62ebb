/* runfile.c - options from a YAML file: a key is an option or its plural, a list gives it several times, and a map of
 * names to values stands for NAME=VALUE of each. */
#include "cli/runfile.h"

#include "base/error.h"
#include "text/yaml.h"

#include <stdio.h>
#include <string.h>

static spar__setting *find_key(const spar__settings *settings, const char *key)
{
    for (size_t i = 0; i < settings->n; i++) {
        const spar__option *option = settings->setting[i].option;
        if (strcmp(option->name, key) == 0 || (option->plural && strcmp(option->plural, key) == 0))
            return &settings->setting[i];
    }
    return NULL;
}

static spar_status fail_unknown_key(const spar__settings *settings, const spar__yaml_value *value, const char *key,
                                    spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(key);
    for (size_t i = 0; i < settings->n; i++) {
        const spar__option *option = settings->setting[i].option;
        spar__nearest_offer(&nearest, option->name);
        if (option->plural)
            spar__nearest_offer(&nearest, option->plural);
    }
    if (nearest.best)
        return spar__yaml_fail(value, err, "unknown key '%.80s'; did you mean '%s'?", key, nearest.best);
    return spar__yaml_fail(value, err, "unknown key '%.80s'; keys are options of 'spar %s', see its --help", key,
                           settings->command->name);
}

/* A member of "parameters: {eta: [1, 2]}". */
static bool is_map(const spar__option *option, const spar__yaml_value *value)
{
    return option->map && value->depth > 1 && value->in[1].key;
}

/* Is it the first value under its key? */
static bool is_first(const spar__yaml_value *value)
{
    for (size_t i = 1; i < value->depth; i++)
        if (value->in[i].index > 0)
            return false;
    return true;
}

static spar_status add_member(spar__setting *setting, const char *origin, const spar__yaml_value *value,
                              spar_error *err)
{
    spar__buf text = {0};
    spar__buf_printf(&text, "%s=%s", value->in[1].key, value->text);
    spar_status status =
        text.failed ? spar__fail_memory(err) : spar__settings_add(setting, SPAR__SOURCE_FILE, origin, text.text, err);
    spar__buf_free(&text);
    return status;
}

static spar_status check_shape(const spar__option *option, const spar__yaml_value *value, spar_error *err)
{
    const char *key = value->in[0].key;
    bool map = is_map(option, value), list = value->depth > 1 && (map || !value->in[1].key);
    size_t most = map ? 3 : 2;
    if (value->depth > most || (value->depth == 2 && !list) || (value->depth == 3 && value->in[2].key))
        return spar__yaml_fail(value, err, "%s has a map in it, expected text", key);
    if (list && !option->plural)
        return spar__yaml_fail(value, err, "%s is a list, expected one value", key);
    if (!value->text)
        return spar__yaml_fail(value, err, "%s is empty", key);
    return SPAR_OK;
}

/* A value of the file. "env" and "environments" are one option: only one of them may be given. */
static spar_status take(void *context, const spar__yaml_value *value, spar_error *err)
{
    spar__settings *settings = context;
    const char *key = value->depth ? value->in[0].key : NULL;
    if (!key)
        return spar__yaml_fail(value, err, "expected keys such as 'env: ...' and 'policies: ...'");
    spar__setting *setting = find_key(settings, key);
    if (!setting)
        return fail_unknown_key(settings, value, key, err);
    spar_status status = check_shape(setting->option, value, err);
    if (status)
        return status;
    if (setting->source == SPAR__SOURCE_FILE && is_first(value))
        return spar__yaml_fail(value, err, "both %s and %s are given", setting->option->name, setting->option->plural);
    char origin[400];
    (void)snprintf(origin, sizeof origin, "%.300s:%zu:%zu: %.80s", value->file, value->line, value->column, key);
    return is_map(setting->option, value) ? add_member(setting, origin, value, err)
                                          : spar__settings_add(setting, SPAR__SOURCE_FILE, origin, value->text, err);
}

spar_status spar__runfile_load(const char *path, spar__settings *settings, spar_error *err)
{
    return spar__yaml_load(path, take, settings, err);
}

spar_status spar__runfile_parse(const char *name, const char *text, size_t length, spar__settings *settings,
                                spar_error *err)
{
    return spar__yaml_parse(name, text, length, take, settings, err);
}
