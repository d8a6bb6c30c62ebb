#include "text/json_rows.h"

#include "base/utf8.h"

#include <string.h>

spar__json_rows spar__json_rows_of(const char *text, size_t length, const char *path, size_t keys,
                                   const char *const *key)
{
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    spar__json_rows rows = {.path = path, .at = text + mark, .end = text + length, .number = 1, .keys = keys};
    for (size_t i = 0; i < keys; i++)
        rows.key[i] = key[i];
    return rows;
}

static spar_status refuse(const spar__json_rows *r, const char *expected, spar_error *err)
{
    if (r->at == r->end)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: the text ends, expected %s", r->path, r->number, expected);
    size_t length = (size_t)(r->end - r->at) < 20 ? (size_t)(r->end - r->at) : 20;
    const char *stop = memchr(r->at, '\n', length);
    return spar__fail(err, SPAR_PARSE, "%s:%zu: expected %s at '%.*s'", r->path, r->number, expected,
                      (int)(stop ? (size_t)(stop - r->at) : length), r->at);
}

static char skip_space(spar__json_rows *r)
{
    for (; r->at < r->end; r->at++) {
        char c = *r->at;
        if (c == '\n')
            r->number++;
        else if (c != ' ' && c != '\t' && c != '\r')
            return c;
    }
    return '\0';
}

static bool take(spar__json_rows *r, char c)
{
    if (skip_space(r) != c || r->at == r->end)
        return false;
    r->at++;
    return true;
}

