/* The writer's tick stores logouts, and snapshots that are due, but not in a file that was replaced. */
#include "service/server.h"

#include "live/world.h"

#include <sys/stat.h>

static spar__service service; /* enough of one for the tick */
static char path[128];

static size_t snapshots(const spar_experiment *experiment)
{
    uint64_t sequence[8];
    size_t n = 0;
    must(spar__store_snapshot_list(experiment->store, experiment->id, 8, sequence, &n, &err));
    return n;
}

static spar_status count_one(void *context, const char *name, const unsigned char *bytes, size_t length)
{
    (void)name;
    (void)bytes;
    (void)length;
    ++*(size_t *)context;
    return SPAR_OK;
}

static size_t logouts(void)
{
    size_t n = 0;
    must(spar__store_secret_each(service.store, "logout/", count_one, &n, &err));
    return n;
}

static spar_experiment *start(void)
{
    struct stat now;
    spar_experiment *experiment = NULL;
    must(spar__store_open(path, SPAR__STORE_WRITE, &service.store, &err));
    if (stat(path, &now))
        abort();
    service.file = path;
    service.device = (uint64_t)now.st_dev;
    service.inode = (uint64_t)now.st_ino;
    service.settings.place = path;
    must(spar__store_secret_version(service.store, &service.secrets_version, &err)); /* they are not read */
    (void)pthread_mutex_init(&service.peers.lock, NULL);
    spar__storage_errors_init(&service.storage_errors);
    spar__logouts_init(&service.logouts);
    spar__hosting_init(&service.hosting, path);
    must(spar__hosting_load(&service.hosting, service.store, &err));
    must(spar__hosted_open(spar__hosting_get(&service.hosting, 0), SPAR__BY_WRITER, &experiment, &err));
    return experiment;
}

static void stop(void)
{
    spar__hosting_fini(&service.hosting);
    spar__logouts_fini(&service.logouts);
    spar__storage_errors_fini(&service.storage_errors);
    (void)pthread_mutex_destroy(&service.peers.lock);
    spar__store_close(service.store);
}

int main(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/spar-keep-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    (void)snprintf(path, sizeof path, "%s/tea.db", folder);
    spar_experiment_close(new_experiment(path, 4, 1));
    spar_experiment *experiment = start();
    (void)ask(experiment, NULL);
    size_t before = snapshots(experiment);
    spar__writer_tick(&service);
    ok(experiment->served && snapshots(experiment) == before, "none is due");
    experiment->slow = 1e12;
    spar__logouts_add(&service.logouts, (const unsigned char[SPAR__SESSION_ID]){1});
    service.inode++;
    spar__writer_tick(&service);
    ok(snapshots(experiment) == before && logouts() == 0, "the file was replaced: nothing is written");
    ok(service.storage_errors.n == 1, "which is told: %s", service.storage_errors.error[0].what.text);
    service.inode--;
    spar__writer_tick(&service);
    ok(snapshots(experiment) == before + 1 && logouts() == 1, "it is back: then the snapshot is, and the logout");
    stop();
    close_places();
    return done();
}
