#include "live/rows.h"

#include "base/alloc.h"
#include "text/names.h"

#include <stdio.h>
#include <string.h>

bool spar__row_source_of(const spar__answered *answered, const spar__labels *labels, spar__json_tree *tree,
                         char made[SPAR__LABEL_SIZE], spar__row_source *out)
{
    const spar_event *event = answered->entry->event;
    const spar__store_text *text = answered->entry->text;
    *out = (spar__row_source){0};
    if (!answered->screen)
        return !text || spar__source_read(tree, (const char *)text->bytes, text->length, out);
    *out = (spar__row_source){.screen = answered->screen,
                              .taken = spar_event_taken(event),
                              .flags = spar_event_flags(event),
                              .comment = text ? (const char *)text->bytes : NULL};
    if (answered->item != SPAR_NO_ITEM)
        out->item = spar__label_item(labels, answered->item, made);
    return true;
}

static void add_label(const spar__answered *a, const spar__labels *labels, size_t place, spar__buf *out)
{
    char made[SPAR__LABEL_SIZE];
    spar__word_add(out, spar__label_option(labels, a->arm[place], made));
}

void spar__row_shown(const spar__answered *answered, const spar__labels *labels, spar__buf *out)
{
    for (size_t i = 0; i < answered->m; i++) {
        spar__buf_adds(out, i ? "," : "");
        add_label(answered, labels, i, out);
    }
}

static void add_ranking(const spar__answered *a, const spar__labels *labels, spar__buf *out)
{
    for (size_t i = 0; i < spar_answer_count(a->placed); i++) {
        bool tied = i && spar_answer_level(a->placed, i) == spar_answer_level(a->placed, i - 1);
        spar__buf_adds(out, !i ? "" : tied ? "=" : ",");
        add_label(a, labels, spar_answer_slot(a->placed, i), out);
    }
}

static void add_pairs(const spar__answered *a, const spar__labels *labels, spar__buf *out)
{
    for (size_t i = 0, j = 0, k = 0; i < spar_answer_count(a->placed); i++) {
        spar_outcome outcome = SPAR_TIE;
        (void)spar_answer_pair(a->placed, i, &j, &k, &outcome);
        spar__buf_adds(out, i ? "," : "");
        add_label(a, labels, j, out);
        spar__buf_adds(out, outcome == SPAR_WIN ? ">" : outcome == SPAR_LOSS ? "<" : "=");
        add_label(a, labels, k, out);
    }
}

void spar__row_answer(const spar__answered *answered, const spar__labels *labels, spar__buf *out)
{
    size_t winner = spar_answer_winner(answered->placed);
    if (winner != SPAR_NO_SLOT)
        add_label(answered, labels, winner, out);
    else if (spar_answer_kind_of(answered->placed) == SPAR_ANSWER_RANKING)
        add_ranking(answered, labels, out);
    else if (spar_answer_kind_of(answered->placed) == SPAR_ANSWER_PAIRS)
        add_pairs(answered, labels, out);
}

/* And back. */

static spar_status bad_words(spar_status status, const char *column, const char *text, spar_error *err)
{
    return status == SPAR_NOMEM
               ? spar__fail_memory(err)
               : spar__fail(err, SPAR_PARSE, "'%s' is '%.80s', expected names as in 'A,B,\"C, with a comma\"'", column,
                            text);
}

spar_status spar__row_read_shown(const char *text, spar__names *options, size_t *shown, size_t *m, spar_error *err)
{
    spar__word_list words = spar__words_of(text);
    spar_status status;
    bool more = true;
    *m = 0;
    while (!(status = spar__word_next(&words, &more)) && more) {
        const spar__buf *word = &words.scan.word;
        size_t at = 0;
        if (words.mark && words.mark != ',')
            status = SPAR_PARSE;
        else if (*m == SPAR__ROW_SLOTS)
            status = spar__fail(err, SPAR_UNSUPPORTED, "more than %d options are shown", SPAR__ROW_SLOTS);
        else if (spar__names_get(options, word->length ? word->text : "", word->length, &at))
            status = SPAR_NOMEM;
        if (status)
            break;
        shown[(*m)++] = at;
    }
    spar__words_close(&words);
    if (status == SPAR_UNSUPPORTED)
        return status;
    return status ? bad_words(status, "shown", text, err) : SPAR_OK;
}

/* Words of an answer, each one of those shown, and the marks behind them. */
typedef struct row_words {
    size_t *slot;
    char *mark;
    size_t n;
} row_words;

static spar_status find_shown(const spar__names *options, const size_t *shown, size_t m, const char *word, size_t *slot,
                              spar_error *err)
{
    for (*slot = 0; *slot < m; ++*slot)
        if (strcmp(spar__names_at(options, shown[*slot]), word) == 0)
            return SPAR_OK;
    return spar__fail(err, SPAR_PARSE, "the answer names '%.80s', which was not shown", word);
}

