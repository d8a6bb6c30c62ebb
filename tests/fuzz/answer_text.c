/* Any text as an answer in words: refused with a sentence and the answer as it was, or an answer about the slots there
 * are. The first byte picks the names. */
#include "fuzz.h"

#include <spar/answer.h>

enum { SLOTS = 4 };

static void check(spar_answer *answer, spar_status status, const spar_error *err)
{
    static spar_feedback *feedback;
    if (!feedback)
        require(!spar_feedback_new(SLOTS, &feedback));
    fuzz_refused(status, err, NULL);
    require(!status || spar_answer_kind_of(answer) == SPAR_ANSWER_TIE);
    require(!spar_answer_feedback(answer, SLOTS, feedback, NULL));
    spar_answer_set_tie(answer);
}

void fuzz_answer_text(const uint8_t *data, size_t size)
{
    static const char *const name[3][SLOTS] = {{"A", "B", "C", "D"}, {"a", "a=b", "a=b,c", "b"}, {" ", "", "x>y", "x"}};
    static spar_answer *answer;
    fuzz_input in = {data, size};
    const char *const *names = name[fuzz_below(&in, 3)];
    char *text = fuzz_text(in.at, in.left);
    spar_error err = {0};
    if (!answer)
        require(!spar_answer_new(&answer));
    spar_answer_set_tie(answer);
    check(answer, spar_answer_parse_ranking(answer, text, SLOTS, names, &err), &err);
    err = (spar_error){0};
    check(answer, spar_answer_parse_pairs(answer, text, SLOTS, names, &err), &err);
    free(text);
}
