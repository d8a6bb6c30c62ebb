/* Any bytes as a form, also one with files: refused with a sentence, or a JSON object that can be read. Any text as a list of languages: one
 * that we have. */
#include "fuzz.h"

#include "service/http/http.h"
#include "service/pages/pages.h"
#include "text/json_read.h"

static void check_form(const char *type, const char *text, size_t length, const char *schema)
{
    spar__buf json = {0};
    spar__json_tree tree = {0};
    spar_error err = {0};
    if (spar__form_json(type, text, length, spar__schema_find(schema), &json, &err)) {
        require(*err.text);
    } else {
        require(!memchr(json.text, '\n', json.length));
        spar_status status = spar__json_tree_parse(&tree, json.text, json.length, "form", 1, &err);
        require(!status ? spar__json_root(&tree)->kind == SPAR__JSON_OBJECT : *err.text != '\0');
    }
    spar__json_tree_free(&tree);
    spar__buf_free(&json);
}

static void check_language(const char *text)
{
    const char *language = spar__web_choose_language(NULL, text);
    require(language == spar__web_language[0] || language == spar__web_language[1]);
    require(spar__web_choose_language("de", text) == spar__web_language[1]);
}

void fuzz_page_form(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    check_form(NULL, (const char *)data, size, "page_answer");
    check_form(NULL, (const char *)data, size, "new_experiment");
    check_form("multipart/form-data; boundary=E", (const char *)data, size, "page_new_options");
    check_form(text, (const char *)data, size, "page_new_options");
    check_language(text);
    free(text);
}
