/* Any JSON as the text of an event: refused with a sentence, or bytes that go to JSON and back unchanged. */
#include "live/exchange/exchange.h"
#include "fuzz.h"

static void there_and_back(const spar__store_text *text)
{
    static spar__json_tree tree;
    static spar__buf line, bytes;
    spar__store_text again = {.kind = text->kind};
    spar__json json = {.out = &line};
    spar__buf_clear(&line);
    spar__json_begin_object(&json);
    require(!spar__text_json_add(&json, "text", text));
    spar__json_end_object(&json);
    require(!spar__json_tree_parse(&tree, line.text, line.length, "f", 1, NULL));
    const spar__json_node *node = spar__json_member(&tree, spar__json_root(&tree), "text");
    require(node && !spar__text_json_read(&tree, node, &again, &bytes, NULL));
    require(again.length == text->length && memcmp(again.bytes, text->bytes, text->length) == 0);
    require(memcmp(again.salt, text->salt, sizeof text->salt) == 0);
}

void fuzz_text_json(const uint8_t *data, size_t size)
{
    static spar__json_tree tree;
    static spar__buf bytes;
    static const spar__text_kind kinds[] = {SPAR__TEXT_QUESTION, SPAR__TEXT_ARM, SPAR__TEXT_ITEM};
    if (spar__json_tree_parse(&tree, (const char *)data, size, "f", 1, NULL))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        spar__store_text text = {.kind = kinds[i]};
        spar_error err = {0};
        if (spar__text_json_read(&tree, spar__json_root(&tree), &text, &bytes, &err))
            require(err.text[0]);
        else
            there_and_back(&text);
    }
}
