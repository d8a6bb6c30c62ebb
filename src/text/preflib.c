#include "text/preflib.h"

#include "base/alloc.h"
#include "text/lines.h"

#include <stdio.h>
#include <string.h>

static const size_t MOST_SLOTS = (size_t)1 << 26; /* in all votes: half a gigabyte */
static const uint64_t MOST_PEOPLE = (uint64_t)1 << 40;

typedef struct preflib_reader {
    const char *path;
    size_t number; /* of the line */
    spar__votes *votes;
    spar_error *err;
    size_t n;              /* alternatives; 0 while unknown */
    bool strict, complete; /* as the type of the data says */
    bool ready;
    spar__piece *name; /* n */
    size_t *seen;      /* n: the vote that last had it, from 1 */
} preflib_reader;

static spar_status refuse(const preflib_reader *r, spar__piece piece, const char *expected)
{
    return spar__fail(r->err, SPAR_PARSE, "%s:%zu: '%.*s', expected %s", r->path, r->number, spar__piece_shown(piece),
                      piece.text, expected);
}

static bool starts(spar__piece *piece, const char *with)
{
    size_t length = strlen(with);
    if (piece->length < length || memcmp(piece->text, with, length) != 0)
        return false;
    *piece = spar__piece_trim(piece->text + length, piece->text + piece->length);
    return true;
}

/* Takes digits off the front; false when there are none, or the number is above `most`. */
static bool take_number(spar__piece *piece, uint64_t most, uint64_t *out)
{
    size_t i = 0;
    for (*out = 0; i < piece->length && piece->text[i] >= '0' && piece->text[i] <= '9'; i++) {
        *out = *out * 10 + (uint64_t)(piece->text[i] - '0');
        if (*out > most)
            return false;
    }
    *piece = spar__piece_trim(piece->text + i, piece->text + piece->length);
    return i > 0;
}

static spar_status read_type(preflib_reader *r, spar__piece type)
{
    static const char *const known[] = {"soc", "soi", "toc", "toi"};
    for (size_t i = 0; i < 4; i++)
        if (type.length == 3 && memcmp(type.text, known[i], 3) == 0) {
            r->strict = i < 2;
            r->complete = i % 2 == 0;
            return SPAR_OK;
        }
    return refuse(r, type, "the type soc, soi, toc or toi, as in '# DATA TYPE: soc'");
}

static spar_status read_size(preflib_reader *r, spar__piece text)
{
    spar__piece rest = text;
    uint64_t n;
    if (r->n)
        return refuse(r, text, "the number of alternatives once");
    if (!take_number(&rest, SPAR__VOTE_SLOTS, &n) || rest.length || n == 0)
        return refuse(r, text, "1 to 2000 alternatives, as in '# NUMBER ALTERNATIVES: 10'");
    r->n = (size_t)n;
    r->name = spar__alloc(r->n, sizeof *r->name);
    r->seen = spar__alloc(r->n, sizeof *r->seen);
    return r->name && r->seen ? SPAR_OK : spar__fail_memory(r->err);
}

static spar_status read_name(preflib_reader *r, spar__piece text)
{
    static const char expected[] = "the number and name of an alternative, as in '# ALTERNATIVE NAME 1: cat'";
    spar__piece rest = text;
    uint64_t i;
    if (!r->n)
        return refuse(r, text, "'# NUMBER ALTERNATIVES: 10' before the names");
    if (!take_number(&rest, r->n, &i) || i == 0 || !starts(&rest, ":") || !rest.length ||
        memchr(rest.text, '\0', rest.length))
        return refuse(r, text, expected);
    if (r->name[i - 1].length)
        return refuse(r, text, "one name for each alternative");
    r->name[i - 1] = rest;
    return SPAR_OK;
}

static spar_status read_head(preflib_reader *r, spar__piece line)
{
    if (starts(&line, "# DATA TYPE:"))
        return read_type(r, line);
    if (starts(&line, "# NUMBER ALTERNATIVES:"))
        return read_size(r, line);
    if (starts(&line, "# ALTERNATIVE NAME "))
        return read_name(r, line);
    return SPAR_OK;
}

