/* escape.c - see escape.h. */
#include "service/escape.h"

#include "base/buf.h"

static const char *reference(uint32_t code)
{
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* Line ends and tabs are harmless in HTML; the marks between directions act on their neighbours only, and real texts in
 * Arabic and Hebrew need them. */
static bool is_harmful(uint32_t code)
{
    enum { ARABIC_MARK = 0x061C, LEFT_MARK = 0x200E, RIGHT_MARK = 0x200F };
    return code != '\n' && code != '\t' && code != ARABIC_MARK && code != LEFT_MARK && code != RIGHT_MARK &&
           spar__utf8_acts(code);
}

static void add(spar__buf *out, const char *text, size_t length, bool refer)
{
    size_t from = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code = 0;
        size_t n = spar__utf8_next(text + at, length - at, &code);
        bool bad = code == SPAR__UTF8_BAD && n == 1;
        const char *instead = refer ? reference(code) : NULL;
        if (instead || bad || is_harmful(code)) {
            char shown[16];
            (void)spar__printable(shown, sizeof shown, text + at, n);
            spar__buf_add(out, text + from, at - from);
            spar__buf_adds(out, instead ? instead : shown);
            from = at + n;
        }
        at += n;
    }
    spar__buf_add(out, text + from, length - from);
}

void spar__escape_html(spar__buf *out, const char *text, size_t length)
{
    add(out, text, length, true);
}

void spar__escape_acts(spar__buf *out, const char *text, size_t length)
{
    add(out, text, length, false);
}
