/* connect.c - the URL, the connection, and the tables (postgres.h).
 *
 * postgresql://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&sslmode=... : all of it but the schema is libpq's. The name
 * for messages has no password; and a URL in which a password may stand where none belongs ('@' or '/' in it, which
 * must be written as %40 and %2F) is refused without repeating it.
 *
 * Tables. Version 1. Everything that counts is in `event`; with each event stands what the log may hold once only
 * (once, high, low: class.h), so that an index can see to it. `experiment` has the end of each log, which append locks,
 * and `screens`: the number of the next screen is the next value of the sequence plus this, so that numbers begin at 1
 * and a log that was copied goes on behind its last screen. `text` is what people wrote, `secret` is for servers only.
 *
 * A change of the tables is a new step, from the last version to the next; steps that were released never change. A
 * server that finds its version there needs no right to make or change tables. */
#include "store/postgres/postgres.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <poll.h>
#include <string.h>

enum {
    LONGEST_SCHEMA = 50, /* "spar:" and it are a name of PostgreSQL, too */
    OLDEST = 120000,     /* PostgreSQL 12 */
    FIRST_PAUSE = 50,    /* milliseconds */
    LONGEST_PAUSE = 5000
};

static const char *const texts[] = {
#define SPAR_SQL(name, columns, sqlite, postgres) postgres,
#include "store/statements.def"
#undef SPAR_SQL
};

/* --- the URL --- */

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
    spar__buf url = {0};
    const char *end = read_front(place);
    if (!end)
        return fail_url(err);
    self->base.name = spar__store_shown(place);
    spar__buf_add(&url, place, (size_t)(end - place));
    spar_status status = *end && !url.failed ? take_settings(self, end + 1, &url, err) : SPAR_OK;
    if (!status && !self->schema)
        self->schema = spar__strdup("spar");
    if (!status && (!self->base.name || url.failed || !self->schema))
        status = spar__fail_memory(err);
    self->url = url.text;
    return status ? status : check_url(self->url, err);
}

/* --- the tables --- */

/* The text of a statement: '@' becomes the schema in quotes, '~' its bare name. New; NULL: out of memory. */
static char *text_with_schema(const spar__postgres *self, const char *text)
{
    spar__buf out = {0};
    for (; *text; text++)
        if (*text == '@')
            spar__buf_printf(&out, "\"%s\"", self->schema); /* letters, digits and _ only: see good_schema */
        else if (*text == '~')
            spar__buf_adds(&out, self->schema);
        else
            spar__buf_add(&out, text, 1);
    if (out.failed)
        spar__buf_free(&out);
    return out.text;
}

static const char *const first[] = {
    "CREATE TABLE @.version (number bigint NOT NULL)",
    "CREATE TABLE @.experiment (number bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE, "
    "sequence bigint NOT NULL, hash bytea NOT NULL, screens bigint NOT NULL, drops bigint NOT NULL) "
    "WITH (fillfactor = 20)",
    "CREATE SEQUENCE @.screens",
    "CREATE TABLE @.event (experiment bigint NOT NULL, sequence bigint NOT NULL, high bigint NOT NULL, "
    "low bigint NOT NULL, once smallint NOT NULL, body bytea NOT NULL, hash bytea NOT NULL, "
    "PRIMARY KEY (experiment, sequence))",
    "CREATE UNIQUE INDEX once ON @.event (experiment, once, high, low) WHERE once > 0",
    "CREATE TABLE @.text (experiment bigint NOT NULL, kind smallint NOT NULL, owner bigint NOT NULL, "
    "version bigint NOT NULL, salt bytea NOT NULL, bytes bytea NOT NULL, "
    "PRIMARY KEY (experiment, kind, owner, version))",
    "CREATE UNIQUE INDEX voter ON @.text (experiment, sha256(bytes)) WHERE kind = 5",
    "CREATE TABLE @.snapshot (experiment bigint NOT NULL, sequence bigint NOT NULL, engine bigint NOT NULL, "
    "hash bytea NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (experiment, sequence))",
    "CREATE TABLE @.secret (name text COLLATE \"C\" PRIMARY KEY, bytes bytea NOT NULL)",
    "INSERT INTO @.version (number) VALUES (0)",
    NULL,
};

static const char *const *const steps[] = {first};

const spar__pg_schema spar__pg_schema_now = {1, steps};

/* What is in the database under the name of the schema. */
typedef struct schema_finds {
    bool schema, version, others; /* the schema; its table of the version; any other table, view, type ... */
    int64_t number;               /* of the version */
} schema_finds;

