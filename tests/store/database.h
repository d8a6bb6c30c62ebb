/* database.h - stores in the database that SPAR_POSTGRES names, each in a schema of its own, and SQL beside them. */
#ifndef SPAR_TESTS_STORE_DATABASE_H
#define SPAR_TESTS_STORE_DATABASE_H

#include "events.h"
#include "store/postgres/postgres.h"

#include <stdarg.h>

static unsigned n_schemas;
static char schema[64]; /* of the newest place */

/* As the role, NULL: the one of the URL. */
MAYBE_UNUSED static const char *place_as(const char *role)
{
    static char place[500];
    const char *url = getenv("SPAR_POSTGRES");
    (void)snprintf(place, sizeof place, "%s%cschema=%s", url, strchr(url, '?') ? '&' : '?', schema);
    if (role)
        (void)snprintf(place + strlen(place), sizeof place - strlen(place), "&user=%s", role);
    return place;
}

MAYBE_UNUSED static const char *new_place(void)
{
    (void)snprintf(schema, sizeof schema, "test_%u", ++n_schemas);
    return place_as(NULL);
}

/* The superuser says it, with the newest schema for '@'; the first value of the first row, "" if there is none. */
MAYBE_UNUSED static const char *sql(const char *text)
{
    static char value[600];
    spar__buf words = {0};
    for (; *text; text++)
        if (*text == '@')
            spar__buf_adds(&words, schema);
        else
            spar__buf_add(&words, text, 1);
    PGconn *admin = PQconnectdb(getenv("SPAR_POSTGRES_ADMIN"));
    PQclear(PQexec(admin, "SET client_min_messages = error"));
    PGresult *result = PQexec(admin, words.text);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK) {
        printf("# %s: %s\n", words.text, PQerrorMessage(admin));
        need(false);
    }
    (void)snprintf(value, sizeof value, "%s", PQntuples(result) ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(admin);
    spar__buf_free(&words);
    return value;
}

MAYBE_UNUSED static spar__store *open_store(const char *place, spar__store_mode mode)
{
    spar__store *store = NULL;
    spar_error err = {0};
    if (spar__store_open(place, mode, &store, &err))
        printf("# %s\n", err.text);
    return store;
}

/* Answer number i, of its own screen. */
MAYBE_UNUSED static spar_status append_answer(spar__store *store, uint64_t e, uint64_t i, spar_error *err)
{
    spar__store_entry entry = {new_event(), NULL, 0, SPAR_OK, {0}};
    set_answer(entry.event, i, 0);
    spar_status status = spar__store_append(store, e, 1, &entry, err);
    spar_event_free(entry.event);
    return status ? status : entry.status;
}

/* How many events there are; UINT64_MAX: the log is not whole. */
MAYBE_UNUSED static uint64_t whole_log(spar__store *store, uint64_t e)
{
    follower f = {.event = new_event(), .whole = true};
    spar_error err = {0};
    spar_status status = spar__store_read(store, e, 1, 0, follow, &f, &err);
    if (status)
        printf("# %s\n", err.text);
    spar_event_free(f.event);
    return !status && f.whole ? f.n : UINT64_MAX;
}

MAYBE_UNUSED static void keep_first(void *context, const char *sentence)
{
    char *first = context;
    if (!*first)
        (void)snprintf(first, 300, "%s", sentence);
}

#endif
