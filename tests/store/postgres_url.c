/* URLs of databases: what libpq gets, the schema, and a name without a password. No server is needed. */
#include "base/alloc.h"
#include "store/postgres/postgres.h"
#include "tap.h"

static void free_url(spar__postgres *self)
{
    spar__free(self->url);
    spar__free(self->schema);
    spar__free(self->base.name);
}

static void reads(const char *place, const char *url, const char *schema, const char *name)
{
    spar__postgres self = {0};
    spar_error err = {0};
    ok(!spar__pg_read_url(&self, place, &err), "%s %s", name, err.text);
    same_text(self.url ? self.url : "", url, "for libpq");
    same_text(self.schema ? self.schema : "", schema, "the schema");
    same_text(self.base.name ? self.base.name : "", name, "for messages");
    free_url(&self);
}

/* Refused, and nothing of the password is said. */
static void refuses(const char *place)
{
    spar__postgres self = {0};
    spar_error err = {0};
    spar_status status = spar__pg_read_url(&self, place, &err);
    ok(status == SPAR_INVALID && err.text[0] && !strstr(err.text, "sec") && !strstr(err.text, "ret"), "%s", err.text);
    free_url(&self);
}

static void test_memory(void)
{
    spar_status status = SPAR_NOMEM;
    size_t k = 0;
    while (status == SPAR_NOMEM && k++ < 50) {
        spar__postgres self = {0};
        spar__alloc_fail_at(k);
        status = spar__pg_read_url(&self, "postgresql://u:secret@h/d?schema=s&sslmode=require", NULL);
        spar__alloc_fail_at(0);
        free_url(&self);
    }
    ok(!status && k > 3, "each of %zu allocations may fail", k - 1);
}

int main(void)
{
    reads("postgresql://h/d", "postgresql://h/d", "spar", "postgresql://h/d");
    reads("postgres://u@h:5433/d", "postgres://u@h:5433/d", "spar", "postgres://u@h:5433/d");
    reads("postgresql://u:secret@h/d", "postgresql://u:secret@h/d", "spar", "postgresql://u@h/d");
    reads("postgresql://u:se%40c%2Fret@h,i:6000/d", "postgresql://u:se%40c%2Fret@h,i:6000/d", "spar",
          "postgresql://u@h,i:6000/d");
    reads("postgresql:///d?host=%2Ftmp&schema=tea_2&user=u", "postgresql:///d?host=%2Ftmp&user=u", "tea_2",
          "postgresql:///d?host=%2Ftmp&schema=tea_2&user=u");
    reads("postgresql://h/d?schema=tea", "postgresql://h/d", "tea", "postgresql://h/d?schema=tea");
    reads("postgresql://h/d?password=secret&sslmode=verify-full&sslpassword=secret&sslrootcert=%2Fr.crt",
          "postgresql://h/d?password=secret&sslmode=verify-full&sslpassword=secret&sslrootcert=%2Fr.crt", "spar",
          "postgresql://h/d?sslmode=verify-full&sslrootcert=%2Fr.crt");
    reads("postgresql://h/d?p%61ssword=secret", "postgresql://h/d?p%61ssword=secret", "spar", "postgresql://h/d");
    reads("postgresql://h/d?&&sslmode=require&", "postgresql://h/d?sslmode=require", "spar",
          "postgresql://h/d?sslmode=require");
    reads("postgresql://[::1]:5432,b:1/d", "postgresql://[::1]:5432,b:1/d", "spar", "postgresql://[::1]:5432,b:1/d");
    reads("postgresql://u:sec#r?et@h/d?sslmode=require", "postgresql://u:sec#r?et@h/d?sslmode=require", "spar",
          "postgresql://u@h/d?sslmode=require");
    reads("postgresql://u:1?x=2@h/d?schema=s", "postgresql://u:1?x=2@h/d", "s", "postgresql://u@h/d?schema=s");
    refuses("postgresql://u:sec@ret@h/d");
    refuses("postgresql://u:secret/d");
    refuses("postgresql://u@h:sec,ret/d");
    refuses("postgresql://u:sec/ret@h/d");
    refuses("postgresql://u:12/sec@ret/d");
    refuses("postgresql://u:sec:ret/d");
    refuses("postgresql:d");
    refuses("postgresql:/d?x=://");
    refuses("postgresql://h/d?unknown=ret");
    refuses("postgresql://h/d?schema=");
    refuses("postgresql://h/d?schema");
    refuses("postgresql://h/d?schema=a&schema=b");
    refuses("postgresql://h/d?schema=Upper");
    refuses("postgresql://h/d?schema=pg_mine");
    refuses("postgresql://h/d?schema=1st");
    refuses("postgresql://h/d?schema=a\";drop");
    refuses("postgresql://h/d?schema=a.b");
    refuses("postgresql://h/d?schema=abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijk");
    test_memory();
    return done();
}
