/* Any text as a list of names, and any name in a list: what is written comes back. */
#include "fuzz.h"

#include "text/names.h"

#include "base/buf.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int is_text(const char *text)
{
    for (size_t left = strlen(text), size; left > 0; text += size, left -= size) {
        uint32_t code;
        size = spar__utf8_next(text, left, &code);
        if (code == SPAR__UTF8_BAD)
            return 0;
    }
    return 1;
}

/* Twice in a row, with every mark between. */
static void check_name(const char *name)
{
    for (const char *mark = ",<>="; *mark; mark++) {
        spar__buf out = {0};
        bool more;
        spar__word_add(&out, name);
        spar__buf_add(&out, mark, 1);
        spar__word_add(&out, name);
        spar__word_list words = spar__words_of(out.text);
        require(!spar__word_next(&words, &more) && more && words.mark == *mark);
        require(strcmp(words.scan.word.text, name) == 0);
        require(!spar__word_next(&words, &more) && more && words.mark == 0);
        require(strcmp(words.scan.word.text, name) == 0 && !spar__word_next(&words, &more) && !more);
        spar__words_close(&words);
        spar__buf_free(&out);
    }
}

void fuzz_word_list(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    bool more = true;
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = 0;
    spar__word_list words = spar__words_of(text);
    for (size_t i = 0; more && !spar__word_next(&words, &more); i++)
        require(i <= size);
    spar__words_close(&words);
    if (is_text(text))
        check_name(text);
    free(text);
}
