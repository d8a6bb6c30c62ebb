/* Any bytes as a line that a judge wrote: refused with a sentence, or an answer about the places there are, which can
 * be turned and turned back. The first byte says how many places. */
#include "cli/rater.h"
#include "fuzz.h"

#include "base/alloc.h"
#include "base/buf.h"

enum { SCREEN = 7 };

static void comment_is_text(const char *comment)
{
    uint32_t code;
    for (size_t at = 0, n = comment ? strlen(comment) : 0; at < n;) {
        at += spar__utf8_next(comment + at, n - at, &code);
        require(code != 0);
    }
}

static void check(spar_answer *answer, size_t m)
{
    spar_answer *other = NULL;
    bool changed = true;
    size_t best = spar__judge_best(answer);
    require(!spar_answer_check(answer, m, NULL) && (best < m || best == SPAR_NO_SLOT));
    require(!spar_answer_dup(answer, &other));
    require(!spar__swap_turn(other, m, NULL) && !spar_answer_check(other, m, NULL));
    require(best == SPAR_NO_SLOT || spar__judge_best(other) == m - 1 - best);
    require(!spar__swap_turn(other, m, NULL) && spar_answer_equal(answer, other));
    spar__swap_join(answer, other, &changed);
    require(!changed && spar_answer_equal(answer, other));
    spar_answer_free(other);
}

void fuzz_judge_line(const uint8_t *data, size_t size)
{
    static spar_answer *answer;
    fuzz_input in = {data, size};
    size_t m = 2 + fuzz_below(&in, 4);
    char *comment = NULL, *line = fuzz_text(in.at, in.left);
    spar_error err = {0};
    if (!answer)
        require(!spar_answer_new(&answer));
    spar_status status = spar__judge_read(line, in.left, "judge 1", SCREEN, m, answer, &comment, &err);
    fuzz_refused(status, &err, NULL);
    require(!status || !comment);
    comment_is_text(comment);
    if (!status)
        check(answer, m);
    spar__free(comment);
    free(line);
}
