/* letor.c - the lines of learning-to-rank data, and where in them something is not as expected. The parser goes through
 * the text once, without copying; numbers of up to 18 digits are read exactly without strtod. */
#include "rank/letor.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- where something is wrong --- */

enum { SHOWN = 24 }; /* characters of what was found */

static void describe(const spar__location *place, const char *at, char *text, size_t size)
{
    int length = 0;
    if (spar__line_ends(place, at)) {
        (void)snprintf(text, size, "the end of the line");
    } else if (*at == '\0') {
        (void)snprintf(text, size, "a zero byte");
    } else if (spar__is_blank(*at)) {
        (void)snprintf(text, size, "a blank");
    } else {
        while (length < SHOWN && at[length] && !spar__is_blank(at[length]) && !spar__line_ends(place, at + length))
            length++;
        bool zero = length < SHOWN && at[length] == '\0' && at + length < place->end;
        (void)snprintf(text, size, "'%.*s'%s", length, at, zero ? " and a zero byte" : "");
    }
}

static spar_status fail_at(const spar__location *place, const char *at, spar_error *err, const char *text)
{
    return spar__fail(err, SPAR_PARSE, "%s:%zu:%zu: %s", place->file, place->line, (size_t)(at - place->start) + 1,
                      text);
}

spar_status spar__location_fail(const spar__location *place, const char *at, spar_error *err, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail_at(place, at, err, text);
}

spar_status spar__location_expected(const spar__location *place, const char *at, spar_error *err, const char *format,
                                    ...)
{
    char expected[160], found[SHOWN + 24], text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(expected, sizeof expected, format, args);
    va_end(args);
    describe(place, at, found, sizeof found);
    (void)snprintf(text, sizeof text, "expected %s, found %s", expected, found);
    return fail_at(place, at, err, text);
}

/* --- lines --- */

typedef struct letor_parser {
    spar__location place;
    spar__letor_rows *rows;
    spar_error *err;
} letor_parser;

/* Digits as a number; NULL when there are none or they are too large. */
static inline const char *scan_whole(const char *at, uint64_t *out)
{
    uint64_t value = 0;
    const char *first = at;
    for (; spar__is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return NULL;
        value = value * 10 + digit;
    }
    *out = value;
    return at > first ? at : NULL;
}

/* The finite decimal number at text; NULL when there is none. Up to 18 digits without an exponent, m 10^-places with
 * m <= 2^53, are two exact doubles and one division, which rounds correctly; all else is left to strtod. Reading
 * 100 MB of generated data takes 0.36 s of CPU time this way and 0.97 s by strtod alone: bench/bench_read 100. */
static inline const char *scan_number(const char *text, double *out)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
    const char *at = text + (*text == '-' || *text == '+'), *first = at, *point = NULL;
    uint64_t m = 0;
    for (; spar__is_digit(*at); at++)
        m = m * 10 + (uint64_t)(*at - '0');
    size_t digits = (size_t)(at - first), places = 0;
    if (*at == '.') {
        for (point = ++at; spar__is_digit(*at); at++)
            m = m * 10 + (uint64_t)(*at - '0');
        places = (size_t)(at - point);
        digits += places;
    }
    if (digits - 1 < 18 && (*at | 32) != 'e' && m <= UINT64_C(1) << 53) {
        double value = (double)m / power[places];
        *out = *text == '-' ? -value : value;
        return at;
    }
    *out = spar__scan_double(text, &at);
    return at > text ? at : NULL;
}

static inline const char *skip_blanks(const char *at)
{
    while (spar__is_blank(*at))
        at++;
    return at;
}

static inline bool word_ends(const spar__location *place, const char *at)
{
    return spar__is_blank(*at) || *at == '#' || spar__line_ends(place, at);
}

static inline spar_status scan_pair(const spar__location *place, const char **from, uint32_t *feature, double *value,
                                    spar_error *err)
{
    const char *at = *from;
    uint32_t number = 0;
    for (; spar__is_digit(*at) && number <= SPAR__FEATURE_MOST; at++)
        number = number * 10 + (uint32_t)(*at - '0');
    if (at == *from || number == 0 || number > SPAR__FEATURE_MOST)
        return spar__location_expected(place, *from, err, "feature:value with a feature from 1 to %d",
                                       SPAR__FEATURE_MOST);
    if (*at != ':')
        return spar__location_expected(place, at, err, "':' after feature %u", (unsigned)number);
    const char *end = scan_number(at + 1, value);
    if (!end || !word_ends(place, end))
        return spar__location_expected(place, at + 1, err, "a finite number as feature %u", (unsigned)number);
    *feature = number;
    *from = end;
    return SPAR_OK;
}

spar_status spar__letor_pair(const spar__location *place, const char **at, uint32_t *feature, double *value,
                             spar_error *err)
{
    return scan_pair(place, at, feature, value, err);
}

