/* find.c - the experiment of a name, and a sentence that lists them where there is none; places with a name. */
#include "store/class.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <string.h>

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

/* Of "password=..." among the settings of a URL: where it is, its length; 0: there is none. */
static size_t find_setting(const char *text, const char **at)
{
    const char *start = strchr(text, '?');
    while (start && strncmp(start + 1, "password=", 9) != 0)
        start = strchr(start + 1, '&');
    *at = start ? start + 10 : NULL;
    return start ? strcspn(*at, "&#") : 0;
}

char *spar__store_shown(const char *place)
{
    char *shown = spar__strdup(place);
    char *start = shown ? strstr(shown, "://") : NULL;
    if (!start)
        return shown;
    const char *setting;
    size_t length = find_setting(start, &setting);
    if (length)
        memmove(shown + (setting - shown), setting + length, strlen(setting + length) + 1);
    char *user = start + 3, *end = user + strcspn(user, "/?#"), *at = end;
    while (at > user && *at != '@') /* the last one: a password may have others */
        at--;
    char *colon = memchr(user, ':', (size_t)(at - user));
    if (colon)
        memmove(colon, at, strlen(at) + 1);
    return shown;
}

typedef struct spar__store_search {
    const char *name; /* NULL: any */
    uint64_t found;
    size_t matches, n;
    spar__buf list; /* of the names, for a message */
} spar__store_search;

static spar_status search_one(void *context, uint64_t experiment, const char *name)
{
    spar__store_search *search = context;
    if (!search->name || strcmp(search->name, name) == 0) {
        search->found = experiment;
        search->matches++;
    }
    if (search->n < 20)
        spar__buf_printf(&search->list, "%s%s", search->n ? ", " : "", name[0] ? name : "'' (without a name)");
    else if (search->n == 20)
        spar__buf_adds(&search->list, ", ...");
    search->n++;
    return search->list.failed ? SPAR_NOMEM : SPAR_OK;
}

static spar_status fail_search(const spar__store *store, const spar__store_search *search, spar_error *err)
{
    if (search->n == 0)
        return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment", store->name);
    if (search->name)
        return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment '%s'; there are: %s", store->name, search->name,
                          search->list.text);
    return spar__fail(err, SPAR_UNKNOWN, "%s: holds %zu experiments, name one as %s#NAME: %s", store->name, search->n,
                      store->name, search->list.text);
}

spar_status spar__store_find(spar__store *store, const char *name, uint64_t *experiment, spar_error *err)
{
    spar__store_search search = {.name = name};
    *experiment = 0;
    spar_status status = store->cls->experiments(store, search_one, &search, err);
    if (status == SPAR_NOMEM)
        (void)spar__fail_memory(err);
    else if (!status && search.matches != 1)
        status = fail_search(store, &search, err);
    else if (!status)
        *experiment = search.found;
    spar__buf_free(&search.list);
    return status;
}
