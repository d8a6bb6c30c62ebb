/* error.c - statuses and sentences about what went wrong, and the nearest known name to one that is not known: edit
 * distances of O(length^2) over names of at most 63 characters. */
#include "base/error.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *spar_status_text(spar_status status)
{
    switch (status) {
#define CASE(name, value, text)                                                                                        \
    case SPAR_##name:                                                                                                  \
        return text;
        SPAR_STATUS_MAP(CASE)
#undef CASE
    }
    return "unknown status";
}

spar_status spar__fail(spar_error *err, spar_status status, const char *format, ...)
{
    if (err) {
        char text[1 << 13]; /* two paths of the longest kind, and apart from *err, whose text may be an argument */
        va_list args;
        va_start(args, format);
        int length = vsnprintf(text, sizeof text, format, args);
        va_end(args);
        if (length < 0)
            text[0] = '\0';
        err->status = status;
        size_t all = strlen(text), half = sizeof err->text / 2 - 2, from = all;
        if (spar__printable(err->text, sizeof err->text, text, all) < sizeof err->text)
            return status;
        /* One that is too long loses its middle, for that is where a long path is: how it begins and the reason at its
         * end stay. */
        while (from > 0 && spar__printable(NULL, 0, text + from - 1, all - from + 1) < half)
            from--;
        while (from < all && ((unsigned char)text[from] & 0xC0) == 0x80) /* not in the middle of a character */
            from++;
        (void)spar__printable(err->text, half, text, all);
        size_t used = strlen(err->text);
        memcpy(err->text + used, "...", 3);
        (void)spar__printable(err->text + used + 3, sizeof err->text - used - 3, text + from, all - from);
    }
    return status;
}

spar_status spar__fail_memory(spar_error *err)
{
    return spar__fail(err, SPAR_NOMEM, "%s", spar_status_text(SPAR_NOMEM));
}

spar_status spar__fail_null(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID, "a pointer is NULL that must not be");
}

spar_error *spar_error_new(void)
{
    return spar__alloc(1, sizeof(spar_error));
}

spar_status spar_error_status(const spar_error *err)
{
    return err ? err->status : SPAR_INVALID;
}

const char *spar_error_text(const spar_error *err)
{
    return err ? err->text : "";
}

void spar_error_free(spar_error *err)
{
    spar__free(err);
}

enum { LONGEST = 63 };

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t spar__edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1]; /* the last three rows of the dynamic programme */
    size_t na = min(strlen(a), LONGEST), nb = min(strlen(b), LONGEST);
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = min(last[j] + 1, now[j - 1] + 1);
            best = min(best, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = min(best, before[j - 2] + 1);
            now[j] = best;
        }
    }
    return rows[na % 3][nb];
}

/* Without what is easily written otherwise: case, blanks, hyphens and underscores, so that IndSelfSparring is
 * ind_self_sparring. */
static void fold(const char *text, char out[LONGEST + 1])
{
    size_t n = 0;
    for (; *text && n < LONGEST; text++)
        if (!strchr("_- ", *text))
            out[n++] = (char)(*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text);
    out[n] = '\0';
}

spar__nearest spar__nearest_to(const char *wanted)
{
    /* More than a third of the letters wrong is no typing slip any more. */
    return (spar__nearest){.wanted = wanted, .distance = min(strlen(wanted), LONGEST) / 3 + 2};
}

void spar__nearest_offer(spar__nearest *nearest, const char *candidate)
{
    char wanted[LONGEST + 1], offered[LONGEST + 1];
    fold(nearest->wanted, wanted);
    fold(candidate, offered);
    size_t distance = spar__edit_distance(wanted, offered);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
    if (nearest->used < sizeof nearest->known) {
        size_t left = sizeof nearest->known - nearest->used;
        int n = snprintf(nearest->known + nearest->used, left, "%s%s", nearest->used ? ", " : "", candidate);
        nearest->used += n < 0 || (size_t)n >= left ? left : (size_t)n;
    }
}

void spar__choice_hint(const char *choices, const char *text, char hint[SPAR__HINT])
{
    char best[LONGEST + 1] = "", word[LONGEST + 1];
    spar__nearest nearest = spar__nearest_to(text);
    nearest.distance = strlen(text) < 7 ? 2 : (min(strlen(text), LONGEST) - 1) / 3 + 1; /* a slip, not a guess */
    for (size_t length; *choices; choices += length + (choices[length] == '|')) {
        length = strcspn(choices, "|");
        size_t before = nearest.distance;
        (void)snprintf(word, sizeof word, "%.*s", (int)min(length, LONGEST), choices);
        spar__nearest_offer(&nearest, word);
        if (nearest.distance < before)
            memcpy(best, word, sizeof best);
    }
    hint[0] = '\0';
    if (*best)
        (void)snprintf(hint, SPAR__HINT, "; did you mean '%s'?", best);
}

spar_status spar__fail_unknown(spar_error *err, const char *owner, const char *kind, const spar__nearest *nearest)
{
    const char *before = "", *hint = "", *after = "";
    if (nearest->best) {
        before = "; did you mean '", hint = nearest->best, after = "'?";
    } else if (nearest->used == 0) {
        before = "; there are none";
    } else if (nearest->used < sizeof nearest->known) {
        before = "; known: ", hint = nearest->known;
    }
    return spar__fail(err, SPAR_UNKNOWN, "%.200s%sunknown %s '%.80s'%s%s%s", owner ? owner : "", owner ? ": " : "",
                      kind, nearest->wanted, before, hint, after);
}
