/* Any bytes: rows of JSON, or a sentence with the line. What a row gives as text is written as JSON and read again: the
 * same text, whatever characters it has, but for bytes that are no UTF-8. */
#include "text/json_read.h"

#include "base/buf.h"
#include "fuzz.h"
#include "text/json.h"

static bool is_utf8(const char *text)
{
    size_t left = strlen(text);
    uint32_t code;
    for (size_t n; left > 0; text += n, left -= n) {
        n = spar__utf8_next(text, left, &code);
        if (code == SPAR__UTF8_BAD)
            return false;
    }
    return true;
}

static void write_and_read(const char *value)
{
    const char *const key[] = {"key"};
    spar__buf out = {0};
    spar__json json = {.out = &out};
    spar_error err = {0};
    bool more = false;
    spar__json_begin_object(&json);
    spar__json_add_string(&json, "key", value);
    spar__json_end_object(&json);
    spar__json_rows rows = spar__json_rows_of(out.text, out.length, "own", 1, key);
    require(!spar__json_rows_next(&rows, &more, &err) && more && rows.found[0]);
    const char *read = spar__json_row_text(&rows, rows.found[0]);
    require((value == NULL) == (read == NULL) && (!value || !is_utf8(value) || strcmp(value, read) == 0));
    spar__json_rows_close(&rows);
    spar__buf_free(&out);
}

void fuzz_json_rows(const uint8_t *data, size_t size)
{
    static const char *const key[] = {"a", "", NULL, "winner"};
    enum { KEYS = sizeof key / sizeof *key };
    spar__json_rows rows = spar__json_rows_of((const char *)data, size, "f", KEYS, key);
    spar_error err = {0};
    bool more = true;
    spar_status status = SPAR_OK;
    while (!(status = spar__json_rows_next(&rows, &more, &err)) && more)
        for (size_t i = 0; i < KEYS; i++) {
            require(rows.found[i] || !spar__json_row_text(&rows, rows.found[i]));
            write_and_read(spar__json_row_text(&rows, rows.found[i]));
        }
    fuzz_refused(status, &err, "f:");
    spar__json_rows_close(&rows);
}
