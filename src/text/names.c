#include "text/names.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <string.h>

static spar_status reserve(spar__names *names)
{
    if (spar__key_table_reserve(&names->keys, 1))
        return SPAR_NOMEM;
    size_t *start = spar__grow(names->start, &names->room, names->n + 1, 16, sizeof *start);
    if (!start)
        return SPAR_NOMEM;
    names->start = start;
    return SPAR_OK;
}

static bool is_name(const spar__names *names, size_t number, const char *text, size_t length)
{
    const char *name = spar__names_at(names, number);
    return memcmp(name, text, length) == 0 && name[length] == '\0';
}

/* The key is the hash and the length; a text whose key is taken by another goes on to the next hash. */
spar_status spar__names_get(spar__names *names, const char *text, size_t length, size_t *number)
{
    uint64_t hash = spar__hash_of(text, length);
    for (;; hash++) {
        *number = spar__key_find(&names->keys, hash, length);
        if (*number == SPAR__NO_KEY)
            break;
        if (is_name(names, *number, text, length))
            return SPAR_OK;
    }
    size_t start = names->text.length;
    if (reserve(names))
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
