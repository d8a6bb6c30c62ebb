/* Votes as lines: 'A > B', 'A = B', 'A > B = C'. */
#include "text/lines.h"
#include "text/votes.h"

#include <string.h>

typedef struct vote_line {
    const char *path;
    size_t number;
    spar__piece text;
} vote_line;

static spar_status refuse_line(const vote_line *line, const char *what, spar_error *err)
{
    return spar__fail(err, SPAR_PARSE, "%s:%zu: '%.*s' %s; expected options with > or = between them, as in 'A > B'",
                      line->path, line->number, spar__piece_shown(line->text), line->text.text, what);
}

static bool stands_before(const spar__votes *votes, size_t option)
{
    const spar__vote *vote = &votes->vote[votes->n - 1];
    for (size_t i = 0; i < vote->m; i++)
        if (votes->slot[vote->first + i].option == option)
            return true;
    return false;
}

static spar_status add_option(spar__votes *votes, const vote_line *line, spar__piece name, size_t place,
                              spar_error *err)
{
    size_t option;
    if (name.length == 0)
        return refuse_line(line, "has no name beside a > or =", err);
    if (memchr(name.text, '\0', name.length))
        return refuse_line(line, "holds a zero byte", err);
    if (votes->vote[votes->n - 1].m == SPAR__VOTE_SLOTS)
        return spar__fail(err, SPAR_PARSE, "%s:%zu: more than %d options in one vote", line->path, line->number,
                          SPAR__VOTE_SLOTS);
    if (spar__names_get(&votes->options, name.text, name.length, &option))
        return spar__fail_memory(err);
    if (stands_before(votes, option))
        return refuse_line(line, "has an option twice", err);
    return spar__votes_add(votes, option, place) ? spar__fail_memory(err) : SPAR_OK;
}

static spar_status parse_line(spar__votes *votes, const vote_line *line, spar_error *err)
{
    const char *at = line->text.text, *end = at + line->text.length;
    size_t place = 0;
    if (!memchr(at, '>', line->text.length) && !memchr(at, '=', line->text.length))
        return refuse_line(line, "has neither > nor =", err);
    if (spar__votes_begin(votes, SPAR__VOTE_ORDER, line->number))
        return spar__fail_memory(err);
    for (;;) {
        const char *stop = at;
        while (stop < end && *stop != '>' && *stop != '=')
            stop++;
        spar_status status = add_option(votes, line, spar__piece_trim(at, stop), place, err);
        if (status || stop == end)
            return status;
        place += *stop == '>';
        at = stop + 1;
    }
}

spar_status spar__votes_parse_lines(const char *text, size_t length, const char *path, spar__votes *out,
                                    spar_error *err)
{
    *out = (spar__votes){0};
    spar__line_reader lines = spar__lines_of(text, length);
    lines.comment = 0; /* names may hold a # */
    vote_line line = {.path = path};
    while (spar__line_next(&lines, &line.text)) {
        if (line.text.text[0] == '#')
            continue;
        line.number = lines.number;
        spar_status status = parse_line(out, &line, err);
        if (status) {
            spar__votes_free(out);
            return status;
        }
    }
    return SPAR_OK;
}
