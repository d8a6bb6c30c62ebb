#include "votes_text.h"

#define HEAD "model_a,model_b,winner,judge\n"

static void test_csv(void)
{
    same_text(READ(CSV, ""), "", "an empty file has no votes");
    same_text(READ(CSV, HEAD), "", "nor has a header");
    same_text(READ(CSV, HEAD "cat,dog,model_a,ann\ndog,eel,model_b,bob\n"), "2:cat0,dog1@ann;3:dog1,eel0@bob;",
              "either side wins");
    same_text(READ(CSV, HEAD "cat,dog,tie,\ncat,dog,tie (bothbad),\ncat,dog,,\ncat,dog,skip,\n"),
              "2:cat0,dog0;3:bad cat0,dog0;4:skip cat0,dog0;5:skip cat0,dog0;", "a tie, both bad, and two skips");
    same_text(READ(CSV, HEAD "cat,dog,dog,ann\n"), "2:cat1,dog0@ann;", "the winner's own name");
    same_text(READ(CSV, "# ours\n\n" HEAD "#1,\"a,b\",model_a,x\n"), "4:#10,a,b1@x;",
              "comments only before the header");
    same_text(READ(CSV, "winner,x,model_b,model_a\nmodel_a,7,dog,cat\n"), "2:cat0,dog1;", "columns in any order");
    const char other[] = "left,right,who,won,text\ncat,dog,7,left,t1\ncat,dog,8,model_b,t1\n";
    spar__votes_columns columns = {.a = "left", .b = "right", .winner = "won", .voter = "who", .item = "text"};
    same_text(read_votes(CSV, other, strlen(other), &columns), "2:cat0,dog1@7#t1;3:cat1,dog0@8#t1;", "other columns");
    columns.voter = "nobody";
    same_text(read_votes(CSV, other, strlen(other), &columns),
              "f:1: no column 'nobody' in the header 'left,right,who,won,text'; expected one as in 'left,right,won'",
              "a column that is named must be there");
}

static void test_csv_errors(void)
{
    same_text(READ(CSV, "a,b,c\n"),
              "f:1: no column 'model_a' in the header 'a,b,c'; expected one as in 'model_a,model_b,winner'",
              "not such columns");
    same_text(
        READ(CSV, HEAD "cat,dog,modl_a,\n"),
        "f:2: the winner is 'modl_a', which is neither side; expected model_a, model_b, tie, tie (bothbad), or the "
        "name of one of the two, as in 'cat,dog,model_a'",
        "an unknown winner");
    same_text(
        READ(CSV, HEAD "model_b,dog,model_b,\n"),
        "f:2: the winner is 'model_b', which is both sides; expected model_a, model_b, tie, tie (bothbad), or the "
        "name of one of the two, as in 'model_b,dog,model_a'",
        "a name that is also a side");
    same_text(READ(CSV, HEAD "cat,dog\n"), "f:2: the row has 2 fields, expected 4 as in the header", "a short row");
    same_text(READ(CSV, HEAD "cat,,tie,\n"), "f:2: 'model_b' is empty, expected the name of an option", "no name");
}

static void test_json(void)
{
    same_text(READ(JSON,
                   "{\"model_a\":\"cat\",\"model_b\":\"dog\",\"winner\":\"model_a\",\"judge\":7}\n"
                   "{\"turns\":[{\"x\":[1,{}]},[]],\"winner\":null,\"model_b\":\"e\\u00e9l\",\"model_a\":\"dog\"}"),
              "1:cat0,dog1@7;2:skip dog0,e\xC3\xA9l0;", "one object a line, other members skipped");
    same_text(READ(JSON, "[\n{\"model_a\":\"cat\",\"model_b\":\"dog\",\n\"winner\":\"tie\"} ,\n"
                         "{\"model_a\":\"a\",\"model_b\":\"b\",\"winner\":\"b\"}]\n"),
              "2:cat0,dog0;4:a1,b0;", "a list of objects");
    same_text(READ(JSON, "[]"), "", "an empty list");
    same_text(READ(JSON, "{\"model_a\":\"cat\",\"winner\":\"cat\"}"),
              "f:1: no member 'model_b'; expected {\"model_a\": \"A\", \"model_b\": \"B\", \"winner\": \"model_a\"}",
              "a member that is missing");
    test_memory(JSON, "{\"model_a\":\"cat\",\"model_b\":\"dog\",\"winner\":\"cat\",\"judge\":7}");
}

int main(void)
{
    test_csv();
    test_csv_errors();
    test_json();
    test_memory(CSV, HEAD "cat,dog,model_a,ann\ndog,eel,tie,bob\n");
    return done();
}
