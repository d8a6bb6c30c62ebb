/* spec.c - the strings that name things, from text to bound values: entries describe the parameters, a spec is parsed
 * into stages, and the arguments of a stage are bound to the parameters of an entry. Linear in the text. */
#include "base/spec.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *spar_entry_name(const spar_entry *entry)
{
    return entry ? entry->name : NULL;
}

const char *spar_entry_brief(const spar_entry *entry)
{
    return entry ? entry->brief : NULL;
}

const char *spar_entry_paper(const spar_entry *entry)
{
    return entry ? entry->paper : NULL;
}

size_t spar_entry_params(const spar_entry *entry)
{
    size_t n = 0;
    while (entry && entry->params && entry->params[n].name)
        n++;
    return n;
}

const spar_param *spar_entry_param(const spar_entry *entry, size_t index)
{
    return entry && index < spar_entry_params(entry) ? &entry->params[index] : NULL;
}

const char *spar_param_name(const spar_param *param)
{
    return param ? param->name : NULL;
}

spar_param_kind spar_param_kind_of(const spar_param *param)
{
    return param ? param->kind : SPAR_PARAM_NUMBER;
}

const char *spar_param_default(const spar_param *param)
{
    return param ? param->standard : NULL;
}

double spar_param_low(const spar_param *param)
{
    return param ? param->low : 0;
}

double spar_param_high(const spar_param *param)
{
    return param ? param->high : 0;
}

const char *spar_param_choices(const spar_param *param)
{
    return param ? param->choices : NULL;
}

const char *spar_param_help(const spar_param *param)
{
    return param ? param->help : NULL;
}

typedef struct cursor {
    const char *text, *at;
    spar_error *err;
} cursor;

static spar_status syntax(const cursor *c, const char *what)
{
    return spar__fail(c->err, SPAR_PARSE, "%.200s: %s at position %zu", c->text, what, (size_t)(c->at - c->text) + 1);
}

static char *copy_span(const char *start, size_t length)
{
    char *copy = spar__alloc(length + 1, 1);
    if (copy)
        memcpy(copy, start, length);
    return copy;
}

static size_t name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
}

/* Room for one more of n: the list doubles whenever n is a power of two, so that long ones cost linear time. */
static bool grow(void *list, size_t n, size_t size)
{
    return n & (n - 1) || spar__resize(list, n, n ? 2 * n : 1, size);
}

static spar_status append_arg(spar__stage *stage, char *name, char *value)
{
    if (!name || !value || !grow(&stage->arg, stage->n_args, sizeof *stage->arg)) {
        spar__free(name);
        spar__free(value);
        return SPAR_NOMEM;
    }
    stage->arg[stage->n_args++] = (spar__arg){name, value};
    return SPAR_OK;
}

spar_status spar__stage_add(spar__stage *stage, const char *name, const char *value)
{
    return append_arg(stage, spar__strdup(name), spar__strdup(value));
}

static spar_status parse_arg(cursor *c, spar__stage *stage)
{
    size_t length = name_length(c->at);
    if (!length)
        return syntax(c, "expected a parameter name");
    const char *name = c->at;
    c->at += length;
    if (*c->at != '=')
        return syntax(c, "expected '=' after the parameter name");
    c->at++;
    bool quoted = *c->at == '"';
    c->at += quoted;
    size_t span = strcspn(c->at, quoted ? "\"" : ",()");
    const char *value = c->at;
    if (quoted && value[span] != '"')
        return syntax(c, "quote is not closed");
    if (!span)
        return syntax(c, "expected a value after '='");
    c->at += span + quoted;
    if (append_arg(stage, copy_span(name, length), copy_span(value, span)))
        return spar__fail_memory(c->err);
    return SPAR_OK;
}

static spar_status parse_stage(cursor *c, spar__spec *spec)
{
    size_t length = name_length(c->at);
    if (!length)
        return syntax(c, "expected a name");
    if (!grow(&spec->stage, spec->n, sizeof *spec->stage))
        return spar__fail_memory(c->err);
    spar__stage *stage = &spec->stage[spec->n++];
    stage->name = copy_span(c->at, length);
    if (!stage->name)
        return spar__fail_memory(c->err);
    c->at += length;
    if (*c->at != '(')
        return SPAR_OK;
    if (c->at[1] == ')') {
        c->at += 2;
        return SPAR_OK;
    }
    do {
        c->at++; /* the opening parenthesis or the comma */
        spar_status status = parse_arg(c, stage);
        if (status)
            return status;
    } while (*c->at == ',');
    if (*c->at != ')')
        return syntax(c, "expected ',' or ')'");
    c->at++;
    return SPAR_OK;
}

