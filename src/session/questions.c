/* questions.c - the questions of a session by number, sorted: see session.h. Finding one takes log n steps. */
#include "session/session.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "types/answer.h"

#include <string.h>

void spar__questions_free(spar__questions *questions)
{
    for (size_t i = 0; i < questions->n; i++)
        if (questions->item[i].open)
            spar__free(questions->item[i].is.bytes);
    spar__free(questions->item);
    *questions = (spar__questions){0};
}

uint64_t spar__questions_last(const spar__questions *questions)
{
    return questions->n ? questions->item[questions->n - 1].number : 0;
}

/* Where the first question of at least this number is. */
static size_t lower_bound(const spar__questions *questions, uint64_t number)
{
    size_t from = 0, to = questions->n;
    if (spar__questions_last(questions) < number)
        return to; /* the usual case */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (questions->item[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool spar__questions_too_old(const spar__questions *questions, uint64_t number)
{
    uint64_t last = spar__questions_last(questions);
    return questions->memory && number < last && last - number >= questions->memory;
}

static bool is_kept(const spar__questions *questions, const spar__question *question)
{
    return question->open || !spar__questions_too_old(questions, question->number);
}

/* What is forgotten may still be there: what is known does not depend on when room is made. */
spar__question *spar__questions_find(const spar__questions *questions, uint64_t number)
{
    size_t i = lower_bound(questions, number);
    spar__question *found = i < questions->n && questions->item[i].number == number ? &questions->item[i] : NULL;
    return found && is_kept(questions, found) ? found : NULL;
}

const spar__question *spar__questions_after(const spar__questions *questions, uint64_t number)
{
    size_t i = number == UINT64_MAX ? questions->n : lower_bound(questions, number + 1);
    while (i < questions->n && !questions->item[i].open)
        i++;
    return i < questions->n ? &questions->item[i] : NULL;
}

static spar_status reserve(spar__questions *questions)
{
    spar__question *item = spar__grow(questions->item, &questions->capacity, questions->n + 1, 16, sizeof *item);
    if (!item)
        return SPAR_NOMEM;
    questions->item = item;
    return SPAR_OK;
}

spar_status spar__questions_open(spar__questions *questions, uint64_t number, unsigned char *bytes, size_t length)
{
    if (reserve(questions))
        return SPAR_NOMEM;
    size_t i = lower_bound(questions, number);
    memmove(questions->item + i + 1, questions->item + i, (questions->n - i) * sizeof *questions->item);
    questions->item[i] = (spar__question){number, 0, true, (uint32_t)length, {.bytes = bytes}};
    questions->n++;
    return SPAR_OK;
}

void spar__question_close(spar__question *question, const uint64_t told[2], size_t winner)
{
    spar__free(question->is.bytes);
    question->open = false;
    question->length = winner < SPAR__NO_WINNER ? (uint32_t)winner : SPAR__NO_WINNER;
    question->is.told[0] = told[0];
    question->is.told[1] = told[1];
}

/* The last one stays, so what is too old is the same before and after. */
static void forget(spar__questions *questions)
{
    size_t kept = 0;
    for (size_t i = 0; i < questions->n; i++)
        if (is_kept(questions, &questions->item[i]))
            questions->item[kept++] = questions->item[i];
    questions->n = kept;
}

void spar__questions_trim(spar__questions *questions)
{
    if (!questions->memory || questions->n <= questions->full)
        return;
    forget(questions);
    questions->full = 2 * questions->n;
}

spar_status spar__answer_hash(const spar_answer *answer, uint64_t told[2])
{
    spar__archive ar = {.loading = false};
    spar__answer_archive((spar_answer *)(uintptr_t)answer, &ar); /* the archive only reads when it saves */
    for (unsigned char half = 0; half < 2 && !ar.failed; half++) {
        spar__hash hash = spar__hash_start();
        spar__hash_add(&hash, &half, 1);
        spar__hash_add(&hash, ar.out.text, ar.out.length);
        told[half] = spar__hash_end(&hash);
    }
    spar__buf_free(&ar.out);
    return !ar.failed ? SPAR_OK : ar.no_memory ? SPAR_NOMEM : SPAR_INVALID;
}

void spar__questions_archive(spar__questions *questions, spar__archive *ar)
{
    uint64_t last = 0;
    if (!ar->loading)
        forget(questions);
    size_t n = questions->n;
    spar__archive_size(ar, &n);
    if (!spar__archive_holds(ar, n))
        return;
    for (size_t i = 0; i < n && !ar->failed; i++) {
        if (ar->loading) {
            spar__archive_step(ar, reserve(questions));
            if (ar->failed)
                return;
            questions->item[questions->n++] = (spar__question){0};
        }
        spar__question *question = &questions->item[i];
        bool open = question->open;
        uint32_t revision = question->revision;
        spar__archive_u64(ar, &question->number);
        spar__archive_u32(ar, &revision);
        spar__archive_bool(ar, &open);
        spar__archive_u32(ar, &question->length);
        spar__archive_check(ar, revision <= UINT16_MAX && question->number > last);
        last = question->number;
        question->revision = (uint16_t)revision;
        if (!open) {
            spar__archive_u64(ar, &question->is.told[0]);
            spar__archive_u64(ar, &question->is.told[1]);
            continue;
        }
        if (ar->loading) {
            uint32_t length = question->length;
            spar__archive_check(ar, length > 0);
            unsigned char *bytes = spar__archive_holds(ar, length) ? spar__alloc(length, 1) : NULL;
            spar__archive_step(ar, ar->failed || bytes ? SPAR_OK : SPAR_NOMEM);
            question->open = bytes != NULL;
            question->is.bytes = bytes;
        }
        if (!ar->failed)
            spar__archive_bytes(ar, question->is.bytes, question->length);
    }
}
