#include "text/json_rows.h"

#include <string.h>

spar__json_rows spar__json_rows_of(const char *text, size_t length, const char *path, size_t keys,
                                   const char *const *key)
{
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    spar__json_rows rows = {.scan = {.path = path, .at = text + mark, .end = text + length, .number = 1}, .keys = keys};
    for (size_t i = 0; i < keys; i++)
        rows.key[i] = key[i];
    return rows;
}

static spar_status read_key(spar__json_rows *r, spar_error *err)
{
    if (!spar__scan_take(&r->scan, '"'))
        return spar__scan_refuse(&r->scan, "a name in quotes", err);
    spar_status status = spar__scan_string(&r->scan, err);
    if (!status && !spar__scan_take(&r->scan, ':'))
        status = spar__scan_refuse(&r->scan, "a colon", err);
    return status;
}

/* Any value; `open` has the brackets it stands in. */
static spar_status skip_value(spar__json_rows *r, spar_error *err)
{
    char open[SPAR__JSON_DEPTH];
    size_t depth = 0;
    for (bool null;;) {
        char c = spar__scan_space(&r->scan);
        spar_status status = SPAR_OK;
        if (c == '{' || c == '[') {
            if (depth == SPAR__JSON_DEPTH)
                return spar__fail(err, SPAR_PARSE, "%s:%zu: lists and objects inside each other, more than %d",
                                  r->scan.path, r->scan.number, SPAR__JSON_DEPTH);
            open[depth++] = c == '{' ? '}' : ']';
            r->scan.at++;
            if (spar__scan_space(&r->scan) != open[depth - 1] || r->scan.at == r->scan.end) {
                if (c == '{' && (status = read_key(r, err)))
                    return status;
                continue;
            }
        } else if ((status = spar__scan_scalar(&r->scan, &null, err)))
            return status;
        while (depth > 0 && spar__scan_take(&r->scan, open[depth - 1]))
            depth--;
        if (depth == 0)
            return SPAR_OK;
        if (!spar__scan_take(&r->scan, ','))
            return spar__scan_refuse(&r->scan, open[depth - 1] == '}' ? "a comma or }" : "a comma or ]", err);
        if (open[depth - 1] == '}' && (status = read_key(r, err)))
            return status;
    }
}

static size_t find_key(const spar__json_rows *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (r->key[i] && strcmp(r->key[i], r->scan.word.text) == 0)
            return i;
    return r->keys;
}

static spar_status refuse_nested(spar__json_rows *r, const char *key, spar_error *err)
{
    char c = spar__scan_space(&r->scan);
    if (c != '{' && c != '[')
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is %s, expected text", r->scan.path, r->scan.number, key,
                      c == '{' ? "an object" : "a list");
}

/* The key is in word. */
static spar_status give_other(spar__json_rows *r, spar_error *err)
{
    bool null;
    spar__buf key = r->scan.word;
    r->scan.word = (spar__buf){0};
    spar_status status = refuse_nested(r, key.text, err);
    if (!status)
        status = spar__scan_scalar(&r->scan, &null, err);
    if (!status)
        status = r->take(r->context, key.text, null ? NULL : r->scan.word.text, err);
    spar__buf_free(&key);
    return status;
}

static void keep_value(spar__json_rows *r, size_t key)
{
    r->has[key] = true;
    r->start[key] = r->text.length;
    spar__buf_add(&r->text, r->scan.word.text, r->scan.word.length);
    spar__buf_add(&r->text, "", 1);
}

static spar_status read_member(spar__json_rows *r, spar_error *err)
{
    spar_status status = read_key(r, err);
    if (status)
        return status;
    size_t key = find_key(r);
    if (key == r->keys)
        return r->take ? give_other(r, err) : skip_value(r, err);
    status = refuse_nested(r, r->key[key], err);
    if (status)
        return status;
    if (r->has[key])
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%s' is given twice", r->scan.path, r->scan.number, r->key[key]);
    status = spar__scan_scalar(&r->scan, &r->null[key], err);
    keep_value(r, key);
    for (size_t i = key + 1; i < r->keys && !status; i++) /* a name may be asked for twice */
        if (r->key[i] && strcmp(r->key[i], r->key[key]) == 0) {
            r->has[i] = true;
            r->null[i] = r->null[key];
            r->start[i] = r->start[key];
        }
    return !status && r->text.failed ? spar__fail_memory(err) : status;
}

/* A row that is one text. */
static spar_status read_text(spar__json_rows *r, spar_error *err)
{
    spar_status status = spar__scan_string(&r->scan, err);
    r->null[0] = false;
    keep_value(r, 0);
    return !status && r->text.failed ? spar__fail_memory(err) : status;
}

static spar_status read_object(spar__json_rows *r, spar_error *err)
{
    r->line = r->scan.number;
    if (r->plain && spar__scan_take(&r->scan, '"'))
        return read_text(r, err);
    if (!spar__scan_take(&r->scan, '{'))
        return spar__scan_refuse(&r->scan, r->plain ? "a text in quotes or an object, {...}" : "an object, {...}", err);
    if (spar__scan_take(&r->scan, '}'))
        return SPAR_OK;
    for (;;) {
        spar_status status = read_member(r, err);
        if (status || spar__scan_take(&r->scan, '}'))
            return status;
        if (!spar__scan_take(&r->scan, ','))
            return spar__scan_refuse(&r->scan, "a comma or }", err);
    }
}

spar_status spar__json_rows_next(spar__json_rows *r, bool *more, spar_error *err)
{
    *more = false;
    memset(r->has, 0, sizeof r->has);
    spar__buf_clear(&r->text);
    if (!r->begun && !r->list)
        r->list = spar__scan_take(&r->scan, '[');
    (void)spar__scan_space(&r->scan);
    if (r->list && spar__scan_take(&r->scan, ']')) {
        r->list = false;
        r->begun = true;
        (void)spar__scan_space(&r->scan);
        return r->scan.at == r->scan.end ? SPAR_OK : spar__scan_refuse(&r->scan, "the end behind the list", err);
    }
    if (!r->list && r->scan.at == r->scan.end)
        return SPAR_OK;
    if (r->list && r->begun && !spar__scan_take(&r->scan, ','))
        return spar__scan_refuse(&r->scan, "a comma or ]", err);
    (void)spar__scan_space(&r->scan);
    r->begun = true;
    spar_status status = read_object(r, err);
    *more = !status;
    return status;
}

bool spar__json_rows_has(const spar__json_rows *r, size_t key)
{
    return r->has[key];
}

const char *spar__json_rows_value(const spar__json_rows *r, size_t key)
{
    return r->has[key] && !r->null[key] ? r->text.text + r->start[key] : NULL;
}

void spar__json_rows_close(spar__json_rows *r)
{
    spar__buf_free(&r->text);
    spar__buf_free(&r->scan.word);
}
