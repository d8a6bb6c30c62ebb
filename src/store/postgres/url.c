/* url.c - postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&sslmode=... (postgres.h).
 *
 * All of it but the schema is libpq's. The name for messages has no password; and a URL in which a password may stand
 * where none belongs ('@' or '/' in it, which must be written as %40 and %2F) is refused without repeating it. */
#include "store/postgres/postgres.h"

#include "base/alloc.h"

#include <string.h>

enum { LONGEST_SCHEMA = 50 }; /* "spar:" and it are a name of PostgreSQL, too */

static spar_status fail_url(spar_error *err)
{
    return spar__fail(err, SPAR_INVALID,
                      "the URL of the database cannot be read: postgresql://USER:PASSWORD@HOST:PORT/DATABASE was "
                      "expected, with special characters of the password written like %%40 for '@' and %%2F for '/'");
}

static bool good_schema(const char *name, size_t length)
{
    bool good =
        length > 0 && length <= LONGEST_SCHEMA && strchr("0123456789", name[0]) == NULL && strncmp(name, "pg_", 3) != 0;
    for (size_t i = 0; i < length && good; i++)
        good = name[i] && strchr("abcdefghijklmnopqrstuvwxyz0123456789_", name[i]);
    return good;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* One NAME=VALUE of the URL. mark: what stands before it. */
static spar_status take_setting(spar__postgres *self, const char *setting, size_t length, spar__buf *url,
                                const char **mark, spar_error *err)
{
    const char *equals = memchr(setting, '=', length);
    size_t word = equals ? (size_t)(equals - setting) : length;
    if (is_word(setting, word, "schema")) {
        size_t n = equals ? length - word - 1 : 0;
        if (!equals || !good_schema(equals + 1, n) || self->schema)
            return spar__fail(err, SPAR_INVALID,
                              "the schema '%.*s' in the URL cannot be used: one name of at most %d lower-case letters, "
                              "digits and '_' was expected",
                              (int)n, equals ? equals + 1 : "", LONGEST_SCHEMA);
        self->schema = (char *)spar__bytes_copy(equals + 1, n);
        if (!self->schema)
            return spar__fail_memory(err);
    } else {
        spar__buf_adds(url, *mark);
        spar__buf_add(url, setting, length);
        *mark = "&";
    }
    return SPAR_OK;
}

static spar_status take_settings(spar__postgres *self, const char *settings, spar__buf *url, spar_error *err)
{
    spar_status status = SPAR_OK;
    const char *mark = "?";
    while (*settings && !status && !url->failed) {
        size_t length = strcspn(settings, "&");
        if (length)
            status = take_setting(self, settings, length, url, &mark, err);
        settings += length + (settings[length] == '&');
    }
    return status;
}

/* Hosts with their ports, which are numbers: HOST:PORT,[::1]:PORT. Else it may be USER:PASSWORD. */
static bool good_hosts(const char *text, size_t length)
{
    bool port = false, bracket = false;
    for (size_t i = 0; i < length && text[i] != '/'; i++) {
        if (port && !strchr("0123456789,", text[i]))
            return false;
        bracket = text[i] == '[' || (bracket && text[i] != ']');
        port = text[i] != ',' && (port || (text[i] == ':' && !bracket));
    }
    return !bracket;
}

/* SCHEME://USER:PASSWORD@HOST:PORT/DATABASE, which end where the settings begin, or NULL. The first '@' ends the
 * password, which may have a '?', too: so libpq reads it. */
static const char *read_front(const char *place)
{
    const char *scheme = strstr(place, "://");
    if (!scheme)
        return NULL;
    const char *user = scheme + 3, *hosts = user + strcspn(user, "@/");
    hosts = *hosts == '@' ? hosts + 1 : user;
    const char *end = hosts + strcspn(hosts, "?");
    size_t length = (size_t)(end - hosts);
    return memchr(hosts, '@', length) || !good_hosts(hosts, length) ? NULL : end;
}

/* libpq's own words might repeat what it took for something else. */
static spar_status check_url(const char *url, spar_error *err)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &why);
    PQfreemem(why);
    if (!options)
        return fail_url(err);
    PQconninfoFree(options);
    return SPAR_OK;
}

spar_status spar__pg_read_url(spar__postgres *self, const char *place, spar_error *err)
{
    spar__buf url = {0}, channel = {0};
    const char *end = read_front(place);
    if (!end)
        return fail_url(err);
    self->base.name = spar__store_shown(place);
    spar__buf_add(&url, place, (size_t)(end - place));
    spar_status status = *end && !url.failed ? take_settings(self, end + 1, &url, err) : SPAR_OK;
    if (!status && !self->schema)
        self->schema = spar__strdup("spar");
    if (!status && self->schema)
        spar__buf_printf(&channel, "spar:%s", self->schema);
    if (!status && (!self->base.name || url.failed || channel.failed || !self->schema))
        status = spar__fail_memory(err);
    self->url = url.text;
    self->channel = channel.text;
    return status ? status : check_url(self->url, err);
}
