/* answer.c - what a person said to one question, in one form for each thing that can be said: made, compared, turned
 * into feedback, archived, and read from words. */
#include "types/answer.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static spar_status reserve(spar_answer *answer, size_t capacity)
{
    if (capacity <= answer->capacity)
        return SPAR_OK;
    size_t room = capacity < 2 * answer->capacity ? 2 * answer->capacity : capacity;
    if (!spar__resize(&answer->first, answer->capacity, room, sizeof *answer->first) ||
        !spar__resize(&answer->second, answer->capacity, room, sizeof *answer->second) ||
        !spar__resize(&answer->outcome, answer->capacity, room, 1))
        return SPAR_NOMEM;
    answer->capacity = room;
    return SPAR_OK;
}

spar_status spar_answer_new(spar_answer **out)
{
    if (!SPAR__CLEAR(out))
        return SPAR_INVALID;
    spar_answer *answer = spar__alloc(1, sizeof *answer);
    if (!answer || reserve(answer, 4)) {
        spar_answer_free(answer);
        return SPAR_NOMEM;
    }
    answer->kind = SPAR_ANSWER_SKIP;
    *out = answer;
    return SPAR_OK;
}

spar_status spar_answer_dup(const spar_answer *answer, spar_answer **out)
{
    if (!SPAR__CLEAR(out) || !answer)
        return SPAR_INVALID;
    spar_status status = spar_answer_new(out);
    if (!status && spar_answer_copy(answer, *out)) {
        spar_answer_free(*out);
        *out = NULL;
        status = SPAR_NOMEM;
    }
    return status;
}

spar_status spar_answer_copy(const spar_answer *from, spar_answer *to)
{
    if (!from || !to)
        return SPAR_INVALID;
    if (from == to)
        return SPAR_OK;
    if (reserve(to, from->n))
        return SPAR_NOMEM;
    to->kind = from->kind;
    to->n = from->n;
    memcpy(to->first, from->first, from->n * sizeof *to->first);
    memcpy(to->second, from->second, from->n * sizeof *to->second);
    memcpy(to->outcome, from->outcome, from->n);
    return SPAR_OK;
}

void spar_answer_free(spar_answer *answer)
{
    if (!answer)
        return;
    spar__free(answer->first);
    spar__free(answer->second);
    spar__free(answer->outcome);
    spar__free(answer);
}

/* An answer without parts. */
static void set_plain(spar_answer *answer, spar_answer_kind kind)
{
    answer->kind = kind;
    answer->n = 0;
}

void spar_answer_set_winner(spar_answer *answer, size_t slot)
{
    if (!answer)
        return;
    answer->kind = SPAR_ANSWER_WINNER;
    answer->n = 1;
    answer->first[0] = slot;
    answer->second[0] = 0;
    answer->outcome[0] = 0;
}

void spar_answer_set_tie(spar_answer *answer)
{
    if (answer)
        set_plain(answer, SPAR_ANSWER_TIE);
}

void spar_answer_set_bad(spar_answer *answer)
{
    if (answer)
        set_plain(answer, SPAR_ANSWER_BAD);
}

