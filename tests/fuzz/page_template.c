/* Any template with any data: the same result each time, mistakes are sentences; and whatever a value is, it is text.
 *
 * The input is a template and, behind the first zero byte, what {{x}} stands for. */
#include "fuzz.h"

#include "service/pages/pages.h"
#include "text/json.h"

static const char *any; /* the template "any" */

static const char *find(const char *name)
{
    return strcmp(name, "any") == 0 ? any : strcmp(name, "value") == 0 ? "<p title=\"{{x}}\">{{x}}</p>" : NULL;
}

static const char *text(const char *language, const char *key)
{
    (void)language;
    return *key == 'k' ? "{x} {n|one|other} {y" : NULL;
}

static void write_data(const char *value, spar__buf *out)
{
    spar__json json = {.out = out};
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "x", value);
    spar__json_add_string(&json, "x_html", "<b>");
    spar__json_add_unsigned(&json, "n", strlen(value) % 3);
    spar__json_key(&json, "l");
    spar__json_begin_array(&json);
    spar__json_string(&json, value);
    spar__json_begin_object(&json);
    spar__json_add_boolean(&json, "f", *value == 'f');
    spar__json_end_object(&json);
    spar__json_end_array(&json);
    spar__json_end_object(&json);
}

static spar_status render(const char *name, const spar__json_tree *data, spar__buf *out)
{
    spar_error err = {0};
    spar__template_kit kit = {"en", find, text, 2000};
    spar_status status = spar__template_render(&kit, name, data, out, &err);
    require(!status || *err.text);
    return status;
}

/* Nothing in it can end the attribute or begin a tag. */
static void check_value(const spar__buf *out)
{
    size_t angles = 0, quotes = 0;
    for (size_t i = 0; i < out->length; i++) {
        angles += out->text[i] == '<';
        quotes += out->text[i] == '"';
    }
    require(angles == 2 && quotes == 2 && !memchr(out->text, '\'', out->length));
}

void fuzz_page_template(const uint8_t *data, size_t size)
{
    char *input = fuzz_text(data, size);
    spar__buf json = {0}, out = {0}, again = {0};
    spar__json_tree tree = {0};
    size_t first = strlen(input);
    write_data(first < size ? input + first + 1 : "v", &json);
    require(!spar__json_tree_parse(&tree, json.text, json.length, "data", 1, NULL));
    any = input;
    if (first < 2000) { /* sections of sections take a while */
        spar_status status = render("any", &tree, &out);
        require(render("any", &tree, &again) == status);
        require(out.length == again.length && (!out.length || memcmp(out.text, again.text, out.length) == 0));
    }
    spar__buf_clear(&out);
    require(!render("value", &tree, &out));
    check_value(&out);
    spar__json_tree_free(&tree);
    spar__buf_free(&json);
    spar__buf_free(&out);
    spar__buf_free(&again);
    free(input);
}
