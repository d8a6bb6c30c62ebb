/* answer_text.c - answers in words: "B,A=C" and "A>B,C=A". */
#include "types/answer.h"

#include "base/alloc.h"

#include <string.h>

typedef struct answer_words {
    const char *at; /* what is left to read */
    const char *separators;
    size_t m;
    const char *const *name;
} answer_words;

static const char *skip_spaces(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

/* Reads a name and steps over it; the character behind it is a separator or the end. */
static spar_status read_slot(answer_words *words, size_t *slot, spar_error *err)
{
    const char *text = skip_spaces(words->at), *end = NULL;
    for (size_t j = 0; j < words->m; j++) {
        size_t length = strlen(words->name[j]);
        if (strncmp(text, words->name[j], length) != 0 || text + length <= end)
            continue;
        const char *behind = skip_spaces(text + length);
        if (*behind && !strchr(words->separators, *behind))
            continue;
        *slot = j;
        end = text + length;
    }
    if (end) {
        words->at = skip_spaces(end);
        return SPAR_OK;
    }
    int length = (int)strcspn(text, words->separators);
    if (length)
        return spar__fail(err, SPAR_UNKNOWN, "the question has no option '%.*s'", length, text);
    return *text ? spar__fail(err, SPAR_PARSE, "a name is missing before '%s'", text)
                 : spar__fail(err, SPAR_PARSE, "a name is missing at the end");
}

/* The separator behind a name; '\0' at the end. */
static char read_separator(answer_words *words)
{
    return *words->at ? *words->at++ : '\0';
}

static bool all_named(size_t m, const char *const *name)
{
    for (size_t j = 0; j < m; j++)
        if (!name || !name[j])
            return false;
    return true;
}

spar_status spar_answer_parse_ranking(spar_answer *answer, const char *text, size_t m, const char *const *name,
                                      spar_error *err)
{
    if (!answer || !text || !all_named(m, name))
        return spar__fail_null(err);
    answer_words words = {text, ",=", m, name};
    size_t n = 0, level = 0, *slots = spar__alloc(m, 2 * sizeof *slots);
    if (!slots)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (char separator = ','; !status && separator;) {
        size_t slot = 0;
        status = read_slot(&words, &slot, err);
        if (!status && n == m)
            status = spar__fail(err, SPAR_INVALID, "'%s': an option is ranked twice", text);
        if (status)
            break;
        level += n && separator == ',';
        slots[n] = slot;
        slots[m + n++] = level;
        separator = read_separator(&words);
    }
    if (!status)
        status = spar_answer_set_ranking(answer, n, slots, slots + m, err);
    spar__free(slots);
    return status;
}

static spar_status read_pair(answer_words *words, spar_answer *answer, spar_error *err)
{
    size_t j = 0, k = 0;
    spar_status status = read_slot(words, &j, err);
    if (status)
        return status;
    char relation = read_separator(words);
    if (!relation || relation == ',')
        return spar__fail(err, SPAR_PARSE, "'%s' is compared with nothing: a pair is 'A>B', 'A<B' or 'A=B'",
                          words->name[j]);
    status = read_slot(words, &k, err);
    spar_outcome outcome = relation == '>' ? SPAR_WIN : relation == '<' ? SPAR_LOSS : SPAR_TIE;
    return status ? status : spar_answer_add_pair(answer, j, k, outcome, err);
}

spar_status spar_answer_parse_pairs(spar_answer *answer, const char *text, size_t m, const char *const *name,
                                    spar_error *err)
{
    if (!answer || !text || !all_named(m, name))
        return spar__fail_null(err);
    answer_words words = {text, ",=<>", m, name};
    spar_answer *fresh = NULL;
    spar_status status = spar_answer_new(&fresh);
    if (status)
        return spar__fail_memory(err);
    for (char separator = ','; !status && separator;) {
        status = read_pair(&words, fresh, err);
        separator = status ? '\0' : read_separator(&words);
        if (separator && separator != ',')
            status = spar__fail(err, SPAR_PARSE, "'%s': pairs are separated by commas", text);
    }
    if (!status && spar_answer_copy(fresh, answer))
        status = spar__fail_memory(err);
    spar_answer_free(fresh);
    return status;
}
