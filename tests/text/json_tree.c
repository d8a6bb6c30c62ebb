#include "text/json_read.h"

#include "tap.h"

/* The tree as JSON with blanks gone, numbers as they were written. */
static void show(const spar__json_tree *tree, const spar__json_node *node, spar__buf *out)
{
    static const char *const word[] = {"null", "false", "true"};
    bool object = node->kind == SPAR__JSON_OBJECT;
    if (node->kind < SPAR__JSON_NUMBER)
        spar__buf_adds(out, word[node->kind]);
    if (node->kind == SPAR__JSON_NUMBER || node->kind == SPAR__JSON_STRING)
        spar__buf_printf(out, node->kind == SPAR__JSON_STRING ? "'%s'" : "%s", tree->text.text + node->text);
    if (node->kind < SPAR__JSON_LIST)
        return;
    spar__buf_adds(out, object ? "{" : "[");
    for (const spar__json_node *in = spar__json_first(tree, node); in; in = spar__json_next(tree, in)) {
        if (object)
            spar__buf_printf(out, "%s:", spar__json_key_of(tree, in));
        show(tree, in, out);
        spar__buf_adds(out, in->next ? "," : "");
    }
    spar__buf_adds(out, object ? "}" : "]");
}

static const char *read_text(const char *text)
{
    static spar__buf out;
    spar__json_tree tree = {0};
    spar_error err = {0};
    spar__buf_clear(&out);
    spar__buf_adds(&out, "");
    spar_status status = spar__json_tree_parse(&tree, text, strlen(text), "f", 7, &err);
    if (status)
        spar__buf_adds(&out, err.text);
    else
        show(&tree, spar__json_root(&tree), &out);
    spar__json_tree_free(&tree);
    return out.text;
}

static void test_good(void)
{
    same_text(
        read_text(" {\"a\" : [1, -2.5e3, \"x\\u00e9\"], \"b\":{}, \"c\":[], \"d\":[true,false,null,[{\"e\":0}]]} "),
        "{a:[1,-2.5e3,'x\xC3\xA9'],b:{},c:[],d:[true,false,null,[{e:0}]]}", "all of JSON");
    same_text(read_text("\"\\ufffd \xEF\xBF\xBD\""), "'\xEF\xBF\xBD \xEF\xBF\xBD'", "the replacement character itself");
}

static void test_bad(void)
{
    same_text(read_text(""), "f:7: the text ends, expected a value", "nothing");
    same_text(read_text("{} {}"), "f:7: expected the end behind the value at '{}'", "two values");
    same_text(read_text("[1,]"), "f:7: expected a value at ']'", "a comma too many");
    same_text(read_text("{\"a\":1,}"), "f:7: expected a name in quotes at '}'", "a comma too many in an object");
    same_text(read_text("{\"a\":1,\"a\":2}"), "f:7: 'a' is given twice", "a member twice");
    same_text(read_text("[1 2]"), "f:7: expected a comma or ] at '2]'", "no comma");
    same_text(read_text("{\"a\" 1}"), "f:7: expected a colon at '1}'", "no colon");
    same_text(read_text("\"\xFF\""), "f:7: a text is not valid UTF-8", "no UTF-8");
    same_text(read_text("[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]"), "f:7: lists and objects inside each other, more than 16",
              "17 levels");
    same_text(read_text("[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]"), "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]", "16 levels");
}

static void test_members(void)
{
    spar__buf text = {0};
    for (int i = 0; i <= SPAR__JSON_MEMBERS; i++)
        spar__buf_printf(&text, "%s\"%d\":0", i ? "," : "{", i);
    spar__buf_adds(&text, "}");
    same_text(read_text(text.text), "f:7: an object has more than 64 members", "too many members");
    spar__buf_free(&text);
}

static void test_numbers(void)
{
    static const char text[] =
        "[0,18446744073709551615,\"18446744073709551615\",-9223372036854775808,\"-1\",1.5,18446744073709551616]";
    spar__json_tree tree = {0};
    uint64_t u = 1;
    int64_t i = 1;
    double x = 1;
    ok(!spar__json_tree_parse(&tree, text, strlen(text), "f", 1, NULL), "numbers");
    const spar__json_node *n = spar__json_first(&tree, spar__json_root(&tree));
    ok(spar__json_get_unsigned(&tree, n, &u) && u == 0 && spar__json_get_integer(&tree, n, &i) && i == 0, "0");
    n = spar__json_next(&tree, n);
    ok(spar__json_get_unsigned(&tree, n, &u) && u == UINT64_MAX && !spar__json_get_integer(&tree, n, &i), "2^64 - 1");
    n = spar__json_next(&tree, n);
    ok(spar__json_get_unsigned(&tree, n, &u) && u == UINT64_MAX, "as a string");
    n = spar__json_next(&tree, n);
    ok(!spar__json_get_unsigned(&tree, n, &u) && spar__json_get_integer(&tree, n, &i) && i == INT64_MIN, "-2^63");
    n = spar__json_next(&tree, n);
    ok(spar__json_get_integer(&tree, n, &i) && i == -1, "-1 as a string");
    n = spar__json_next(&tree, n);
    ok(!spar__json_get_integer(&tree, n, &i) && spar__json_get_number(&tree, n, &x) && x == 1.5, "1.5 is not whole");
    n = spar__json_next(&tree, n);
    ok(!spar__json_get_unsigned(&tree, n, &u), "2^64 does not fit");
    ok(!spar__json_next(&tree, n), "the end");
    spar__json_tree_free(&tree);
}

int main(void)
{
    test_good();
    test_bad();
    test_members();
    test_numbers();
    return done();
}
