/* copy_secrets.c - keys, tokens and invitations of a store to another that has none of its own: who moves a service
 * wants the cookies, links and tokens that are out there to stay good. Links have the address of an experiment; the one
 * of an experiment without a name comes from the file or database, so it is kept with the keys.
 *
 * A service may be copied while it runs, and again when it has stopped. Meanwhile people log out and accept
 * invitations, and tokens are made and revoked. So the copy keeps the hash of what was copied: as long as its secrets
 * have that hash, none is its own, and it gets those that the service has now. On the way back the same holds for the
 * place that they were copied from, as long as nothing has changed there. */
#include "live/copy.h"

#include "base/alloc.h"
#include "store/digest.h"

#include <stdlib.h>
#include <string.h>

static const char COPIED[] = "copied"; /* the secret with that hash; an empty one while they are being replaced */

typedef struct secret_list {
    spar__store_secret *secret; /* by name; without COPIED ... */
    size_t n, room;
    bool copied; /* ... whose bytes are: */
    unsigned char hash[SPAR_HASH_SIZE];
    bool whole; /* they are not empty */
} secret_list;

static void free_list(secret_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        void *bytes = (void *)(uintptr_t)list->secret[i].bytes;
        spar__free((void *)(uintptr_t)list->secret[i].name);
        if (bytes)
            spar__wipe(bytes, list->secret[i].length);
        spar__free(bytes);
    }
    spar__free(list->secret);
}

static spar_status add(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    secret_list *list = context;
    if (strcmp(name, COPIED) == 0) {
        list->copied = true;
        list->whole = length == sizeof list->hash;
        if (list->whole)
            memcpy(list->hash, bytes, length);
        return SPAR_OK;
    }
    spar__store_secret *grown = spar__grow(list->secret, &list->room, list->n + 1, 16, sizeof *grown);
    if (!grown)
        return SPAR_NOMEM;
    list->secret = grown;
    char *named = spar__strdup(name);
    unsigned char *copy = spar__alloc(length + 1, 1);
    if (copy && length)
        memcpy(copy, bytes, length);
    list->secret[list->n++] = (spar__store_secret){named, copy, length};
    return named && copy ? SPAR_OK : SPAR_NOMEM;
}

static const spar__store_secret *find(const secret_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->secret[i].name, name) == 0)
            return &list->secret[i];
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const spar__store_secret *)a)->name, ((const spar__store_secret *)b)->name);
}

/* address: as in copy.h. */
static spar_status list_secrets(spar__store *store, const char *address, secret_list *list, spar_error *err)
{
    *list = (secret_list){.n = 0};
    spar_status status = spar__store_secret_each(store, "", add, list, err);
    if (!status && list->n && address && !find(list, SPAR__STORE_ADDRESS) &&
        add(list, SPAR__STORE_ADDRESS, (const unsigned char *)address, strlen(address)))
        status = spar__fail_memory(err);
    if (!status && list->n) /* stores may have another order */
        qsort(list->secret, list->n, sizeof *list->secret, compare_names);
    return status;
}

/* With one more, if not NULL, which is not in the list. */
static void hash_list(const secret_list *list, const spar__store_secret *more, unsigned char hash[SPAR_HASH_SIZE])
{
    memset(hash, 0, SPAR_HASH_SIZE);
    for (size_t i = 0; i < list->n || more;) {
        bool now = more && (i == list->n || strcmp(more->name, list->secret[i].name) < 0);
        const spar__store_secret *secret = now ? more : &list->secret[i++];
        more = now ? NULL : more;
        spar__chain_next(hash, secret->name, strlen(secret->name), hash);
        spar__chain_next(hash, secret->bytes, secret->length, hash);
    }
}

/* In an empty store: all in one commit, with their hash. */
static spar_status put_all(spar__store *to, secret_list *list, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    hash_list(list, NULL, hash);
    spar__store_secret *grown = spar__grow(list->secret, &list->room, list->n + 1, 0, sizeof *grown);
    if (!grown)
        return spar__fail_memory(err);
    list->secret = grown;
    list->secret[list->n] = (spar__store_secret){COPIED, hash, sizeof hash};
    return spar__store_secret_add(to, list->n + 1, list->secret, err);
}

static bool same(const spar__store_secret *a, const spar__store_secret *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* The next of both lists by name: 0, or which of them alone has it, -1 or 1. */
static int next_of(const secret_list *a, size_t i, const secret_list *b, size_t j)
{
    int order = i == a->n ? 1 : j == b->n ? -1 : strcmp(a->secret[i].name, b->secret[j].name);
    return (order > 0) - (order < 0);
}

/* One by one. After an interruption the next copy goes on: what is half replaced is nobody's own. */
static spar_status replace_all(spar__store *to, const secret_list *had, const secret_list *list, spar_error *err)
{
    unsigned char hash[SPAR_HASH_SIZE];
    spar_status status = spar__store_secret_put(to, COPIED, (const unsigned char *)"", 0, err);
    for (size_t i = 0, j = 0; !status && (i < had->n || j < list->n);) {
        int order = next_of(had, i, list, j);
        const spar__store_secret *old = &had->secret[i], *now = &list->secret[j];
        if (order < 0)
            status = spar__store_secret_drop(to, old->name, err);
        else if (order > 0 || !same(old, now))
            status = spar__store_secret_put(to, now->name, now->bytes, now->length, err);
        i += order <= 0;
        j += order >= 0;
    }
    hash_list(list, NULL, hash);
    return status ? status : spar__store_secret_put(to, COPIED, hash, sizeof hash, err);
}

/* An older program did not remember what it copied. */
static bool all_there(const secret_list *had, const secret_list *list)
{
    size_t i = 0, j = 0, found = 0;
    while (i < had->n || j < list->n) {
        int order = next_of(had, i, list, j);
        found += order == 0 && same(&had->secret[i], &list->secret[j]);
        i += order <= 0;
        j += order >= 0;
    }
    return found == list->n;
}

static bool is_copy(const secret_list *had)
{
    unsigned char hash[SPAR_HASH_SIZE];
    hash_list(had, NULL, hash);
    return had->copied && (!had->whole || memcmp(hash, had->hash, sizeof hash) == 0);
}

/* The way back: it has what the other one was copied from, where the address may not have been written down. */
static bool is_origin(const secret_list *had, const secret_list *list)
{
    unsigned char hash[SPAR_HASH_SIZE];
    const spar__store_secret *address = find(had, SPAR__STORE_ADDRESS) ? NULL : find(list, SPAR__STORE_ADDRESS);
    hash_list(had, address, hash);
    return list->copied && list->whole && memcmp(hash, list->hash, sizeof hash) == 0;
}

spar_status spar__copy_secrets(spar__store *from, spar__store *to, const char *address, spar_error *err)
{
    secret_list list, had = {.n = 0};
    spar_status status = list_secrets(from, address, &list, err);
    if (!status)
        status = list_secrets(to, NULL, &had, err);
    if (!status && list.n) {
        if (!had.n && !had.copied)
            status = put_all(to, &list, err);
        else if (is_copy(&had) || is_origin(&had, &list))
            status = replace_all(to, &had, &list, err);
        else if (!all_there(&had, &list))
            status = spar__fail(err, SPAR_CONFLICT,
                                "%s: has keys or tokens of its own, as after 'spar serve'; nothing was copied, since "
                                "replacing them would end what they are good for",
                                spar__store_name(to));
    }
    free_list(&list);
    free_list(&had);
    return status;
}