static spar_status look(spar__postgres *self, schema_finds *found, spar_error *err)
{
    spar__pg_queue(self, SPAR__SQL_identify, "s", self->schema);
    spar_status status = spar__pg_flush(self, "open it", err);
    if (status)
        return status;
    const PGresult *row = spar__pg_result(self, 0);
    *found = (schema_finds){spar__pg_number(row, 0, 0) > 0, spar__pg_number(row, 0, 1) > 0,
                            spar__pg_number(row, 0, 2) > 0, 0};
    if (!found->version)
        return SPAR_OK;
    spar__pg_queue(self, SPAR__SQL_version, "");
    status = spar__pg_flush(self, "open it", err);
    row = spar__pg_result(self, 0);
    if (!status && spar__pg_number(row, 0, 0) == 1)
        found->number = (int64_t)spar__pg_number(row, 0, 1);
    if (!status && found->number <= 0)
        status = spar__fail(err, SPAR_CORRUPT, "%s: the schema '%s' does not say its version", self->base.name,
                            self->schema);
    return status;
}

/* Is there anything to do? */
static spar_status judge(const spar__postgres *self, const schema_finds *found, int64_t known, spar_error *err)
{
    const char *name = self->base.name;
    if (found->version && found->number > known)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by a newer spar: its schema has version %lld, this one knows %lld", name,
                          (long long)found->number, (long long)known);
    if (found->version && found->number < known && self->base.mode == SPAR__STORE_READ)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: was made by an older spar; a command that writes brings it up to date", name);
    if (found->version)
        return SPAR_OK;
    if (found->others)
        return spar__fail(err, SPAR_UNSUPPORTED,
                          "%s: the schema '%s' is that of another program; name one of your own as ?schema=NAME", name,
                          self->schema);
    if (self->base.mode != SPAR__STORE_CREATE)
        return spar__fail(err, SPAR_IO, "%s: there are no experiments: the schema '%s' is %s; spar init makes it", name,
                          self->schema, found->schema ? "empty" : "not there");
    return SPAR_OK;
}

static spar_status queue_step(spar__postgres *self, const char *const *statement, spar_error *err)
{
    for (; *statement; statement++) {
        char *text = text_with_schema(self, *statement);
        if (!text)
            return spar__fail_memory(err);
        spar__pg_queue_text(self, text);
        spar__free(text);
    }
    return SPAR_OK;
}

/* In the transaction, alone: others that do the same wait. */
static spar_status run_steps(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    static const char *const make[] = {"CREATE SCHEMA @", NULL};
    schema_finds found;
    spar_status status = look(self, &found, err);
    if (!status)
        status = judge(self, &found, schema->version, err);
    if (status || found.number == schema->version) /* somebody else was quicker */
        return status;
    if (!found.schema)
        status = queue_step(self, make, err);
    for (int64_t v = found.number; v < schema->version && !status; v++)
        status = queue_step(self, schema->step[v], err);
    if (!status)
        spar__pg_queue(self, SPAR__SQL_set_version, "i", (int64_t)schema->version);
    return status;
}

static spar_status upgrade(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    spar__pg_begin(self);
    spar__pg_queue(self, SPAR__SQL_alone, "s", self->schema);
    spar_status status = spar__pg_flush(self, "make its tables", err);
    if (!status)
        status = run_steps(self, schema, err);
    return spar__pg_end(self, status, "make its tables", err);
}

spar_status spar__pg_set_up(spar__postgres *self, const spar__pg_schema *schema, spar_error *err)
{
    schema_finds found;
    spar_status status = look(self, &found, err);
    if (!status)
        status = judge(self, &found, schema->version, err);
    if (!status && found.number < schema->version)
        status = upgrade(self, schema, err);
    return status;
}

/* --- the connection --- */

static void ignore_notice(void *context, const char *message)
{
    (void)context, (void)message;
}

static spar_status make_texts(spar__postgres *self, spar_error *err)
{
    for (size_t i = 0; i < SPAR__SQL_COUNT; i++)
        if (texts[i][0] && !self->text[i] && !(self->text[i] = text_with_schema(self, texts[i])))
            return spar__fail_memory(err);
    return SPAR_OK;
}

void spar__pg_disconnect(spar__postgres *self)
{
    spar__pg_forget_results(self);
    for (size_t i = 0; i < SPAR__SQL_COUNT; i++)
        self->prepared[i] = false;
    self->screen_of = 0;
    PQfinish(self->conn);
    self->conn = NULL;
}

/* What stands before dbname is for a URL that does not say otherwise. A server that vanishes without a word is noticed
 * by the system, too. */
static const char *const keys[] = {"connect_timeout",  "keepalives_idle",           "keepalives_interval",
                                   "keepalives_count", "tcp_user_timeout",          "dbname",
                                   "client_encoding",  "fallback_application_name", NULL};

