#include "votes_text.h"

#define EXPECTED "expected options with > or = between them, as in 'A > B'"

int main(void)
{
    same_text(READ(LINES, ""), "", "an empty file has no votes");
    same_text(READ(LINES, "A > B\n\n# no vote\r\nB=C\n  A>B = C > D  "), "1:A0,B1;4:B0,C0;5:A0,B1,C1,D2;",
              "orders and ties");
    same_text(READ(LINES, "two words > C#\n"), "1:two words0,C#1;", "names may hold blanks and #");
    same_text(READ(LINES, "A > B\nA B\n"), "f:2: 'A B' has neither > nor =; " EXPECTED, "no sign");
    same_text(READ(LINES, "A >\n"), "f:1: 'A >' has no name beside a > or =; " EXPECTED, "no name");
    same_text(READ(LINES, "A > B = A\n"), "f:1: 'A > B = A' has an option twice; " EXPECTED, "an option twice");
    same_text(READ(LINES, "A >> B\n"), "f:1: 'A >> B' has no name beside a > or =; " EXPECTED, "a doubled sign");
    ok(strstr(READ(LINES, "A > B\0\n"), "holds a zero byte"), "a zero byte");
    test_memory(LINES, "A > B\nA = C\n");
    return done();
}
