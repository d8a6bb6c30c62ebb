#include "text/votes.h"

#include "base/alloc.h"
#include "text/lines.h"

#include <string.h>

void spar__votes_free(spar__votes *votes)
{
    spar__names_free(&votes->options);
    spar__names_free(&votes->voters);
    spar__names_free(&votes->items);
    spar__names_free(&votes->ids);
    spar__free(votes->vote);
    spar__free(votes->slot);
    *votes = (spar__votes){0};
}

spar_status spar__votes_begin(spar__votes *votes, spar__vote_kind kind, size_t line)
{
    spar__vote *vote = spar__grow(votes->vote, &votes->room, votes->n + 1, 64, sizeof *vote);
    if (!vote)
        return SPAR_NOMEM;
    votes->vote = vote;
    votes->vote[votes->n++] = (spar__vote){.first = votes->slots, .kind = kind, .times = 1, .line = line};
    return SPAR_OK;
}

spar_status spar__votes_add(spar__votes *votes, size_t option, size_t place)
{
    spar__vote_slot *slot = spar__grow(votes->slot, &votes->slot_room, votes->slots + 1, 128, sizeof *slot);
    if (!slot)
        return SPAR_NOMEM;
    votes->slot = slot;
    votes->slot[votes->slots++] = (spar__vote_slot){(uint32_t)option, (uint32_t)place};
    votes->vote[votes->n - 1].m++;
    return SPAR_OK;
}

static bool has(spar__piece line, char c)
{
    return memchr(line.text, c, line.length) != NULL;
}

static bool is_preflib_head(spar__piece line)
{
    static const char *const head[] = {
        "# FILE NAME:", "# TITLE:", "# DATA TYPE:", "# NUMBER ALTERNATIVES:", "# ALTERNATIVE NAME "};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (line.length >= strlen(head[i]) && memcmp(line.text, head[i], strlen(head[i])) == 0)
            return true;
    return false;
}

static bool is_number(spar__piece field)
{
    for (size_t i = 0; i < field.length; i++)
        if (!strchr("0123456789.+-eE", field.text[i]) || !field.text[i])
            return false;
    return field.length > 0;
}

/* Is the line a row of win counts: numbers, but for a name in the first field? */
static bool is_count_row(spar__piece line)
{
    bool commas = has(line, ',');
    spar__piece field;
    size_t fields = 0, numbers = 0;
    for (; spar__piece_field(&line, commas, &field); fields++) {
        bool number = is_number(field);
        if (fields > 0 && !number)
            return false;
        numbers += number;
    }
    return numbers > 0;
}

static bool is_word(spar__piece field, const char *word)
{
    return field.length == strlen(word) && memcmp(field.text, word, field.length) == 0;
}

/* Is it the header of an arena? Then its rows are no counts, also where options have numbers for names. */
static bool is_arena_head(spar__piece line)
{
    bool a = false, b = false;
    spar__piece field;
    while (spar__piece_field(&line, true, &field)) {
        a |= is_word(field, "model_a");
        b |= is_word(field, "model_b");
    }
    return a && b;
}

static spar__votes_form guess_table(spar__piece line, spar__line_reader rest)
{
    spar__piece second;
    if (is_arena_head(line))
        return SPAR__VOTES_CSV;
    bool row = is_count_row(line) || (spar__line_next(&rest, &second) && is_count_row(second));
    return row ? SPAR__VOTES_COUNTS : has(line, ',') ? SPAR__VOTES_CSV : SPAR__VOTES_UNKNOWN;
}

spar__votes_form spar__votes_guess(const char *text, size_t length, size_t *number)
{
    spar__line_reader lines = spar__lines_of(text, length);
    spar__piece line;
    *number = 0;
    for (lines.comment = 0; spar__line_next(&lines, &line);) {
        if (is_preflib_head(line))
            return SPAR__VOTES_PREFLIB;
        if (line.text[0] == '#')
            continue;
        *number = lines.number;
        lines.comment = '#';
        if (line.text[0] == '{' || line.text[0] == '[')
            return SPAR__VOTES_JSON;
        if (has(line, '>') || (has(line, '=') && !has(line, ',')))
            return SPAR__VOTES_LINES;
        return guess_table(line, lines);
    }
    return SPAR__VOTES_EMPTY;
}