void spar_answer_set_skip(spar_answer *answer)
{
    if (answer)
        set_plain(answer, SPAR_ANSWER_SKIP);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

spar_status spar_answer_set_ranking(spar_answer *answer, size_t n, const size_t *slot, const size_t *level,
                                    spar_error *err)
{
    if (!answer || (n && !slot))
        return spar__fail_null(err);
    if (n == 0)
        return spar__fail(err, SPAR_INVALID, "a ranking needs at least one slot");
    for (size_t a = 1; level && a < n; a++)
        if (level[a] < level[a - 1])
            return spar__fail(err, SPAR_INVALID, "the levels of a ranking must not fall: %zu comes after %zu", level[a],
                              level[a - 1]);
    size_t *sorted = spar__alloc(n, sizeof *sorted), twice = 1;
    if (!sorted)
        return spar__fail_memory(err);
    memcpy(sorted, slot, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    while (twice < n && sorted[twice] != sorted[twice - 1])
        twice++;
    spar_status status = twice < n ? spar__fail(err, SPAR_INVALID, "slot %zu is ranked twice", sorted[twice]) : SPAR_OK;
    spar__free(sorted);
    if (!status && reserve(answer, n))
        status = spar__fail_memory(err);
    if (status)
        return status;
    set_plain(answer, SPAR_ANSWER_RANKING);
    for (size_t a = 0, dense = 0; a < n; a++) {
        dense += a && !(level && level[a] == level[a - 1]);
        size_t at = answer->n++; /* behind those of its level that are smaller */
        for (; at > 0 && answer->second[at - 1] == dense && answer->first[at - 1] > slot[a]; at--)
            answer->first[at] = answer->first[at - 1];
        answer->first[at] = slot[a];
        answer->second[a] = dense;
        answer->outcome[a] = 0;
    }
    return SPAR_OK;
}

spar_status spar_answer_add_pair(spar_answer *answer, size_t j, size_t k, spar_outcome outcome, spar_error *err)
{
    if (!answer)
        return spar__fail_null(err);
    if (j == k || (outcome != SPAR_LOSS && outcome != SPAR_TIE && outcome != SPAR_WIN))
        return spar__fail(err, SPAR_INVALID, j == k ? "slot %zu is compared with itself" : "slot %zu has no outcome",
                          j);
    if (j > k) {
        size_t swap = j;
        j = k;
        k = swap;
        outcome = outcome == SPAR_TIE ? SPAR_TIE : outcome == SPAR_WIN ? SPAR_LOSS : SPAR_WIN;
    }
    size_t i = answer->kind == SPAR_ANSWER_PAIRS ? answer->n : 0;
    while (i > 0 && (answer->first[i - 1] > j || (answer->first[i - 1] == j && answer->second[i - 1] >= k)))
        i--;
    if (answer->kind == SPAR_ANSWER_PAIRS && i < answer->n && answer->first[i] == j && answer->second[i] == k) {
        bool same = answer->outcome[i] == (unsigned char)outcome;
        return same ? spar__fail(err, SPAR_INVALID, "slots %zu and %zu are compared twice", j, k)
                    : spar__fail(err, SPAR_CONFLICT, "slots %zu and %zu are compared twice, with different outcomes", j,
                                 k);
    }
    if (reserve(answer, answer->kind == SPAR_ANSWER_PAIRS ? answer->n + 1 : 1))
        return spar__fail_memory(err);
    if (answer->kind != SPAR_ANSWER_PAIRS)
        set_plain(answer, SPAR_ANSWER_PAIRS);
    /* Opens a gap in front of entry i. */
    size_t rest = answer->n - i;
    memmove(answer->first + i + 1, answer->first + i, rest * sizeof *answer->first);
    memmove(answer->second + i + 1, answer->second + i, rest * sizeof *answer->second);
    memmove(answer->outcome + i + 1, answer->outcome + i, rest);
    answer->n++;
    answer->first[i] = j;
    answer->second[i] = k;
    answer->outcome[i] = (unsigned char)outcome;
    return SPAR_OK;
}

spar_answer_kind spar_answer_kind_of(const spar_answer *answer)
{
    return answer ? answer->kind : SPAR_ANSWER_SKIP;
}

const char *spar_answer_kind_name(spar_answer_kind kind)
{
    static const char *const name[] = {"winner", "ranking", "pairs", "tie", "bad", "skip"};
    return kind >= SPAR_ANSWER_WINNER && kind <= SPAR_ANSWER_SKIP ? name[kind - SPAR_ANSWER_WINNER] : NULL;
}

bool spar_answer_equal(const spar_answer *a, const spar_answer *b)
{
    if (!a || !b)
        return false;
    return a->kind == b->kind && a->n == b->n && memcmp(a->first, b->first, a->n * sizeof *a->first) == 0 &&
           memcmp(a->second, b->second, a->n * sizeof *a->second) == 0 && memcmp(a->outcome, b->outcome, a->n) == 0;
}

size_t spar_answer_winner(const spar_answer *answer)
{
    return answer && answer->kind == SPAR_ANSWER_WINNER ? answer->first[0] : SPAR_NO_SLOT;
}

size_t spar_answer_count(const spar_answer *answer)
{
    return !answer || answer->kind == SPAR_ANSWER_WINNER ? 0 : answer->n;
}

size_t spar_answer_slot(const spar_answer *answer, size_t i)
{
    return answer && answer->kind == SPAR_ANSWER_RANKING && i < answer->n ? answer->first[i] : SPAR_NO_SLOT;
}

size_t spar_answer_level(const spar_answer *answer, size_t i)
{
    return answer && answer->kind == SPAR_ANSWER_RANKING && i < answer->n ? answer->second[i] : SPAR_NO_SLOT;
}

spar_status spar_answer_pair(const spar_answer *answer, size_t i, size_t *j, size_t *k, spar_outcome *outcome)
{
    if (!answer || !j || !k || !outcome || answer->kind != SPAR_ANSWER_PAIRS || i >= answer->n)
        return SPAR_INVALID;
    *j = answer->first[i];
    *k = answer->second[i];
    *outcome = (spar_outcome)answer->outcome[i];
    return SPAR_OK;
}

spar_status spar_answer_check(const spar_answer *answer, size_t m, spar_error *err)
{
    if (!answer)
        return spar__fail_null(err);
    for (size_t i = 0; i < answer->n; i++) {
        size_t slot = answer->first[i];
        if (answer->kind == SPAR_ANSWER_PAIRS && answer->second[i] > slot)
            slot = answer->second[i];
        if (slot >= m)
            return spar__fail(err, SPAR_INVALID, "the answer names slot %zu, but the question has %zu (from 0)", slot,
                              m);
    }
    return SPAR_OK;
}

spar_status spar_answer_feedback(const spar_answer *answer, size_t m, spar_feedback *feedback, spar_error *err)
{
    if (!answer || !feedback)
        return spar__fail_null(err);
    spar_status status = spar_answer_check(answer, m, err);
    if (status)
        return status;
    if (spar_feedback_reset(feedback, m))
        return spar__fail_memory(err);
    if (answer->kind == SPAR_ANSWER_WINNER)
        return spar_feedback_winner(feedback, answer->first[0]);
    if (answer->kind == SPAR_ANSWER_RANKING)
        return spar_feedback_ranking(feedback, answer->n, answer->first, answer->second);
    if (answer->kind == SPAR_ANSWER_TIE)
        return spar_feedback_tie(feedback);
    for (size_t i = 0; i < answer->n; i++)
        (void)spar_feedback_set(feedback, answer->first[i], answer->second[i], (spar_outcome)answer->outcome[i]);
    return SPAR_OK;
}

/* An answer to bytes and back. */

static void archive_number(size_t *value, spar__archive *ar)
{
    uint32_t number = (uint32_t)*value;
    spar__archive_check(ar, ar->loading || number == *value);
    spar__archive_u32(ar, &number);
    if (ar->loading)
        *value = number;
}

/* A ranking in its one form: levels rise by 0 or 1 from 0, slots of one level are sorted, none is there twice. */
static void load_ranking(spar_answer *answer, size_t n, spar__archive *ar)
{
    size_t *slot = spar__alloc(n, sizeof *slot), *level = spar__alloc(n, sizeof *level);
    spar__archive_step(ar, slot && level ? SPAR_OK : SPAR_NOMEM);
    for (size_t i = 0; !ar->failed && i < n; i++) {
        archive_number(&slot[i], ar);
        archive_number(&level[i], ar);
        spar__archive_check(ar, i ? level[i] - level[i - 1] <= 1 : level[i] == 0);
        spar__archive_check(ar, !i || level[i] != level[i - 1] || slot[i] > slot[i - 1]);
    }
    if (!ar->failed)
        spar__archive_step(ar, spar_answer_set_ranking(answer, n, slot, level, NULL));
    spar__free(slot);
    spar__free(level);
}

/* Pairs in their one form: j < k, sorted, none is there twice. */
static void load_pairs(spar_answer *answer, size_t n, spar__archive *ar)
{
    size_t last_j = 0, last_k = 0;
    spar__archive_check(ar, n > 0);
    spar_answer_set_skip(answer);
    for (size_t i = 0; !ar->failed && i < n; i++) {
        size_t j = 0, k = 0;
        uint8_t outcome = 0;
        archive_number(&j, ar);
        archive_number(&k, ar);
        spar__archive_u8(ar, &outcome);
        spar__archive_check(ar, j < k && (j > last_j || (j == last_j && k > last_k)));
        if (!ar->failed)
            spar__archive_step(ar, spar_answer_add_pair(answer, j, k, (spar_outcome)outcome, NULL));
        last_j = j;
        last_k = k;
    }
}

void spar__answer_archive(spar_answer *answer, spar__archive *ar)
{
    uint8_t kind = (uint8_t)answer->kind;
    spar__archive_u8(ar, &kind);
    spar__archive_check(ar, kind >= SPAR_ANSWER_WINNER && kind <= SPAR_ANSWER_SKIP);
    if (kind >= SPAR_ANSWER_TIE) {
        if (ar->loading && !ar->failed)
            set_plain(answer, (spar_answer_kind)kind);
        return;
    }
    size_t n = kind == SPAR_ANSWER_WINNER ? answer->first[0] : answer->n; /* the winner, or how many parts there are */
    archive_number(&n, ar);
    if (ar->loading && kind == SPAR_ANSWER_WINNER)
        spar_answer_set_winner(answer, n);
    else if (ar->loading && spar__archive_holds(ar, n))
        (kind == SPAR_ANSWER_RANKING ? load_ranking : load_pairs)(answer, n, ar);
    for (size_t i = 0; !ar->loading && kind != SPAR_ANSWER_WINNER && i < n; i++) {
        archive_number(&answer->first[i], ar);
        archive_number(&answer->second[i], ar);
        if (kind == SPAR_ANSWER_PAIRS)
            spar__archive_u8(ar, &answer->outcome[i]);
    }
}

/* Answers in words: "B,A=C" and "A>B,C=A". */

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
        size_t j = 0, k = 0;
        status = read_slot(&words, &j, err);
        char relation = status ? '\0' : read_separator(&words);
        if (!status && (!relation || relation == ','))
            status =
                spar__fail(err, SPAR_PARSE, "'%s' is compared with nothing: a pair is 'A>B', 'A<B' or 'A=B'", name[j]);
        if (!status)
            status = read_slot(&words, &k, err);
        if (!status)
            status = spar_answer_add_pair(fresh, j, k,
                                          relation == '>'   ? SPAR_WIN
                                          : relation == '<' ? SPAR_LOSS
                                                            : SPAR_TIE,
                                          err);
        separator = status ? '\0' : read_separator(&words);
        if (separator && separator != ',')
            status = spar__fail(err, SPAR_PARSE, "'%s': pairs are separated by commas", text);
    }
    if (!status && spar_answer_copy(fresh, answer))
        status = spar__fail_memory(err);
    spar_answer_free(fresh);
    return status;
}
