#include "text/votes.h"

#include "tap.h"

static size_t line;

static spar__votes_form guess(const char *text)
{
    return spar__votes_guess(text, strlen(text), &line);
}

int main(void)
{
    ok(guess("") == SPAR__VOTES_EMPTY && guess("\n # a\n") == SPAR__VOTES_EMPTY, "nothing in it");
    ok(guess("\n{\"a\":1}\n") == SPAR__VOTES_JSON && line == 2, "objects");
    ok(guess("[{\"a\":1}]") == SPAR__VOTES_JSON, "a list of objects");
    ok(guess("# x\nA > B\n") == SPAR__VOTES_LINES && line == 2, "lines");
    ok(guess("A = B\n") == SPAR__VOTES_LINES, "a tie");
    ok(guess("model_a,model_b,winner\n") == SPAR__VOTES_CSV, "a header alone");
    ok(guess("model_a,model_b,winner\n1,2,1\n2,3,2\n") == SPAR__VOTES_CSV, "a header, and names that are numbers");
    ok(guess("id,left,right,winner\n0,a,b,left\n") == SPAR__VOTES_CSV, "rows with numbers in them");
    ok(guess("# x\n,a,b\na,0,3\nb,4,0\n") == SPAR__VOTES_COUNTS && line == 2, "counts with names");
    ok(guess("2\n0 1\n1 0\n") == SPAR__VOTES_COUNTS, "counts with a size");
    ok(guess("0,3\n4,0\n") == SPAR__VOTES_COUNTS, "counts alone");
    ok(guess("a b\n0 3\n4 0\n") == SPAR__VOTES_COUNTS, "counts with blanks");
    ok(guess("# FILE NAME: x.soc\n") == SPAR__VOTES_PREFLIB, "PrefLib");
    ok(guess("# mine\n# NUMBER ALTERNATIVES: 3\n1: 2\n") == SPAR__VOTES_PREFLIB, "PrefLib, shorter");
    ok(guess("cat beats dog\n") == SPAR__VOTES_UNKNOWN && line == 1, "something else");
    return done();
}
