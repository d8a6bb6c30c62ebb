#include "types/answer.h"

#include "base/alloc.h"
#include "tap.h"

#include <stdlib.h>

static const char *const names[] = {"A", "B", "C", "tea, green", "C=D"};
static spar_error err;

static spar_answer *make(void)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        abort();
    return answer;
}

/* The matrix of an answer to a question of m slots, row by row: "-ltw". */
static const char *matrix(const spar_answer *answer, size_t m)
{
    static char text[64];
    spar_feedback *feedback = NULL;
    if (spar_feedback_new(1, &feedback) || spar_answer_feedback(answer, m, feedback, &err))
        abort();
    for (size_t i = 0; i < m * m; i++)
        text[i] = "-ltw"[spar_feedback_get(feedback, i / m, i % m)];
    text[m * m] = '\0';
    spar_feedback_free(feedback);
    return text;
}

static void kinds(void)
{
    spar_answer *a = make();
    ok(spar_answer_kind_of(a) == SPAR_ANSWER_SKIP, "a new answer is a skip");
    same_text(matrix(a, 2), "----", "a skip says nothing");
    spar_answer_set_winner(a, 1);
    ok(spar_answer_kind_of(a) == SPAR_ANSWER_WINNER && spar_answer_winner(a) == 1 && spar_answer_count(a) == 0,
       "a winner");
    same_text(matrix(a, 3), "-l-w-w-l-", "beats all others, nothing is said among these");
    spar_answer_set_tie(a);
    same_text(matrix(a, 2), "-tt-", "a tie");
    ok(spar_answer_winner(a) == SPAR_NO_SLOT, "has no winner");
    spar_answer_set_bad(a);
    same_text(matrix(a, 2), "----", "bad says nothing about pairs");
    bool named =
        spar_answer_kind_name((spar_answer_kind)7) == NULL && spar_answer_kind_name((spar_answer_kind)0) == NULL;
    ok(named && strcmp(spar_answer_kind_name(SPAR_ANSWER_BAD), "bad") == 0, "kinds have names");
    spar_answer_free(a);
    spar_answer_free(NULL);
}

