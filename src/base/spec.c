#include "base/spec.h"

#include "base/alloc.h"

#include <string.h>

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
static void *grow(void *list, size_t n, size_t size)
{
    return n & (n - 1) ? list : spar__realloc(list, n, n ? 2 * n : 1, size);
}

static spar_status append_arg(spar__stage *stage, char *name, char *value)
{
    spar__arg *grown = name && value ? grow(stage->arg, stage->n_args, sizeof *grown) : NULL;
    if (!grown) {
        spar__free(name);
        spar__free(value);
        return SPAR_NOMEM;
    }
    stage->arg = grown;
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

static spar_status parse_args(cursor *c, spar__stage *stage)
{
    c->at++; /* the opening parenthesis */
    if (*c->at == ')') {
        c->at++;
        return SPAR_OK;
    }
    for (;;) {
        spar_status status = parse_arg(c, stage);
        if (status)
            return status;
        if (*c->at == ')') {
            c->at++;
            return SPAR_OK;
        }
        if (*c->at != ',')
            return syntax(c, "expected ',' or ')'");
        c->at++;
    }
}

static spar_status parse_stage(cursor *c, spar__spec *spec)
{
    size_t length = name_length(c->at);
    if (!length)
        return syntax(c, "expected a name");
    spar__stage *grown = grow(spec->stage, spec->n, sizeof *grown);
    if (!grown)
        return spar__fail_memory(c->err);
    spec->stage = grown;
    spar__stage *stage = &spec->stage[spec->n++];
    stage->name = copy_span(c->at, length);
    if (!stage->name)
        return spar__fail_memory(c->err);
    c->at += length;
    return *c->at == '(' ? parse_args(c, stage) : SPAR_OK;
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
