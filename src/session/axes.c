/* axes.c - the text of a space is read. */
#include "session/axes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "num/elementary.h"

#include <math.h>
#include <string.h>

/* A part of the text, without the spaces around it. */
typedef struct axis_words {
    const char *at;
    size_t n;
} axis_words;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static axis_words trim(const char *from, const char *to)
{
    while (from < to && is_space(*from))
        from++;
    while (to > from && is_space(to[-1]))
        to--;
    return (axis_words){from, (size_t)(to - from)};
}

/* The first word; the rest stays in *words. */
static axis_words take_word(axis_words *words)
{
    const char *end = words->at + words->n, *to = words->at;
    while (to < end && !is_space(*to) && *to != '{')
        to++;
    axis_words word = {words->at, (size_t)(to - words->at)};
    *words = trim(to, end);
    return word;
}

static bool is_word(axis_words words, const char *word)
{
    return words.n == strlen(word) && memcmp(words.at, word, words.n) == 0;
}

static char *copy(axis_words words)
{
    char *text = spar__alloc(words.n + 1, 1);
    if (text)
        memcpy(text, words.at, words.n);
    return text;
}

static spar_status fail_axis(spar_error *err, const spar__dial *axis, const char *why)
{
    return spar__fail(err, SPAR_PARSE, "the axis '%.80s' %s", axis->name, why);
}

static spar_status fail_values(spar_error *err, const spar__dial *axis, axis_words found)
{
    static const char expected[] = "expected a range such as 0.1..2 or a list such as {1,2,5} or {a,b}";
    return !found.n ? spar__fail(err, SPAR_PARSE, "the axis '%.80s' has no values, %s", axis->name, expected)
                    : spar__fail(err, SPAR_PARSE, "the axis '%.80s' has '%.*s' in place of values, %s", axis->name,
                                 (int)(found.n < 80 ? found.n : 80), found.at, expected);
}

/* A name, a unit or a choice: short, and nothing that acts on a terminal. */
static spar_status keep(char **out, axis_words words, const char *what, spar_error *err)
{
    uint32_t code;
    size_t count = 0;
    for (size_t at = 0; at < words.n; count++) {
        size_t size = spar__utf8_next(words.at + at, words.n - at, &code);
        if ((size == 1 && (unsigned char)words.at[at] >= 0x80) || spar__utf8_acts(code))
            return spar__fail(err, SPAR_PARSE, "a %s of the space is no plain text", what);
        at += size;
    }
    if (!count || count > SPAR__AXES_CHARACTERS)
        return spar__fail(err, SPAR_PARSE, "'%.*s' is no %s of an axis, expected 1 to %d characters",
                          (int)(words.n < 80 ? words.n : 80), words.at, what, SPAR__AXES_CHARACTERS);
    *out = copy(words);
    return *out ? SPAR_OK : spar__fail_memory(err);
}

static bool read_number(axis_words words, double *out)
{
    char text[64];
    if (!words.n || words.n >= sizeof text)
        return false;
    memcpy(text, words.at, words.n);
    text[words.n] = '\0';
    return spar__parse_double(text, out) && isfinite(*out);
}

/* Whether there is a number or a range among the words: then a comma is missing, or it is no unit. */
static bool has_values(axis_words words)
{
    double number;
    bool found = memchr(words.at, '{', words.n) || memchr(words.at, '}', words.n);
    for (size_t i = 0; i + 1 < words.n; i++)
        found |= words.at[i] == '.' && words.at[i + 1] == '.';
    while (words.n && !found)
        found = read_number(take_word(&words), &number);
    return found;
}

/* What follows the values: a unit, and for a range perhaps log. */
static spar_status read_unit(spar__dial *axis, axis_words rest, spar_error *err)
{
    const char *end = rest.at + rest.n;
    if (axis->kind == SPAR_AXIS_RANGE && rest.n >= 3 && memcmp(rest.at, "log", 3) == 0 &&
        (rest.n == 3 || is_space(rest.at[3]))) {
        axis->kind = SPAR_AXIS_LOG;
        rest = trim(rest.at + 3, end);
    } else if (axis->kind == SPAR_AXIS_RANGE && rest.n > 4 && memcmp(end - 3, "log", 3) == 0 && is_space(end[-4])) {
        axis->kind = SPAR_AXIS_LOG;
        rest = trim(rest.at, end - 3);
    }
    if (!rest.n)
        return SPAR_OK;
    if (axis->kind == SPAR_AXIS_CHOICE)
        return fail_axis(err, axis, "has choices: they have no unit");
    if (has_values(rest))
        return fail_axis(err, axis, "has values behind its unit; expected a comma before the next axis");
    return keep(&axis->unit, rest, "unit", err);
}

static spar_status read_range(spar__dial *axis, axis_words rest, spar_error *err)
{
    axis_words limits = take_word(&rest), low, high;
    const char *end = limits.at + limits.n, *dots = limits.at;
    while (dots + 1 < end && !(dots[0] == '.' && dots[1] == '.'))
        dots++;
    if (dots + 1 >= end)
        return fail_values(err, axis, limits);
    low = trim(limits.at, dots);
    high = trim(dots + 2, end);
    if (!read_number(low, &axis->lo) || !read_number(high, &axis->hi) || high.at[0] == '.') /* 0...1 is no 0..0.1 */
        return fail_axis(err, axis, "has limits that are no numbers, expected a range such as 0.1..2");
    axis->kind = SPAR_AXIS_RANGE;
    spar_status status = read_unit(axis, rest, err);
    if (status)
        return status;
    if (!(axis->lo < axis->hi))
        return fail_axis(err, axis, "ends where it begins or before, expected a range such as 0.1..2");
    if (axis->kind == SPAR_AXIS_LOG && !(axis->lo > 0))
        return fail_axis(err, axis, "has a logarithm: its limits must be above 0");
    return spar__dial_find_values(axis, err);
}

