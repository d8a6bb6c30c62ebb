/* text_limits.c - see prose.h. */
#include "live/text_limits.h"

#include "base/utf8.h"

#include <string.h>

const spar__prose spar__prose_voter = {"name of a voter", SPAR__MOST_TITLE, 0, false};
const spar__prose spar__prose_source = {"source of an imported answer", 0, SPAR__MOST_SOURCE, true};

size_t spar__prose_count(const char *text)
{
    size_t count = 0, length = strlen(text);
    uint32_t code;
    for (size_t at = 0; at < length; at += spar__utf8_next(text + at, length - at, &code))
        count++;
    return count;
}

static bool is_break(uint32_t code)
{
    return code == '\n' || code == '\t' || code == '\r';
}

static spar_status check_characters(const spar__prose *words, const char *text, size_t length, spar_error *err)
{
    uint32_t code;
    for (size_t at = 0; at < length;) {
        size_t size = spar__utf8_next(text + at, length - at, &code);
        if (size == 1 && (unsigned char)text[at] >= 0x80)
            return spar__fail(err, SPAR_INVALID, "the %s is not valid UTF-8 at byte %zu", words->what, at + 1);
        if (spar__utf8_acts(code) && !(words->lines && is_break(code)))
            return spar__fail(err, SPAR_INVALID, "the %s '%.40s' has a control character at byte %zu", words->what,
                              text, at + 1);
        at += size;
    }
    return SPAR_OK;
}

spar_status spar__prose_check(const spar__prose *words, const char *text, spar_error *err)
{
    size_t length = strlen(text);
    if (!length)
        return spar__fail(err, SPAR_INVALID, "the %s is empty", words->what);
    if (words->bytes && length > words->bytes)
        return spar__fail(err, SPAR_INVALID, "the %s has %zu bytes, at most %zu are allowed", words->what, length,
                          words->bytes);
    spar_status status = check_characters(words, text, length, err);
    size_t count = status || !words->characters ? 0 : spar__prose_count(text);
    if (count > words->characters)
        status = spar__fail(err, SPAR_INVALID, "the %s has %zu characters, at most %zu are allowed", words->what, count,
                            words->characters);
    return status;
}
