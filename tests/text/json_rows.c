#include "text/json_read.h"

#include "tap.h"

/* The members a and b of all objects, as "line:[a][b]", or the error. */
static const char *read_all(const char *text, size_t length)
{
    static char all[1024];
    static const char *const keys[] = {"a", NULL, "b"};
    spar__json_rows rows = spar__json_rows_of(text, length, "f", 3, keys);
    spar_error err = {0};
    bool more;
    size_t used = 0;
    spar_status status;
    all[0] = '\0';
    while ((status = spar__json_rows_next(&rows, &more, &err)) == SPAR_OK && more) {
        const char *a = spar__json_row_text(&rows, rows.found[0]), *b = spar__json_row_text(&rows, rows.found[2]);
        used += (size_t)snprintf(all + used, sizeof all - used, "%zu:[%s][%s]", rows.line, a ? a : "-",
                                 b               ? b
                                 : rows.found[2] ? "null"
                                                 : "-");
    }
    if (status)
        (void)snprintf(all, sizeof all, "%s", err.text);
    spar__json_rows_close(&rows);
    return all;
}

#define READ(text) read_all((text), sizeof(text) - 1)

static void test_good(void)
{
    same_text(READ(""), "", "nothing");
    same_text(READ("{}{\"a\":\"x\"}\n{ \"b\" : 1e-5 , \"a\" : true }"), "1:[-][-]1:[x][-]2:[true][1e-5]", "objects");
    same_text(READ(" [ {\"b\":null} , \n{}\n]\n"), "1:[-][null]2:[-][-]", "a list");
    same_text(READ("{\"c\":{\"a\":[1,\"]\",{}],\"b\":{\"d\":[[],[0]]}},\"a\":\"y\"}"), "1:[y][-]",
              "inner ones skipped");
    same_text(READ("{\"a\":\"\\\"\\\\\\/\\n\\u00e9\\uD83D\\uDE00\\ud800\"}"),
              "1:[\"\\/\n\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD][-]", "escapes");
    same_text(READ("\xEF\xBB\xBF{\"a\":-0.5}"), "1:[-0.5][-]", "a byte order mark");
}

static void test_bad(void)
{
    same_text(READ("{\"a\":1"), "f:1: the text ends, expected a comma or }", "an open object");
    same_text(READ("{}\n[1]"), "f:2: expected an object, {...} at '[1]'", "a list behind objects");
    same_text(READ("[{},]"), "f:1: expected an object, {...} at ']'", "a comma too many");
    same_text(READ("[{}"), "f:1: the text ends, expected a comma or ]", "an open list");
    same_text(READ("[] 1"), "f:1: expected the end behind the list at '1'", "something behind the list");
    same_text(READ("{a:1}"), "f:1: expected a name in quotes at 'a:1}'", "a bare name");
    same_text(READ("{\"a\" 1}"), "f:1: expected a colon at '1}'", "no colon");
    same_text(READ("{\"a\":01}"), "f:1: expected a comma or } at '1}'", "a leading zero");
    same_text(READ("{\"a\":nul}"), "f:1: expected a value at 'nul}'", "no value");
    same_text(READ("{\"a\":\"\\x\"}"), "f:1: expected an escape such as \\n or \\u00e9 at 'x\"}'", "an unknown escape");
    same_text(READ("{\"a\":\"\\u0000\"}"), "f:1: expected an escape such as \\n or \\u00e9 at '0000\"}'", "a zero");
    same_text(READ("{\"a\":\"x\ny\"}"), "f:1: expected the closing quote of a string at ''",
              "a line break in a string");
    same_text(READ("\n{\"a\":[1]}"), "f:2: 'a' is a list, expected text", "a list where text is wanted");
    same_text(READ("{\"a\":1,\"a\":2}"), "f:1: 'a' is given twice", "a member twice");
    same_text(READ("{\"c\":[1 2]}"), "f:1: expected a comma or ] at '2]}'", "an inner list without a comma");
    same_text(READ("{\"c\":{\"d\":1,}}"), "f:1: expected a name in quotes at '}}'", "an inner comma too many");
    char deep[200] = "{\"c\":";
    memset(deep + 5, '[', 100);
    same_text(read_all(deep, 105), "f:1: lists and objects inside each other, more than 64", "too deep");
}

int main(void)
{
    test_good();
    test_bad();
    return done();
}
