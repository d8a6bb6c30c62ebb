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

/* Writes what is taken: "env=... rounds=1000 policies.0=..." */
static spar_status note(void *context, const spar__yaml_value *value, spar_error *err)
{
    spar__buf *out = context;
    spar__buf_printf(out, "%zu:%zu ", value->line, value->column);
    for (size_t i = 0; i < value->depth; i++)
        spar__buf_printf(out, "%s%s%.0zu", i ? "." : "", value->in[i].key ? value->in[i].key : "#", value->in[i].index);
    spar__buf_printf(out, value->text ? "=%s\n" : " empty\n", value->text);
    if (value->text && strcmp(value->text, "stop") == 0)
        return spar__yaml_fail(value, err, "'%s' is here", value->text);
    return out->failed ? spar__fail_memory(err) : SPAR_OK;
}

static void test_values(void)
{
    spar_error err = {0};
    spar__buf out = {0};
    ok(spar__yaml_parse("s.yaml", sample, strlen(sample), note, &out, &err) == SPAR_OK, "a file is read: %s", err.text);
    same_text(out.text,
              "2:6 env=utility(set=1good,k=16)\n"
              "3:9 rounds1=1000\n"
              "5:5 policies2.#=rucb(alpha=0.51)\n"
              "6:5 policies2.#1=dts\n"
              "7:12 deep3.a.#=1\n"
              "7:15 deep3.a.#1=2.5\n"
              "7:24 deep3.b1=true\n"
              "8:7 empty4=\n",
              "its values with their keys and places");
    spar__buf_clear(&out);
    const char options[] = "- id: a\n  features: [1, 2]\n- id: b\n  features: {x: 3}\n  body: |\n    two\n    lines\n";
    ok(spar__yaml_parse("o.yaml", options, strlen(options), note, &out, &err) == SPAR_OK, "a list of maps");
    same_text(out.text,
              "1:7 #.id=a\n"
              "2:14 #.features1.#=1\n"
              "2:17 #.features1.#1=2\n"
              "3:7 #1.id=b\n"
              "4:17 #1.features1.x=3\n"
              "5:9 #1.body2=two\nlines\n\n",
              "is read as well");
    spar__buf_clear(&out);
    ok(spar__yaml_parse("e.yaml", "a: []\nb: [{}]\n", 14, note, &out, &err) == SPAR_OK, "what is empty");
    same_text(out.text, "1:5 a empty\n2:6 b1.# empty\n", "is told");
    ok(spar__yaml_parse("e.yaml", "a:\n - stop\n - b\n", 16, note, &out, &err) == SPAR_PARSE, "the caller can stop");
    same_text(err.text, "e.yaml:2:4: 'stop' is here", "with a sentence");
    spar__buf_free(&out);
}

static void refused(const char *text, size_t length, const char *sentence)
{
    spar_error err = {0};
    spar__buf out = {0};
    ok(spar__yaml_parse("f.yaml", text, length, note, &out, &err) == SPAR_PARSE, "refused");
    spar__buf_free(&out);
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
    REFUSED("*a : 1\n", "f.yaml:1:1: aliases (*name) are not supported: write the value out");
    REFUSED("a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document (---) is not supported");
    REFUSED("a: \"x\\0y\"\n", "f.yaml:1:4: text with a zero byte is not supported");
    REFUSED("a: 1\n b: 2\n", "f.yaml:2:3: mapping values are not allowed in this context");
    REFUSED("a: 1\nb: [1, 2\n", "f.yaml:3:1: did not find expected ',' or ']'");
    REFUSED("a: 1\nb: \xFF\n", "f.yaml:2:4: invalid leading UTF-8 octet");
}

static void test_limits(void)
{
    spar_error err = {0};
    spar__buf text = {0}, out = {0};
    for (int i = 0; i < SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "[");
    for (int i = 0; i < SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "]");
    ok(spar__yaml_parse("f", text.text, text.length, note, &out, &err) == SPAR_OK, "%d levels", SPAR__YAML_DEPTH);
    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "[");
    ok(spar__yaml_parse("f", text.text, text.length, note, &out, &err) == SPAR_PARSE, "one more is too many");
    same_text(err.text, "f:1:9: too many levels", "says the error");

    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_DEPTH; i++)
        spar__buf_adds(&text, "- [a, {b: c}]\n");
    ok(spar__yaml_parse("f", text.text, text.length, note, &out, &err) == SPAR_OK,
       "levels that are closed do not count");

    spar__buf_clear(&text);
    for (int i = 0; i <= SPAR__YAML_KEYS; i++)
        spar__buf_printf(&text, "k%d: 1\n", i);
    ok(spar__yaml_parse("f", text.text, text.length, note, &out, &err) == SPAR_PARSE, "too many keys");
    same_text(err.text, "f:1001:1: too many keys", "are refused where they start");

    spar__buf_clear(&text);
    while (text.length <= SPAR__YAML_BYTES)
        spar__buf_adds(&text, "# a comment of some length\n");
    ok(spar__yaml_parse("f", text.text, text.length, note, &out, &err) == SPAR_PARSE && strstr(err.text, "larger than"),
       "too many bytes");
    spar__buf_free(&text);
    spar__buf_free(&out);
}

static void test_file(void)
{
    spar_error err = {0};
    spar__buf out = {0};
    char path[64];
    (void)snprintf(path, sizeof path, "test_yaml.%ld.yaml", (long)getpid());
    ok(spar__file_write(path, "a: stop\n", 8, &err) == SPAR_OK, "a file is written");
    ok(spar__yaml_load(path, note, &out, &err) == SPAR_PARSE && strstr(err.text, path), "read, and errors name it");
    (void)remove(path);
    ok(spar__yaml_load(path, note, &out, &err) == SPAR_IO && strstr(err.text, path), "a missing file is named");
    spar__buf_free(&out);
}

static void test_memory(void)
{
    size_t failures = 0;
    for (size_t k = 1;; k++) {
        spar_error err = {0};
        spar__buf out = {0};
        spar__alloc_fail_at(k);
        spar_status status = spar__yaml_parse("s.yaml", sample, strlen(sample), note, &out, &err);
        spar__alloc_fail_at(0);
        spar__buf_free(&out);
        if (status == SPAR_OK)
            break;
        if (status != SPAR_NOMEM || err.status != SPAR_NOMEM)
            ok(false, "allocation %zu fails without a clean error", k);
        failures++;
    }
    ok(failures >= 3, "each of %zu failed allocations is an error", failures);
}

int main(void)
{
    test_values();
    test_refusals();
    test_limits();
    test_file();
    test_memory();
    return done();
}
