/* answer_archive.c - an answer to bytes and back. */
#include "types/answer.h"

#include "base/alloc.h"

static void archive_number(size_t *value, spar__archive *ar)
{
    uint32_t number = (uint32_t)*value;
    spar__archive_check(ar, ar->loading || number == *value);
    spar__archive_u32(ar, &number);
    if (ar->loading)
        *value = number;
}

/* The parts of a ranking, or of pairs. */
static void save_parts(spar_answer *answer, spar__archive *ar)
{
    archive_number(&answer->n, ar);
    for (size_t i = 0; i < answer->n; i++) {
        archive_number(&answer->first[i], ar);
        archive_number(&answer->second[i], ar);
        if (answer->kind == SPAR_ANSWER_PAIRS)
            spar__archive_u8(ar, &answer->outcome[i]);
    }
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

static void load(spar_answer *answer, spar_answer_kind kind, spar__archive *ar)
{
    size_t n = 0;
    archive_number(&n, ar); /* the winner, or how many parts there are */
    if (kind == SPAR_ANSWER_WINNER)
        spar_answer_set_winner(answer, n);
    else if (spar__archive_holds(ar, n)) {
        if (kind == SPAR_ANSWER_RANKING)
            load_ranking(answer, n, ar);
        else
            load_pairs(answer, n, ar);
    }
}

void spar__answer_archive(spar_answer *answer, spar__archive *ar)
{
    uint8_t kind = (uint8_t)answer->kind;
    spar__archive_u8(ar, &kind);
    if (kind >= SPAR_ANSWER_TIE) {
        spar__archive_check(ar, kind <= SPAR_ANSWER_SKIP);
        if (ar->loading && !ar->failed) {
            answer->n = 0;
            answer->kind = (spar_answer_kind)kind;
        }
    } else if (ar->loading) {
        spar__archive_check(ar, kind >= SPAR_ANSWER_WINNER);
        load(answer, (spar_answer_kind)kind, ar);
    } else if (kind == SPAR_ANSWER_WINNER)
        archive_number(&answer->first[0], ar);
    else
        save_parts(answer, ar);
}
