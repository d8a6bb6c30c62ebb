/* names.c - texts numbered as they came, by a hash of 128 bits; and lists of names in one line. */
#include "text/names.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "text/json.h"

#include <string.h>

/* The key is the hash and the length; a text whose key is taken by another goes on to the next hash. */
spar_status spar__names_get(spar__names *names, const char *text, size_t length, size_t *number)
{
    uint64_t hash = spar__hash_of(text, length);
    for (;; hash++) {
        *number = spar__key_find(&names->keys, hash, length);
        if (*number == SPAR__NO_KEY)
            break;
        const char *name = spar__names_at(names, *number);
        if (memcmp(name, text, length) == 0 && name[length] == '\0')
            return SPAR_OK;
    }
    size_t start = names->text.length;
    if (spar__key_table_reserve(&names->keys, 1) ||
        !spar__reserve(&names->start, &names->room, names->n + 1, 16, sizeof *names->start))
        return SPAR_NOMEM;
    spar__buf_add(&names->text, text, length);
    spar__buf_add(&names->text, "", 1);
    if (names->text.failed)
        return SPAR_NOMEM;
    *number = spar__key_get(&names->keys, hash, length);
    names->start[names->n++] = start;
    return SPAR_OK;
}

void spar__names_free(spar__names *names)
{
    spar__key_table_fini(&names->keys);
    spar__buf_free(&names->text);
    spar__free(names->start);
    *names = (spar__names){0};
}

static bool needs_quotes(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || strchr(" \t", name[0]) || strchr(" \t", name[length - 1]) || strpbrk(name, ",<>=\"\\"))
        return true;
    for (size_t size; length > 0; name += size, length -= size) {
        uint32_t code;
        size = spar__utf8_next(name, length, &code);
        if (spar__utf8_acts(code))
            return true;
    }
    return false;
}

void spar__word_add(spar__buf *out, const char *name)
{
    if (needs_quotes(name))
        spar__json_string(&(spar__json){.out = out}, name);
    else
        spar__buf_adds(out, name);
}

spar__word_list spar__words_of(const char *text)
{
    return (spar__word_list){.scan = {.path = "", .at = text, .end = text + strlen(text), .number = 1}};
}

static spar_status read_plain(spar__json_scan *scan)
{
    const char *start = scan->at;
    while (scan->at < scan->end && !memchr(",<>=\"\\", *scan->at, 6))
        scan->at++;
    const char *stop = scan->at;
    while (stop > start && strchr(" \t", stop[-1]))
        stop--;
    spar__buf_add(&scan->word, start, (size_t)(stop - start));
    return scan->word.failed ? SPAR_NOMEM : stop == start ? SPAR_PARSE : SPAR_OK;
}

spar_status spar__word_next(spar__word_list *words, bool *more)
{
    spar__json_scan *scan = &words->scan;
    char c = spar__scan_space(scan);
    *more = false;
    if (words->done || (scan->at == scan->end && !words->mark)) {
        words->done = true;
        return SPAR_OK;
    }
    spar_error err = {0};
    spar__buf_clear(&scan->word);
    spar__buf_add(&scan->word, "", 0);
    spar_status status =
        c == '"' && spar__scan_take(scan, '"') ? spar__scan_string(scan, &scan->word, &err) : read_plain(scan);
    if (status)
        return status;
    c = spar__scan_space(scan);
    if (scan->at < scan->end && !memchr(",<>=", c, 4))
        return SPAR_PARSE;
    words->mark = scan->at < scan->end ? c : '\0';
    words->done = scan->at == scan->end;
    scan->at += !words->done;
    *more = true;
    return SPAR_OK;
}

void spar__words_close(spar__word_list *words)
{
    spar__buf_free(&words->scan.word);
}
