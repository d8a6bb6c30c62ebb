/* Answers with the places reversed, and two answers that become one. */
#include "cli/rater.h"
#include "tap.h"

static const char *const name[] = {"A", "B", "C"};

static spar_answer *answer_of(const char *text)
{
    spar_answer *answer = NULL;
    if (spar_answer_new(&answer))
        return NULL;
    if (strcmp(text, "tie") == 0)
        spar_answer_set_tie(answer);
    else if (strcmp(text, "bad") == 0)
        spar_answer_set_bad(answer);
    else if (strpbrk(text, "<>"))
        (void)spar_answer_parse_pairs(answer, text, 3, name, NULL);
    else if (strchr(text, ','))
        (void)spar_answer_parse_ranking(answer, text, 3, name, NULL);
    else if (*text >= 'A' && *text <= 'C')
        spar_answer_set_winner(answer, (size_t)(*text - 'A'));
    return answer; /* else a skip */
}

static void turns(const char *from, const char *to)
{
    spar_answer *answer = answer_of(from), *wanted = answer_of(to);
    ok(!spar__swap_turn(answer, 3, NULL) && spar_answer_equal(answer, wanted), "%s reversed is %s", from, to);
    spar_answer_free(answer);
    spar_answer_free(wanted);
}

static void joins(const char *first, const char *second, const char *to, bool changes)
{
    spar_answer *a = answer_of(first), *b = answer_of(second), *wanted = answer_of(to);
    bool changed;
    spar__swap_join(a, b, &changed);
    ok(spar_answer_equal(b, wanted) && changed == changes, "%s and %s: %s", first, second, to);
    spar_answer_free(a);
    spar_answer_free(b);
    spar_answer_free(wanted);
}

static void reads(const char *line, size_t m, const char *wanted, const char *says)
{
    spar_answer *answer = answer_of("tie"), *right = answer_of(wanted ? wanted : "tie");
    char *comment = NULL;
    spar_error err = {0};
    spar_status status = spar__judge_read(line, strlen(line), "judge 1", 7, m, answer, &comment, &err);
    bool good =
        wanted ? !status && spar_answer_equal(answer, right) && (!says || strcmp(comment ? comment : "", says) == 0)
               : status && strstr(err.text, says);
    if (!ok(good, "%s", line))
        printf("# %s\n", err.text);
    spar_text_free(comment);
    spar_answer_free(answer);
    spar_answer_free(right);
}

int main(void)
{
    turns("A", "C");
    turns("B", "B");
    turns("tie", "tie");
    turns("skip", "skip");
    turns("A,B=C", "C,A=B");
    turns("B,C", "B,A");
    turns("A>B", "C>B");
    joins("A", "A", "A", false);
    joins("A", "C", "tie", true);
    joins("A", "tie", "tie", true);
    joins("tie", "tie", "tie", false);
    joins("bad", "bad", "bad", false);
    joins("bad", "A", "tie", true);
    joins("skip", "A", "skip", false);
    joins("A", "skip", "skip", false);
    joins("A,B,C", "A,C,B", "tie", true);
    reads("{\"screen\":7,\"winner\":\"B\"}", 3, "B", "");
    reads(" {\"winner\":\"B\",\"screen\":7,\"comment\":\"clear\",\"model\":[1,{}]} ", 3, "B", "clear");
    reads("{\"screen\":7,\"skip\":\"refused\"}", 3, "skip", "refused");
    reads("{\"screen\":7,\"ranking\":\"A,C=B\"}", 3, "A,B=C", "");
    reads("{\"screen\":7,\"winner\":null,\"bad\":true}", 3, "bad", "");
    reads("hello", 2, NULL, "expected a value at 'hello'; an answer is a line such as {\"screen\":7,\"winner\":\"A\"}");
    reads("judge 1", 2, NULL, "expected a value at 'judge 1'; an answer");
    reads("{\"screen\":7,\"winner\":\"C\"}", 2, NULL, "expected places, A to B");
    reads("{\"screen\":7,\"winner\":1}", 2, NULL, "expected places, A to B");
    reads("{\"screen\":7,\"undo\":true}", 2, NULL, "expected one of winner");
    reads("{\"screen\":\"x\",\"tie\":true}", 2, NULL, "screen");
    return done();
}
