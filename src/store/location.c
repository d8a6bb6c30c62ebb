/* location.c - where a store is (FILE, sqlite:FILE, memory:NAME, postgresql://...), and its kind; the name of the
 * experiment in it; and how all that is shown, without passwords. */
#include "store/class.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#define SPAR_STORE(folder, name) extern const spar__store_class spar__store_##name;
#include "store/stores.def"
#undef SPAR_STORE

const spar__store_class *const spar__store_classes[] = {
#define SPAR_STORE(folder, name) &spar__store_##name,
#include "store/stores.def"
#undef SPAR_STORE
    NULL,
};

spar_status spar__store_split(const char *place, char **store, char **name, spar_error *err)
{
    const char *slash = strrchr(place, '/'), *hash = strrchr(slash ? slash : place, '#');
    size_t length = hash ? (size_t)(hash - place) : strlen(place);
    *name = NULL;
    *store = spar__alloc(length + 1, 1);
    if (*store)
        memcpy(*store, place, length);
    if (*store && hash)
        *name = spar__strdup(hash + 1);
    if (*store && (!hash || *name))
        return SPAR_OK;
    spar__free(*store);
    *store = NULL;
    return spar__fail_memory(err);
}

/* Does the place begin with "scheme:"? Its length with the colon, or 0. */
static size_t has_scheme(const char *place, const char *scheme)
{
    size_t length = strlen(scheme);
    return strncmp(place, scheme, length) == 0 && place[length] == ':' ? length + 1 : 0;
}

static void fail_scheme(const char *place, spar_error *err)
{
    char known[256] = "";
    for (const spar__store_class *const *cls = spar__store_classes; *cls; cls++) {
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s:", used ? ", " : "", (*cls)->scheme[0]);
    }
    int length = (int)(strstr(place, "://") - place);
    if (strncmp(place, "postgres", 8) == 0)
        (void)spar__fail(err, SPAR_UNKNOWN, "this spar was built without PostgreSQL, for which it needs libpq");
    else
        (void)spar__fail(err, SPAR_UNKNOWN, "no store is called '%.*s:'; there are: %s", length, place, known);
}

const spar__store_class *spar__store_class_of(const char *place, size_t *skip, spar_error *err)
{
    *skip = 0;
    for (const spar__store_class *const *cls = spar__store_classes; *cls; cls++)
        for (size_t i = 0; i < 3 && (*cls)->scheme[i]; i++)
            if ((*skip = has_scheme(place, (*cls)->scheme[i])))
                return *cls;
    if (!strstr(place, "://"))
        return spar__store_classes[0];
    fail_scheme(place, err);
    return NULL;
}

/* A setting of a URL that is not shown. Of what has no name, or one that is written with %, nobody knows what it is. */
static bool is_secret(const char *setting, size_t length)
{
    static const char *const names[] = {"password", "sslpassword"};
    const char *equals = memchr(setting, '=', length);
    size_t name = equals ? (size_t)(equals - setting) : length;
    bool secret = !equals || memchr(setting, '%', name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        secret = secret || (strlen(names[i]) == name && memcmp(names[i], setting, name) == 0);
    return secret;
}

/* ?NAME=VALUE&NAME=VALUE#EXPERIMENT; the '#' behind a secret may be part of it. */
static void show_settings(const char *settings, spar__buf *out)
{
    char mark = '?';
    while (*settings) {
        size_t length = strcspn(++settings, "&");
        if (length && !is_secret(settings, length)) {
            spar__buf_add(out, &mark, 1);
            spar__buf_add(out, settings, length);
            mark = '&';
        }
        settings += length;
    }
}

/* The settings begin with the first '?' behind the password, which ends with the first '@': so libpq reads it. A
 * password that has an '@' or a '/' is a mistake, but not shown, either. */
char *spar__store_shown(const char *place)
{
    spar__buf out = {0};
    const char *start = strstr(place, "://");
    if (!start)
        return spar__strdup(place);
    const char *user = start + 3, *first = user + strcspn(user, "@/");
    const char *settings = *first == '@' ? first + strcspn(first, "?") : user + strcspn(user, "?"), *at = settings;
    while (at > user && *at != '@')
        at--;
    const char *colon = memchr(user, ':', (size_t)(at - user));
    spar__buf_add(&out, place, (size_t)((colon ? colon : at) - place));
    spar__buf_add(&out, at, (size_t)(settings - at));
    show_settings(settings, &out);
    if (out.failed)
        spar__buf_free(&out);
    return out.text;
}

char *spar__store_stem(const char *place)
{
    const char *end = strstr(place, "://") ? strchr(place, '?') : NULL;
    const char *start = end ? end : place + strlen(place);
    while (start > place && start[-1] != '/' && (end || start[-1] != ':' || strchr(place, '/')))
        start--;
    size_t length = strcspn(start, ".?#");
    if (!length)
        return spar__strdup("experiment");
    char *name = spar__alloc(length + 1, 1);
    if (name)
        memcpy(name, start, length);
    return name;
}
