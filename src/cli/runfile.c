#include "cli/runfile.h"

#include "base/nearest.h"
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

static spar_status fail_unknown_key(const spar__settings *settings, const spar__yaml *node, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(node->key);
    for (size_t i = 0; i < settings->n; i++) {
        const spar__option *option = settings->setting[i].option;
        spar__nearest_offer(&nearest, option->name);
        if (option->plural)
            spar__nearest_offer(&nearest, option->plural);
    }
    if (nearest.best)
        return spar__yaml_fail(node, err, "unknown key '%.80s'; did you mean '%s'?", node->key, nearest.best);
    return spar__yaml_fail(node, err, "unknown key '%.80s'; keys are options of 'spar %s', see its --help", node->key,
                           settings->command->name);
}

static spar_status add_value(spar__setting *setting, const char *key, const spar__yaml *node, spar_error *err)
{
    const char *text;
    spar_status status = spar__yaml_text(node, &text, err);
    if (status)
        return status;
    char origin[400];
    (void)snprintf(origin, sizeof origin, "%.300s:%zu:%zu: %s", node->file, node->line, node->column, key);
    return spar__settings_add(setting, SPAR__SOURCE_FILE, origin, text, err);
}

static spar_status add_member(spar__settings *settings, const spar__yaml *node, spar_error *err)
{
    spar__setting *setting = find_key(settings, node->key);
    if (!setting)
        return fail_unknown_key(settings, node, err);
    if (node->kind != SPAR__YAML_LIST)
        return add_value(setting, node->key, node, err);
    if (!setting->option->plural)
        return spar__yaml_fail(node, err, "%s is a list, expected one value", node->key);
    if (!node->first)
        return spar__yaml_fail(node, err, "%s is an empty list", node->key);
    spar_status status = SPAR_OK;
    for (const spar__yaml *item = node->first; !status && item; item = item->next)
        status = add_value(setting, node->key, item, err);
    return status;
}

/* "env" and "environments" are one option: only one of them may be given. */
static spar_status refuse_both(const spar__settings *settings, const spar__yaml *root, spar_error *err)
{
    for (size_t i = 0; i < settings->n; i++) {
        const spar__option *option = settings->setting[i].option;
        const spar__yaml *plural = option->plural ? spar__yaml_get(root, option->plural) : NULL;
        if (plural && strcmp(option->name, option->plural) != 0 && spar__yaml_get(root, option->name))
            return spar__yaml_fail(plural, err, "both %s and %s are given", option->name, option->plural);
    }
    return SPAR_OK;
}

static spar_status add_all(spar__settings *settings, const spar__yaml *root, spar_error *err)
{
    if (root->kind != SPAR__YAML_MAP)
        return spar__yaml_fail(root, err, "expected keys such as 'env: ...' and 'policies: ...'");
    spar_status status = refuse_both(settings, root, err);
    for (const spar__yaml *node = root->first; !status && node; node = node->next)
        status = add_member(settings, node, err);
    return status;
}

spar_status spar__runfile_load(const char *path, spar__settings *settings, spar_error *err)
{
    spar__yaml *root = NULL;
    spar_status status = spar__yaml_load(path, &root, err);
    if (!status)
        status = add_all(settings, root, err);
    spar__yaml_free(root);
    return status;
}

spar_status spar__runfile_parse(const char *name, const char *text, size_t length, spar__settings *settings,
                                spar_error *err)
{
    spar__yaml *root = NULL;
    spar_status status = spar__yaml_parse(name, text, length, &root, err);
    if (!status)
        status = add_all(settings, root, err);
    spar__yaml_free(root);
    return status;
}
