/* The table of the fields of events says what the documents say: doc/events.md and <spar/event.h> about the bytes,
 * doc/exchange.md about the members of JSON. */
#include "base/file.h"
#include "tap.h"
#include "types/event.h"

#include <stdlib.h>
#include <string.h>

static spar__buf read_document(const char *name)
{
    const char *tests = getenv("SPAR_TESTS");
    spar__buf path = {0}, text = {0};
    spar__buf_printf(&path, "%s/../%s", tests ? tests : "tests", name);
    if (spar__file_read(path.text, 0, &text, NULL))
        abort();
    spar__buf_free(&path);
    return text;
}

static void add_word(spar__buf *out, const char *word)
{
    spar__buf_printf(out, "%s%s", out->length ? " " : "", word);
}

/* The types of the table, in the words of the documents. */
static void add_types(spar__buf *out, const spar__event_field *f)
{
    static const char *const whole[] = {[1] = "u8", [4] = "u32", [8] = "u64"};
    static const char *const others[] = {
        [SPAR__FIELD_TEXT] = "u32",    [SPAR__FIELD_HASH] = "hash of",      [SPAR__FIELD_KEY] = "32 bytes",
        [SPAR__FIELD_REAL] = "f64",    [SPAR__FIELD_REALS] = "f64",         [SPAR__FIELD_INTEGERS] = "i64",
        [SPAR__FIELD_INDICES] = "u32", [SPAR__FIELD_ANSWER] = "the answer",
    };
    for (; f->name; f++)
        if (f->type == SPAR__FIELD_LIST)
            add_types(out, f->inner);
        else
            add_word(out, f->bytes ? whole[f->bytes] : others[f->type]);
}

static void add_names(spar__buf *out, const spar__event_field *f)
{
    for (; f->name; f++) {
        if (f->type != SPAR__FIELD_COUNT)
            add_word(out, f->name);
        if (f->type == SPAR__FIELD_LIST)
            add_names(out, f->inner);
    }
}

/* The types that text[length] names, in its order. */
static void find_types(spar__buf *out, const char *text, size_t length)
{
    static const char *const words[] = {"u8", "u32", "u64", "i64", "f64", "hash of", "32 bytes", "the answer"};
    for (const char *at = text, *end = text + length; at < end; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strncmp(at, words[i], strlen(words[i])) == 0)
                add_word(out, words[i]);
}

/* What stands in backquotes. */
static void find_names(spar__buf *out, const char *text, size_t length)
{
    for (const char *at = memchr(text, '`', length); at && at < text + length; at = strchr(at, '`')) {
        char word[32];
        size_t n = strcspn(++at, "`");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, at);
        add_word(out, word);
        at += n + 1;
    }
}

static void compare(spar_event_kind kind, const char *document, const char *start, const char *end,
                    void find(spar__buf *, const char *, size_t), void add(spar__buf *, const spar__event_field *))
{
    spar__buf said = {0}, is = {0};
    spar__buf_adds(&said, "");
    spar__buf_adds(&is, "");
    if (start)
        find(&said, start, end ? (size_t)(end - start) : strlen(start));
    add(&is, spar__event_fields(kind));
    same_text(said.text, is.text, "%s: the fields of '%s'", document, spar_event_kind_name(kind));
    spar__buf_free(&said);
    spar__buf_free(&is);
}

int main(void)
{
    spar__buf events = read_document("doc/events.md"), header = read_document("include/spar/event.h"),
              exchange = read_document("doc/exchange.md");
    for (int kind = SPAR_EVENT_CREATED; kind <= SPAR_EVENT_IMPORTED; kind++) {
        const char *name = spar_event_kind_name((spar_event_kind)kind), *start;
        char row[64], next[64];
        (void)snprintf(row, sizeof row, "\n| %d | %s | ", kind, name);
        start = strstr(events.text, row);
        compare((spar_event_kind)kind, "doc/events.md", start, start ? strchr(start + 1, '\n') : NULL, find_types,
                add_types);
        (void)snprintf(row, sizeof row, "\n *   %2d  %s ", kind, name);
        (void)snprintf(next, sizeof next, "\n *   %2d  ", kind + 1);
        start = strstr(header.text, row);
        compare((spar_event_kind)kind, "spar/event.h", start,
                start ? strstr(start, kind == SPAR_EVENT_IMPORTED ? "\n *\n" : next) : NULL, find_types, add_types);
        (void)snprintf(row, sizeof row, "\n| `%s` | ", name);
        start = strstr(strstr(exchange.text, "| kind | members |"), row);
        if (spar__event_fields((spar_event_kind)kind)->name)
            compare((spar_event_kind)kind, "doc/exchange.md", start ? start + strlen(row) : NULL,
                    start ? strchr(start + 1, '\n') : NULL, find_names, add_names);
    }
    spar__buf_free(&events);
    spar__buf_free(&header);
    spar__buf_free(&exchange);
    return done();
}
