#include "cli/terminal.h"
#include "tap.h"

static const char *wrapped(const char *text, size_t width, size_t indent, size_t used, size_t lines)
{
    static char all[1024];
    spar__buf out = {0};
    spar__wrap(text, width, indent, used, lines, &out);
    (void)snprintf(all, sizeof all, "%s", out.text ? out.text : "");
    spar__buf_free(&out);
    return all;
}

static const char *fitted(const char *text, size_t width)
{
    static char all[1024];
    spar__buf out = {0};
    spar__buf_adds(&out, "before, which is not touched\n");
    size_t start = out.length;
    spar__buf_adds(&out, text);
    spar__fit(&out, start, width);
    (void)snprintf(all, sizeof all, "%s", out.text ? out.text + start : "");
    spar__buf_free(&out);
    return all;
}

int main(void)
{
    same_text(wrapped("one two three", 0, 0, 0, 9), "one two three", "without a width nothing is broken");
    same_text(wrapped("one two three", 9, 0, 0, 9), "one two\nthree", "words");
    same_text(wrapped("one two three", 13, 0, 0, 9), "one two three", "a line that just fits");
    same_text(wrapped("one two three", 12, 0, 0, 9), "one two\nthree", "and one that does not");
    same_text(wrapped("one two three", 14, 2, 4, 9), "one two\n  three", "behind something, with an indent");
    same_text(wrapped("abcdefghijklmnopqrstuvwxyz", 10, 0, 0, 9), "abcdefghij\nklmnopqrst\nuvwxyz", "a long word");
    same_text(wrapped("one\ntwo\n\nthree\n", 20, 1, 1, 9), "one\n two\n \n three", "line breaks stay");
    same_text(wrapped("if x:\n    return  y\n\tz\n  \n", 20, 2, 2, 9), "if x:\n      return y\n      z\n  ",
              "so does what a line begins with");
    same_text(wrapped("          one two", 12, 0, 0, 9), "      one\ntwo", "of which half a line is enough");
    same_text(wrapped("one two three four", 9, 0, 0, 2), "one two\nthree ...", "too many lines");
    same_text(wrapped("one two three four", 13, 0, 0, 1), "one two t ...", "and what follows must fit, too");
    same_text(wrapped("a\x1b[31m\tb \xE2\x80\xAE", 40, 0, 0, 9), "a\\x1b[31m b \\u202e", "what acts is escaped");
    same_text(wrapped("\xE8\x8C\xB6\xE8\x8C\xB6\xE8\x8C\xB6\xE8\x8C\xB6\xE8\x8C\xB6", 8, 0, 0, 9),
              "\xE8\x8C\xB6\xE8\x8C\xB6\xE8\x8C\xB6\xE8\x8C\xB6\n\xE8\x8C\xB6", "wide characters");
    same_text(wrapped("", 10, 0, 0, 9), "", "nothing");
    same_text(fitted("one two three\n  a   b c d\nxyz\n", 0), "one two three\n  a   b c d\nxyz\n", "any width");
    same_text(fitted("one two three\nfour five\n", 9), "one two\nthree\nfour five\n", "lines that are too long");
    same_text(fitted("  one two three\n", 9), "  one two\n    three\n", "two blanks in");
    same_text(fitted("  --name N  the name that something is to have\n", 36),
              "  --name N  the name that something\n            is to have\n", "below what follows the gap");
    same_text(fitted("  --kind K  one (aaaaaaaaaa|bbbbbbbbbb|cccccccccc)\n", 36),
              "  --kind K  one\n            (aaaaaaaaaa|bbbbbbbbbb|\n            cccccccccc)\n",
              "choices break at bars");
    same_text(fitted("  spar x --aa 'b c' --dd e\n", 20), "  spar x \\\n    --aa 'b c' \\\n    --dd e\n",
              "a command breaks before options");
    same_text(fitted("\033[1mone two\033[0m\n", 7), "\033[1mone two\033[0m\n", "what is bold is no longer");
    same_text(fitted("one two three    ", 9), "one two\nthree", "blanks at the end are dropped");
    same_text(fitted("          ", 4), "", "also where there is nothing else");
    same_text(fitted("averyveryverylongword x\n", 8), "averyveryverylongword\nx\n", "a long word stays whole");
    ok(spar__text_cells("e\xCC\x81t\xC3\xA9") == 3, "marks have no width");
    char word[600];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    ok(strlen(wrapped(word, 50, 0, 0, 100)) == 599 + 11, "nothing is lost of a very long word");
    return done();
}
