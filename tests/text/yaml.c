#include "text/yaml.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "tap.h"

#include <unistd.h>

static const char sample[] = "# a study\n"
                             "env: utility(set=1good,k=16)\n"
                             "rounds: 1000\n"
                             "policies:\n"
                             "  - rucb(alpha=0.51)\n"
                             "  - \"dts\"\n"
                             "deep: {a: [1, 2.5], b: true}\n"
                             "empty:\n";

static void test_tree(void)
{
    spar_error err = {0};
    spar__yaml *root = NULL;
    ok(spar__yaml_parse("s.yaml", sample, strlen(sample), &root, &err) == SPAR_OK && root, "a file is parsed");
    if (!root)
        return;
    ok(root->kind == SPAR__YAML_MAP && root->count == 5 && !root->key, "a map of five");
    static const char *const keys[] = {"env", "rounds", "policies", "deep", "empty"};
    size_t i = 0;
    for (const spar__yaml *item = root->first; item; item = item->next, i++)
        ok(i < 5 && strcmp(item->key, keys[i]) == 0, "member %zu in order", i);
    const spar__yaml *policies = spar__yaml_get(root, "policies");
    ok(policies && policies->kind == SPAR__YAML_LIST && policies->count == 2, "a list of two");
    const spar__yaml *second = policies->first->next;
    ok(strcmp(second->text, "dts") == 0 && second->quoted && !second->key && !second->next, "its last item");
    ok(second->line == 6 && second->column == 5, "stands at 6:5");
    ok(!policies->first->quoted, "a plain scalar is not quoted");
    const spar__yaml *deep = spar__yaml_get(root, "deep");
    ok(strcmp(spar__yaml_get(deep, "a")->first->next->text, "2.5") == 0, "levels below");
    ok(!spar__yaml_get(root, "nothing") && !spar__yaml_get(policies, "a"), "what is not there is NULL");
    same_text(spar__yaml_get(root, "empty")->text, "", "no value is empty text");

    double number = 0;
    int64_t integer = 0;
    bool flag = false;
    const char *text = NULL;
    const spar__yaml *rounds = spar__yaml_get(root, "rounds");
    ok(spar__yaml_integer(rounds, &integer, &err) == SPAR_OK && integer == 1000, "an integer");
    ok(spar__yaml_number(rounds, &number, &err) == SPAR_OK && number == 1000, "is a number");
    ok(spar__yaml_text(rounds, &text, &err) == SPAR_OK && strcmp(text, "1000") == 0, "and text");
    ok(spar__yaml_boolean(spar__yaml_get(deep, "b"), &flag, &err) == SPAR_OK && flag, "a boolean");
    ok(spar__yaml_integer(spar__yaml_get(root, "env"), &integer, &err) == SPAR_PARSE, "text is no integer");
    same_text(err.text, "s.yaml:2:6: env is 'utility(set=1good,k=16)', expected an integer", "says the error");
    ok(spar__yaml_text(policies, &text, &err) == SPAR_PARSE, "a list is no text");
    same_text(err.text, "s.yaml:5:3: policies is a list, expected text", "says the error");
    ok(spar__yaml_number(spar__yaml_get(root, "empty"), &number, &err) == SPAR_PARSE, "nothing is no number");
    ok(spar__yaml_boolean(second, &flag, &err) == SPAR_PARSE, "quoted text is no boolean");
    same_text(err.text, "s.yaml:6:5: value is 'dts' in quotes, expected true or false", "says the error");
    spar__yaml_free(root);
    spar__yaml_free(NULL);
}

static void refused(const char *text, size_t length, const char *sentence)
{
    spar_error err = {0};
    spar__yaml *root = (spar__yaml *)&err;
    ok(spar__yaml_parse("f.yaml", text, length, &root, &err) == SPAR_PARSE && !root, "refused, and the tree is NULL");
    same_text(err.text, sentence, "with its place");
}

#define REFUSED(text, sentence) refused((text), sizeof(text) - 1, (sentence))

