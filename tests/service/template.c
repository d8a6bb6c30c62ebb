/* Templates: values are escaped, sections follow the data, mistakes are named and never stop a page. */
#include "service/pages/pages.h"

#include "tap.h"

static const char *source; /* of the template "page" */

static const char *find(const char *name)
{
    if (strcmp(name, "page") == 0)
        return source;
    if (strcmp(name, "item") == 0)
        return "<{{name}}>";
    return strcmp(name, "loop") == 0 ? "x{{>loop}}" : NULL;
}

static const char *text(const char *language, const char *key)
{
    if (strcmp(key, "hello") == 0)
        return strcmp(language, "de") == 0 ? "Hallo {name}: <3 {n} {n|Antwort|Antworten}" : "Hello {name}";
    return strcmp(key, "odd") == 0 ? "a { b {name" : NULL;
}

/* What the template makes of the data; the mistake, if any, is in *err. */
static const char *made(const char *template, const char *json, spar_status *status, spar_error *err)
{
    static spar__buf out;
    spar__json_tree tree = {0};
    spar__template_kit kit = {"de", find, text, 0};
    source = template;
    spar__buf_clear(&out);
    spar__buf_adds(&out, "");
    err->text[0] = '\0';
    *status = spar__json_tree_parse(&tree, json, strlen(json), "data", 1, err);
    if (!*status)
        *status = spar__template_render(&kit, "page", &tree, &out, err);
    spar__json_tree_free(&tree);
    return out.text;
}

static void gives(const char *template, const char *json, const char *wanted, const char *what)
{
    spar_status status;
    spar_error err;
    const char *got = made(template, json, &status, &err);
    if (!ok(!status && strcmp(got, wanted) == 0, "%s", what))
        printf("# got '%s' (%s), wanted '%s'\n", got, err.text, wanted);
}

static void complains(const char *template, const char *json, const char *wanted, const char *sentence)
{
    spar_status status;
    spar_error err;
    const char *got = made(template, json, &status, &err);
    if (!ok(status && strcmp(got, wanted) == 0 && strstr(err.text, sentence), "%s", sentence))
        printf("# got '%s' (%s), wanted '%s'\n", got, err.text, wanted);
}

static void test_values(void)
{
    gives("a {{x}} b", "{\"x\":\"<i a='b' c=\\\"d\\\">&\"}", "a &lt;i a=&#39;b&#39; c=&quot;d&quot;&gt;&amp; b",
          "escaped");
    gives("{{&x_html}}{{& y_svg }}", "{\"x_html\":\"<b>\",\"y_svg\":\"<i>\"}", "<b><i>", "raw where the name says so");
    gives("{{x}}{{ y }}{{z}}", "{\"x\":1.50,\"y\":true,\"z\":null}", "1.50", "numbers as they are, nothing else");
    gives("{{a.b.c}}", "{\"a\":{\"b\":{\"c\":\"x\"}}}", "x", "inner values");
    gives("{{x?}}-{{!no {{x}}}", "{}", "-}", "one that may be missing; a comment");
    gives("{{x}}", "{\"x\":\"a\\u0007\\u202eb\\u200fc\\nd\\u009be\"}",
          "a\\x07\\u202eb\xE2\x80\x8F"
          "c\nd\\u009be",
          "what acts is shown as an escape; line ends and marks stay");
    gives("{ {x}} }} {{", "{}", "{ {x}} }} {{", "braces that are no tag stay");
}

static void test_sections(void)
{
    const char *list = "{\"o\":\"out\",\"l\":[{\"n\":1},{\"n\":2}],\"e\":[],\"t\":true,\"f\":false,\"s\":\"\",\"z\":0}";
    gives("{{#l}}{{n}}{{o}},{{/l}}", list, "1out,2out,", "a list, and what is around it");
    gives("{{#e}}x{{/e}}{{^e}}none{{/e}}", list, "none", "an empty list");
    gives("{{#t}}t{{/t}}{{^t}}x{{/t}}{{#f}}x{{/f}}{{#s}}x{{/s}}{{#z}}x{{/z}}{{^z}}0{{/z}}", list, "t0", "conditions");
    gives("{{#l}}{{#l}}{{n}}{{/l}};{{/l}}", list, "12;12;", "the same name inside itself");
    gives("{{#x}}{{.}}{{/x}}", "{\"x\":[\"a\",\"<\",3]}", "a&lt;3", "items that are values");
    gives("{{#x?}}a{{/x}}{{^x?}}b{{/x}}", "{}", "b", "one that may be missing");
    gives("{{#l}}{{>item}}{{/l}}", "{\"l\":[{\"name\":\"<\"}]}", "<&lt;>", "a template inside");
    gives("{{#x}}{{.}}{{/x}}", "{\"x\":\"text\"}", "text", "a text that is there");
}

static void test_texts(void)
{
    gives("{{_hello}}", "{\"name\":\"<J>\",\"n\":1}", "Hallo &lt;J&gt;: &lt;3 1 Antwort", "a text with a value in it");
    gives("{{_hello}}", "{\"name\":\"J\",\"n\":11}", "Hallo J: &lt;3 11 Antworten", "and with a plural");
    gives("{{_odd}}", "{\"name\":\"J\"}", "a { b {name", "a brace that ends nowhere");
}

static void test_mistakes(void)
{
    complains("a\n{{x}}b", "{}", "a\nb", "page:2: 'x' is not in the data");
    complains("{{#x}}b{{/x}}c", "{}", "c", "page:1: 'x' is not in the data");
    complains("{{#x}}b", "{\"x\":1}", "b", "'x' has no end");
    complains("{{#x}}b{{/y}}c", "{\"x\":1}", "bc", "'x' has no end");
    complains("{{/x}}c", "{\"x\":1}", "c", "'x' ends nothing");
    complains("{{&x}}c", "{\"x\":\"<b>\"}", "c", "'x' is not a name of what may stand unescaped");
    complains("{{&_html}}c", "{\"_html\":\"<b>\"}", "c", "'_html' is not a name of what may stand unescaped");
    complains("{{_none}}c", "{}", "c", "'none' is not among the texts");
    complains("{{_hello}}", "{\"n\":2}", "Hallo : &lt;3 2 Antworten", "'name' is not in the data");
    complains("{{>none}}c", "{}", "c", "'none' is not a template");
    complains("{{>loop}}c", "{}", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxc", "is too deep inside");
}

int main(void)
{
    test_values();
    test_sections();
    test_texts();
    test_mistakes();
    return done();
}
