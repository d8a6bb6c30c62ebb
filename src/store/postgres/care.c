/* care.c - backups, and looking for damage (postgres.h). */
#include "store/postgres/postgres.h"

spar_status spar__pg_backup(spar__store *store, const char *path, spar_error *err)
{
    return spar__fail(err, SPAR_UNSUPPORTED,
                      "%s: a database is saved by its own means, like pg_dump; spar copy makes a file of an experiment "
                      "(%s was to be made)",
                      store->name, path);
}

spar_status spar__pg_check(spar__store *store, spar__store_finding_fn fn, void *context, spar_error *err)
{
    (void)fn, (void)context;
    return spar__pg_ready((spar__postgres *)store, err);
}