/* The names become options, in order. */
static spar_status end_head(preflib_reader *r, spar__piece line)
{
    if (!r->n)
        return refuse(r, line, "'# NUMBER ALTERNATIVES: 10' and the names before the votes");
    for (size_t i = 0; i < r->n; i++) {
        char number[24];
        size_t option;
        spar__piece name = r->name[i];
        if (!name.length)
            name = (spar__piece){number, (size_t)snprintf(number, sizeof number, "%zu", i + 1)};
        if (spar__names_get(&r->votes->options, name.text, name.length, &option))
            return spar__fail_memory(r->err);
        if (option != i)
            return refuse(r, name, "alternatives with names of their own, not the same for two");
    }
    r->ready = true;
    return SPAR_OK;
}

static spar_status add_alternative(preflib_reader *r, spar__piece *rest, size_t place)
{
    spar__piece all = *rest;
    uint64_t i;
    if (!take_number(rest, r->n, &i) || i == 0)
        return refuse(r, all, "the number of an alternative, as in '41: 2,{1,3}'");
    if (r->seen[i - 1] == r->votes->n)
        return refuse(r, all, "each alternative once");
    r->seen[i - 1] = r->votes->n;
    return spar__votes_add(r->votes, (size_t)(i - 1), place) ? spar__fail_memory(r->err) : SPAR_OK;
}

/* {1,3} behind its brace. */
static spar_status add_tied(preflib_reader *r, spar__piece *rest, size_t place)
{
    if (r->strict)
        return refuse(r, *rest, "no ties in data of this type");
    for (;;) {
        spar_status status = add_alternative(r, rest, place);
        if (status || starts(rest, "}"))
            return status;
        if (!starts(rest, ","))
            return refuse(r, *rest, "a comma or }, as in '41: 2,{1,3}'");
    }
}

static spar_status add_unranked(preflib_reader *r, size_t place)
{
    spar__votes *votes = r->votes;
    spar__vote *vote = &votes->vote[votes->n - 1];
    if (vote->m == r->n)
        return SPAR_OK;
    if (r->complete)
        return spar__fail(r->err, SPAR_PARSE, "%s:%zu: %u of %zu alternatives, expected all in data of this type",
                          r->path, r->number, (unsigned)vote->m, r->n);
    votes->unranked += vote->times;
    for (size_t i = 0; i < r->n; i++)
        if (r->seen[i] != votes->n && spar__votes_add(votes, i, place))
            return spar__fail_memory(r->err);
    return SPAR_OK;
}

static spar_status read_order(preflib_reader *r, spar__piece line)
{
    spar__piece rest = line;
    uint64_t times;
    if (!take_number(&rest, MOST_PEOPLE, &times) || times == 0 || !starts(&rest, ":"))
        return refuse(r, line, "a number of people, a colon and their order, as in '41: 2,{1,3}'");
    if (r->votes->slots + r->n > MOST_SLOTS)
        return spar__fail(r->err, SPAR_UNSUPPORTED, "%s:%zu: too many orders of %zu alternatives", r->path, r->number,
                          r->n);
    if (spar__votes_begin(r->votes, SPAR__VOTE_ORDER, r->number))
        return spar__fail_memory(r->err);
    r->votes->vote[r->votes->n - 1].times = times;
    for (size_t place = 0;; place++) {
        spar_status status = starts(&rest, "{") ? add_tied(r, &rest, place) : add_alternative(r, &rest, place);
        if (status)
            return status;
        if (!rest.length)
            return add_unranked(r, place + 1);
        if (!starts(&rest, ","))
            return refuse(r, rest, "a comma, as in '41: 2,{1,3}'");
    }
}

static spar_status read_line(preflib_reader *r, spar__piece line)
{
    if (line.text[0] == '#')
        return r->ready ? SPAR_OK : read_head(r, line);
    spar_status status = r->ready ? SPAR_OK : end_head(r, line);
    return status ? status : read_order(r, line);
}

spar_status spar__preflib_parse(const char *text, size_t length, const char *path, spar__votes *out, spar_error *err)
{
    *out = (spar__votes){.unordered = true, .one_each = true};
    preflib_reader r = {.path = path, .votes = out, .err = err};
    spar__line_reader lines = spar__lines_of(text, length);
    lines.comment = 0;
    spar__piece line;
    spar_status status = SPAR_OK;
    while (!status && spar__line_next(&lines, &line)) {
        r.number = lines.number;
        status = read_line(&r, line);
    }
    if (!status && !r.ready && r.n)
        status = end_head(&r, (spar__piece){"", 0});
    spar__free(r.name);
    spar__free(r.seen);
    if (status)
        spar__votes_free(out);
    return status;
}
