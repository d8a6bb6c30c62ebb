/* escape.c - bytes and text inside other text (escape.h). Each form costs one pass. */
#include "text/escape.h"

#include <string.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char DIGITS[] = "0123456789abcdef";

void spar__base64_add(spar__buf *out, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (; length > 0; byte += 3) {
        size_t n = length < 3 ? length : 3;
        uint32_t bits = (uint32_t)byte[0] << 16 | (n > 1 ? (uint32_t)byte[1] << 8 : 0) | (n > 2 ? byte[2] : 0);
        char four[4];
        for (size_t i = 0; i < 4; i++)
            four[i] = i <= n ? LETTERS[bits >> (18 - 6 * i) & 63] : '=';
        spar__buf_add(out, four, 4);
        length -= n;
    }
}

bool spar__base64_read(const char *text, size_t length, spar__buf *out)
{
    if (length % 4)
        return false;
    for (size_t at = 0; at < length; at += 4) {
        size_t n = at + 4 < length || text[at + 3] != '=' ? 3 : text[at + 2] != '=' ? 2 : 1;
        uint32_t bits = 0;
        for (size_t i = 0; i < 4; i++) {
            const char *letter = i > n ? LETTERS : text[at + i] ? strchr(LETTERS, text[at + i]) : NULL;
            if (!letter)
                return false;
            bits = bits << 6 | (uint32_t)(letter - LETTERS);
        }
        if (bits & ((1u << 8 * (3 - n)) - 1)) /* bits behind the last byte */
            return false;
        spar__buf_add(out, (char[]){(char)(bits >> 16), (char)(bits >> 8), (char)bits}, n);
    }
    return true;
}

void spar__hex_add(spar__buf *out, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        spar__buf_add(out, (char[]){DIGITS[byte[i] >> 4], DIGITS[byte[i] & 15]}, 2);
}

bool spar__hex_read(const char *text, void *bytes, size_t length)
{
    unsigned char *byte = bytes;
    if (strlen(text) != 2 * length)
        return false;
    for (size_t i = 0; i < 2 * length; i++) {
        const char *found = strchr(DIGITS, text[i]);
        if (!found)
            return false;
        byte[i / 2] = (unsigned char)((i % 2 ? byte[i / 2] << 4 : 0) | (found - DIGITS));
    }
    return true;
}

typedef enum markup { HTML, VISIBLE, XML } markup;

/* Line ends and tabs are harmless in HTML; the marks between directions act on their neighbours only, and real texts in
 * Arabic and Hebrew need them. */
static bool is_harmful(uint32_t code)
{
    enum { ARABIC_MARK = 0x061C, LEFT_MARK = 0x200E, RIGHT_MARK = 0x200F };
    return code != '\n' && code != '\t' && code != ARABIC_MARK && code != LEFT_MARK && code != RIGHT_MARK &&
           spar__utf8_acts(code);
}

/* What stands for the n bytes of a character; NULL: they themselves. */
static const char *instead_of(const char *bytes, size_t n, uint32_t code, markup kind, char shown[16])
{
    static const char special[] = "&<>\"'", *const reference[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const char *found = code && code < 0x80 && kind != VISIBLE ? strchr(special, (int)code) : NULL;
    if (found && (code != '\'' || kind == HTML))
        return reference[found - special];
    if (kind == XML) {
        bool refused = code < 0x20 || code == SPAR__UTF8_BAD || (code & 0xFFFE) == 0xFFFE;
        return code == '\n' || code == '\t' ? " " : refused ? "\xEF\xBF\xBD" : NULL;
    }
    if (!(code == SPAR__UTF8_BAD && n == 1) && !is_harmful(code))
        return NULL;
    (void)spar__printable(shown, 16, bytes, n);
    return shown;
}

static void add_markup(spar__buf *out, const char *text, size_t length, markup kind)
{
    size_t from = 0;
    for (size_t at = 0, n; at < length; at += n) {
        uint32_t code = 0;
        char shown[16];
        n = spar__utf8_next(text + at, length - at, &code);
        const char *instead = instead_of(text + at, n, code, kind, shown);
        if (instead) {
            spar__buf_add(out, text + from, at - from);
            spar__buf_adds(out, instead);
            from = at + n;
        }
    }
    spar__buf_add(out, text + from, length - from);
}

void spar__html_escape(spar__buf *out, const char *text, size_t length)
{
    add_markup(out, text, length, HTML);
}

void spar__html_visible(spar__buf *out, const char *text, size_t length)
{
    add_markup(out, text, length, VISIBLE);
}

void spar__xml_escape(spar__buf *out, const char *text, size_t length)
{
    add_markup(out, text, length, XML);
}

void spar__shell_quote(spar__buf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%#";
    size_t left = strlen(word), n;
    bool acts = spar__printable(NULL, 0, word, left) != left;
    if (left && word[0] != '#' && strspn(word, plain) == left) {
        spar__buf_adds(out, word);
        return;
    }
    spar__buf_adds(out, acts ? "$'" : "'");
    for (; left; word += n, left -= n) {
        uint32_t code;
        char shown[16];
        n = spar__utf8_next(word, left, &code);
        (void)spar__printable(shown, sizeof shown, word, n);
        spar__buf_adds(out, code == '\'' ? (acts ? "\\'" : "'\\''") : code == '\\' && acts ? "\\\\" : shown);
    }
    spar__buf_adds(out, "'");
}