static spar_status read_words(const char *text, const spar__names *options, const size_t *shown, size_t m,
                              row_words *out, spar_error *err)
{
    spar__word_list words = spar__words_of(text);
    size_t room = strlen(text) + 1; /* more than there are words */
    bool more = true;
    *out = (row_words){spar__alloc(room, sizeof *out->slot), spar__alloc(room, 1), 0};
    spar_status status = out->slot && out->mark ? SPAR_OK : spar__fail_memory(err);
    while (!status) {
        status = spar__word_next(&words, &more);
        if (status || !more) {
            status = status ? bad_words(status, "answer", text, err) : SPAR_OK;
            break;
        }
        out->mark[out->n] = words.mark;
        status =
            find_shown(options, shown, m, words.scan.word.length ? words.scan.word.text : "", &out->slot[out->n], err);
        out->n++;
    }
    spar__words_close(&words);
    return status;
}

static spar_status refuse_answer(const char *kind, const char *text, spar_error *err)
{
    return spar__fail(err, SPAR_PARSE,
                      "the answer '%.80s' is no %s, expected a name for winner, 'B,A=C' for ranking, 'A>B,C=A' for "
                      "pairs, and nothing for tie, bad and skip",
                      text, kind);
}

static spar_status make_ranking(const row_words *words, spar_answer *out, spar_error *err)
{
    size_t *level = spar__alloc(words->n, sizeof *level);
    if (!level)
        return spar__fail_memory(err);
    spar_status status = SPAR_OK;
    for (size_t i = 1; i < words->n && !status; i++) {
        char mark = words->mark[i - 1];
        level[i] = level[i - 1] + (mark != '=');
        status = mark == '<' ? SPAR_PARSE : SPAR_OK;
    }
    if (!status)
        status = spar_answer_set_ranking(out, words->n, words->slot, level, err);
    spar__free(level);
    return status;
}

static spar_status make_pairs(const row_words *words, spar_answer *out, spar_error *err)
{
    spar_status status = words->n % 2 ? SPAR_PARSE : SPAR_OK;
    for (size_t i = 0; i < words->n && !status; i += 2) {
        char mark = words->mark[i], next = words->mark[i + 1];
        if (mark == ',' || !mark || (next && next != ','))
            return SPAR_PARSE;
        status = spar_answer_add_pair(out, words->slot[i], words->slot[i + 1],
                                      mark == '>'   ? SPAR_WIN
                                      : mark == '<' ? SPAR_LOSS
                                                    : SPAR_TIE,
                                      err);
    }
    return status;
}

static spar_status make_answer(spar_answer_kind kind, const row_words *words, spar_answer *out, spar_error *err)
{
    bool one = words->n == 1, any = words->n > 0;
    switch (kind) {
    case SPAR_ANSWER_WINNER:
        if (one)
            spar_answer_set_winner(out, words->slot[0]);
        return one ? SPAR_OK : SPAR_PARSE;
    case SPAR_ANSWER_RANKING:
        return any ? make_ranking(words, out, err) : SPAR_PARSE;
    case SPAR_ANSWER_PAIRS:
        return any ? make_pairs(words, out, err) : SPAR_PARSE;
    case SPAR_ANSWER_TIE:
        spar_answer_set_tie(out);
        break;
    case SPAR_ANSWER_BAD:
        spar_answer_set_bad(out);
        break;
    default:
        break;
    }
    return any ? SPAR_PARSE : SPAR_OK;
}

static spar_answer_kind kind_of(const char *name)
{
    for (int kind = SPAR_ANSWER_WINNER; kind <= SPAR_ANSWER_SKIP; kind++)
        if (strcmp(spar_answer_kind_name((spar_answer_kind)kind), name) == 0)
            return (spar_answer_kind)kind;
    return (spar_answer_kind)0;
}

spar_status spar__row_read_answer(const char *kind, const char *text, const spar__names *options, const size_t *shown,
                                  size_t m, spar_answer *out, spar_error *err)
{
    row_words words = {0};
    spar_answer_kind number = kind_of(kind);
    if (!number)
        return spar__fail(err, SPAR_PARSE, "'kind' is '%.40s', expected winner, ranking, pairs, tie, bad or skip",
                          kind);
    spar_answer_set_skip(out);
    spar_status status = read_words(text, options, shown, m, &words, err);
    if (!status) {
        spar_error why = {0};
        status = make_answer(number, &words, out, &why);
        if (status == SPAR_NOMEM)
            (void)spar__fail_memory(err);
        else if (status)
            status = why.text[0] ? spar__fail(err, SPAR_PARSE, "the answer '%.80s': %s", text, why.text)
                                 : refuse_answer(kind, text, err);
    }
    spar__free(words.slot);
    spar__free(words.mark);
    return status;
}
