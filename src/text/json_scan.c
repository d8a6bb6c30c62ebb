#include "text/json_scan.h"

#include "base/utf8.h"

#include <string.h>

spar_status spar__scan_refuse(const spar__json_scan *s, const char *expected, spar_error *err)
{
    if (s->at == s->end)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: the text ends, expected %s", s->path, s->number, expected);
    size_t length = (size_t)(s->end - s->at) < 20 ? (size_t)(s->end - s->at) : 20;
    const char *stop = memchr(s->at, '\n', length);
    return spar__fail(err, SPAR_PARSE, "%s:%zu: expected %s at '%.*s'", s->path, s->number, expected,
                      (int)(stop ? (size_t)(stop - s->at) : length), s->at);
}

char spar__scan_space(spar__json_scan *s)
{
    for (; s->at < s->end; s->at++) {
        char c = *s->at;
        if (c == '\n')
            s->number++;
        else if (c != ' ' && c != '\t' && c != '\r')
            return c;
    }
    return '\0';
}

bool spar__scan_take(spar__json_scan *s, char c)
{
    if (spar__scan_space(s) != c || s->at == s->end)
        return false;
    s->at++;
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
static bool read_code(spar__json_scan *s)
{
    uint32_t code, low;
    if (!hex4(s->at, s->end, &code) || code == 0)
        return false;
    s->at += 4;
    if (code >= 0xD800 && code < 0xE000) {
        bool pair = code < 0xDC00 && s->end - s->at >= 6 && s->at[0] == '\\' && s->at[1] == 'u' &&
                    hex4(s->at + 2, s->end, &low) && low >= 0xDC00 && low < 0xE000;
        s->at += pair ? 6 : 0;
        code = pair ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : SPAR__UTF8_BAD;
    }
    add_code(&s->word, code);
    return true;
}

static bool read_escape(spar__json_scan *s)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    s->at++;
    if (s->at == s->end)
        return false;
    char c = *s->at;
    if (c == 'u') {
        s->at++;
        return read_code(s);
    }
    const char *found = memchr(from, c, sizeof from - 1);
    if (!found)
        return false;
    spar__buf_add(&s->word, &to[found - from], 1);
    s->at++;
    return true;
}

/* The string at `at`, behind its quote, into word. */
spar_status spar__scan_string(spar__json_scan *s, spar_error *err)
{
    spar__buf_clear(&s->word);
    spar__buf_add(&s->word, "", 0);
    for (;;) {
        const char *stop = s->at;
        while (stop < s->end && *stop != '"' && *stop != '\\' && (unsigned char)*stop >= 0x20)
            stop++;
        spar__buf_add(&s->word, s->at, (size_t)(stop - s->at));
        s->at = stop;
        if (s->at < s->end && *s->at == '"') {
            s->at++;
            return s->word.failed ? spar__fail_memory(err) : SPAR_OK;
        }
        if (s->at == s->end || *s->at != '\\')
            return spar__scan_refuse(s, "the closing quote of a string", err);
        if (!read_escape(s))
            return spar__scan_refuse(s, "an escape such as \\n or \\u00e9", err);
    }
}

static bool is_digit(const spar__json_scan *s)
{
    return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static bool skip_digits(spar__json_scan *s)
{
    bool any = is_digit(s);
    while (is_digit(s))
        s->at++;
    return any;
}

static bool skip_byte(spar__json_scan *s, const char *either)
{
    bool here = s->at < s->end && memchr(either, *s->at, strlen(either));
    s->at += here;
    return here;
}

static bool skip_number(spar__json_scan *s)
{
    (void)skip_byte(s, "-");
    bool good = skip_byte(s, "0") || skip_digits(s);
    if (good && skip_byte(s, "."))
        good = skip_digits(s);
    if (good && skip_byte(s, "eE")) {
        (void)skip_byte(s, "+-");
        good = skip_digits(s);
    }
    return good;
}

static bool skip_word(spar__json_scan *s, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

/* A number, true, false or null, as it is written, into word. */
static spar_status read_plain(spar__json_scan *s, bool *null, spar_error *err)
{
    const char *start = s->at;
    *null = skip_word(s, "null");
    if (!*null && !skip_word(s, "true") && !skip_word(s, "false") && !skip_number(s))
        return spar__scan_refuse(s, "a value", err);
    spar__buf_clear(&s->word);
    spar__buf_add(&s->word, start, (size_t)(s->at - start));
    return s->word.failed ? spar__fail_memory(err) : SPAR_OK;
}

spar_status spar__scan_scalar(spar__json_scan *s, bool *null, spar_error *err)
{
    *null = false;
    return spar__scan_take(s, '"') ? spar__scan_string(s, err) : read_plain(s, null, err);
}
