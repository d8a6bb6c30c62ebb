/* Places of stores: what is shown of one is the same place without its password, as libpq reads it. */
#include "fuzz.h"

#include "base/alloc.h"
#include "store/store.h"

static void check_split(const char *place)
{
    char *store, *name;
    require(!spar__store_split(place, &store, &name, NULL));
    size_t length = strlen(store);
    require(strncmp(place, store, length) == 0);
    require(name ? place[length] == '#' && strcmp(place + length + 1, name) == 0 : place[length] == '\0');
    spar__free(store);
    spar__free(name);
}

static void check_shown(const char *place)
{
    char *shown = spar__store_shown(place);
    require(shown && strlen(shown) <= strlen(place));
    require(strstr(place, "://") || strcmp(place, shown) == 0);
    spar__free(shown);
}

#ifdef SPAR__HAVE_POSTGRES
#include "store/postgres/postgres.h"

static bool has(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The same settings, but for those that are secret. */
static void compare(const char *url, const char *shown)
{
    PQconninfoOption *a = PQconninfoParse(url, NULL), *b = PQconninfoParse(shown, NULL);
    require(a && b);
    for (size_t i = 0; a[i].keyword; i++)
        if (strcmp(a[i].keyword, "password") == 0 || strcmp(a[i].keyword, "sslpassword") == 0)
            require(!b[i].val || !b[i].val[0]);
        else
            require(has(a[i].val, b[i].val) || strchr(url, '%')); /* a name with % is left out */
    PQconninfoFree(a);
    PQconninfoFree(b);
}

static void free_url(spar__postgres *self)
{
    spar__free(self->url);
    spar__free(self->schema);
    spar__free(self->base.name);
}

static void check_url(const char *place)
{
    spar__postgres first = {0}, second = {0};
    spar_error err = {0};
    spar_status status = spar__pg_read_url(&first, place, &err);
    require(!status == !err.text[0]);
    if (!status) {
        require(!spar__pg_read_url(&second, first.base.name, NULL));
        require(strcmp(first.schema, second.schema) == 0);
        compare(first.url, second.url);
    }
    free_url(&first);
    free_url(&second);
}
#else
static void check_url(const char *place)
{
    (void)place;
}
#endif

void fuzz_place(const uint8_t *data, size_t size)
{
    char *place = fuzz_text(data, size);
    check_split(place);
    check_shown(place);
    if (strncmp(place, "postgres", 8) == 0)
        check_url(place);
    free(place);
}
