/* json.c - JSON written piece by piece. Plain characters are copied in runs. */
#include "text/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin_value(spar__json *json)
{
    if (json->comma)
        spar__buf_adds(json->out, ",");
    json->comma = true;
}

static void begin(spar__json *json, const char *bracket)
{
    begin_value(json);
    spar__buf_adds(json->out, bracket);
    json->comma = false;
}

static void end(spar__json *json, const char *bracket)
{
    spar__buf_adds(json->out, bracket);
    json->comma = true;
}

void spar__json_begin_object(spar__json *json)
{
    begin(json, "{");
}

void spar__json_end_object(spar__json *json)
{
    end(json, "}");
}

void spar__json_begin_array(spar__json *json)
{
    begin(json, "[");
}

void spar__json_end_array(spar__json *json)
{
    end(json, "]");
}

static void add_character(spar__buf *out, const char *bytes, size_t size, uint32_t code)
{
    if (code == '"' || code == '\\')
        spar__buf_printf(out, "\\%c", (int)code);
    else if (code == '\n')
        spar__buf_adds(out, "\\n");
    else if (code == '\t')
        spar__buf_adds(out, "\\t");
    else if (code == SPAR__UTF8_BAD || spar__utf8_acts(code))
        spar__buf_printf(out, "\\u%04" PRIX32, code);
    else
        spar__buf_add(out, bytes, size);
}

static void add_string(spar__buf *out, const char *text)
{
    spar__buf_add(out, "\"", 1);
    for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
        uint32_t code;
        /* How many bytes from here on stand for themselves. */
        size = 0;
        while (text[size] >= ' ' && text[size] <= '~' && text[size] != '"' && text[size] != '\\')
            size++;
        if (size) {
            spar__buf_add(out, text, size);
            continue;
        }
        size = spar__utf8_next(text, left, &code);
        add_character(out, text, size, code);
    }
    spar__buf_add(out, "\"", 1);
}

void spar__json_key(spar__json *json, const char *key)
{
    begin_value(json);
    add_string(json->out, key);
    spar__buf_adds(json->out, ":");
    json->comma = false;
}

void spar__json_string(spar__json *json, const char *text)
{
    if (!text) {
        spar__json_null(json);
        return;
    }
    begin_value(json);
    add_string(json->out, text);
}

void spar__json_unsigned(spar__json *json, uint64_t value)
{
    char digits[20]; /* the most that 64 bits need */
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    begin_value(json);
    spar__buf_add(json->out, digits + at, sizeof digits - at);
}

void spar__json_number(spar__json *json, double value)
{
    if (!isfinite(value)) {
        spar__json_null(json);
        return;
    }
    char text[SPAR__NUMBER_SIZE];
    size_t length = spar__number_print(text, value);
    begin_value(json);
    spar__buf_add(json->out, text, length);
}

void spar__json_boolean(spar__json *json, bool value)
{
    begin_value(json);
    spar__buf_adds(json->out, value ? "true" : "false");
}

void spar__json_null(spar__json *json)
{
    begin_value(json);
    spar__buf_adds(json->out, "null");
}

void spar__json_add_string(spar__json *json, const char *key, const char *text)
{
    spar__json_key(json, key);
    spar__json_string(json, text);
}

void spar__json_add_unsigned(spar__json *json, const char *key, uint64_t value)
{
    spar__json_key(json, key);
    spar__json_unsigned(json, value);
}

void spar__json_add_number(spar__json *json, const char *key, double value)
{
    spar__json_key(json, key);
    spar__json_number(json, value);
}

void spar__json_add_boolean(spar__json *json, const char *key, bool value)
{
    spar__json_key(json, key);
    spar__json_boolean(json, value);
}

void spar__json_add_null(spar__json *json, const char *key)
{
    spar__json_key(json, key);
    spar__json_null(json);
}
