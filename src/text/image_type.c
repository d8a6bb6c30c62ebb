#include "text/image_type.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const char *bytes, size_t length, const char *with, size_t n)
{
    return length >= n && memcmp(bytes, with, n) == 0;
}

/* Behind the next `close`; the end if there is none. */
static const char *behind(const char *at, const char *end, const char *close)
{
    size_t n = strlen(close);
    for (; (size_t)(end - at) >= n; at++)
        if (memcmp(at, close, n) == 0)
            return at + n;
    return end;
}

/* XML whose first element is svg: spaces, the declaration, comments and a document type may come before it. */
static bool is_svg(const char *bytes, size_t length)
{
    const char *at = bytes, *end = bytes + length;
    if (begins(bytes, length, "\xEF\xBB\xBF", 3))
        at += 3;
    while (at < end) {
        size_t left = (size_t)(end - at);
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            at++;
        else if (begins(at, left, "<?", 2))
            at = behind(at, end, "?>");
        else if (begins(at, left, "<!--", 4))
            at = behind(at, end, "-->");
        else if (begins(at, left, "<!DOCTYPE", 9))
            at = behind(at, end, ">");
        else
            return left > 4 && memcmp(at, "<svg", 4) == 0 && strchr(" \t\r\n>/", at[4]) && at[4];
    }
    return false;
}

const char *spar__image_type(const char *bytes, size_t length)
{
    if (begins(bytes, length, "\x89PNG\r\n\x1A\n", 8))
        return "image/png";
    if (begins(bytes, length, "\xFF\xD8\xFF", 3))
        return "image/jpeg";
    if (begins(bytes, length, "GIF87a", 6) || begins(bytes, length, "GIF89a", 6))
        return "image/gif";
    if (begins(bytes, length, "RIFF", 4) && length >= 12 && memcmp(bytes + 8, "WEBP", 4) == 0)
        return "image/webp";
    return is_svg(bytes, length) ? "image/svg+xml" : NULL;
}
