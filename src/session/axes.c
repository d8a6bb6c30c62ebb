/* axes.c - the axes of a space: values of each, the text that they are read from, points of the unit cube and back.
 *
 * Finding the value nearest to a number takes log n steps; everything else is as long as the text. */
#include "session/axes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "num/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- The values of an axis: which there are, and where they are in the unit cube --- */

enum { LEAST_VALUES = 10, DIGITS = 4, LOG_DIGITS = 3, LOG_PLACES = 900, LOWEST = 100 };
#define LARGEST 1e12
#define SMALLEST_VALUE 1e-12 /* width of a range, and limit of one with log */

/* k 10^power, rounded once: powers up to 22 are exact. */
static double decimal(long k, int power)
{
    double ten = 1;
    for (int i = power < 0 ? -power : power; i > 0; i--)
        ten *= 10;
    return power < 0 ? (double)k / ten : (double)k * ten;
}

/* The largest power of ten that is not above x > 0. */
static int power_of(double x)
{
    int power = (int)floor(spar__log(x) / 2.302585092994046);
    while (decimal(1, power) > x)
        power--;
    while (decimal(1, power + 1) <= x)
        power++;
    return power;
}

/* Value number i of a range, as digits and a power. */
static long digits(const spar__dial *axis, size_t i, int *power)
{
    long at = axis->first + (long)i;
    if (axis->kind == SPAR_AXIS_RANGE) {
        *power = axis->power;
        return at;
    }
    *power = axis->power + (int)(at / LOG_PLACES);
    return LOWEST + at % LOG_PLACES;
}

static double number(const spar__dial *axis, size_t i)
{
    int power;
    long k = digits(axis, i, &power);
    return decimal(k, power);
}

/* From `first` on as many values as there are within the limits; `first` may be a little too low. */
static void count_values(spar__dial *axis, double about)
{
    while (number(axis, 0) < axis->lo)
        axis->first++;
    axis->n = (size_t)fmax(about, 0);
    while (axis->n > 0 && number(axis, axis->n - 1) > axis->hi)
        axis->n--;
    while (number(axis, axis->n) <= axis->hi)
        axis->n++;
}

/* Finds the values of a range: SPAR_PARSE where there are too few of at most 4 digits. */
static spar_status find_values(spar__dial *axis, spar_error *err)
{
    double most = fmax(fabs(axis->lo), fabs(axis->hi)), width = axis->hi - axis->lo;
    if (most > LARGEST || width < SMALLEST_VALUE || (axis->kind == SPAR_AXIS_LOG && axis->lo < SMALLEST_VALUE))
        return spar__fail(err, SPAR_PARSE,
                          "the axis '%.80s' has limits of another size than 1e-12 to 1e12: take "
                          "another unit",
                          axis->name);
    if (axis->kind == SPAR_AXIS_LOG) {
        axis->power = power_of(axis->lo) - LOG_DIGITS + 1;
        axis->first = (long)floor(axis->lo / decimal(1, axis->power)) - LOWEST;
        axis->first -= axis->first > 0;
        axis->span = spar__log(axis->hi) - spar__log(axis->lo);
        count_values(axis, 0);
    } else {
        int coarse = power_of(most) - DIGITS + 1, fine = power_of(width) - 2;
        axis->power = fine > coarse ? fine : coarse;
        axis->first = (long)floor(axis->lo / decimal(1, axis->power)) - 1;
        count_values(axis, floor(width / decimal(1, axis->power)) - 1);
    }
    return axis->n >= LEAST_VALUES
               ? SPAR_OK
               : spar__fail(
                     err, SPAR_PARSE,
                     "the axis '%.80s' has too narrow a range for numbers of %d digits: write how far it is from "
                     "the middle, or a list",
                     axis->name, axis->kind == SPAR_AXIS_LOG ? LOG_DIGITS : DIGITS);
}

static size_t features_of(const spar__dial *axis)
{
    return axis->kind == SPAR_AXIS_CHOICE ? axis->n : 1;
}

/* Where value i of an axis that is no choice stands in 0 .. 1. */
static double place(const spar__dial *axis, size_t i)
{
    double x = axis->kind == SPAR_AXIS_LEVELS  ? (double)i / (double)(axis->n - 1)
               : axis->kind == SPAR_AXIS_RANGE ? (number(axis, i) - axis->lo) / (axis->hi - axis->lo)
                                               : (spar__log(number(axis, i)) - spar__log(axis->lo)) / axis->span;
    return fmin(fmax(x, 0), 1);
}

static size_t cut(double at, size_t n)
{
    return at > 0 ? at < (double)(n - 1) ? (size_t)at : n - 1 : 0;
}

/* By halving: places rise with the values. */
static size_t search(const spar__dial *axis, double x)
{
    size_t low = 0, high = axis->n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (place(axis, middle) <= x)
            low = middle;
        else
            high = middle;
    }
    return x - place(axis, low) <= place(axis, high) - x ? low : high;
}