static void fill_values(const spar__postgres *self, const char *values[9])
{
    const char *const fixed[] = {"10", "10", "5", "3", "20000", self->url, "UTF8", "spar", NULL};
    memcpy(values, fixed, sizeof fixed);
}

/* A pooler tells each client a process of its own, which is not that of the server. */
static spar_status find_pooler(spar__postgres *self, spar_error *err)
{
    self->pooled = true;
    spar__pg_queue(self, SPAR__SQL_process, "");
    spar_status status = spar__pg_flush(self, "open it", err);
    if (!status)
        self->pooled = spar__pg_number(spar__pg_result(self, 0), 0, 0) != (uint64_t)PQbackendPID(self->conn);
    if (status || self->pooled)
        return status;
    spar__pg_queue(self, SPAR__SQL_session, "");
    return spar__pg_flush(self, "open it", err);
}

static spar_status connect_once(spar__postgres *self, spar_error *err)
{
    const char *values[9];
    spar__pg_disconnect(self);
    fill_values(self, values);
    self->conn = PQconnectdbParams(keys, values, 1);
    if (!self->conn)
        return spar__fail_memory(err);
    if (PQstatus(self->conn) != CONNECTION_OK)
        return spar__pg_fail(self, "connect", NULL, err);
    (void)PQsetNoticeProcessor(self->conn, ignore_notice, NULL);
    if (PQserverVersion(self->conn) < OLDEST)
        return spar__fail(err, SPAR_UNSUPPORTED, "%s: is PostgreSQL %d, expected %d or newer", self->base.name,
                          PQserverVersion(self->conn) / 10000, OLDEST / 10000);
    if (PQsetnonblocking(self->conn, 1) != 0 || !PQenterPipelineMode(self->conn))
        return spar__pg_fail(self, "connect", NULL, err);
    self->broken = false;
    spar_status status = find_pooler(self, err);
    return status ? status : spar__pg_set_up(self, &spar__pg_schema_now, err);
}

static void sleep_for(unsigned milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* Is it there, but just starting or ending? */
static bool is_starting(const spar__postgres *self)
{
    const char *values[9];
    fill_values(self, values);
    return PQpingParams(keys, values, 1) == PQPING_REJECT;
}

static unsigned pause_of(unsigned failures)
{
    unsigned pause = (unsigned)FIRST_PAUSE << (failures < 8 ? failures : 8);
    pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
    return pause / 2 + (unsigned)((uint64_t)spar__clock_wall() / 1000 % (pause / 2)); /* not all clients at once */
}

spar_status spar__pg_connect(spar__postgres *self, spar_error *err)
{
    double until = spar__clock_wall() + 1e6 * spar__store_patience;
    spar_status status = make_texts(self, err);
    for (unsigned i = 0; !status; i++) {
        status = connect_once(self, err);
        if (status != SPAR_IO || PQstatus(self->conn) == CONNECTION_OK || spar__clock_wall() > until ||
            !is_starting(self))
            return status;
        sleep_for(pause_of(i));
        status = SPAR_OK;
    }
    return status;
}

/* After a failure nobody tries again for a while, which is longer each time: whoever comes meanwhile is refused at
 * once, and a database that comes back is not overrun. */
static spar_status connect_again(spar__postgres *self, spar_error *err)
{
    if (self->failures && spar__clock_wall() < self->next_try)
        return spar__fail(err, SPAR_IO, "%s: is not connected; another try follows soon", self->base.name);
    spar_status status = connect_once(self, err);
    if (!status) {
        self->failures = 0;
        return SPAR_OK;
    }
    self->broken = true;
    self->next_try = spar__clock_wall() + 1e6 * pause_of(self->failures);
    self->failures++;
    return status;
}

/* Has the server ended the connection while nobody used it? It says why, then comes the end. */
static bool is_closed(spar__postgres *self)
{
    struct pollfd one = {.fd = PQsocket(self->conn), .events = POLLIN};
    while (poll(&one, 1, 0) > 0)
        if (!PQconsumeInput(self->conn))
            return true;
    return false;
}

spar_status spar__pg_ready(spar__postgres *self, spar_error *err)
{
    if (!self->broken && PQtransactionStatus(self->conn) == PQTRANS_IDLE && is_closed(self))
        self->broken = true;
    if (!self->broken)
        return SPAR_OK;
    if (self->base.locked) /* what was read under the lock may not hold any more */
        return spar__fail(err, SPAR_IO, "%s: failed while it was locked", self->base.name);
    return connect_again(self, err);
}
