/* Forms become the JSON that a program would send, or are refused with a sentence. */
#include "service/http/http.h"

#include "tap.h"

static spar__buf out;
static spar_error err;

static const char *made(const char *text, const char *schema)
{
    spar__buf_clear(&out);
    err.text[0] = '\0';
    spar_status status = spar__form_json(NULL, text, strlen(text), spar__schema_find(schema), &out, &err);
    return status ? err.text : out.text;
}

static void test_kinds(void)
{
    same_text(made("token=ab&winner=A", "tell"), "{\"token\":\"ab\",\"winner\":\"A\"}", "texts");
    same_text(made("tie=true&bad=on&next=0", "tell"), "{\"tie\":true,\"bad\":true,\"next\":false}", "flags");
    same_text(made("tie=maybe", "tell"), "{\"tie\":\"maybe\"}", "what is no flag stays a text, which is refused later");
    same_text(made("skip=true", "tell"), "{\"skip\":true}", "a skip");
    same_text(made("skip=tired", "tell"), "{\"skip\":\"tired\"}", "and why");
    same_text(made("m=3&seed=18446744073709551615", "new_experiment"), "{\"m\":3,\"seed\":18446744073709551615}",
              "numbers");
    same_text(made("m=3x", "new_experiment"), "{\"m\":\"3x\"}", "what is no number stays a text, too");
    same_text(made("features=1&id=x&features=-2.5", "new_option"), "{\"features\":[1,-2.5],\"id\":\"x\"}", "a list");
    same_text(made("other=1", "tell"), "{\"other\":\"1\"}", "names that are not known are refused later");
}

static void test_encoding(void)
{
    same_text(made("comment=a+b%20%26%3D%2B%C3%A9", "tell"), "{\"comment\":\"a b &=+\xC3\xA9\"}", "as browsers encode");
    same_text(made("comment=a%0D%0Ab%0Dc", "tell"), "{\"comment\":\"a\\nb\\u000Dc\"}", "line ends");
    same_text(made("comment=&winner=+%0D%0A&tie", "tell"), "{}", "what is empty is as missing");
    same_text(made("", "tell"), "{}", "nothing");
    same_text(made("&&", "tell"), "{}", "and nothing between nothing");
    same_text(made("winner=%", "tell"), "the form is badly encoded", "a lone %%");
    same_text(made("winner=%00", "tell"), "the form is badly encoded", "an encoded 0");
    same_text(made("=x", "tell"), "the form is badly encoded", "no name");
    same_text(made("winner=A&winner=A", "tell"), "the form has 'winner' twice", "twice, even if it says the same");
    same_text(made("winner=A&%77inner=B", "tell"), "the form has 'winner' twice", "in disguise");
}

static void test_limits(void)
{
    spar__buf text = {0};
    for (int i = 0; i < 100; i++)
        spar__buf_printf(&text, "n%d=1&", i);
    ok(strstr(made(text.text, "tell"), "more than 64 names") != NULL, "too many names");
    spar__buf_clear(&text);
    for (int i = 0; i < 30000; i++)
        spar__buf_adds(&text, "features=1&");
    ok(strstr(made(text.text, "new_option"), "more than 20000 fields") != NULL, "too many fields");
    spar__buf_free(&text);
}

int main(void)
{
    test_kinds();
    test_encoding();
    test_limits();
    spar__buf_free(&out);
    return done();
}