void spar_axes_nearest(const spar_axes *axes, const double *x, size_t *value)
{
    for (size_t a = 0; axes && x && value && a < axes->n; x += features_of(&axes->axis[a++])) {
        const spar__dial *axis = &axes->axis[a];
        if (axis->kind == SPAR_AXIS_LEVELS) {
            value[a] = cut(*x * (double)(axis->n - 1) + 0.5, axis->n);
        } else if (axis->kind != SPAR_AXIS_CHOICE) {
            value[a] = search(axis, *x);
        } else {
            value[a] = 0;
            for (size_t i = 1; i < axis->n; i++)
                value[a] = x[i] > x[value[a]] ? i : value[a];
        }
    }
}

void spar_axes_point(const spar_axes *axes, const size_t *value, double *x)
{
    for (size_t a = 0; axes && x && value && a < axes->n; x += features_of(&axes->axis[a++])) {
        const spar__dial *axis = &axes->axis[a];
        size_t at = value[a] < axis->n ? value[a] : axis->n - 1;
        if (axis->kind != SPAR_AXIS_CHOICE)
            *x = place(axis, at);
        for (size_t i = 0; axis->kind == SPAR_AXIS_CHOICE && i < axis->n; i++)
            x[i] = i == at ? SPAR__AXES_ON : 0;
    }
}

void spar__axes_round(const spar_axes *axes, double *x)
{
    size_t value[SPAR__AXES_MOST];
    spar_axes_nearest(axes, x, value);
    spar_axes_point(axes, value, x);
}

/* --- The text of a space is read --- */

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

static spar_status fail_axis(spar_error *err, const spar__dial *axis, const char *why)
{
    return spar__fail(err, SPAR_PARSE, "the axis '%.80s' %s", axis->name, why);
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
    *out = spar__alloc(words.n + 1, 1);
    if (!*out)
        return spar__fail_memory(err);
    memcpy(*out, words.at, words.n);
    return SPAR_OK;
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
    /* A number or a range among the words: then a comma is missing, or it is no unit. */
    axis_words left = rest;
    double ignored;
    bool found = memchr(left.at, '{', left.n) || memchr(left.at, '}', left.n);
    for (size_t i = 0; i + 1 < left.n; i++)
        found |= left.at[i] == '.' && left.at[i + 1] == '.';
    while (left.n && !found)
        found = read_number(take_word(&left), &ignored);
    if (found)
        return fail_axis(err, axis, "has values behind its unit; expected a comma before the next axis");
    return keep(&axis->unit, rest, "unit", err);
}

static spar_status read_range(spar__dial *axis, axis_words rest, spar_error *err)
{
    axis_words limits = take_word(&rest), low, high;
    const char *end = limits.at + limits.n, *dots = limits.at;
    while (dots + 1 < end && !(dots[0] == '.' && dots[1] == '.'))
        dots++;
    static const char expected[] = "expected a range such as 0.1..2 or a list such as {1,2,5} or {a,b}";
    if (!limits.n)
        return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has no values, %s", axis->name, expected);
    if (dots + 1 >= end)
        return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has '%.*s' in place of values, %s", axis->name,
                          (int)(limits.n < 80 ? limits.n : 80), limits.at, expected);
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
    return find_values(axis, err);
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
    size_t numbers = 0;
    while (from <= end) {
        const char *comma = memchr(from, ',', (size_t)(end - from));
        axis_words words = trim(from, comma ? comma : end);
        from = comma ? comma + 1 : end + 1;
        if (axis->n == SPAR__AXES_WORDS)
            return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has more than %d values", axis->name,
                              SPAR__AXES_WORDS);
        for (size_t i = 0; i < axis->n; i++)
            if (words.n == strlen(axis->word[i]) && memcmp(words.at, axis->word[i], words.n) == 0)
                return spar__fail(err, SPAR_PARSE, "the axis '%.80s' has '%.80s' twice", axis->name, axis->word[i]);
        spar_status status = keep(&axis->word[axis->n], words, "value", err);
        if (status)
            return status;
        numbers += read_number(words, &axis->level[axis->n++]);
    }
    if (axis->n < 2)
        return fail_axis(err, axis, "has one value only: there is nothing to choose");
    /* Where all values are numbers they are levels, which must rise. */
    axis->kind = numbers == axis->n ? SPAR_AXIS_LEVELS : SPAR_AXIS_CHOICE;
    for (size_t i = 1; i < axis->n && numbers == axis->n; i++)
        if (!(axis->level[i] > axis->level[i - 1]))
            return fail_axis(err, axis, "has levels that do not rise");
    return read_unit(axis, trim(end + 1, rest.at + rest.n), err);
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
    axes->dim += status ? 0 : features_of(axis);
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
    spar_status status = axes && axes->text && axes->axis ? SPAR_OK : spar__fail_memory(err);
    const char *at = status ? NULL : axes->text;
    while (at && !status) {
        /* The next comma that is in no list, or the end. */
        const char *end = at;
        for (bool list = false; *end && (list || *end != ','); end++)
            list = (list || *end == '{') && *end != '}';
        status = read_axis(axes, trim(at, end), err);
        at = *end ? end + 1 : NULL;
    }
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

/* --- Points --- */

