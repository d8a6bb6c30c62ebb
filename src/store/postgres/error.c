/* error.c - sentences for what goes wrong between us and the server (postgres.h).
 *
 * The words are those of the server's first line, which has no values of rows and never a password. */
#include "store/postgres/postgres.h"

#include <string.h>

/* What a state (SQLSTATE) means for who called; the first that fits. */
typedef struct spar__pg_meaning {
    const char *state; /* how it begins */
    spar_status status;
    bool broken; /* the connection is made again */
    const char *words;
} spar__pg_meaning;

static const spar__pg_meaning meanings[] = {
    {"55P03", SPAR_BUSY, false, NULL}, /* lock_not_available */
    {"40", SPAR_BUSY, false, NULL},    /* serialization, deadlock */
    {"53100", SPAR_FULL, false, "no space left on the disk of the database"},
    {"53", SPAR_IO, true, NULL},
    {"42501", SPAR_IO, false, "this role lacks a right"},
    {"25006", SPAR_IO, true, "the database can only be read (a standby, perhaps)"},
    {"3D", SPAR_IO, true, NULL},
    {"26", SPAR_IO, true, NULL}, /* a prepared statement is gone */
    {"42P05", SPAR_IO, true, NULL},
    {"22P", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"22", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"23", SPAR_CORRUPT, false, "the tables are not as spar left them"},
    {"3F", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"42", SPAR_CORRUPT, false, "the tables are not as spar made them"},
    {"XX", SPAR_CORRUPT, true, "the database is damaged"},
    {"57014", SPAR_IO, false, NULL}, /* cancelled, or a time limit of the server */
    {"", SPAR_IO, true, NULL},
};

static const spar__pg_meaning *meaning_of(const char *state)
{
    const spar__pg_meaning *m = meanings;
    while (strncmp(state, m->state, strlen(m->state)) != 0)
        m++;
    return m;
}

/* One line of it, without what libpq puts before and behind. */
static void first_line(const char *text, char *out, size_t size)
{
    size_t length = strcspn(text, "\n");
    length = length < size ? length : size - 1;
    memcpy(out, text, length);
    out[length] = '\0';
}

spar_status spar__pg_fail(spar__postgres *self, const char *verb, const PGresult *result, spar_error *err)
{
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *said = state ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : PQerrorMessage(self->conn);
    const spar__pg_meaning *m = meaning_of(state ? state : "");
    char line[300];
    first_line(said && *said ? said : "the connection was lost", line, sizeof line);
    if (m->broken)
        self->broken = true;
    if (m->status == SPAR_BUSY)
        return spar__fail(err, SPAR_BUSY, "%s: cannot %s: another program has been using it for more than %g seconds",
                          self->base.name, verb, spar__patience_of(&self->base) / 1e3);
    if (m->words)
        return spar__fail(err, m->status, "%s: cannot %s: %s (%s)", self->base.name, verb, m->words, line);
    return spar__fail(err, m->status, "%s: cannot %s: %s", self->base.name, verb, line);
}

spar_status spar__pg_fail_silent(spar__postgres *self, const char *verb, spar_error *err)
{
    self->broken = true;
    return spar__fail(err, SPAR_IO, "%s: cannot %s: the database does not answer", self->base.name, verb);
}

spar_status spar__pg_fail_unknown(const spar__postgres *self, uint64_t experiment, spar_error *err)
{
    return spar__fail(err, SPAR_UNKNOWN, "%s: holds no experiment %llu", self->base.name,
                      (unsigned long long)experiment);
}
