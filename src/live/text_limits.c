/* text_limits.c - what people may write: valid UTF-8 within limits, without characters that act on a terminal. One
 * pass over the text, one more where its characters are counted. */
#include "live/text_limits.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <string.h>

const spar__text_limits spar__voter_limits = {"name of a voter", SPAR__MOST_TITLE, 0, false};
const spar__text_limits spar__source_limits = {"source of an imported answer", 0, SPAR__MOST_SOURCE, true};

size_t spar__text_count(const char *text)
{
    size_t count = 0, length = strlen(text);
    uint32_t code;
    for (size_t at = 0; at < length; at += spar__utf8_next(text + at, length - at, &code))
        count++;
    return count;
}

spar_status spar__text_check(const spar__text_limits *limits, const char *text, spar_error *err)
{
    size_t length = strlen(text);
    if (!length)
        return spar__fail(err, SPAR_INVALID, "the %s is empty", limits->what);
    if (limits->bytes && length > limits->bytes)
        return spar__fail(err, SPAR_INVALID, "the %s has %zu bytes, at most %zu are allowed", limits->what, length,
                          limits->bytes);
    uint32_t code;
    for (size_t at = 0, size; at < length; at += size) {
        size = spar__utf8_next(text + at, length - at, &code);
        if (size == 1 && (unsigned char)text[at] >= 0x80)
            return spar__fail(err, SPAR_INVALID, "the %s is not valid UTF-8 at byte %zu", limits->what, at + 1);
        bool breaks = code == '\n' || code == '\t' || code == '\r';
        if (spar__utf8_acts(code) && !(limits->lines && breaks))
            return spar__fail(err, SPAR_INVALID, "the %s '%.40s' has a control character at byte %zu", limits->what,
                              text, at + 1);
    }
    size_t count = limits->characters ? spar__text_count(text) : 0;
    if (count > limits->characters)
        return spar__fail(err, SPAR_INVALID, "the %s has %zu characters, at most %zu are allowed", limits->what, count,
                          limits->characters);
    return SPAR_OK;
}

spar_status spar__text_set(char **field, const spar__text_limits *limits, const char *text, spar_error *err)
{
    spar_status status = text && limits ? spar__text_check(limits, text, err) : SPAR_OK;
    char *copy = status || !text ? NULL : spar__strdup(text);
    if (!status && text && !copy)
        status = spar__fail_memory(err);
    if (status)
        return status;
    spar__free(*field);
    *field = copy;
    return SPAR_OK;
}
