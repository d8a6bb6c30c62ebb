#include "text/lines.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

spar__piece spar__piece_trim(const char *from, const char *to)
{
    while (from < to && is_space(*from))
        from++;
    while (from < to && is_space(to[-1]))
        to--;
    return (spar__piece){from, (size_t)(to - from)};
}

spar__line_reader spar__lines_of(const char *text, size_t length)
{
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (spar__line_reader){.at = text + mark, .end = text + length, .comment = '#'};
}

bool spar__line_next(spar__line_reader *lines, spar__piece *line)
{
    while (lines->at < lines->end) {
        const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        if (!stop)
            stop = lines->end;
        const char *hash = lines->comment ? memchr(lines->at, lines->comment, (size_t)(stop - lines->at)) : NULL;
        *line = spar__piece_trim(lines->at, hash ? hash : stop);
        lines->at = stop < lines->end ? stop + 1 : stop;
        lines->number++;
        if (line->length)
            return true;
    }
    return false;
}

bool spar__piece_field(spar__piece *line, bool commas, spar__piece *field)
{
    if (!line->text)
        return false;
    const char *end = line->text + line->length, *stop = line->text;
    while (stop < end && !(commas ? *stop == ',' : is_space(*stop)))
        stop++;
    *field = spar__piece_trim(line->text, stop);
    if (stop == end)
        *line = (spar__piece){NULL, 0};
    else
        *line = commas ? (spar__piece){stop + 1, (size_t)(end - stop - 1)} : spar__piece_trim(stop, end);
    return true;
}

int spar__piece_shown(spar__piece piece)
{
    return piece.length > 40 ? 40 : (int)piece.length;
}
