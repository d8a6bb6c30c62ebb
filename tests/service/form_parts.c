/* Forms with files: every part is taken as it was sent, and what is badly made is refused. */
#include "service/http/http.h"

#include "tap.h"

#define TYPE "multipart/form-data; boundary=E"
#define HEAD "--E\r\nContent-Disposition: form-data; name="
#define END "--E--\r\n"

static spar__buf json;
static spar_error err;

static const char *read_as(const char *type, const char *text, size_t length)
{
    spar__buf_clear(&json);
    err = (spar_error){0};
    spar_status status = spar__form_json(type, text, length, spar__schema_find("page_new_options"), &json, &err);
    return status ? NULL : json.text;
}

static bool gives(const char *text, const char *wanted)
{
    const char *got = read_as(TYPE, text, strlen(text));
    if (got && wanted && strcmp(got, wanted) == 0)
        return true;
    if (got || wanted)
        printf("# got %s %s\n", got ? got : "nothing:", got ? "" : err.text);
    return !got && !wanted && *err.text;
}

static void test_parts(void)
{
    ok(gives(HEAD "\"lines\"\r\n\r\na\r\nb\r\n" END, "{\"lines\":\"a\\nb\"}"), "a text, with its line ends");
    ok(gives(HEAD "\"images\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n\r\nbytes\r\n\r\n" END,
             "{\"images\":[{\"file\":\"a.png\",\"bytes\":\"DQpieXRlcw0K\"}]}"),
       "a file, byte by byte");
    ok(gives(HEAD "\"images\"; filename=\"a\"\r\n\r\n1\r\n" HEAD "\"lines\"\r\n\r\nx\r\n" HEAD
                  "\"images\"; filename=\"b\"\r\n\r\n2\r\n" END,
             "{\"images\":[{\"file\":\"a\",\"bytes\":\"MQ==\"},{\"file\":\"b\",\"bytes\":\"Mg==\"}],\"lines\":\"x\"}"),
       "several files become a list");
    ok(gives(HEAD "\"images\"; filename=\"\"\r\n\r\n\r\n" END, "{}"), "an input without a file is nothing");
    ok(gives(HEAD "\"images\"; filename=\"e\"\r\n\r\n\r\n" END, "{\"images\":[{\"file\":\"e\",\"bytes\":\"\"}]}"),
       "an empty file is one");
    ok(gives(END, "{}"), "a form without fields");
    ok(gives("--E\r\nX: y\r\ncontent-DISPOSITION: form-data; NAME=\"lines\"\r\n\r\n--E-\r\n" END,
             "{\"lines\":\"--E-\"}"),
       "other headers, any case; what only looks like the boundary");
    const char quoted[] = "--a b\r\nContent-Disposition: form-data; name=\"lines\"\r\n\r\nx\r\n--a b--";
    ok(read_as("multipart/form-data; charset=utf-8; boundary=\"a b\"", quoted, strlen(quoted)), "a boundary in quotes");
}

static void test_refusals(void)
{
    static const char *const wrong[] = {
        "",
        "--E",
        "--F--\r\n",
        HEAD "\"lines\"\r\n\r\na",
        HEAD "\"lines\"\r\n\r\na\r\n--E",
        HEAD "\"lines\"\r\na\r\n" END,
        HEAD "lines\r\n\r\na\r\n" END,
        HEAD "\"\"\r\n\r\na\r\n" END,
        "--E\r\nContent-Type: text/plain\r\n\r\na\r\n" END,
        HEAD "\"lines\"\r\n\r\na\r\n" HEAD "\"lines\"\r\n\r\nb\r\n" END,
        "--Egarbage\r\n\r\n\r\n" END,
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(gives(wrong[i], NULL), "refused %zu: %s", i, err.text);
    const char zero[] = HEAD "\"lines\"\r\n\r\na\0b\r\n" END;
    ok(!read_as(TYPE, zero, sizeof zero - 1) && *err.text, "a text with a zero byte");
    ok(!read_as("multipart/form-data", END, strlen(END)), "no boundary");
    ok(!read_as("multipart/form-data; boundary=", END, strlen(END)), "an empty one");
}

int main(void)
{
    test_parts();
    test_refusals();
    spar__buf_free(&json);
    return done();
}
