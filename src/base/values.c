#include "base/alloc.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/spec.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static size_t count_params(const spar_entry *entry)
{
    size_t n = 0;
    while (entry->params && entry->params[n].name)
        n++;
    return n;
}

const spar_param *spar__param_find(const spar_entry *entry, const char *name)
{
    for (const spar_param *p = entry->params; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static spar_status fail_unknown(const spar_entry *entry, const char *name, spar_error *err)
{
    spar__nearest nearest = spar__nearest_to(name);
    for (const spar_param *p = entry->params; p && p->name; p++)
        spar__nearest_offer(&nearest, p->name);
    return spar__fail_unknown(err, entry->name, "parameter", &nearest);
}

static spar_status read_number(const spar_entry *entry, const spar_param *param, const char *text, double *out,
                               spar_error *err)
{
    bool whole = param->kind == SPAR_PARAM_INTEGER;
    if (!spar__parse_double(text, out) || (whole && *out != floor(*out)))
        return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is not a %snumber", entry->name, param->name, text,
                          whole ? "whole " : "");
    if (*out < param->low || *out > param->high) {
        if (isinf(param->high))
            return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is out of range, expected at least %g", entry->name,
                              param->name, text, param->low);
        return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is out of range, expected %g to %g", entry->name,
                          param->name, text, param->low, param->high);
    }
    return SPAR_OK;
}

static spar_status read_numbers(const spar_entry *entry, const spar_param *param, spar__value *value, spar_error *err)
{
    size_t n = 1;
    for (const char *s = value->text; *s; s++)
        n += *s == ':';
    value->numbers = spar__alloc(n, sizeof *value->numbers);
    char *copy = spar__strdup(value->text);
    spar_status status = value->numbers && copy ? SPAR_OK : spar__fail_memory(err);
    char *item = copy;
    for (value->n = 0; !status && value->n < n; value->n++) {
        size_t length = strcspn(item, ":");
        item[length] = '\0';
        status = read_number(entry, param, item, &value->numbers[value->n], err);
        item += length + 1;
    }
    spar__free(copy);
    return status;
}

bool spar__choice_find(const char *choices, const char *text, size_t *index)
{
    size_t length = strlen(text), at = 0;
    for (const char *word = choices;; at++) {
        size_t span = strcspn(word, "|");
        if (span == length && strncmp(word, text, span) == 0) {
            *index = at;
            return true;
        }
        if (!word[span])
            return false;
        word += span + 1;
    }
}

static spar_status read_choice(const spar_entry *entry, const spar_param *param, spar__value *value, spar_error *err)
{
    if (spar__choice_find(param->choices, value->text, &value->choice))
        return SPAR_OK;
    char hint[SPAR__HINT];
    spar__choice_hint(param->choices, value->text, hint);
    return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is not one of %s%s", entry->name, param->name, value->text,
                      param->choices, hint);
}

static spar_status read_value(const spar_entry *entry, const spar_param *param, spar__value *value, spar_error *err)
{
    switch (param->kind) {
    case SPAR_PARAM_NUMBER:
    case SPAR_PARAM_INTEGER:
        return read_number(entry, param, value->text, &value->number, err);
    case SPAR_PARAM_NUMBERS:
        return read_numbers(entry, param, value, err);
    case SPAR_PARAM_CHOICE:
        return read_choice(entry, param, value, err);
    case SPAR_PARAM_PATH:
    case SPAR_PARAM_PATHS:
    case SPAR_PARAM_TEXT:
        break;
    }
    return SPAR_OK;
}

static spar_status take_arg(const spar_entry *entry, const spar__arg *arg, spar__values *out, spar_error *err)
{
    const spar_param *param = spar__param_find(entry, arg->name);
    if (!param)
        return fail_unknown(entry, arg->name, err);
    spar__value *value = &out->value[param - entry->params];
    if (value->given)
        return spar__fail(err, SPAR_INVALID, "%s: %s is given twice", entry->name, arg->name);
    value->given = true;
    value->text = spar__strdup(arg->value);
    return value->text ? SPAR_OK : spar__fail_memory(err);
}

spar_status spar__values_bind(const spar_entry *entry, const spar__stage *stage, spar__values *out, spar_error *err)
{
    size_t n = count_params(entry);
    *out = (spar__values){entry, spar__alloc(n, sizeof(spar__value))};
    spar_status status = out->value ? SPAR_OK : spar__fail_memory(err);
    for (size_t k = 0; !status && stage && k < stage->n_args; k++)
        status = take_arg(entry, &stage->arg[k], out, err);
    for (size_t i = 0; !status && i < n; i++) {
        const spar_param *param = &entry->params[i];
        spar__value *value = &out->value[i];
        if (!value->text && param->standard) {
            value->text = spar__strdup(param->standard);
            status = value->text ? SPAR_OK : spar__fail_memory(err);
        }
        if (!status && value->text)
            status = read_value(entry, param, value, err);
    }
    if (status)
        spar__values_free(out);
    return status;
}

void spar__values_free(spar__values *values)
{
    size_t n = values->value ? count_params(values->entry) : 0;
    for (size_t i = 0; i < n; i++) {
        spar__free(values->value[i].text);
        spar__free(values->value[i].numbers);
    }
    spar__free(values->value);
    *values = (spar__values){0};
}

const spar__value *spar__value_of(const spar__values *values, const char *name)
{
    const spar_param *param = spar__param_find(values->entry, name);
    assert(param);
    return &values->value[param - values->entry->params];
}

double spar__number(const spar__values *values, const char *name)
{
    return spar__value_of(values, name)->number;
}

size_t spar__integer(const spar__values *values, const char *name)
{
    return (size_t)spar__value_of(values, name)->number;
}

size_t spar__choice(const spar__values *values, const char *name)
{
    return spar__value_of(values, name)->choice;
}

const char *spar__text(const spar__values *values, const char *name)
{
    return spar__value_of(values, name)->text;
}

bool spar__given(const spar__values *values, const char *name)
{
    return spar__value_of(values, name)->given;
}