static spar_status add_value(spar__dial *axis, axis_words words, spar_error *err)
{
    if (axis->n == SPAR__AXES_WORDS)
        return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has more than %d values", axis->name, SPAR__AXES_WORDS);
    for (size_t i = 0; i < axis->n; i++)
        if (is_word(words, axis->word[i]))
            return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has '%.80s' twice", axis->name, axis->word[i]);
    spar_status status = keep(&axis->word[axis->n], words, "value", err);
    axis->n += !status;
    return status;
}

/* All values are numbers: they are levels, which must rise. */
static spar_status read_levels(spar__dial *axis, spar_error *err)
{
    size_t numbers = 0;
    for (size_t i = 0; i < axis->n; i++)
        numbers += read_number((axis_words){axis->word[i], strlen(axis->word[i])}, &axis->level[i]);
    axis->kind = numbers == axis->n ? SPAR_AXIS_LEVELS : SPAR_AXIS_CHOICE;
    for (size_t i = 1; i < axis->n && numbers == axis->n; i++)
        if (!(axis->level[i] > axis->level[i - 1]))
            return fail_axis(err, axis, "has levels that do not rise");
    return SPAR_OK;
}

static spar_status read_list(spar__dial *axis, axis_words rest, spar_error *err)
{
    const char *end = memchr(rest.at, '}', rest.n), *from = rest.at + 1;
    axis->word = spar__alloc(SPAR__AXES_WORDS, sizeof *axis->word);
    axis->level = spar__alloc(SPAR__AXES_WORDS, sizeof *axis->level);
    if (!axis->word || !axis->level)
        return spar__fail_memory(err);
    if (!end)
        return fail_axis(err, axis, "has a list that does not end, expected a list such as {1,2,5} or {a,b}");
    if (memchr(from, '{', (size_t)(end - from)))
        return fail_axis(err, axis, "has a list in a list, expected a list such as {1,2,5} or {a,b}");
    spar_status status = SPAR_OK;
    while (!status && from <= end) {
        const char *comma = memchr(from, ',', (size_t)(end - from));
        status = add_value(axis, trim(from, comma ? comma : end), err);
        from = comma ? comma + 1 : end + 1;
    }
    if (!status && axis->n < 2)
        status = fail_axis(err, axis, "has one value only: there is nothing to choose");
    if (!status)
        status = read_levels(axis, err);
    return status ? status : read_unit(axis, trim(end + 1, rest.at + rest.n), err);
}

static spar_status read_axis(spar_axes *axes, axis_words words, spar_error *err)
{
    spar__dial *axis = &axes->axis[axes->n];
    if (axes->n == SPAR__AXES_MOST)
        return spar__fail(err, SPAR_PARSE, "the space has more than %d axes", SPAR__AXES_MOST);
    if (!words.n)
        return spar__fail(err, SPAR_PARSE, "an axis is missing before or behind a comma, expected 'speed 0.1..2, ...'");
    spar_status status = keep(&axis->name, take_word(&words), "name", err);
    axes->n += axis->name != NULL;
    for (size_t i = 0; i + 1 < axes->n && !status; i++)
        if (strcmp(axes->axis[i].name, axis->name) == 0)
            status = fail_axis(err, axis, "is there twice");
    if (!status)
        status = words.n && words.at[0] == '{' ? read_list(axis, words, err) : read_range(axis, words, err);
    axes->dim += status ? 0 : spar__dial_dim(axis);
    return status;
}

/* The next comma that is in no list, or the end. */
static const char *axis_end(const char *at)
{
    bool list = false;
    for (; *at && (list || *at != ','); at++)
        list = (list || *at == '{') && *at != '}';
    return at;
}

static spar_status read_axes(spar_axes *axes, spar_error *err)
{
    const char *at = axes->text;
    spar_status status = SPAR_OK;
    for (bool more = true; more && !status;) {
        const char *end = axis_end(at);
        status = read_axis(axes, trim(at, end), err);
        more = *end == ',';
        at = end + 1;
    }
    return status;
}

spar_status spar_axes_new(const char *text, spar_axes **out, spar_error *err)
{
    if (!SPAR__CLEAR(out) || !text)
        return spar__fail_null(err);
    if (strlen(text) > SPAR__AXES_BYTES)
        return spar__fail(err, SPAR_PARSE, "the space is longer than %d bytes", SPAR__AXES_BYTES);
    spar_axes *axes = spar__alloc(1, sizeof *axes);
    if (axes) {
        axes->text = spar__strdup(text);
        axes->axis = spar__alloc(SPAR__AXES_MOST, sizeof *axes->axis);
    }
    spar_status status = axes && axes->text && axes->axis ? read_axes(axes, err) : spar__fail_memory(err);
    if (status)
        spar_axes_free(axes);
    else
        *out = axes;
    return status;
}

void spar_axes_free(spar_axes *axes)
{
    if (!axes)
        return;
    for (size_t a = 0; axes->axis && a < SPAR__AXES_MOST; a++) {
        spar__dial *axis = &axes->axis[a];
        for (size_t i = 0; axis->word && i < SPAR__AXES_WORDS; i++)
            spar__free(axis->word[i]);
        spar__free(axis->word);
        spar__free(axis->level);
        spar__free(axis->name);
        spar__free(axis->unit);
    }
    spar__free(axes->axis);
    spar__free(axes->text);
    spar__free(axes);
}