static bool hex4(const char *at, const char *end, uint32_t *code)
{
    *code = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *digit = memchr(digits, at[i] | (at[i] >= 'A' ? 0x20 : 0), 16);
        if (!digit)
            return false;
        *code = *code << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

static void add_code(spar__buf *out, uint32_t code)
{
    char bytes[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(lead[size] | code);
    spar__buf_add(out, bytes, size);
}

/* \u0041, or two of them for a character beyond the first 65536; half a pair becomes the replacement character. */
static bool read_code(spar__json_rows *r)
{
    uint32_t code, low;
    if (!hex4(r->at, r->end, &code) || code == 0)
        return false;
    r->at += 4;
    if (code >= 0xD800 && code < 0xE000) {
        bool pair = code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u' &&
                    hex4(r->at + 2, r->end, &low) && low >= 0xDC00 && low < 0xE000;
        r->at += pair ? 6 : 0;
        code = pair ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : SPAR__UTF8_BAD;
    }
    add_code(&r->word, code);
    return true;
}

static bool read_escape(spar__json_rows *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    r->at++;
    if (r->at == r->end)
        return false;
    char c = *r->at;
    if (c == 'u') {
        r->at++;
        return read_code(r);
    }
    const char *found = memchr(from, c, sizeof from - 1);
    if (!found)
        return false;
    spar__buf_add(&r->word, &to[found - from], 1);
    r->at++;
    return true;
}

/* The string at `at`, behind its quote, into word. */
static spar_status read_string(spar__json_rows *r, spar_error *err)
{
    spar__buf_clear(&r->word);
    spar__buf_add(&r->word, "", 0);
    for (;;) {
        const char *stop = r->at;
        while (stop < r->end && *stop != '"' && *stop != '\\' && (unsigned char)*stop >= 0x20)
            stop++;
        spar__buf_add(&r->word, r->at, (size_t)(stop - r->at));
        r->at = stop;
        if (r->at < r->end && *r->at == '"') {
            r->at++;
            return r->word.failed ? spar__fail_memory(err) : SPAR_OK;
        }
        if (r->at == r->end || *r->at != '\\')
            return refuse(r, "the closing quote of a string", err);
        if (!read_escape(r))
            return refuse(r, "an escape such as \\n or \\u00e9", err);
    }
}

static bool is_digit(const spar__json_rows *r)
{
    return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

static bool skip_digits(spar__json_rows *r)
{
    bool any = is_digit(r);
    while (is_digit(r))
        r->at++;
    return any;
}

static bool skip_byte(spar__json_rows *r, const char *either)
{
    bool here = r->at < r->end && memchr(either, *r->at, strlen(either));
    r->at += here;
    return here;
}

static bool skip_number(spar__json_rows *r)
{
    (void)skip_byte(r, "-");
    bool good = skip_byte(r, "0") || skip_digits(r);
    if (good && skip_byte(r, "."))
        good = skip_digits(r);
    if (good && skip_byte(r, "eE")) {
        (void)skip_byte(r, "+-");
        good = skip_digits(r);
    }
    return good;
}

static bool skip_word(spar__json_rows *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* A number, true, false or null, as it is written, into word. */
static spar_status read_plain(spar__json_rows *r, bool *null, spar_error *err)
{
    const char *start = r->at;
    *null = skip_word(r, "null");
    if (!*null && !skip_word(r, "true") && !skip_word(r, "false") && !skip_number(r))
        return refuse(r, "a value", err);
    spar__buf_clear(&r->word);
    spar__buf_add(&r->word, start, (size_t)(r->at - start));
    return r->word.failed ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status read_scalar(spar__json_rows *r, bool *null, spar_error *err)
{
    *null = false;
    return take(r, '"') ? read_string(r, err) : read_plain(r, null, err);
}

static spar_status read_key(spar__json_rows *r, spar_error *err)
{
    if (!take(r, '"'))
        return refuse(r, "a name in quotes", err);
    spar_status status = read_string(r, err);
    if (!status && !take(r, ':'))
        status = refuse(r, "a colon", err);
    return status;
}

/* Any value; `open` has the brackets it stands in. */
static spar_status skip_value(spar__json_rows *r, spar_error *err)
{
    char open[SPAR__JSON_DEPTH];
    size_t depth = 0;
    for (bool null;;) {
        char c = skip_space(r);
        spar_status status = SPAR_OK;
        if (c == '{' || c == '[') {
            if (depth == SPAR__JSON_DEPTH)
                return spar__fail(err, SPAR_PARSE, "%s:%zu: lists and objects inside each other, more than %d", r->path,
                                  r->number, SPAR__JSON_DEPTH);
            open[depth++] = c == '{' ? '}' : ']';
            r->at++;
            if (skip_space(r) != open[depth - 1] || r->at == r->end) {
                if (c == '{' && (status = read_key(r, err)))
                    return status;
                continue;
            }
        } else if ((status = read_scalar(r, &null, err)))
            return status;
        while (depth > 0 && take(r, open[depth - 1]))
            depth--;
        if (depth == 0)
            return SPAR_OK;
        if (!take(r, ','))
            return refuse(r, open[depth - 1] == '}' ? "a comma or }" : "a comma or ]", err);
        if (open[depth - 1] == '}' && (status = read_key(r, err)))
            return status;
    }
}

static size_t find_key(const spar__json_rows *r)
{
    for (size_t i = 0; i < r->keys; i++)
        if (r->key[i] && strcmp(r->key[i], r->word.text) == 0)
            return i;
    return r->keys;
}

static spar_status refuse_nested(spar__json_rows *r, const char *key, spar_error *err)
{
    char c = skip_space(r);
    if (c != '{' && c != '[')
        return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.80s' is %s, expected text", r->path, r->number, key,
                      c == '{' ? "an object" : "a list");
}

/* The key is in word. */
static spar_status give_other(spar__json_rows *r, spar_error *err)
{
    bool null;
    spar__buf key = r->word;
    r->word = (spar__buf){0};
    spar_status status = refuse_nested(r, key.text, err);
    if (!status)
        status = read_scalar(r, &null, err);
    if (!status)
        status = r->take(r->context, key.text, null ? NULL : r->word.text, err);
    spar__buf_free(&key);
    return status;
}

static void keep_value(spar__json_rows *r, size_t key)
{
    r->has[key] = true;
    r->start[key] = r->text.length;
    spar__buf_add(&r->text, r->word.text, r->word.length);
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
        return spar__fail(err, SPAR_PARSE, "%s:%zu: '%s' is given twice", r->path, r->number, r->key[key]);
    status = read_scalar(r, &r->null[key], err);
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
    spar_status status = read_string(r, err);
    r->null[0] = false;
    keep_value(r, 0);
    return !status && r->text.failed ? spar__fail_memory(err) : status;
}

static spar_status read_object(spar__json_rows *r, spar_error *err)
{
    r->line = r->number;
    if (r->plain && take(r, '"'))
        return read_text(r, err);
    if (!take(r, '{'))
        return refuse(r, r->plain ? "a text in quotes or an object, {...}" : "an object, {...}", err);
    if (take(r, '}'))
        return SPAR_OK;
    for (;;) {
        spar_status status = read_member(r, err);
        if (status || take(r, '}'))
            return status;
        if (!take(r, ','))
            return refuse(r, "a comma or }", err);
    }
}

spar_status spar__json_rows_next(spar__json_rows *r, bool *more, spar_error *err)
{
    *more = false;
    memset(r->has, 0, sizeof r->has);
    spar__buf_clear(&r->text);
    if (!r->begun && !r->list)
        r->list = take(r, '[');
    (void)skip_space(r);
    if (r->list && take(r, ']')) {
        r->list = false;
        r->begun = true;
        (void)skip_space(r);
        return r->at == r->end ? SPAR_OK : refuse(r, "the end behind the list", err);
    }
    if (!r->list && r->at == r->end)
        return SPAR_OK;
    if (r->list && r->begun && !take(r, ','))
        return refuse(r, "a comma or ]", err);
    (void)skip_space(r);
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
    spar__buf_free(&r->word);
}