static void rankings(void)
{
    spar_answer *a = make(), *b = make();
    ok(!spar_answer_set_ranking(a, 2, (size_t[]){2, 0}, NULL, &err), "a ranking of some");
    same_text(matrix(a, 3), "-wll-lww-", "the ranked come before the unranked, too");
    ok(!spar_answer_set_ranking(a, 4, (size_t[]){3, 2, 0, 1}, (size_t[]){5, 7, 7, 9}, &err), "a ranking with levels");
    ok(!spar_answer_set_ranking(b, 4, (size_t[]){3, 0, 2, 1}, (size_t[]){0, 1, 1, 2}, &err) && spar_answer_equal(a, b),
       "has one form");
    ok(spar_answer_count(a) == 4 && spar_answer_slot(a, 1) == 0 && spar_answer_level(a, 3) == 2 &&
           spar_answer_slot(a, 4) == SPAR_NO_SLOT,
       "which can be read");
    same_text(matrix(a, 4), "-wtll-lltw-lwww-", "equal levels are ties");
    ok(spar_answer_set_ranking(a, 2, (size_t[]){1, 1}, NULL, &err) == SPAR_INVALID && strstr(err.text, "twice"),
       "refused: %s", err.text);
    ok(spar_answer_set_ranking(a, 2, (size_t[]){1, 0}, (size_t[]){1, 0}, &err) == SPAR_INVALID, "refused: %s",
       err.text);
    ok(spar_answer_set_ranking(a, 0, NULL, NULL, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_answer_equal(a, b), "and nothing changed");
    spar_feedback *feedback = NULL;
    ok(!spar_feedback_new(2, &feedback) && spar_answer_feedback(a, 3, feedback, &err) == SPAR_INVALID, "refused: %s",
       err.text);
    spar_feedback_free(feedback);
    spar_answer_free(a);
    spar_answer_free(b);
}

static void pairs(void)
{
    spar_answer *a = make(), *b = NULL;
    size_t j, k;
    spar_outcome outcome;
    spar_answer_set_winner(a, 0);
    ok(!spar_answer_add_pair(a, 2, 1, SPAR_WIN, &err) && !spar_answer_add_pair(a, 0, 3, SPAR_TIE, &err) &&
           !spar_answer_add_pair(a, 0, 1, SPAR_LOSS, &err),
       "pairs in any order");
    ok(spar_answer_count(a) == 3 && !spar_answer_pair(a, 2, &j, &k, &outcome) && j == 1 && k == 2 &&
           outcome == SPAR_LOSS && spar_answer_pair(a, 3, &j, &k, &outcome) == SPAR_INVALID,
       "are sorted, the smaller slot first");
    ok(spar_answer_add_pair(a, 1, 2, SPAR_LOSS, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_answer_add_pair(a, 1, 2, SPAR_WIN, &err) == SPAR_CONFLICT, "refused: %s", err.text);
    ok(spar_answer_add_pair(a, 1, 1, SPAR_WIN, &err) == SPAR_INVALID, "refused: %s", err.text);
    ok(spar_answer_add_pair(a, 1, 3, SPAR_MISSING, &err) == SPAR_INVALID, "refused: %s", err.text);
    same_text(matrix(a, 4), "-l-tw-l--w--t---", "only what was stated");
    ok(!spar_answer_dup(a, &b) && spar_answer_equal(a, b), "a copy");
    for (size_t i = 4; i < 20; i++)
        if (spar_answer_add_pair(b, 1, i, SPAR_TIE, NULL))
            abort();
    ok(!spar_answer_equal(a, b) && !spar_answer_copy(b, a) && spar_answer_equal(a, b), "grows, and is assigned");
    spar_answer_free(a);
    spar_answer_free(b);
}

static void words(void)
{
    spar_answer *a = make(), *b = make();
    ok(!spar_answer_parse_ranking(a, " B , A=C", 3, names, &err) &&
           !spar_answer_set_ranking(b, 3, (size_t[]){1, 0, 2}, (size_t[]){0, 1, 1}, NULL) && spar_answer_equal(a, b),
       "B,A=C");
    ok(!spar_answer_parse_ranking(a, "tea, green,C=D", 5, names, &err) &&
           !spar_answer_set_ranking(b, 2, (size_t[]){3, 4}, NULL, NULL) && spar_answer_equal(a, b),
       "names may hold separators");
    ok(!spar_answer_parse_pairs(a, "A>B, C=A,B<C", 3, names, &err) && !spar_answer_add_pair(b, 0, 1, SPAR_WIN, NULL) &&
           !spar_answer_add_pair(b, 0, 2, SPAR_TIE, NULL) && !spar_answer_add_pair(b, 1, 2, SPAR_LOSS, NULL) &&
           spar_answer_equal(a, b),
       "A>B, C=A, B<C");
    static const char *const bad_rankings[] = {"", "A,,B", "A,X", "A,B,", "A=A", "A,B,C,A", "A>B", "tea"};
    for (size_t i = 0; i < sizeof bad_rankings / sizeof *bad_rankings; i++)
        ok(spar_answer_parse_ranking(a, bad_rankings[i], 3, names, &err) && err.text[0], "ranking '%s' is refused: %s",
           bad_rankings[i], err.text);
    static const char *const bad_pairs[] = {"", "A", "A,B", "A>", ">A", "A>B>C", "A>X", "A>B,B>A", "A>A", "A>B,"};
    for (size_t i = 0; i < sizeof bad_pairs / sizeof *bad_pairs; i++)
        ok(spar_answer_parse_pairs(a, bad_pairs[i], 3, names, &err) && err.text[0], "pairs '%s' are refused: %s",
           bad_pairs[i], err.text);
    ok(spar_answer_equal(a, b), "and nothing changed");
    spar_answer_free(a);
    spar_answer_free(b);
}

static bool loads(const unsigned char *bytes, size_t length, spar_answer *answer)
{
    spar__archive in = {.loading = true, .in = bytes, .left = length};
    spar__answer_archive(answer, &in);
    return !in.failed && in.left == 0;
}

static void bytes(void)
{
    spar_answer *a = make(), *b = make();
    static const char *const text[] = {"A>B,C=A,B<C", "B>A"};
    for (size_t i = 0; i < 6; i++) {
        if (i < 2 ? spar_answer_parse_pairs(a, text[i], 3, names, NULL)
                  : i == 2 && spar_answer_parse_ranking(a, "B,A=C", 3, names, NULL))
            abort();
        if (i == 3)
            spar_answer_set_winner(a, 70000);
        if (i == 4)
            spar_answer_set_tie(a);
        if (i == 5)
            spar_answer_set_skip(a);
        spar__archive out = {.loading = false};
        spar__answer_archive(a, &out);
        bool good = !out.failed && loads((unsigned char *)out.out.text, out.out.length, b) && spar_answer_equal(a, b);
        for (size_t cut = 0; cut < out.out.length; cut++)
            good &= !loads((unsigned char *)out.out.text, cut, b);
        ok(good, "answer %zu comes back from %zu bytes, and from no fewer", i, out.out.length);
        spar__buf_free(&out.out);
    }
    static const unsigned char bad[][16] = {
        {0}, {7}, {2, 0}, {3, 0}, {2, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 3}};
    static const size_t length[] = {1, 1, 5, 5, 13, 14};
    for (size_t i = 0; i < 6; i++)
        ok(!loads(bad[i], length[i], b), "bytes %zu of no answer's one form are refused", i);
    spar_answer_set_winner(a, (size_t)1 << 40);
    spar__archive out = {.loading = false};
    spar__answer_archive(a, &out);
    ok(out.failed && !out.no_memory, "a slot beyond 32 bits cannot be written");
    spar__buf_free(&out.out);
    spar_answer_free(a);
    spar_answer_free(b);
}

static void memory(void)
{
    spar_answer *a = make(), *b = NULL;
    for (size_t i = 0; i < 9; i++)
        if (spar_answer_add_pair(a, 0, i + 1, SPAR_WIN, NULL))
            abort();
    bool good = true;
    size_t k = 0;
    do {
        spar__alloc_fail_at(++k);
        spar_status status = spar_answer_dup(a, &b);
        good &= status ? status == SPAR_NOMEM && !b : b && spar_answer_equal(a, b);
    } while (!b && k < 50);
    spar__alloc_fail_at(0);
    ok(good && k > 3, "every allocation of a copy fails once");
    spar__alloc_fail_at(1);
    ok(spar_answer_parse_pairs(b, "A>B", 2, names, &err) == SPAR_NOMEM, "%s", err.text);
    spar__alloc_fail_at(0);
    ok(spar_answer_equal(a, b), "and nothing changed");
    spar_answer_free(a);
    spar_answer_free(b);
}

/* An answer in memory that cannot be written: several threads may save it at once. */
static void saving_only_reads(void)
{
    static const struct spar_answer tie = {.kind = SPAR_ANSWER_TIE};
    spar__archive out = {.loading = false};
    spar__answer_archive((spar_answer *)(uintptr_t)&tie, &out);
    ok(!out.failed && out.out.length == 1, "saving an answer does not write to it");
    spar__buf_free(&out.out);
}

int main(void)
{
    saving_only_reads();
    kinds();
    rankings();
    pairs();
    words();
    bytes();
    memory();
    return done();
}
