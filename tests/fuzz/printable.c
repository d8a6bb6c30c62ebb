/* Any bytes made printable hold no character that acts on a terminal and no bad UTF-8, in a buffer of any size; the
 * length is the same whatever the size. The first byte is the size. */
#include "base/buf.h"

#include "fuzz.h"

static void check_shown(const char *text)
{
    size_t left = strlen(text);
    uint32_t code;
    for (size_t n; left > 0; text += n, left -= n) {
        n = spar__utf8_next(text, left, &code);
        require(n >= 1 && n <= left && !spar__utf8_acts(code));
        require(code != SPAR__UTF8_BAD || memcmp(text, "\xef\xbf\xbd", 3) == 0);
    }
}

void fuzz_printable(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    size_t room = fuzz_byte(&in);
    const char *text = (const char *)in.at;
    size_t whole = spar__printable(NULL, 0, text, in.left);
    char *all = malloc(whole + 1), *some = malloc(room ? room : 1);
    require(all && some && spar__printable(all, whole + 1, text, in.left) == whole && strlen(all) == whole);
    require(spar__printable(some, room, text, in.left) == whole);
    check_shown(all);
    if (room) {
        require(strlen(some) < room && strncmp(all, some, strlen(some)) == 0);
        check_shown(some);
    }
    free(all);
    free(some);
}