static spar_status take_head(letor_parser *p, const char **from)
{
    spar__letor_rows *rows = p->rows;
    const char *at = *from;
    uint64_t grade, id;
    const char *end = scan_whole(at, &grade);
    if (!end || grade > SPAR__GRADE_MOST || !word_ends(&p->place, end))
        return spar__location_expected(&p->place, at, p->err, "a grade, a whole number from 0 to %d", SPAR__GRADE_MOST);
    at = skip_blanks(end);
    if (!(at[0] == 'q' && at[1] == 'i' && at[2] == 'd' && at[3] == ':'))
        return spar__location_expected(&p->place, at, p->err, "qid: and the number of the query");
    end = scan_whole(at + 4, &id);
    if (!end || !word_ends(&p->place, end))
        return spar__location_expected(&p->place, at + 4, p->err, "the number of the query");
    if (rows->docs && id != rows->id)
        return spar__location_expected(&p->place, at, p->err, "qid:%llu", (unsigned long long)rows->id);
    if (rows->docs == SPAR__DOCS_MOST)
        return spar__location_fail(&p->place, at, p->err, "query %llu has more than %d documents",
                                   (unsigned long long)id, SPAR__DOCS_MOST);
    if (rows->docs == rows->docs_capacity) {
        uint8_t *grown = spar__grow(rows->grade, &rows->docs_capacity, rows->docs + 1, 256, sizeof *grown);
        if (!grown)
            return spar__fail_memory(p->err);
        rows->grade = grown;
    }
    rows->id = id;
    rows->grade[rows->docs] = (uint8_t)grade;
    *from = end;
    return SPAR_OK;
}

static spar_status take_pairs(letor_parser *p, const char **from)
{
    spar__letor_rows *rows = p->rows;
    const char *at = skip_blanks(*from);
    uint32_t feature = 0, largest = 0;
    double value = 0;
    for (; *at != '#' && !spar__line_ends(&p->place, at); at = skip_blanks(at)) {
        const char *start = at;
        spar_status status = scan_pair(&p->place, &at, &feature, &value, p->err);
        if (status)
            return status;
        if (rows->seen[feature] == rows->stamp)
            return spar__location_fail(&p->place, start, p->err, "feature %u is given twice", (unsigned)feature);
        rows->seen[feature] = rows->stamp;
        largest = feature > largest ? feature : largest;
        if (value == 0)
            continue;
        if (rows->entries == rows->entries_capacity) {
            spar__letor_entry *grown =
                spar__grow(rows->entry, &rows->entries_capacity, rows->entries + 1, 4096, sizeof *grown);
            if (!grown)
                return spar__fail_memory(p->err);
            rows->entry = grown;
        }
        rows->entry[rows->entries++] = (spar__letor_entry){value, feature, (uint32_t)rows->docs};
    }
    rows->features = largest > rows->features ? largest : rows->features;
    *from = at;
    return SPAR_OK;
}

spar_status spar__letor_parse(const char *text, size_t length, const char *file, size_t line, spar__letor_rows *rows,
                              spar_error *err)
{
    letor_parser p = {{file, line, text, text + length}, rows, err};
    rows->docs = rows->entries = rows->features = 0;
    rows->id = 0;
    if (!rows->seen && !(rows->seen = spar__alloc(SPAR__FEATURE_MOST + 1, sizeof *rows->seen)))
        return spar__fail_memory(err);
    for (const char *at = text; at < p.place.end; p.place.line++) {
        spar_status status;
        p.place.start = at;
        at = skip_blanks(at);
        if (*at != '#' && !spar__line_ends(&p.place, at)) {
            /* Every line has a stamp of its own, so that nothing needs to be cleared between lines. */
            if (++rows->stamp == 0) {
                memset(rows->seen, 0, (SPAR__FEATURE_MOST + 1) * sizeof *rows->seen);
                rows->stamp = 1;
            }
            if ((status = take_head(&p, &at)) || (status = take_pairs(&p, &at)))
                return status;
            rows->docs++;
        }
        /* To the start of the next line, from the comment or the end of this one. */
        const char *end = memchr(at, '\n', (size_t)(p.place.end - at));
        const char *stop = end ? end : p.place.end, *zero = memchr(at, '\0', (size_t)(stop - at));
        if (zero)
            return spar__location_expected(&p.place, zero, err, "text");
        at = end ? end + 1 : stop;
    }
    return SPAR_OK;
}

void spar__letor_rows_free(spar__letor_rows *rows)
{
    spar__free(rows->grade);
    spar__free(rows->entry);
    spar__free(rows->seen);
    *rows = (spar__letor_rows){0};
}

bool spar__letor_peek(const char *line, uint64_t *id, const char **where)
{
    const char *at = skip_blanks(line);
    if (!spar__is_digit(*at))
        return false;
    while (spar__is_digit(*at))
        at++;
    at = skip_blanks(at);
    *where = at;
    return at[0] == 'q' && at[1] == 'i' && at[2] == 'd' && at[3] == ':' && scan_whole(at + 4, id);
}

bool spar__letor_empty(const char *line)
{
    const char *at = skip_blanks(line);
    return *at == '#' || *at == '\n' || (at[0] == '\r' && at[1] == '\n');
}