spar_status spar__spec_parse(const char *text, spar__spec *out, spar_error *err)
{
    *out = (spar__spec){0};
    cursor c = {text, text, err};
    for (;;) {
        spar_status status = parse_stage(&c, out);
        if (!status && *c.at == '\0')
            return SPAR_OK;
        if (!status && *c.at != '/')
            status = syntax(&c, "expected '/' or the end");
        if (status) {
            spar__spec_free(out);
            return status;
        }
        c.at++;
    }
}

static void free_stage(spar__stage *stage)
{
    for (size_t k = 0; k < stage->n_args; k++) {
        spar__free(stage->arg[k].name);
        spar__free(stage->arg[k].value);
    }
    spar__free(stage->arg);
    spar__free(stage->name);
}

void spar__spec_free(spar__spec *spec)
{
    for (size_t i = 0; i < spec->n; i++)
        free_stage(&spec->stage[i]);
    spar__free(spec->stage);
    *spec = (spar__spec){0};
}

spar_status spar__spec_replace_last(spar__spec *spec, spar__spec *path)
{
    size_t kept = spec->n - 1;
    spar__stage *stage = spar__realloc(spec->stage, spec->n, kept + path->n, sizeof *stage);
    if (!stage)
        return SPAR_NOMEM;
    free_stage(&stage[kept]);
    memcpy(stage + kept, path->stage, path->n * sizeof *stage);
    *spec = (spar__spec){stage, kept + path->n};
    spar__free(path->stage);
    *path = (spar__spec){0};
    return SPAR_OK;
}

const spar_param *spar__param_find(const spar_entry *entry, const char *name)
{
    for (const spar_param *p = entry->params; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
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

static spar_status read_value(const spar_entry *entry, const spar_param *param, spar__value *value, spar_error *err)
{
    if (param->kind == SPAR_PARAM_NUMBER || param->kind == SPAR_PARAM_INTEGER)
        return read_number(entry, param, value->text, &value->number, err);
    if (param->kind == SPAR_PARAM_NUMBERS) {
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
    if (param->kind != SPAR_PARAM_CHOICE || spar__choice_find(param->choices, value->text, &value->choice))
        return SPAR_OK;
    char hint[SPAR__HINT];
    spar__choice_hint(param->choices, value->text, hint);
    return spar__fail(err, SPAR_INVALID, "%s: %s=%.80s is not one of %s%s", entry->name, param->name, value->text,
                      param->choices, hint);
}

static spar_status take_arg(const spar_entry *entry, const spar__arg *arg, spar__values *out, spar_error *err)
{
    const spar_param *param = spar__param_find(entry, arg->name);
    if (!param) {
        spar__nearest nearest = spar__nearest_to(arg->name);
        for (const spar_param *p = entry->params; p && p->name; p++)
            spar__nearest_offer(&nearest, p->name);
        return spar__fail_unknown(err, entry->name, "parameter", &nearest);
    }
    spar__value *value = &out->value[param - entry->params];
    if (value->given)
        return spar__fail(err, SPAR_INVALID, "%s: %s is given twice", entry->name, arg->name);
    value->given = true;
    value->text = spar__strdup(arg->value);
    return value->text ? SPAR_OK : spar__fail_memory(err);
}

spar_status spar__values_bind(const spar_entry *entry, const spar__stage *stage, spar__values *out, spar_error *err)
{
    size_t n = spar_entry_params(entry);
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
    size_t n = values->value ? spar_entry_params(values->entry) : 0;
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

spar_status spar__bind_one(const char *text, const char *kind, const spar_entry *(*entry)(size_t), size_t *index,
                           spar__values *values, spar_error *err)
{
    *values = (spar__values){0};
    spar__spec spec;
    spar_status status = spar__spec_parse(text, &spec, err);
    if (status)
        return status;
    const char *name = spec.stage[0].name;
    *index = 0;
    while (entry(*index) && strcmp(entry(*index)->name, name) != 0)
        ++*index;
    if (spec.n != 1)
        status = spar__fail(err, SPAR_PARSE, "%.200s: expected one %s, without '/'", text, kind);
    else if (!entry(*index)) {
        spar__nearest nearest = spar__nearest_to(name);
        for (size_t i = 0; entry(i); i++)
            spar__nearest_offer(&nearest, entry(i)->name);
        status = spar__fail_unknown(err, NULL, kind, &nearest);
    } else
        status = spar__values_bind(entry(*index), &spec.stage[0], values, err);
    spar__spec_free(&spec);
    return status;
}
