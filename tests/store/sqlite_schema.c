/* Files of an older version are brought up to date in one transaction, after a backup. The versions here are made up.
 */
#include "store/events.h"

static char folder[64], path[100];

static const char *const steps[] = {
    "never run",
    "ALTER TABLE experiment ADD COLUMN colour TEXT",
    "UPDATE experiment SET colour = 'red'; CREATE TABLE extra (x INTEGER) STRICT",
    "INSERT INTO extra VALUES ('no number')",
};

static int64_t number(spar__store *store, const char *sql)
{
    int64_t n = -1;
    spar_error err = {0};
    if (spar__sqlite_number((spar__sqlite *)store, sql, &n, &err)) {
        printf("# %s\n", err.text);
        return -1;
    }
    return n;
}

static bool is_version_1(const char *tail)
{
    char name[140];
    struct stat info;
    spar__store *store;
    spar_error err = {0};
    uint64_t e;
    (void)snprintf(name, sizeof name, "%s%s", path, tail);
    if (stat(name, &info) || (info.st_mode & 0777) != 0600 || spar__store_open(name, SPAR__STORE_READ, &store, &err))
        return false;
    bool good = number(store, "PRAGMA user_version") == 1 && !spar__store_find(store, "x", &e, &err);
    spar__store_close(store);
    return good;
}

int main(void)
{
    uint64_t e;
    spar__store *store;
    spar_error err = {0};
    (void)snprintf(path, sizeof path, "%s/old.db", new_folder(folder));
    need(!spar__store_open(path, SPAR__STORE_CREATE, &store, &err) && !spar__store_create(store, "x", &e, &err));
    spar__sqlite *self = (spar__sqlite *)store;
    const spar__sqlite_schema broken = {4, steps}, good = {3, steps};
    spar_status status = spar__sqlite_upgrade(self, &broken, 1, &err);
    ok(status && strstr(err.text, path) && strstr(err.text, "bring it up to date"), "a step fails: %s", err.text);
    ok(is_version_1("") && is_version_1(".version-1.bak"), "the file is as it was, and there is a backup");
    need(!spar__sqlite_ready(self, &err));
    ok(!spar__sqlite_upgrade(self, &good, 1, &err), "steps that work %s", err.text);
    ok(is_version_1(".version-1-2.bak"), "another backup has another name");
    ok(number(store, "PRAGMA user_version") == 3 && number(store, "SELECT count(*) FROM extra") == 0 &&
           number(store, "SELECT count(*) FROM experiment WHERE colour = 'red'") == 1,
       "all steps were done, in order");
    ok(!spar__sqlite_upgrade(self, &good, 1, &err) && number(store, "PRAGMA user_version") == 3,
       "who comes second finds it done");
    spar__store_close(store);
    store = (spar__store *)&store;
    ok(spar__store_open(path, SPAR__STORE_WRITE, &store, &err) == SPAR_UNSUPPORTED && !store, "%s", err.text);
    remove_folder(folder);
    return done();
}