static void test_refusals(void)
{
    REFUSED("", "f.yaml:1:1: there is nothing in it");
    REFUSED("# only\n# comments\n", "f.yaml:3:1: there is nothing in it");
    REFUSED("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: the key 'a' comes twice");
    REFUSED("a:\n  b: &x 1\n", "f.yaml:2:6: anchors (&name) are not supported: write the value out");
    REFUSED("a: 1\nb: *x\n", "f.yaml:2:4: aliases (*name) are not supported: write the value out");
    REFUSED("a: &x [1]\n", "f.yaml:1:4: anchors (&name) are not supported: write the value out");
    REFUSED("a: !!int 1\n", "f.yaml:1:4: tags (!name) are not supported");
    REFUSED("? [a]\n: 1\n", "f.yaml:1:3: a key must be plain text");
    REFUSED("*a : 1\n", "f.yaml:1:1: a key must be plain text");
    REFUSED("a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document (---) is not supported");
    REFUSED("a: \"x\\0y\"\n", "f.yaml:1:4: text with a zero byte is not supported");
    REFUSED("a: 1\n b: 2\n", "f.yaml:2:3: mapping values are not allowed in this context");
    REFUSED("a: 1\nb: [1, 2\n", "f.yaml:3:1: did not find expected ',' or ']'");
    REFUSED("a: 1\nb: \xFF\n", "f.yaml:2:4: invalid leading UTF-8 octet");
}

static void test_limits(void)
{
    spar_error err = {0};
    spar__yaml *root = NULL;
    spar__buf text = {0};
    for (int i = 0; i < SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "[");
    for (int i = 0; i < SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "]");
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_OK, "so many levels are fine");
    spar__yaml_free(root);
    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "[");
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_PARSE, "one more is too many");
    same_text(err.text, "f:1:33: too many levels", "says the error");

    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "- [a, {b: c}]\n");
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_OK, "levels that are closed do not count");
    spar__yaml_free(root);

    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_KEYS; i++)
        spar__buf_printf(&text, "k%d: 1\n", i);
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_PARSE, "too many keys");
    same_text(err.text, "f:1001:1: too many keys", "are refused where they start");

    spar__buf_clear(&text);
    spar__buf_adds(&text, "[");
    for (int i = 0; i < SPAR__YAML_NODES; i++)
        spar__buf_adds(&text, "1,");
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_PARSE && strstr(err.text, "too many values"),
       "too many values");

    spar__buf_clear(&text);
    while (text.length <= SPAR__YAML_BYTES)
        spar__buf_adds(&text, "# a comment of some length\n");
    ok(spar__yaml_parse("f", text.text, text.length, &root, &err) == SPAR_PARSE && strstr(err.text, "larger than"),
       "too many bytes");
    spar__buf_free(&text);
}

static void test_file(void)
{
    spar_error err = {0};
    spar__yaml *root = NULL;
    char path[64];
    (void)snprintf(path, sizeof path, "test_yaml.%ld.yaml", (long)getpid());
    ok(spar__file_write(path, sample, strlen(sample), &err) == SPAR_OK, "a file is written");
    ok(spar__yaml_load(path, &root, &err) == SPAR_OK && strcmp(root->file, path) == 0, "loaded, and knows its name");
    ok(spar__yaml_fail(root->first, &err, "unknown key '%s'", "env") == SPAR_PARSE &&
           strstr(err.text, ":2:6: unknown key 'env'"),
       "errors can be raised at a node");
    spar__yaml_free(root);
    (void)remove(path);
    ok(spar__yaml_load(path, &root, &err) == SPAR_IO && !root && strstr(err.text, path), "a missing file is named");
}

static void test_memory(void)
{
    size_t failures = 0;
    for (size_t k = 1;; k++) {
        spar_error err = {0};
        spar__yaml *root = NULL;
        spar__alloc_fail_at(k);
        spar_status status = spar__yaml_parse("s.yaml", sample, strlen(sample), &root, &err);
        spar__alloc_fail_at(0);
        spar__yaml_free(root);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM || root || err.status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
        failures++;
    }
    ok(failures >= 15, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    test_tree();
    test_refusals();
    test_limits();
    test_file();
    test_memory();
    return done();
}
