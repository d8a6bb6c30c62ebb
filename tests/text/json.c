#include "text/json.h"

#include "base/alloc.h"
#include "tap.h"

#include <jansson.h>

static void write_sample(spar__json *json)
{
    spar__json_begin_object(json);
    spar__json_key(json, "empty");
    spar__json_begin_array(json);
    spar__json_end_array(json);
    spar__json_key(json, "none");
    spar__json_begin_object(json);
    spar__json_end_object(json);
    spar__json_key(json, "list");
    spar__json_begin_array(json);
    spar__json_unsigned(json, UINT64_MAX);
    spar__json_number(json, 0.1);
    spar__json_number(json, NAN);
    spar__json_number(json, -HUGE_VAL);
    spar__json_boolean(json, true);
    spar__json_boolean(json, false);
    spar__json_null(json);
    spar__json_string(json, NULL);
    spar__json_begin_object(json);
    spar__json_key(json, "k");
    spar__json_unsigned(json, 1);
    spar__json_end_object(json);
    spar__json_end_array(json);
    spar__json_key(json, "text");
    spar__json_string(json, "a");
    spar__json_end_object(json);
}

/* Written, then read by jansson: *back is the text it understood. */
static bool round_trip(const char *text, char *back, size_t size)
{
    spar__buf buf = {0};
    spar__json json = {.out = &buf};
    spar__json_begin_array(&json);
    spar__json_string(&json, text);
    spar__json_end_array(&json);
    json_t *root = json_loads(buf.text, 0, NULL);
    const char *value = json_string_value(json_array_get(root, 0));
    if (value)
        (void)snprintf(back, size, "%s", value);
    json_decref(root);
    spar__buf_free(&buf);
    return value != NULL;
}

static void test_members(void)
{
    spar__buf buf = {0};
    spar__json json = {.out = &buf};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "a", "b");
    spar__json_add_unsigned(&json, "n", UINT64_MAX);
    spar__json_add_number(&json, "x", 0.5);
    spar__json_add_boolean(&json, "yes", true);
    spar__json_add_null(&json, "none");
    spar__json_end_object(&json);
    same_text(buf.text, "{\"a\":\"b\",\"n\":18446744073709551615,\"x\":0.5,\"yes\":true,\"none\":null}", "members");
    spar__buf_free(&buf);
}

int main(void)
{
    test_members();
    spar__buf buf = {0};
    spar__json json = {.out = &buf};
    write_sample(&json);
    same_text(buf.text,
              "{\"empty\":[],\"none\":{},\"list\":[18446744073709551615,0.1,null,null,true,false,"
              "null,null,{\"k\":1}],\"text\":\"a\"}",
              "every kind of value");

    char back[256];
    static const char *const texts[] = {"",
                                        "plain",
                                        "quote \" slash \\ /",
                                        "line\nbreak\ttab\r\b\f",
                                        "\x01\x1F\x7F",
                                        "mean \xC2\xB1 sd",
                                        "\xF0\x9F\x98\x80",
                                        "\xC2\x9B\xE2\x80\xAE",
                                        "</script>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ok(round_trip(texts[i], back, sizeof back), "text %zu is valid JSON", i);
        same_text(back, texts[i], "and reads back the same");
    }
    ok(round_trip("a\xFF"
                  "b\xC3",
                  back, sizeof back),
       "invalid UTF-8 gives valid JSON");
    same_text(back,
              "a\xEF\xBF\xBD"
              "b\xEF\xBF\xBD",
              "with replacement characters");

    size_t failures = 0;
    for (size_t k = 1;; k++) {
        spar__buf small = {0};
        spar__json again = {.out = &small};
        spar__alloc_fail_at(k);
        for (int i = 0; i < 10; i++)
            write_sample(&again);
        bool failed = small.failed;
        spar__alloc_fail_at(0);
        spar__buf_free(&small);
        if (!failed)
            break;
        failures++;
    }
    ok(failures >= 2, "each of %zu failed allocations is seen", failures);
    spar__buf_free(&buf);
    return done();
}
