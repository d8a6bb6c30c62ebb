/* copy_secrets.c - keys, tokens and invitations of a store to another that has none: who moves a service wants the
 * cookies, links and tokens that are out there to stay good. Links have the address of an experiment; the one of an
 * experiment without a name comes from the file or database, so it is kept with the keys. */
#include "live/copy.h"

#include "base/alloc.h"

#include <string.h>

typedef struct secret_list {
    spar__store_secret *secret;
    size_t n, room;
} secret_list;

static void free_list(secret_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        spar__free((void *)(uintptr_t)list->secret[i].name);
        spar__free((void *)(uintptr_t)list->secret[i].bytes);
    }
    spar__free(list->secret);
}

static spar_status add(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    secret_list *list = context;
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

/* Are all of them there as they are? Then an earlier copy has brought them. */
static spar_status compare(spar__store *to, const secret_list *list, spar_error *err)
{
    bool same = true;
    spar_status status = SPAR_OK;
    for (size_t i = 0; i < list->n && same && !status; i++) {
        const spar__store_secret *secret = &list->secret[i];
        unsigned char *bytes = NULL;
        size_t length = 0;
        spar_error why = {0};
        status = spar__store_secret_get(to, secret->name, &bytes, &length, &why);
        same = !status && length == secret->length && memcmp(bytes, secret->bytes, length) == 0;
        if (status == SPAR_UNKNOWN)
            status = SPAR_OK;
        else if (status)
            (void)spar__fail(err, status, "%s", why.text);
        spar__free(bytes);
    }
    if (status || same)
        return status;
    return spar__fail(err, SPAR_CONFLICT,
                      "%s: has keys or tokens of its own, as after 'spar serve'; nothing was copied, since replacing "
                      "them would end what they are good for",
                      spar__store_name(to));
}

static bool holds(const secret_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->secret[i].name, name) != 0)
        i++;
    return i < list->n;
}

spar_status spar__copy_secrets(spar__store *from, spar__store *to, const char *address, spar_error *err)
{
    secret_list list = {.n = 0};
    spar_error why = {0};
    spar_status status = spar__store_secret_each(from, "", add, &list, err);
    if (!status && list.n && address && !holds(&list, SPAR__STORE_ADDRESS) &&
        add(&list, SPAR__STORE_ADDRESS, (const unsigned char *)address, strlen(address)))
        status = spar__fail_memory(err);
    if (!status && list.n) {
        status = spar__store_secret_add(to, list.n, list.secret, &why);
        if (status == SPAR_CONFLICT)
            status = compare(to, &list, err);
        else if (status)
            (void)spar__fail(err, status, "%s", why.text);
    }
    free_list(&list);
    return status;
}