static bool is_there(const spar_axes *axes, size_t n, const double *before, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(before + i * axes->dim, x, axes->dim * sizeof *x) == 0)
            return true;
    return false;
}

bool spar__axes_separate(const spar_axes *axes, size_t n, const double *before, double *x)
{
    size_t value[SPAR__AXES_MOST];
    if (!is_there(axes, n, before, x))
        return true;
    spar_axes_nearest(axes, x, value);
    /* The value of one axis a step below (odd) or above, then two, ... */
    for (size_t step = 1; step <= 2 * n + 2; step++)
        for (size_t a = 0; a < axes->n; a++) {
            size_t was = value[a], by = (step + 1) / 2;
            if (step % 2 ? by > was : by >= axes->axis[a].n - was)
                continue;
            value[a] = step % 2 ? was - by : was + by;
            spar_axes_point(axes, value, x);
            if (!is_there(axes, n, before, x))
                return true;
            value[a] = was;
        }
    /* The n + 1 first points of the space, as digits of a number. */
    for (size_t i = 0; i <= n; i++) {
        size_t rest = i;
        for (size_t a = 0; a < axes->n; a++) {
            value[a] = rest % axes->axis[a].n;
            rest /= axes->axis[a].n;
        }
        spar_axes_point(axes, value, x);
        if (!rest && !is_there(axes, n, before, x))
            return true;
    }
    return false;
}

/* Roberts' sequence: the fractions of i times powers of the root of g^(d+1) = g + 1. */
void spar_axes_spread(const spar_axes *axes, size_t i, size_t *value)
{
    double root = 2, step = 1;
    if (!axes || !value)
        return;
    for (int k = 0; k < 60; k++)
        root = spar__exp(spar__log(1 + root) / (double)(axes->n + 1));
    for (size_t a = 0; a < axes->n; a++) {
        const spar__dial *axis = &axes->axis[a];
        step /= root;
        double at = 0.5 + step * (double)i, x = at - floor(at);
        bool listed = axis->kind == SPAR_AXIS_LEVELS || axis->kind == SPAR_AXIS_CHOICE;
        value[a] = listed ? cut(x * (double)axis->n, axis->n) : search(axis, x);
    }
}

const char *spar_axes_text(const spar_axes *axes)
{
    return axes ? axes->text : NULL;
}

size_t spar_axes_count(const spar_axes *axes)
{
    return axes ? axes->n : 0;
}

size_t spar_axes_dim(const spar_axes *axes)
{
    return axes ? axes->dim : 0;
}

const char *spar_axes_name(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].name : NULL;
}

const char *spar_axes_unit(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].unit : NULL;
}

spar_axis_kind spar_axes_kind(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].kind : SPAR_AXIS_RANGE;
}

size_t spar_axes_values(const spar_axes *axes, size_t axis)
{
    return axes && axis < axes->n ? axes->axis[axis].n : 0;
}

double spar_axes_number(const spar_axes *axes, size_t axis, size_t value)
{
    const spar__dial *of = axes && axis < axes->n ? &axes->axis[axis] : NULL;
    if (!of || value >= of->n || of->kind == SPAR_AXIS_CHOICE)
        return NAN;
    return of->kind == SPAR_AXIS_LEVELS ? of->level[value] : number(of, value);
}

size_t spar_axes_write(const spar_axes *axes, size_t axis, size_t value, char *out, size_t room)
{
    const spar__dial *of = axes && axis < axes->n ? &axes->axis[axis] : NULL;
    if (!of || value >= of->n || !out)
        return 0;
    int power = 0, n;
    if (of->word) {
        n = snprintf(out, room, "%s", of->word[value]);
        return n > 0 ? (size_t)n : 0;
    }
    /* k 10^power in plain digits. */
    long k = digits(of, value, &power), unit = 1;
    for (; power < 0 && k % 10 == 0; power++)
        k /= 10;
    for (int i = 0; i < (power < 0 ? -power : power); i++)
        unit *= 10;
    const char *sign = k < 0 ? "-" : "";
    long size = k < 0 ? -k : k;
    n = power < 0 ? snprintf(out, room, "%s%ld.%0*ld", sign, size / unit, -power, size % unit)
                  : snprintf(out, room, "%s%ld", sign, size * unit);
    return n > 0 ? (size_t)n : 0;
}

spar_status spar_axes_arms(const spar_axes *axes, spar_arms **out)
{
    spar_space *space = NULL;
    if (!SPAR__CLEAR(out) || !axes)
        return SPAR_INVALID;
    spar_status status = spar_space_new(&space);
    for (size_t a = 0; a < axes->n && !status; a++) {
        const spar__dial *axis = &axes->axis[a];
        status = axis->kind == SPAR_AXIS_LEVELS   ? spar_space_add_levels(space, 0, 1, axis->n)
                 : axis->kind == SPAR_AXIS_CHOICE ? spar_space_add_choice(space, axis->n, SPAR__AXES_ON)
                                                  : spar_space_add_range(space, 0, 1);
    }
    if (!status)
        status = spar_arms_new_space(space, out);
    spar_space_free(space);
    return status;
}
